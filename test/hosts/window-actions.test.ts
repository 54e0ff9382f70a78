import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { ACH } from '../support/payments.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { goTo, openDemo, visit } from '../support/window.ts'

/** Actions of a client on a record's page, forms that begin with the record at hand, and the commands of the palette. */

let sandbox: TestSandbox
let customers: readonly { readonly uid: string; readonly [field: string]: unknown }[]
beforeEach(async () => {
  sandbox = await openDemo()
  customers = await listOf('customers', { status: ['active'] })
})

const listOf = async (collection: string, filters: object) =>
  (
    (await call(sandbox, 'records.list', { collection, limit: 50, ...filters } as never)) as unknown as {
      data: { uid: string; [field: string]: unknown }[]
    }
  ).data
const statusOf = async (collection: string, uid: string) =>
  (await call(sandbox, 'records.get', { collection, uid } as never)).status
const actions = (page: Page) => page.getByRole('region', { name: 'Actions' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const inputOf = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true }).inputValue()
const latestRequest = async () => (await call(sandbox, 'exchanges.list', { limit: 1 })).data[0]!

/** Two Customers with accounts: the sample records without a record at hand are those of only one. */
async function twoCustomers() {
  const found = []
  for (const { uid } of customers) {
    const accounts = await listOf('synthetic_accounts', { customer_uid: [uid] })
    const general = accounts.find((one) => one.synthetic_account_category === 'general' && one.status === 'active')
    if (general) found.push({ uid, general: general.uid, accounts: accounts.map((account) => account.uid) })
  }
  expect(found.length).toBeGreaterThan(1)
  return found
}

