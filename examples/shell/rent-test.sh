#!/bin/sh
. node_modules/sandbank/resources/shell/sandbank-test.sh
. ./rent.sh

a_tenant_is_verified_and_gets_an_account() {
  tenant=$(onboard_tenant)
  sandbank clock advance idle
  expect_same active "$(status_of "customers/$tenant")"
}

a_wire_waits_until_the_app_accepts_it() {
  tenant=$(onboard_tenant)
  sandbank clock advance idle
  payment=$(simulate_wire "$tenant" "$(create_rent_number "$tenant")" 1200)
  sandbank clock advance 12h
  expect_same authorization_pending "$(status_of "transactions/$payment")"
  accept_payment "$payment"
  sandbank clock advance idle
  expect_same settled "$(status_of "transactions/$payment")"
}

a_returned_wire_leaves_nothing_and_the_tenant_is_archived_one_business_day_later() {
  tenant=$(onboard_tenant)
  sandbank clock advance idle
  payment=$(simulate_wire "$tenant" "$(create_rent_number "$tenant")" 1200)
  accept_payment "$payment"
  sandbank clock advance idle
  returned=$(return_payment "$tenant" "$payment" 'paid twice')
  sandbank clock advance idle
  expect_same settled "$(status_of "returns/$returned")"
  archive_tenant "$tenant"
  sandbank clock advance 1bd
  expect_same archived "$(status_of "customers/$tenant")"
}

run_tests a_tenant_is_verified_and_gets_an_account a_wire_waits_until_the_app_accepts_it \
  a_returned_wire_leaves_nothing_and_the_tenant_is_archived_one_business_day_later
