import { expect } from '@playwright/test'
import { test } from 'sandbank/playwright'
import * as rent from '../app/rent.mjs'
import { tenant } from '../app/tenant.mjs'

const connect = ({ api, programs: [program] }) => rent.connect({ api, program: program.uid, key: program.hmac_key })

async function onboard(world) {
  const call = await connect(world)
  const uid = await rent.onboardTenant(call, tenant)
  await world.clock.advance('idle')
  return { call, uid }
}

test('a tenant is verified and gets an account', async ({ world }) => {
  const { call, uid } = await onboard(world)
  expect(await rent.getStatus(call, `/customers/${uid}`)).toBe('active')
})

test('a wire waits until the app accepts it', async ({ world }) => {
  const { call, uid } = await onboard(world)
  const number = await rent.createRentNumber(call, uid)
  const payment = await rent.simulateWire(call, uid, number, 1200)
  await world.clock.advance('12 hours')
  expect(await rent.getStatus(call, `/transactions/${payment}`)).toBe('authorization_pending')
  await rent.acceptPayment(call, payment)
  await world.clock.advance('idle')
  expect(await rent.getStatus(call, `/transactions/${payment}`)).toBe('settled')
})

test('a returned wire leaves nothing, and the tenant is archived one business day later', async ({ world }) => {
  const { call, uid } = await onboard(world)
  const number = await rent.createRentNumber(call, uid)
  const payment = await rent.simulateWire(call, uid, number, 1200)
  await rent.acceptPayment(call, payment)
  await world.clock.advance('idle')
  const returned = await rent.returnPayment(call, uid, payment, 'paid twice')
  await world.clock.advance('idle')
  expect(await rent.getStatus(call, `/returns/${returned}`)).toBe('settled')
  await rent.archiveTenant(call, uid)
  await world.clock.advance('1 business day')
  expect(await rent.getStatus(call, `/customers/${uid}`)).toBe('archived')
})
