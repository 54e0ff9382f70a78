// npm run screenshots: pictures of the main screens into docs/images, from the demo world of one seed and one start with a
// frozen clock, so that two runs show the same. Whatever screen is added to the table is taken; a screen that does not come
// up is named, and the others are taken all the same. What the README shows must be there.
import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium as driver } from 'playwright-core'
import { root } from './prepare.mjs'

const images = join(root, 'docs', 'images')
const START = '2026-11-24T16:21:02Z'
const MOST_BYTES = 1_500_000

/** Where to go, what to do there, and what must be seen before the picture is taken. `world` is what the demo world holds. */
const pictures = [
  { name: 'connect', to: () => '#/connect', sees: 'What your app needs', themes: ['light'] },
  { name: 'requests', to: ({ refused }) => `#/requests/${refused}`, sees: 'Request', themes: ['light'] },
  { name: 'customer', to: ({ customer }) => `#/customers/${customer}`, sees: 'Quayside Bakery', themes: ['light'] },
  {
    name: 'payment',
    to: ({ payment }) => `#/transactions/${payment}`,
    sees: 'us_dollar_amount',
    themes: ['light'],
  },
  { name: 'ledger', to: () => '#/accounts', sees: 'Accounts and ledger', themes: ['light'] },
  { name: 'time', to: () => '#/time', sees: 'Time', themes: ['light'] },
  {
    name: 'palette',
    to: () => '#/customers',
    sees: 'Quayside Bakery',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('adv')
      await page.getByRole('option', { name: /Search requests/ }).waitFor()
    },
    themes: ['light'],
  },
]

const host = spawn(
  process.execPath,
  ['out/main/cli.js', 'serve', '--port', '0', '--ephemeral', '--json', '--clock', 'frozen', '--pace', 'real'].concat([
    '--world',
    'demo',
    '--seed',
    'sandbank',
    '--start',
    START,
  ]),
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
)
let failed = 0
try {
  const line = await new Promise((resolve, reject) => {
    host.once('exit', () => reject(new Error('The sandbox did not start: npm run build first')))
    host.stdout.once('data', (data) => resolve(JSON.parse(String(data).split('\n')[0])))
  })
  const world = await lived(line)
  mkdirSync(images, { recursive: true })
  const browser = await launched()
  try {
    for (const theme of ['light', 'dark']) {
      const page = await opened(browser, line, theme)
      for (const { name, to, sees, act } of pictures.filter((picture) => picture.themes.includes(theme))) {
        const path = join(images, `${name}-${theme}.png`)
        try {
          await page.evaluate((hash) => void (location.hash = hash), to(world))
          await page.getByText(sees).first().waitFor()
          await act?.(page)
          await page.evaluate(() => document.fonts.ready)
          // What comes by itself within a breath of it is part of the picture.
          await page.waitForTimeout(400)
          await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
          console.log(`${name}-${theme}.png, ${Math.round(statSync(path).size / 1000)} kB`)
          if (act) await page.keyboard.press('Escape')
        } catch (error) {
          failed++
          console.error(`${name}-${theme}: "${sees}" was not seen (${String(error.message).split('\n')[0]})`)
        }
      }
      await page.context().close()
    }
  } finally {
    await browser.close()
  }
  const all = pictures.flatMap(({ name, themes }) => themes.map((theme) => join(images, `${name}-${theme}.png`)))
  const bytes = all.filter(existsSync).reduce((sum, path) => sum + statSync(path).size, 0)
  console.log(`${Math.round(bytes / 1000)} kB in all`)
  if (bytes > MOST_BYTES) {
    failed++
    console.error(`That is more than ${MOST_BYTES / 1000} kB: take fewer themes`)
  }
  for (const [, path] of readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((docs\/images\/[^)]+)\)/g))
    if (!existsSync(join(root, path))) {
      failed++
      console.error(`The README shows ${path}, which is not there`)
    }
} finally {
  host.kill()
}
process.exitCode = failed > 0 ? 1 : 0

/** A little traffic by the API: a wire to a VRN that waits for the Client, a payment on its way, and a refusal. */
async function lived({ api, control, control_key, programs }) {
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
  const operate = async (name, input = {}) => {
    const response = await fetch(`${control}/${name}`, {
      method: 'POST',
      headers: { 'x-control-key': control_key, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    return response.json()
  }
  token = (await call('POST', '/auth')).token
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
  const { data } = await operate('exchanges.list', { limit: 50 })
  const payments = await call('GET', `/transactions?customer_uid=${customer}&limit=1`)
  return { customer, payment: payments.data[0].uid, refused: (data.find(({ status }) => status >= 400) ?? data[0]).uid }
}

async function opened(browser, line, colorScheme) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(line.gui)
  await page.locator('.status .mono').first().waitFor({ timeout: 60_000 })
  return page
}

/** The Chromium that npm ships where there is one, else one that is installed. */
async function launched() {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: chromium } = await import(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
    const unwanted = ['--single-process', '--no-zygote', '--disable-web-security']
    const args = chromium.args.filter((arg) => !unwanted.includes(arg.split('=')[0]))
    return driver.launch({ executablePath: await chromium.executablePath(), args, headless: true })
  }
  return driver.launch({ channel: 'chrome', headless: true })
}
