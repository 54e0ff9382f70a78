"""A small app: tenants pay their rent by wire to a number of their own (a VRN), and the app decides about each payment."""

import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.request
import uuid


class ApiError(Exception):
    pass


class Rent:
    """Settings: the base URL, and the Program with its key."""

    def __init__(self, api, program, key):
        self._api = api
        self._token = sign(program, key)
        self._token = self._call("POST", "/auth")["token"]

    def _call(self, method, path, body=None):
        headers = {"authorization": self._token, "x-trace-id": str(uuid.uuid4()), "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._api + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            details = [one["detail"] for one in json.load(error)["errors"]]
            raise ApiError(f"{method} {path}: {error.code} {'; '.join(details)}") from None

    def onboard_tenant(self, email, details):
        """Creates a Customer and applies for an account. The account is open when the Customer is active."""
        customer = self._call("POST", "/customers", {"email": email, "details": details})["uid"]
        products = self._call("GET", "/products")["data"]
        product = next(one["uid"] for one in products if one["name"] == "Business Checking")
        self._call("POST", "/customer_products", {"customer_uid": customer, "product_uid": product})
        return customer

    def create_rent_number(self, tenant):
        """Creates the number to which the tenant pays, for the first account of the tenant."""
        accounts = self._call("GET", f"/synthetic_accounts?customer_uid={tenant}&liability=true")["data"]
        number = {"name": "Rent", "synthetic_account_uid": accounts[0]["uid"], "routing_number": "110000000"}
        return self._call("POST", "/virtual_reference_numbers", number)["uid"]

    def simulate_wire(self, tenant, number, amount):
        """Simulates a wire of the tenant. Only the sandbox has this endpoint."""
        wire = {
            "transaction_type": "wire",
            "customer_uid": tenant,
            "virtual_reference_number_uid": number,
            "us_dollar_amount": amount,
        }
        return self._call("POST", "/sandbox/mock_transactions", wire)["uid"]

    def accept_payment(self, payment):
        self._call("PUT", f"/transactions/{payment}/authorize", {"authorization_status": "client_approved"})

    def return_payment(self, tenant, payment, reason):
        return self._call("POST", "/returns", {
            "original_transaction_uid": payment,
            "requesting_customer_uid": tenant,
            "requestor_type": "customer",
            "return_reason": reason,
        })["uid"]

    def archive_tenant(self, tenant):
        self._call("DELETE", f"/customers/{tenant}", {"archive_note": "moved out"})

    def status_of(self, path):
        return self._call("GET", path)["status"]


def sign(program, key):
    """A refresh token: a JWS with HS512."""

    def encode(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    claims = {"iat": int(time.time()), "sub": program}
    text = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "HS512"}, claims))
    return f"{text}.{encode(hmac.new(key.encode(), text.encode(), hashlib.sha512).digest())}"