describe('the page of a record', () => {
  it('transfers from a Customer with a request that is logged, and offers to undo it', async (context) => {
    const [customer] = await twoCustomers()
    // The undone Transfer is read once more: the browser reports that it is not found.
    const page = await visit(context, sandbox.gui, { at: `#/customers/${customer!.uid}`, lossy: true })
    await actions(page).getByRole('button', { name: 'Transfer…' }).click()
    const form = dialog(page, 'Transfer')
    await form.getByRole('button', { name: 'Transfer', exact: true }).waitFor()
    expect(await inputOf(page, 'initiating_customer_uid')).toBe(customer!.uid)
    expect(customer!.accounts).toContain(await inputOf(page, 'source_synthetic_account_uid'))
    expect([...customer!.accounts, '']).toContain(await inputOf(page, 'destination_synthetic_account_uid'))
    await form.getByRole('button', { name: 'Transfer', exact: true }).click()
    await form.getByText('201').first().waitFor()
    expect(await latestRequest()).toMatchObject({ method: 'POST', path: '/transfers', status: 201 })
    await form.getByRole('button', { name: /^Undo/ }).click()
    await form.getByText(/Undone by rewinding/).waitFor()
  })

  it('cancels a queued Transfer, and folds what is not possible behind one line that says why', async (context) => {
    // The number of the other counterparty forces a return.
    const isOther = (one: { readonly [field: string]: unknown }) =>
      one.synthetic_account_category === 'ach_external' && one.account_number_last_four !== '9901'
    const [customer, counterparty] = await (async () => {
      for (const found of await twoCustomers()) {
        const other = (await listOf('synthetic_accounts', { customer_uid: [found.uid] })).find(isOther)
        if (other) return [found, other] as const
      }
      throw new Error('no Customer has a counterparty')
    })()
    const { body } = await sandbox.client().post('/transfers', {
      initiating_customer_uid: customer.uid,
      source_synthetic_account_uid: customer.general,
      destination_synthetic_account_uid: counterparty.uid,
      usd_transfer_amount: '1.00',
      ach: { ...ACH, effective_entry_date: '2026-11-25' },
    })
    const { uid } = body as { uid: string }
    expect(await statusOf('transfers', uid)).toBe('queued')
    const page = await visit(context, sandbox.gui, { at: `#/transfers/${uid}` })
    const folded = actions(page).getByText('Not now: Reverse. 31005 Cannot Initiate Return')
    await folded.waitFor()
    expect(await actions(page).getByRole('button', { name: 'Reverse…' }).isVisible()).toBe(false)
    await folded.click()
    await actions(page).getByRole('button', { name: 'Reverse…' }).waitFor()
    await actions(page).getByRole('button', { name: 'Cancel…' }).click()
    const form = dialog(page, 'Cancel')
    await form.getByRole('button', { name: 'Cancel', exact: true }).click()
    await form.getByText('200').first().waitFor()
    expect(await latestRequest()).toMatchObject({ method: 'PUT', path: `/transfers/${uid}/cancel`, status: 200 })
    expect(await statusOf('transfers', uid)).toBe('canceled')
    await page.keyboard.press('Escape')
    await actions(page).getByText('Not now: Cancel, Reverse. 3025 Transfer cannot be canceled').waitFor()
  })

  it('returns a Transaction, creates a VRN for an account, and archives a Customer from the palette', async (context) => {
    const [first, second] = await twoCustomers()
    const wire = { transaction_type: 'wire', customer_uid: first!.uid, us_dollar_amount: 12 }
    const { body } = await sandbox.client().post('/sandbox/mock_transactions', wire)
    const { uid } = body as { uid: string }
    await call(sandbox, 'clock.advance', { business_days: 1 })
    expect(await statusOf('transactions', uid)).toBe('settled')
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    await actions(page).getByRole('button', { name: 'Return…' }).click()
    expect(await inputOf(page, 'original_transaction_uid')).toBe(uid)
    expect(await inputOf(page, 'requesting_customer_uid')).toBe(first!.uid)
    await dialog(page, 'Return').getByRole('button', { name: 'Return', exact: true }).click()
    await dialog(page, 'Return').getByText('201').first().waitFor()
    await page.keyboard.press('Escape')
    await actions(page).getByText('Not now: Return. 31004 Return Already Exists').waitFor()

    await goTo(page, `#/synthetic_accounts/${second!.general}`)
    await actions(page).getByRole('button', { name: 'Create VRN…' }).click()
    expect(await inputOf(page, 'synthetic_account_uid')).toBe(second!.general)
    await dialog(page, 'Create VRN').getByRole('button', { name: 'Create VRN', exact: true }).click()
    await dialog(page, 'Create VRN').getByText('201').first().waitFor()
    await page.keyboard.press('Escape')

    await goTo(page, `#/customers/${second!.uid}`)
    await actions(page).getByRole('button', { name: 'Archive…' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('archive this')
    await page.getByRole('option', { name: /Archive this Customer…/ }).waitFor()
    await page.keyboard.press('Enter')
    await dialog(page, 'Archive').getByRole('button', { name: 'Archive', exact: true }).click()
    await dialog(page, 'Archive').getByText('200').first().waitFor()
    expect(await latestRequest()).toMatchObject({ method: 'DELETE', path: `/customers/${second!.uid}` })
    expect(await statusOf('customers', second!.uid)).toBe('pending_archival')
    await dialog(page, 'Archive').getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => statusOf('customers', second!.uid)).toBe('active')
  })
})

describe('what is scheduled', () => {
  it('for an archived Customer are its payouts, in the result, on its page and in its timeline', async (context) => {
    const [customer] = await twoCustomers()
    const page = await visit(context, sandbox.gui, { at: `#/customers/${customer!.uid}` })
    await actions(page).getByRole('button', { name: 'Archive…' }).click()
    const form = dialog(page, 'Archive')
    await form.getByRole('button', { name: 'Archive', exact: true }).click()
    const record = form.getByRole('region', { name: 'The record' })
    await record.getByText('pending_archival', { exact: true }).waitFor()
    await record
      .getByText(/by ach is sent/)
      .first()
      .waitFor()
    expect(await form.getByText('Nothing scheduled').count()).toBe(0)
    // The request was accepted: that it is not possible a second time is no warning.
    expect(await form.getByText('The API may refuse it').count()).toBe(0)
    await page.keyboard.press('Escape')
    const scheduled = page.getByRole('region', { name: 'Scheduled' })
    await scheduled
      .getByText(/by ach is sent/)
      .first()
      .waitFor()
    await scheduled.getByRole('link', { name: 'begin payment' }).first().waitFor()
    // The number of rows on the tab is that of the timeline.
    const tab = page.getByRole('tab', { name: /^Timeline/ })
    const counted = (await tab.innerText()).replace(/\D/g, '')
    await tab.click()
    await page
      .locator('[data-footer]')
      .getByText(new RegExp(`^${counted} of`))
      .waitFor()
    await page.getByRole('complementary', { name: 'Current state' }).getByText('begin payment').first().waitFor()
  })

  it('for a Customer that was onboarded is its KYC/AML evaluation', async (context) => {
    const api = sandbox.client()
    const { body } = await api.post('/customers', {
      email: 'ada@example.test',
      details: {
        first_name: 'Ada',
        last_name: 'Harbor',
        phone: '5155550123',
        ssn: '512-04-8823',
        dob: '1990-04-17',
        address: { street1: '12 Harbor Street', city: 'Ames', state: 'IA', postal_code: '50010' },
      },
    })
    const { uid } = body as { uid: string }
    const products = await listOf('products', {})
    const product = products.find((one) => [one.prerequisite_product_uids].flat().length === 0)!
    expect((await api.post('/customer_products', { customer_uid: uid, product_uid: product.uid })).status).toBe(200)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${uid}` })
    await page
      .getByRole('region', { name: 'Scheduled' })
      .getByText(/^KYC\/AML of .* is decided/)
      .first()
      .waitFor()
  })

  it('for a Transfer is its return, and then the result says that it was returned', async (context) => {
    const [customer] = await twoCustomers()
    const [type] = (await listOf('synthetic_account_types', {})).filter(
      (one) => one.synthetic_account_category === 'ach_external',
    )
    const { pool_uids } = await call(sandbox, 'records.get', { collection: 'customers', uid: customer!.uid } as never)
    const { body } = await sandbox.client().post('/synthetic_accounts', {
      name: 'Closed',
      pool_uid: (pool_uids as unknown as string[])[0],
      synthetic_account_type_uid: type!.uid,
      routing_number: '091000019',
      account_number: '4410209902',
      ach: { account_type: 'checking', counterparty_name: 'Closed' },
    })
    const { uid } = body as { uid: string }
    const page = await visit(context, sandbox.gui, { at: `#/synthetic_accounts/${uid}` })
    await actions(page).getByRole('button', { name: 'Transfer to this account…' }).click()
    const form = dialog(page, 'Transfer to this account')
    await form
      .locator('[data-forced]')
      .getByText(/ends in 9902: an ACH is returned with R02/)
      .waitFor()
    // Each uid is shown whole.
    for (const field of await form.getByRole('combobox').all())
      expect(await field.evaluate((input) => input.scrollWidth <= input.clientWidth)).toBe(true)
    await form.getByRole('button', { name: 'Transfer to this account', exact: true }).click()
    const record = form.getByRole('region', { name: 'The record' })
    await record.getByRole('link', { name: 'ach', exact: true }).waitFor()
    const settles = await call(sandbox, 'clock.advance', { until: 'next' })
    expect(settles.fired.length).toBeGreaterThan(0)
    await call(sandbox, 'clock.advance', { until: 'next' })
    await record.getByText('settled', { exact: true }).waitFor()
    await record.getByText(/is returned/).waitFor()
    await call(sandbox, 'clock.advance', { until: 'idle' })
    await record.locator('[data-return-line]').filter({ hasText: 'returned R02 by' }).waitFor()
  })
})

describe('the record at hand', () => {
  it('begins every form, whichever Customer it belongs to; pickers offer only records of the chosen Customer', async (context) => {
    const [first, second] = await twoCustomers()
    const page = await visit(context, sandbox.gui)
    for (const { uid, accounts } of [first!, second!]) {
      await goTo(page, `#/customers/${uid}`)
      await actions(page).waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('incoming ach credit')
      await page.getByRole('option', { name: /Inject: Incoming ACH credit/ }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => inputOf(page, 'customer_uid')).toBe(uid)
      expect(accounts).toContain(await inputOf(page, 'synthetic_account_uid'))
      await goTo(page, '#/reference/createTransfer')
      await expect.poll(() => inputOf(page, 'initiating_customer_uid')).toBe(uid)
      expect(accounts).toContain(await inputOf(page, 'source_synthetic_account_uid'))
      await goTo(page, '#/reference/getCustomer')
      await expect.poll(() => inputOf(page, 'uid')).toBe(uid)
    }
    // Another Customer in the form: its account is filled in, and the picker offers its accounts only.
    await goTo(page, '#/inject?kind=ach-credit')
    await expect.poll(() => inputOf(page, 'customer_uid')).toBe(second!.uid)
    await page.getByRole('combobox', { name: 'customer_uid', exact: true }).fill(first!.uid)
    await page.keyboard.press('Tab')
    await expect.poll(() => inputOf(page, 'synthetic_account_uid')).toBe(first!.general)
    await page.getByRole('combobox', { name: 'synthetic_account_uid', exact: true }).click()
    const options = page.getByRole('option').filter({ hasText: /[A-Za-z\d]{16}/ })
    await options.first().waitFor()
    for (const text of await options.allInnerTexts())
      expect(first!.accounts.some((uid) => text.includes(uid))).toBe(true)
  })
})

describe('the palette', () => {
  const choose = async (page: Page, text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.getByRole('option', { name: option }).first().click()
  }

  it('opens injections, scenarios, sections of the settings and endpoints by their titles', async (context) => {
    const page = await visit(context, sandbox.gui)
    await choose(page, 'wire to a vrn', /Inject: Wire to a VRN/)
    await page.getByRole('heading', { name: 'Wire to a VRN' }).waitFor()
    await choose(page, 'funded customer', /Scenario: A funded Customer/i)
    await expect.poll(() => page.url()).toContain('#/scenarios/a-funded-customer')
    await choose(page, 'settings access tokens', /Settings: Access tokens/)
    await page.getByRole('heading', { name: 'Access tokens' }).waitFor()
    await choose(page, 'allowlist', /Settings: Access$/)
    await page.getByRole('heading', { name: 'Access', exact: true }).waitFor()
    await choose(page, 'daily limit', /Settings: Payment limits/)
    await expect.poll(() => page.url()).toContain('part=limits')
    await choose(page, 'initiate a transfer', /POST \/transfers: Initiate a Transfer/)
    await expect.poll(() => page.url()).toContain('#/reference/createTransfer')
  })

  it('advances the clock to “monday 9:00”, and says which instant that is before it does', async (context) => {
    const own = await openDemo()
    const page = await visit(context, own.gui)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('monday 9:00')
    const option = page.getByRole('option', { name: /Advance to Mon 30 Nov 09:00/ })
    await option.waitFor()
    expect((await call(own, 'clock.read', {})).now).toBe('2026-11-24T16:21:02.000Z')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await call(own, 'clock.read', {})).now).toBe('2026-11-30T14:00:00.000Z')
  })
})

