# A small app: tenants pay their rent by wire to a number of their own (a VRN), and the app decides about each payment.

onboard_tenant() {
  customer=$(sandbank call POST customers -d @tenant.json | field uid)
  product=$(sandbank call GET products | field data.0.uid)
  sandbank call POST customer_products "customer_uid=$customer" "product_uid=$product" >/dev/null
  echo "$customer"
}

create_rent_number() {
  account=$(sandbank call GET synthetic_accounts "customer_uid=$1" liability=true | field data.0.uid)
  sandbank call POST virtual_reference_numbers name=Rent "synthetic_account_uid=$account" routing_number=110000000 | field uid
}

# Simulates a wire of the tenant. Only the sandbox has this endpoint.
simulate_wire() {
  sandbank call POST sandbox/mock_transactions transaction_type=wire "customer_uid=$1" \
    "virtual_reference_number_uid=$2" "us_dollar_amount=$3" | field uid
}

accept_payment() {
  sandbank call PUT "transactions/$1/authorize" authorization_status=client_approved >/dev/null
}

return_payment() {
  sandbank call POST returns "requesting_customer_uid=$1" requestor_type=customer \
    "original_transaction_uid=$2" "return_reason=$3" | field uid
}

archive_tenant() {
  sandbank call DELETE "customers/$1" -d '{"archive_note":"moved out"}' >/dev/null
}

status_of() {
  sandbank call GET "$1" | field status
}
