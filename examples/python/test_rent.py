import pytest

from rent import Rent

TENANT = {
    "first_name": "Ada",
    "last_name": "Byron",
    "phone": "5155550123",
    "ssn": "512-04-8823",
    "dob": "1990-04-17",
    "address": {"street1": "1 Main St", "city": "Ames", "state": "IA", "postal_code": "50010"},
}


@pytest.fixture
def rent(world):
    program = world.programs[0]
    return Rent(world.api, program["uid"], program["hmac_key"])


@pytest.fixture
def tenant(world, rent):
    uid = rent.onboard_tenant("ada@example.test", TENANT)
    world.clock.advance("idle")
    return uid


def test_a_tenant_is_verified_and_gets_an_account(rent, tenant):
    assert rent.status_of(f"/customers/{tenant}") == "active"


def test_a_wire_waits_until_the_app_accepts_it(world, rent, tenant):
    payment = rent.simulate_wire(tenant, rent.create_rent_number(tenant), 1200)
    world.clock.advance("12 hours")
    assert rent.status_of(f"/transactions/{payment}") == "authorization_pending"
    rent.accept_payment(payment)
    world.clock.advance("idle")
    assert rent.status_of(f"/transactions/{payment}") == "settled"


def test_a_returned_wire_leaves_nothing_and_the_tenant_is_archived_one_business_day_later(world, rent, tenant):
    payment = rent.simulate_wire(tenant, rent.create_rent_number(tenant), 1200)
    rent.accept_payment(payment)
    world.clock.advance("idle")
    returned = rent.return_payment(tenant, payment, "paid twice")
    world.clock.advance("idle")
    assert rent.status_of(f"/returns/{returned}") == "settled"
    rent.archive_tenant(tenant)
    world.clock.advance("1 business day")
    assert rent.status_of(f"/customers/{tenant}") == "archived"