describe('the export of a bundle', () => {
  it('says what the mask leaves, and keeps only what is chosen', async (context) => {
    const own = await openDemo()
    const details = {
      first_name: 'Theodora',
      last_name: 'Lovelace',
      suffix: 'Jr',
      phone: '5155550123',
      ssn: '512-04-8823',
      dob: '1990-04-17',
      address: { street1: '1742 Cobblestone Row', city: 'Marlowe', state: 'TX', postal_code: '50311' },
    }
    const { status } = await own.client().post('/customers', { email: 'theodora@wexford.example', details })
    expect(status).toBe(201)
    const page = await visit(context, own.gui, { at: '#/requests' })
    await page
      .getByRole('button', { name: /^Export/ })
      .first()
      .click()
    await page.getByText('What the mask leaves').click()
    await page.getByText(/whether a person is under 18, but no day, month or year of birth/).waitFor()
    const exported = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ])
      return readFileSync(await download.path(), 'utf8')
    }
    expect(await exported()).not.toMatch(/Theodora|512-04|"ssn_last_four":"8823"|"Jr"|"TX"/)
    await page.getByRole('checkbox', { name: /last four digits of Social Security numbers/ }).check()
    const kept = await exported()
    expect(kept).toMatch(/"ssn_last_four":"8823"/)
    expect(kept).not.toMatch(/Theodora|512-04|"Jr"|"TX"/)
  })
})
