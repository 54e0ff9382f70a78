import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Lets a built Sandbank, usually of an earlier commit, write the files of `test/store/migrations/`: a folder that was stopped, its
 * bundle, and a folder that was killed. CONTRIBUTING.md has the steps. It skips what that version does not know.
 */

const USAGE =
  'usage: node scripts/old-folder.mjs <its out/main/cli.js> <folder to write, e.g. test/store/migrations/version-8>'

const { positionals } = parseArgs({ allowPositionals: true })
if (positionals.length !== 2) {
  console.error(USAGE)
  process.exit(2)
}
const [cli, target] = positionals

const START = '2026-08-14T14:00:00.000Z'
const NEW_WORLD = ['--world', 'empty', '--seed', basename(target), '--start', START, '--clock', 'frozen']
const ACH = {
  originator_name: 'Harbor Payments',
  sec_code: 'CCD',
  entry_description: 'INVOICE',
  service_processing: 'STANDARD',
}
const ADDRESS = { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' }

const stopped = `${target}-stopped`
const killed = `${target}-killed`
const bundle = `${target}.bundle.jsonl`
for (const path of [stopped, killed, bundle]) rmSync(path, { recursive: true, force: true })

const first = await serve(stopped, NEW_WORLD)
await fill(first, 'a', false)
await first.end('SIGTERM')

// An imported bundle is a world file with many records. The version before bundles begins again instead.
const isExported = runCommand('export', stopped, '--out', bundle) && runCommand('import', bundle, '--data', killed)
const second = await serve(killed, isExported ? [] : NEW_WORLD)
await fill(second, 'b', isExported)
await second.end('SIGKILL')
for (const folder of [stopped, killed])
  for (const name of ['lock', 'lock.sock', 'token-secret']) rmSync(join(folder, name), { force: true })
console.log(`${stopped}, ${killed}${isExported ? ` and ${bundle}` : ''} were written`)

function runCommand(...args) {
  return spawnSync(process.execPath, [cli, ...args], { stdio: 'ignore' }).status === 0
}

async function serve(data, options) {
  mkdirSync(data, { recursive: true })
  const args = [cli, 'serve', '--json', '--port', '0', '--data', data, ...options]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  process.once('exit', () => child.kill('SIGKILL'))
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).split('\n')[0]))
    void ended.then((code) => reject(new Error(`serve ended with ${code} before it listened`)))
  })
  const { api, control, control_key, programs } = JSON.parse(line)

  /** undefined if the version has no such method. */
  async function call(method, input = {}) {
    const headers = { 'content-type': 'application/json', 'x-control-key': control_key }
    const answer = await fetch(`${control}/${method}`, { method: 'POST', headers, body: JSON.stringify(input) })
    const body = await answer.json()
    if (answer.ok) return body
    if (!methods.has(method)) return undefined
    throw new Error(`${method} ${JSON.stringify(input)}: ${answer.status} ${JSON.stringify(body)}`)
  }
  const headers = { 'x-control-key': control_key }
  const { paths } = await (await fetch(`${control}/openapi.json`, { headers })).json()
  const methods = new Set(Object.keys(paths).map((path) => basename(path)))

  const endpoints = (await (await fetch(`${api}/openapi.json`)).json()).paths
  const hasEndpoint = (path) => path in endpoints || `/api/v1${path}` in endpoints
  return {
    call,
    hasEndpoint,
    programs,
    client: (program) => createClient(api, program),
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}

