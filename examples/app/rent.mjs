// A small app: tenants pay their rent by wire to a number of their own (a VRN), and the app decides about each payment.
import { createHmac, randomUUID } from 'node:crypto'

/** Signs in, and returns a function that calls the API. Settings: the base URL, and the Program with its key. */
export async function connect({ api, program, key }) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = [{ alg: 'HS512' }, { iat: Math.floor(Date.now() / 1000), sub: program }].map(encode).join('.')
  let token = `${claims}.${createHmac('sha512', key).update(claims).digest('base64url')}`

  async function call(method, path, body) {
    const headers = { authorization: token, 'x-trace-id': randomUUID(), 'content-type': 'application/json' }
    const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) })
    const answer = response.status === 204 ? undefined : await response.json()
    if (response.ok) return answer
    throw new Error(`${method} ${path}: ${response.status} ${answer.errors.map(({ detail }) => detail).join('; ')}`)
  }
  token = (await call('POST', '/auth')).token
  return call
}

/** Creates a Customer and applies for an account. The account is open when the Customer is active. */
export async function onboardTenant(call, { email, details }) {
  const customer = await call('POST', '/customers', { email, details })
  const products = await call('GET', '/products')
  const { uid } = products.data.find(({ name }) => name === 'Business Checking')
  await call('POST', '/customer_products', { customer_uid: customer.uid, product_uid: uid })
  return customer.uid
}

/** Creates the number to which the tenant pays, for the first account of the tenant. */
export async function createRentNumber(call, tenant) {
  const accounts = await call('GET', `/synthetic_accounts?customer_uid=${tenant}&liability=true`)
  const number = await call('POST', '/virtual_reference_numbers', {
    name: 'Rent',
    synthetic_account_uid: accounts.data[0].uid,
    routing_number: '110000000',
  })
  return number.uid
}

/** Simulates a wire of the tenant. Only the sandbox has this endpoint. */
export async function simulateWire(call, tenant, number, amount) {
  const { uid } = await call('POST', '/sandbox/mock_transactions', {
    transaction_type: 'wire',
    customer_uid: tenant,
    virtual_reference_number_uid: number,
    us_dollar_amount: amount,
  })
  return uid
}

export const acceptPayment = (call, payment) =>
  call('PUT', `/transactions/${payment}/authorize`, { authorization_status: 'client_approved' })

export async function returnPayment(call, tenant, payment, reason) {
  const { uid } = await call('POST', '/returns', {
    original_transaction_uid: payment,
    requesting_customer_uid: tenant,
    requestor_type: 'customer',
    return_reason: reason,
  })
  return uid
}

export const archiveTenant = (call, tenant) => call('DELETE', `/customers/${tenant}`, { archive_note: 'moved out' })

export const getStatus = async (call, path) => (await call('GET', path)).status
