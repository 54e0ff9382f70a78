// What is needed to take a picture of the window: a host with a world, a little life in it, and a browser.
import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { chromium as driver } from 'playwright-core'
import { root } from './prepare.mjs'

const START = '2026-11-24T16:21:02Z'

/** A host that keeps nothing, with a frozen clock: the same pictures on each run. Whoever starts it stops it. */
export async function serving(world, ...more) {
  const flags = ['--port', '0', '--ephemeral', '--json', '--clock', 'frozen', '--seed', 'sandbank', '--start', START]
  const host = spawn(process.execPath, ['out/main/cli.js', 'serve', ...flags, '--world', world, ...more], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise((resolve, reject) => {
    host.once('exit', () => reject(new Error('The sandbox did not start: npm run build first')))
    host.stdout.once('data', (data) => resolve(JSON.parse(String(data).split('\n')[0])))
  })
  return { ...line, stop: () => host.kill() }
}

/** Calls a method of the operator. */
export async function operate({ control, control_key }, name, input = {}) {
  const response = await fetch(`${control}/${name}`, {
    method: 'POST',
    headers: { 'x-control-key': control_key, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (!response.ok) throw new Error(`${name} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Calls the API as the Program's own app does: signed in, with a new trace id each time. */
export async function caller({ api, programs }) {
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

/** A little traffic by the API: a wire to a VRN that waits for the Client, a payment on its way, and a refusal. */
export async function lived(line) {
  const call = await caller(line)
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
  const { data } = await operate(line, 'exchanges.list', { limit: 50 })
  const payments = await call('GET', `/transactions?customer_uid=${customer}&limit=1`)
  return { customer, payment: payments.data[0].uid, refused: (data.find(({ status }) => status >= 400) ?? data[0]).uid }
}

/** The window in a page of its own. */
export async function opened(browser, line, colorScheme) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(line.gui)
  await page.locator('[data-api-address]').first().waitFor({ timeout: 60_000 })
  return page
}

/** The Chromium that npm ships where there is one, else one that is installed. */
export async function launched() {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: chromium } = await import(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
    const unwanted = ['--single-process', '--no-zygote', '--disable-web-security']
    const args = chromium.args.filter((arg) => !unwanted.includes(arg.split('=')[0]))
    return driver.launch({ executablePath: await chromium.executablePath(), args, headless: true })
  }
  return driver.launch({ channel: 'chrome', headless: true })
}
