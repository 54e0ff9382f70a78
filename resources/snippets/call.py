import base64, hashlib, hmac, json, time, urllib.request, uuid

BASE = "{{base_url}}"
PROGRAM = "{{program_uid}}"
KEY = "{{hmac_key}}"

# Each request needs a new trace id
def call(method, path, authorization):
    trace = str(uuid.uuid4())
    headers = {"Authorization": authorization, "x-trace-id": trace}
    req = urllib.request.Request(BASE + path, None, headers, method=method)
    with urllib.request.urlopen(req) as response:
        return json.load(response)

# 1. Sign a refresh token: HS512 over the time and the Program uid
def b64(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def part(value): return b64(json.dumps(value).encode())
issued = {"iat": int(time.time()), "sub": PROGRAM}
claims = part({"alg": "HS512"}) + "." + part(issued)
mac = b64(hmac.new(KEY.encode(), claims.encode(), hashlib.sha512).digest())

# 2. Exchange it for an access token, valid for 8 hours
token = call("POST", "/auth", claims + "." + mac)["token"]

# 3. Call the API with the token as returned
print(call("GET", "/customers?limit=5", token))