function createClient(api, { uid, hmac_key }) {
  let count = 0
  let token
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  function signRefreshToken() {
    const content = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode({ iat: Math.floor(Date.now() / 1000), sub: uid })}`
    return `${content}.${createHmac('sha512', hmac_key).update(content).digest('base64url')}`
  }
  const send = (method, path, authorization, body) =>
    fetch(api + path, {
      method,
      headers: {
        authorization,
        'x-trace-id': `${basename(target)} ${uid} ${process.pid} ${++count}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })

  /** `expected`: statuses that are no mistake. */
  return async function request(method, path, body, expected = [200, 201, 204]) {
    token ??= (await (await send('POST', '/auth', signRefreshToken())).json()).token
    let answer = await send(method, path, token, body)
    if (answer.status === 401) {
      token = (await (await send('POST', '/auth', signRefreshToken())).json()).token
      answer = await send(method, path, token, body)
    }
    const text = await answer.text()
    if (!expected.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** Puts records of every kind and in many states into a world. `part` makes texts and account numbers unique. */
async function fill(sandbox, part, isImported) {
  const { call, programs } = sandbox
  const request = sandbox.client(programs[0])
  const program_uid = programs[0].uid
  await call('programs.update', {
    uid: program_uid,
    unanswered_authorization: 'deny',
    authorization_hours: 12,
    queue_minutes: { ach: 5, wire: 1, instant_payment: 0, book: 0 },
    vrn_cooldown_minutes: 30,
  })
  await fillOtherProgram(sandbox, part)

  const products = await list(request, '/products')
  const types = await list(request, '/synthetic_account_types')
  const product = products.find(({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0).uid
  const typeOf = (category) => types.find((type) => type.synthetic_account_category === category).uid

  async function createCustomer(last_name, more = {}) {
    const details = { first_name: 'Olive', last_name, phone: '5155550123', ssn: '512-04-8823', dob: '1990-04-17' }
    const { uid } = await request('POST', '/customers', {
      external_uid: `${last_name}-${part}`,
      email: `${last_name}@example.test`.toLowerCase(),
      details: { ...details, address: ADDRESS },
      ...more,
    })
    return uid
  }
  const onboard = (customer_uid) => request('POST', '/customer_products', { customer_uid, product_uid: product })

  const customer = await createCustomer('Oyl')
  await onboard(customer)
  const reviewed = await createCustomer('Smith')
  await onboard(reviewed)
  await call('clock.advance', { by: 'PT2S' })
  await call('moves.make', { collection: 'customers', uid: reviewed, move: 'approve' })
  await call('clock.advance', { by: 'PT2S' })
  const { pool_uids } = await request('GET', `/customers/${customer}`)
  const [pool_uid] = pool_uids
  const [{ uid: master }] = await list(request, `/synthetic_accounts?customer_uid=${customer}&liability=true`)

  async function openAccount(name, category, account_number, more = {}) {
    const number = { routing_number: '021000021', account_number }
    const account = await request('POST', '/synthetic_accounts', {
      ...{ name, pool_uid, synthetic_account_type_uid: typeOf(category) },
      ...(category !== 'general' && number),
      ...more,
    })
    return account.uid
  }
  const ach = { account_type: 'checking', counterparty_name: 'Northern Mill Co' }
  const n = part === 'a' ? '1' : '2'
  const savings = await openAccount('Payroll Reserve', 'general')
  const mill = await openAccount('Quay Mill', 'ach_external', `7000${n}0`, { ach })
  const returning = await openAccount('Sea Hag Supply', 'ach_external', `700${n}9902`, { ach })
  const corrected = await openAccount('Castor & Co', 'ach_external', `700${n}9801`, { ach })
  const leasing = await openAccount('Harbor Leasing', 'wire_external', `7100${n}0`, {
    wire: { counterparty_name: 'Harbor Leasing Inc' },
  })
  const okafor = await openAccount('Ada Okafor', 'instant_payment_external', `7200${n}0`, {
    instant_payment: {
      counterparty_name: 'Ada Okafor',
      counterparty_address: {
        ...{
          street_number: '80',
          street1: 'Wharf Road',
          city: 'Toledo',
          state: 'OH',
          postal_code: '43604',
          country: 'US',
        },
      },
    },
  })
  await request('PUT', `/synthetic_accounts/${savings}`, { name: 'Tax Reserve', note: 'renamed' })
  const closed = await openAccount('Closed', 'ach_external', `7300${n}0`, { ach })
  await request('DELETE', `/synthetic_accounts/${closed}`)
  // Refusals are part of a request log.
  await request('GET', '/customers/0000000000000000', undefined, [404])

  if (sandbox.hasEndpoint('/transfers')) {
    const accounts = { master, savings, mill, returning, corrected, leasing, okafor, pool_uid, typeOf, number: n }
    await fillPayments({ ...sandbox, request, customer, accounts, part, isImported })
  }

  const queued = await createCustomer('Wimpy')
  await onboard(queued)
  await createCustomer('Brutus', { customer_type: 'sole_proprietor' })
  await request('DELETE', `/customers/${reviewed}`, {
    archive_note: 'At the request of the Customer',
    can_apply_again: true,
  })
  const { tasks } = await call('tasks.list', {})
  await call('tasks.hold', { uid: tasks.find(({ recurring }) => !recurring).uid })
}

async function fillOtherProgram(sandbox, part) {
  const created = await sandbox.call('programs.create', { name: `Quay Savings ${part}`, pre_funding: false })
  if (!created) return
  const request = sandbox.client(created)
  const { uid } = await request('POST', '/customers', { email: 'mill@example.test', details: { first_name: 'Ida' } })
  await request('GET', `/customers/${uid}`)
  await sandbox.call('programs.rotate_key', { uid: created.uid })
  await sandbox.call('programs.update', {
    ...{ uid: created.uid, client_is_customer: true, transaction_types: ['ach', 'book_transfer'] },
    account_limits: { general_accounts: 3 },
  })
  await sandbox.call('operator.create_customer', {
    program_uid: created.uid,
    customer: { external_uid: `client-${part}` },
  })
}

async function fillPayments({ call, request, customer, accounts, part, isImported }) {
  const payments = createPayments({ call, request, customer, accounts })
  const { mock, decide, vrn } = payments
  await decide('transactions', await mock({ transaction_type: 'wire', us_dollar_amount: 5000 }), 'settle')
  const rent = await vrn('Rent')
  const locked = await vrn('Locked')
  if (!isImported) await settlePayments({ call, request, customer, accounts, part, payments })
  await call('clock.advance', { until: 'idle' })
  await call('snapshots.keep', { name: `payments ${part}` })

  await decide('virtual_reference_numbers', locked, 'lock', { lock_reason: 'admin' })
  const approved = await mock({ transaction_type: 'wire', us_dollar_amount: 70, virtual_reference_number_uid: rent })
  await request('PUT', `/transactions/${approved}/authorize`, { authorization_status: 'client_approved' })
  await mock({ transaction_type: 'wire', us_dollar_amount: 80, virtual_reference_number_uid: locked })
  await applyFaults({ call, request })
  await call('scenarios.save', {
    name: `quay-${part}`,
    text: 'name: Quay\nteaches: One request.\nsteps:\n  - request: GET /customers\n    expect: { status: 200 }\n',
  })
  const { seq } = await call('world.describe')
  await payments.pay(accounts.master, accounts.savings, '99.00')
  await call('world.rewind', { seq })

  // These payments are under way when the process ends.
  await archiveAnother({ call, request, part })
  await payments.toEveryRail('11.00')
  await payments.pay(accounts.master, accounts.returning, '21.00')
  await call('clock.advance', { by: 'PT1S' })
  await mock({ transaction_type: 'ach', us_dollar_amount: 90, virtual_reference_number_uid: rent })
  await mock({ transaction_type: 'ach', us_dollar_amount: -95, virtual_reference_number_uid: rent })
  await payments.combined('6.00')
  await vrn('Registered later')
}

function createPayments({ call, request, customer, accounts }) {
  const { master, savings, mill, leasing, okafor, pool_uid, typeOf, number } = accounts
  const today = async () => (await call('clock.read')).now.slice(0, 10)
  const achToday = async () => ({ ...ACH, effective_entry_date: await today() })

  async function mock(more) {
    const { uid } = await request('POST', '/sandbox/mock_transactions', { customer_uid: customer, ...more })
    return uid
  }
  const decide = (collection, uid, move, inputs) =>
    call('moves.make', { ...{ collection, uid, move }, ...(inputs && { inputs }) })
  const pay = async (from, to, usd_transfer_amount, more) =>
    request('POST', '/transfers', {
      ...{ source_synthetic_account_uid: from, destination_synthetic_account_uid: to },
      ...{ initiating_customer_uid: customer, usd_transfer_amount, ach: await achToday(), ...more },
    })
  async function toEveryRail(amount) {
    for (const account of [savings, mill, leasing, okafor]) await pay(master, account, amount)
  }
  const combined = async (amount) =>
    request('POST', '/combined_transfers', {
      synthetic_account: {
        ...{ name: `Bakery ${amount}`, pool_uid, synthetic_account_type_uid: typeOf('ach_external') },
        ...{ routing_number: '021000021', account_number: `74${number}${amount.replace('.', '')}0` },
        ach: { account_type: 'checking', counterparty_name: 'Quayside Bakery' },
      },
      transfer: {
        ...{ source_synthetic_account_uid: master, initiating_customer_uid: customer },
        ...{ usd_transfer_amount: amount, ach: await achToday() },
      },
    })
  async function vrn(name) {
    const body = { name, synthetic_account_uid: master, routing_number: '110000000' }
    const { uid } = await request('POST', '/virtual_reference_numbers', body)
    return uid
  }
  return { mock, decide, pay, toEveryRail, combined, vrn }
}

/** Payments of every kind and outcome. */
async function settlePayments({ call, request, customer, accounts, part, payments }) {
  const { master, savings, mill, returning, corrected } = accounts
  const { mock, pay } = payments
  await payments.toEveryRail('10.00')
  await pay(master, returning, '20.00', { external_uid: `invoice-${part}` })
  await pay(master, corrected, '30.00')
  const debit = await mock({ transaction_type: 'ach', us_dollar_amount: -40, counterparty_name: 'Wimpy, Inc.' })
  const wire = await mock({ transaction_type: 'wire', us_dollar_amount: 50, synthetic_account_uid: savings })
  const instant = { transaction_type: 'instant_payment', us_dollar_amount: 60, counterparty_name: 'Ada Okafor' }
  await mock({ ...instant, network: 'tch', memo: 'for the boat' })
  await payments.combined('5.00')
  await payments.vrn('Instant payment fail')
  await call('clock.advance', { until: 'idle' })
  // Over the close of a business day.
  await call('clock.advance', { by: 'P1D' })
  const requested = { requesting_customer_uid: customer, requestor_type: 'customer', return_reason: 'Not authorized' }
  await request('POST', '/returns', { original_transaction_uid: debit, ach: { ach_return_code: 'R10' }, ...requested })
  await request('POST', '/returns', { original_transaction_uid: wire, ...requested })
  const canceled = await pay(master, mill, '15.00')
  await request('PUT', `/transfers/${canceled.uid}/cancel`, { cancellation_reason: 'Sent twice' })
}

async function applyFaults({ call, request }) {
  await call('faults.set', {
    faults: [
      { method: 'GET', path: '/customers', kind: 'status', status: 503, times: 1 },
      { kind: 'latency', ms: 5, jitter_ms: 1 },
    ],
  })
  await request('GET', '/customers', undefined, [503])
  await call('faults.clear')
}

/** An archival that has to pay out a remaining balance first. */
async function archiveAnother({ call, request, part }) {
  const details = {
    first_name: 'Poopdeck',
    last_name: 'Pappy',
    phone: '5155550124',
    ssn: '512-04-8824',
    dob: '1950-04-17',
  }
  const { uid } = await request('POST', '/customers', {
    ...{ external_uid: `pappy-${part}`, email: 'pappy@example.test', details: { ...details, address: ADDRESS } },
  })
  const products = await list(request, '/products')
  const product_uid = products.find(({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0).uid
  await request('POST', '/customer_products', { customer_uid: uid, product_uid })
  await call('clock.advance', { by: 'PT2S' })
  const wire = await request('POST', '/sandbox/mock_transactions', {
    ...{ transaction_type: 'wire', customer_uid: uid, us_dollar_amount: 12.5 },
  })
  await call('moves.make', { collection: 'transactions', uid: wire.uid, move: 'settle' })
  await request('DELETE', `/customers/${uid}`)
}

async function list(request, path) {
  return (await request('GET', path)).data
}
