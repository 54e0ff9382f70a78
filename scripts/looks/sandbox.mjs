// The sandbox whose window is shown: it is started with a world, and called through the control API and the API.
import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { root } from '../prepare.mjs'

const START = '2026-11-24T16:21:02Z'

/** Starts an ephemeral sandbox with a frozen clock, so that each run shows the same. Call its `stop()` at the end. */
export async function startSandbox(world, ...more) {
  const flags = ['--port', '0', '--ephemeral', '--json', '--clock', 'frozen', '--seed', 'sandbank', '--start', START]
  const host = spawn(process.execPath, ['out/main/cli.js', 'serve', ...flags, '--world', world, ...more], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = await new Promise((resolve, reject) => {
    host.once('exit', () => reject(new Error('The sandbox did not start: npm run build first')))
    host.stdout.once('data', (data) => resolve(JSON.parse(String(data).split('\n')[0])))
  })
  return { ...output, stop: () => host.kill() }
}

/** Calls a control method. */
export async function callControl({ control, control_key }, name, input = {}) {
  const response = await fetch(`${control}/${name}`, {
    method: 'POST',
    headers: { 'x-control-key': control_key, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (!response.ok) throw new Error(`${name} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Signs in, and returns a function that sends a request to the API with a new trace id. */
export async function signIn({ api, programs }) {
  const [{ uid, hmac_key }] = programs
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = `${part({ alg: 'HS512' })}.${part({ iat: Math.floor(Date.now() / 1000), sub: uid })}`
  const jws = `${claims}.${createHmac('sha512', hmac_key).update(claims).digest('base64url')}`
  let token = jws
  const call = async (method, path, body) => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: token, 'x-trace-id': randomUUID(), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return response.json()
  }
  token = (await call('POST', '/auth')).token
  return call
}

/** Sends a few requests: a wire to a VRN that waits for authorization, a payment that is queued, and one that is refused. */
export async function createTraffic(sandbox) {
  const call = await signIn(sandbox)
  const customers = await call('GET', '/customers?external_uid=demo-business-1')
  const customer = customers.data[0].uid
  const accounts = await call('GET', `/synthetic_accounts?customer_uid=${customer}&limit=50`)
  const from = accounts.data.find((account) => account.master_account)
  const to = accounts.data.find((account) => account.synthetic_account_category === 'ach_external')
  const vrns = await call('GET', `/virtual_reference_numbers?synthetic_account_uid=${from.uid}&status=active`)
  const ach = {
    originator_name: 'Quayside Bakery',
    sec_code: 'CCD',
    entry_description: 'FLOUR',
    service_processing: 'STANDARD',
    effective_entry_date: '2026-11-24',
  }
  const transfer = (usd_transfer_amount) =>
    call('POST', '/transfers', {
      initiating_customer_uid: customer,
      source_synthetic_account_uid: from.uid,
      destination_synthetic_account_uid: to.uid,
      usd_transfer_amount,
      ach,
    })
  await transfer('640.00')
  await call('POST', '/sandbox/mock_transactions', {
    transaction_type: 'wire',
    customer_uid: customer,
    us_dollar_amount: 18_450,
    virtual_reference_number_uid: vrns.data[0]?.uid,
  })
  await transfer('99999999.00')
  const { data } = await callControl(sandbox, 'exchanges.list', { limit: 50 })
  const payments = await call('GET', `/transactions?customer_uid=${customer}&limit=1`)
  return { customer, payment: payments.data[0].uid, refused: (data.find(({ status }) => status >= 400) ?? data[0]).uid }
}
