import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { collections } from '../../src/renderer/data/collections.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  addressHas,
  built,
  button,
  clickButton,
  download,
  focusIsOn,
  footerSays,
  goTo,
  heading,
  IN_BROWSER,
  link,
  openDemo,
  openWindow,
  press,
  region,
  request,
  row,
  rows,
  runCommand,
  sees,
  tabTo,
  typeCommand,
  visit,
} from '../support/window.ts'

/** The page of a record, what can be done there, and a Customer, in the built window and a real browser. */

interface Listed {
  readonly uid: string
  readonly [field: string]: unknown
}
const list = async (sandbox: TestSandbox, collection: string, query: object = {}) => {
  const { data } = await call(sandbox, 'records.list', { collection, include_initiated: true, limit: 200, ...query })
  return data as unknown as readonly Listed[]
}
const statusOf = async (sandbox: TestSandbox, collection: string, uid: string) =>
  (await call(sandbox, 'records.get', { collection, uid })).status
const decisions = (page: Page) => region(page, 'Operator decisions')
const actions = (page: Page) => region(page, 'Actions')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const machine = (page: Page) => page.locator('[data-machine]').first()
const statusIs = (page: Page, status: string) =>
  expect.poll(() => machine(page).locator('[data-current]').textContent()).toBe(status)
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const pictureOf = (page: Page, name: RegExp) => page.getByRole('img', { name }).waitFor()
const inputOf = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true }).inputValue()
const latestRequest = async (sandbox: TestSandbox) => (await call(sandbox, 'exchanges.list', { limit: 1 })).data[0]!

/** Customers with accounts: the sample records without a record at hand are those of only one. */
async function customersWithAccounts(sandbox: TestSandbox) {
  const found = []
  for (const { uid } of await list(sandbox, 'customers', { status: ['active'] })) {
    const accounts = await list(sandbox, 'synthetic_accounts', { customer_uid: [uid] })
    const general = accounts.find((one) => one.synthetic_account_category === 'general' && one.status === 'active')
    // The number of the other counterparty forces a return.
    const payee = accounts.find(
      (one) => one.synthetic_account_category === 'ach_external' && one.account_number_last_four !== '9901',
    )
    if (general) found.push({ uid, general: general.uid, payee: payee?.uid, accounts: accounts.map((one) => one.uid) })
  }
  expect(found.length).toBeGreaterThan(1)
  return found
}

const HOSTILE = [
  '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">',
  '\u202egnp.exe \u0001\u{1F4B8}',
  'A'.repeat(10_000),
]

describe('the page of a record', IN_BROWSER, () => {
  it('a user opens a record of each kind: its fields, its history and its related records, or learns that there is none', async (context) => {
    const sandbox = await openDemo()
    // The test event of a webhook is a record of each of its kinds.
    await call(sandbox, 'webhooks.create', { url: 'http://127.0.0.1:9/hooks', retry_seconds: [] })
    const page = await visit(context, sandbox.gui, { lossy: true })
    for (const collection of Object.keys(collections)) {
      const [record] = await list(sandbox, collection)
      await goTo(page, `#/${collection}/${record!.uid}`)
      await region(page, 'Fields').getByText(record!.uid, { exact: true }).waitFor()
      await region(page, 'History').locator('tbody tr').first().waitFor()
      await region(page, 'Related').waitFor()
      expect([collection, await page.locator('[data-notice]').count(), await width(page)]).toEqual([
        collection,
        0,
        1280,
      ])
    }
    // Each state machine of a record has its current state.
    const [vrn] = await list(sandbox, 'virtual_reference_numbers')
    await goTo(page, `#/virtual_reference_numbers/${vrn!.uid}`)
    await expect.poll(() => page.locator('[data-machine] [data-current]').count()).toBe(2)
    await region(page, 'Fields').locator(`a[href="#/synthetic_accounts/${vrn!.synthetic_account_uid}"]`).waitFor()
    await goTo(page, '#/ledger')
    await sees(page, 'Screen not found')
    await goTo(page, '#/customers/nobody')
    await sees(page, 'No Customer has the uid nobody.')
    await goTo(page, '#/transfers/nobody')
    await sees(page, 'No Transfer has the uid nobody.')
    await link(page, 'all Transfers').click()
    await addressHas(page, /#\/transfers$/)
  })

  it('an operator denies and approves a wire, by mouse and by keyboard, sees why he cannot settle it, and undoes all', async (context) => {
    const sandbox = await openDemo()
    const { seq } = await call(sandbox, 'world.describe', {})
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}`, lossy: true })
    const stored = () => statusOf(sandbox, 'transactions', uid)
    await clickButton(decisions(page), 'Deny…')
    const form = decisions(page).getByRole('form', { name: 'Deny' })
    await clickButton(form, 'Deny')
    await sees(form, 'denied_reason is missing: choose one.')
    await form.getByLabel(/denied_reason/).selectOption('unauthorized_credit')
    await form.getByLabel(/denied_memo/).fill('not ours')
    await clickButton(form, 'Deny')
    const result = decisions(page).locator('[data-decision-result]')
    await sees(result, /Deny: done in commit/)
    expect(await result.innerText()).toMatch(/status\s+authorization_pending\s+→\s+authorization_denied/)
    expect(await stored()).toBe('authorization_denied')
    await statusIs(page, 'authorization_denied')
    await button(result, /^Undo/).click()
    await statusIs(page, 'authorization_pending')
    expect(await stored()).toBe('authorization_pending')

    // Why a decision is not possible; a click on it does nothing.
    const settle = decisions(page).getByRole('button', { name: 'Settle' })
    const folded = decisions(page).getByText(/^Not now: .*settle.*must be queued or pending/)
    await folded.waitFor()
    expect(await settle.isVisible()).toBe(false)
    await folded.click()
    await settle.waitFor()
    expect(await settle.getAttribute('aria-disabled')).toBe('true')
    const described = await settle.getAttribute('aria-describedby')
    const reason = await page.locator(`[id="${described}"]`).innerText()
    expect(reason).toContain('its status is authorization_pending; it must be queued or pending')
    await settle.click({ force: true })
    expect(await stored()).toBe('authorization_pending')

    await tabTo(page, button(decisions(page), 'Approve'))
    await press(page, 'Enter')
    await sees(page, /Approve: done in commit/)
    expect(await stored()).not.toBe('authorization_pending')
    await tabTo(page, button(page, 'Undo the decision approve'))
    await press(page, 'Enter')
    await expect.poll(stored).toBe('authorization_pending')

    // The key w explains the status, and on a balance that balance.
    await page.locator('[data-why=main]').waitFor()
    await page.locator('main').press('w')
    const why = page.getByRole('dialog')
    await sees(why, 'Why is status authorization_pending?')
    await press(page, 'Escape')
    await why.waitFor({ state: 'detached' })
    await page.locator('[title^="Balances of"] [data-why]').last().press('w')
    await sees(why, 'a deposit still pending does not count')
    expect(await why.innerText()).toMatch(/Why is [\d,.]+ available\?/)
    expect(await why.innerText()).toMatch(/settled, from \d+ line items?/)
    expect(await why.getByRole('link', { name: /POST \/sandbox\/mock_transactions/ }).count()).toBeGreaterThan(0)
    await press(page, 'Escape')
    await why.waitFor({ state: 'detached' })

    // A scheduled task of the record is held, released and run.
    const scheduled = region(page, 'Scheduled for this record')
    expect(await scheduled.getByRole('timer').innerText()).toBe('1 day 0 h 00 min')
    await clickButton(scheduled, 'Hold')
    await sees(scheduled, /held, due/)
    await clickButton(scheduled, 'Release')
    await scheduled.getByRole('timer').waitFor()
    await clickButton(scheduled, 'Run now')
    await expect.poll(stored).not.toBe('authorization_pending')

    // A record that a rewind removes stays visible, with a notice.
    await call(sandbox, 'world.rewind', { seq })
    await sees(page, 'This Transaction no longer exists')
    expect(await page.locator('[data-gone]').count()).toBe(1)
    expect(await decisions(page).count()).toBe(0)
  })

  it('a developer follows a payment over a weekend: its path, its entries in both books, and the causes of its status', async (context) => {
    const { sandbox, customer, account, fund, pay, advance } = await setUpPayments({ window: built })
    const olive = await customer()
    const mill = await account(olive, 'ach_external')
    const wire = await fund(olive, '500.00')
    await call(sandbox, 'clock.set', { pace: 'real' })
    // A Friday evening.
    await advance({ to: '2026-08-14T22:30:00.000Z' })
    const { uid } = await pay(olive, olive.master, mill, '20.00')
    const page = await visit(context, sandbox.gui, { at: `#/transfers/${uid}` })
    const path = region(page, 'Path of the payment')
    await pictureOf(page, /current: queued, 14 Aug 2026 18:30:00 ET/)
    const kinds = await path
      .locator('[data-kind]')
      .evaluateAll((all) => all.map((one) => Object.values({ ...(one as SVGElement).dataset })))
    expect(kinds.map(([kind, ...rest]) => [kind, rest.at(-1)])).toEqual([
      ['current', 'queued'],
      ['scheduled', 'pending'],
      ['scheduled', 'settled'],
      ['possible', 'failed'],
      ['possible', 'canceled'],
    ])
    // From Friday to Tuesday, with the weekend in between. What was passed is solid, what is next outlined.
    expect(await path.locator('[data-day]').count()).toBe(5)
    expect(await path.locator('[data-day="closed"]').count()).toBe(2)
    expect(await path.locator('[data-time="cut-off"] title').first().textContent()).toMatch(/^ACH cut-off: /)
    const bars = () =>
      path
        .locator('[data-state="pending"] [data-part]')
        .evaluateAll((all) => all.map((bar) => bar.getAttribute('data-part')))
    expect(await bars()).toEqual(['outlined'])
    const entries = region(page, 'Entries of ach')
    await sees(entries, 'would post next, Tue 18 Aug 08:30')
    for (const book of ['synthetic', 'custodial']) {
      const amounts = entries.locator(`[data-book="${book}"] [data-amount]`)
      expect(await amounts.allTextContents()).toEqual(['\u221220.00', '+20.00'])
    }
    // The chain of causes, from the effect to the request.
    await page.getByTitle('Why is status queued?').first().click()
    const chain = page.locator('[data-chain]')
    await chain.getByRole('link', { name: 'POST /transfers' }).first().waitFor()
    const drawn = await chain
      .locator('[data-link]')
      .evaluateAll((all) =>
        all.map((one) => [(one as SVGElement).dataset.link, one.querySelectorAll('[data-tip]').length]),
      )
    expect(drawn).toHaveLength(await chain.locator('li').count())
    expect(drawn[0]).toEqual(['request', 0])
    for (const [, arrows] of drawn.slice(1)) expect(arrows).toBe(1)
    await press(page, 'Escape')

    await advance({ to: '2026-08-18T12:30:00.000Z' })
    await pictureOf(page, /current: settled, 18 Aug 2026 08:30:00 ET/)
    expect(await bars()).toEqual(['solid'])
    await button(path, 'Show as table').focus()
    await press(page, 'Enter')
    const passed = /pending passed 17 Aug 2026 17:00:00 ET 18 Aug 2026 08:30:00 ET/
    expect(await path.getByRole('row', { name: passed }).count()).toBe(1)
    await sees(path, 'Banks are closed: 2026-08-15, 2026-08-16')
    await sees(entries, 'posted Tue 18 Aug 08:30')
    await entries.locator('[data-book="custodial"]').getByRole('link', { name: '+20.00' }).click()
    await page.waitForURL(/#\/custodial_line_items\//)

    // The statement of a balance: each line item leads to its record and its Transaction.
    const statement = page.locator('[data-statement]')
    const explain = async () => {
      await goTo(page, `#/synthetic_accounts/${olive.master}`)
      await page
        .getByTitle(/^Why is net_usd_balance 480.00\?/)
        .first()
        .click()
    }
    await explain()
    expect(await statement.innerText()).toMatch(/Credit from .*\s+\+?500\.00\s+14 Aug [\d:]+, of Transaction/)
    await statement
      .getByRole('link', { name: /^Credit from/ })
      .first()
      .click()
    await page.waitForURL(/#\/synthetic_line_items\//)
    // The page of the line item is drawn; the click would otherwise close the statement that is still shown.
    await statement.waitFor({ state: 'detached' })
    await explain()
    await statement
      .getByRole('link', { name: /^Transaction/ })
      .last()
      .click()
    await page.waitForURL(`**/#/transactions/${wire}`)
  })
})

describe('what a client can do with a record', IN_BROWSER, () => {
  it('a user transfers, cancels, returns, creates a VRN and archives a Customer from their pages, and undoes it', async (context) => {
    const sandbox = await openDemo()
    const found = await customersWithAccounts(sandbox)
    const first = found.find(({ payee }) => payee !== undefined)!
    const second = found.find(({ uid }) => uid !== first.uid)!
    // An undone Transfer is read once more: the browser reports that it is not found.
    const page = await visit(context, sandbox.gui, { at: `#/customers/${first.uid}`, lossy: true })
    const send = async (name: string, status: string) => {
      await clickButton(dialog(page, name), name)
      await sees(dialog(page, name), status)
    }
    await clickButton(actions(page), 'Transfer…')
    const form = dialog(page, 'Transfer')
    await button(form, 'Transfer').waitFor()
    expect(await inputOf(page, 'initiating_customer_uid')).toBe(first.uid)
    expect(first.accounts).toContain(await inputOf(page, 'source_synthetic_account_uid'))
    expect([...first.accounts, '']).toContain(await inputOf(page, 'destination_synthetic_account_uid'))
    await send('Transfer', '201')
    expect(await latestRequest(sandbox)).toMatchObject({ method: 'POST', path: '/transfers', status: 201 })
    await button(form, /^Undo/).click()
    await sees(form, /Undone by commit [\d,]+: operator undid operations/)
    await press(page, 'Escape')

    // What is not possible is folded behind one line that says why.
    const transfer = await sandbox.client().post<{ uid: string }>('/transfers', {
      initiating_customer_uid: first.uid,
      source_synthetic_account_uid: first.general,
      destination_synthetic_account_uid: first.payee,
      usd_transfer_amount: '1.00',
      ach: { ...ACH, effective_entry_date: '2026-11-25' },
    })
    const { uid } = transfer.body
    expect(await statusOf(sandbox, 'transfers', uid)).toBe('queued')
    await goTo(page, `#/transfers/${uid}`)
    const folded = actions(page).getByText('Not now: Reverse. 31005 Cannot Initiate Return')
    await folded.waitFor()
    expect(await button(actions(page), 'Reverse…').isVisible()).toBe(false)
    await folded.click()
    await button(actions(page), 'Reverse…').waitFor()
    await clickButton(actions(page), 'Cancel…')
    await send('Cancel', '200')
    expect(await latestRequest(sandbox)).toMatchObject({ method: 'PUT', path: `/transfers/${uid}/cancel`, status: 200 })
    expect(await statusOf(sandbox, 'transfers', uid)).toBe('canceled')
    await press(page, 'Escape')
    await sees(actions(page), 'Not now: Cancel, Reverse. 3025 Transfer cannot be canceled')

    const wire = { transaction_type: 'wire', customer_uid: first.uid, us_dollar_amount: 12 }
    const { body: received } = await sandbox.client().post<{ uid: string }>('/sandbox/mock_transactions', wire)
    await call(sandbox, 'clock.advance', { business_days: 1 })
    expect(await statusOf(sandbox, 'transactions', received.uid)).toBe('settled')
    await goTo(page, `#/transactions/${received.uid}`)
    await clickButton(actions(page), 'Return…')
    expect(await inputOf(page, 'original_transaction_uid')).toBe(received.uid)
    expect(await inputOf(page, 'requesting_customer_uid')).toBe(first.uid)
    await send('Return', '201')
    await press(page, 'Escape')
    await sees(actions(page), 'Not now: Return. 31004 Return Already Exists')

    await goTo(page, `#/synthetic_accounts/${second.general}`)
    await clickButton(actions(page), 'Create VRN…')
    expect(await inputOf(page, 'synthetic_account_uid')).toBe(second.general)
    await send('Create VRN', '201')
    await press(page, 'Escape')

    await goTo(page, `#/customers/${second.uid}`)
    await button(actions(page), 'Archive…').waitFor()
    await runCommand(page, 'archive this', 'Archive this Customer…')
    await send('Archive', '200')
    expect(await latestRequest(sandbox)).toMatchObject({ method: 'DELETE', path: `/customers/${second.uid}` })
    expect(await statusOf(sandbox, 'customers', second.uid)).toBe('pending_archival')
    await button(dialog(page, 'Archive'), /^Undo/).click()
    await expect.poll(() => statusOf(sandbox, 'customers', second.uid)).toBe('active')
    await press(page, 'Escape')

    // What is scheduled then: the payouts, in the result, on the page and in the timeline.
    await goTo(page, `#/customers/${first.uid}`)
    await clickButton(actions(page), 'Archive…')
    await clickButton(dialog(page, 'Archive'), 'Archive')
    const record = region(dialog(page, 'Archive'), 'The record')
    await record.getByText('pending_archival', { exact: true }).waitFor()
    await sees(record, /by ach is sent/)
    expect(await dialog(page, 'Archive').getByText('Nothing scheduled').count()).toBe(0)
    // The request was accepted: that it is not possible a second time is no warning.
    expect(await dialog(page, 'Archive').getByText('The API may refuse it').count()).toBe(0)
    await press(page, 'Escape')
    const scheduled = region(page, 'Scheduled for this record')
    await sees(scheduled, /by ach is sent/)
    await scheduled.getByRole('link', { name: 'send payment' }).first().waitFor()
    // The number of rows on the tab is that of the timeline.
    const tab = page.getByRole('tab', { name: /^Timeline/ })
    const counted = (await tab.innerText()).replace(/\D/g, '')
    await tab.click()
    await footerSays(page, new RegExp(`^${counted} of`))
    await sees(page.getByRole('complementary', { name: 'Current state' }), 'send payment')
  })

  it('a user sends money to an account whose number forces a return, and sees it come back', async (context) => {
    const sandbox = await openDemo()
    const [customer] = await customersWithAccounts(sandbox)
    const types = await list(sandbox, 'synthetic_account_types')
    const { pool_uids } = await call(sandbox, 'records.get', { collection: 'customers', uid: customer!.uid })
    const { body } = await sandbox.client().post<{ uid: string }>('/synthetic_accounts', {
      name: 'Closed',
      pool_uid: (pool_uids as unknown as string[])[0],
      synthetic_account_type_uid: types.find((one) => one.synthetic_account_category === 'ach_external')!.uid,
      routing_number: '091000019',
      account_number: '4410209902',
      ach: { account_type: 'checking', counterparty_name: 'Closed' },
    })
    const page = await visit(context, sandbox.gui, { at: `#/synthetic_accounts/${body.uid}` })
    await clickButton(actions(page), 'Transfer to this account…')
    const form = dialog(page, 'Transfer to this account')
    await sees(form.locator('[data-follows]'), /What follows: .* returned with R02/)
    // Each uid is shown whole.
    for (const field of await form.getByRole('combobox').all())
      expect(await field.evaluate((input) => input.scrollWidth <= input.clientWidth)).toBe(true)
    await clickButton(form, 'Transfer to this account')
    const record = region(form, 'The record')
    await link(record, 'ach').waitFor()
    expect((await call(sandbox, 'clock.advance', { until: 'next' })).fired.length).toBeGreaterThan(0)
    await call(sandbox, 'clock.advance', { until: 'next' })
    await record.getByText('settled', { exact: true }).waitFor()
    await sees(record, /returned with R02/)
    await call(sandbox, 'clock.advance', { until: 'idle' })
    await record.locator('[data-return-line]').filter({ hasText: 'returned R02 by' }).waitFor()
  })

  it('a user opens forms: each begins with the record at hand, and its pickers offer records of the chosen Customer', async (context) => {
    const sandbox = await openDemo()
    const [first, second] = await customersWithAccounts(sandbox)
    const page = await visit(context, sandbox.gui)
    for (const { uid, accounts } of [first!, second!]) {
      await goTo(page, `#/customers/${uid}`)
      await actions(page).waitFor()
      await typeCommand(page, 'incoming ach credit', 'Inject: Incoming ACH credit')
      await press(page, 'Enter')
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
    await press(page, 'Tab')
    await expect.poll(() => inputOf(page, 'synthetic_account_uid')).toBe(first!.general)
    await page.getByRole('combobox', { name: 'synthetic_account_uid', exact: true }).click()
    const options = page.getByRole('option').filter({ hasText: /[A-Za-z\d]{16}/ })
    await options.first().waitFor()
    for (const text of await options.allInnerTexts())
      expect(first!.accounts.some((uid) => text.includes(uid))).toBe(true)
  })

  it('a user injects the return of a payment, and finds it marked on its page, in the lists and at its Customer', async (context) => {
    const sandbox = await openDemo()
    const accounts = await list(sandbox, 'synthetic_accounts', { status: ['active'] })
    const external = accounts.find((one) => one.synthetic_account_category === 'ach_external')!
    const own = accounts.find(
      (one) => one.synthetic_account_category === 'general' && one.pool_uid === external.pool_uid,
    )!
    const [customer] = await list(sandbox, 'customers', { pool_uid: [own.pool_uid] })
    /** An ACH debit that has settled. */
    const collect = async () => {
      const { status, body } = await apiClient(sandbox).post<{ uid: string; transaction_uids: [string] }>(
        '/transfers',
        {
          initiator_type: 'customer',
          initiating_customer_uid: customer!.uid,
          source_synthetic_account_uid: external.uid,
          destination_synthetic_account_uid: own.uid,
          usd_transfer_amount: '41.00',
          ach: { ...ACH, effective_entry_date: '2026-11-24' },
        },
      )
      expect({ status, body: JSON.stringify(body) }).toMatchObject({ status: 201 })
      await call(sandbox, 'clock.advance', { until: 'idle' })
      return { transfer: body.uid, payment: body.transaction_uids[0] }
    }
    const { transfer, payment } = await collect()
    const page = await visit(context, sandbox.gui, { at: '#/inject?kind=ach-99' })
    // Before it is sent, the form says what will follow.
    const notice = page.locator('[data-follows]')
    await sees(notice, /What follows, with Transfer to this account: .* returned with R02/)
    await page.getByLabel('Network code').selectOption('R03')
    await sees(notice, /returned with R03/)
    // A refusal that is not about a field: the name is taken.
    await page.getByLabel('name', { exact: true }).fill(String(external.name))
    await sees(notice, /^It would be refused. 2002 /)
    await goTo(page, '#/inject?kind=ach-credit')
    await heading(page, 'Incoming ACH credit').waitFor()
    await sees(notice, /What follows: .* ends: settled/)

    await goTo(page, `#/inject?kind=ach-return&customer=${customer!.uid}`)
    await clickButton(page, 'Inject')
    const record = region(page, 'The record')
    const line = record.locator('[data-return-line]')
    await line.waitFor()
    expect(await line.innerText()).toBe(`returns Transaction ${payment.slice(0, 4)}… with R01`)
    const back = (await record.locator('a[href*="/transactions/"]').first().getAttribute('href'))!.split('/').at(-1)!

    // The link leads to the payment, whose page names its return, and back.
    await line.getByRole('link').click()
    const mark = page.locator('main [data-return-line]')
    await sees(mark, 'returned R01')
    expect(await mark.getByRole('link').getAttribute('href')).toContain(back)
    await goTo(page, `#/transfers/${transfer}`)
    await sees(mark, 'returned R01')
    await mark.getByRole('link').click()
    await sees(mark, 'returns')
    expect(await mark.getByRole('link').getAttribute('href')).toContain(payment)

    // The lists mark it, and show only the returned ones on demand.
    for (const [hash, uid] of [
      ['#/transactions', payment],
      ['#/transfers', transfer],
    ] as const) {
      await goTo(page, hash)
      await page.getByRole('button', { name: /^status: any/ }).click()
      await page.getByRole('menuitemcheckbox', { name: /^returned/ }).click()
      await press(page, 'Escape')
      await row(page, uid).getByText('settled', { exact: true }).waitFor()
      expect(await row(page, uid).locator('[data-returned]').innerText()).toBe('returned R01')
      expect(await row(page, uid).locator('[data-returned] a').getAttribute('href')).toContain(back)
      const others = page.locator('main [role=row]:has([data-uid]):not(:has([data-returned]))')
      await expect.poll(() => others.count()).toBe(0)
    }
    // So do the payments and the timeline of its Customer.
    await goTo(page, `#/customers/${customer!.uid}?tab=payments`)
    await row(page, payment).locator('[data-returned] a').waitFor()
    await goTo(page, `#/customers/${customer!.uid}?tab=story`)
    await page.getByRole('tab', { name: /Timeline/, selected: true }).waitFor()
    await row(page, /41\.00/).waitFor()
    const entry = page.locator(`[role=row] [data-returned]:has(a[href*="${back}"])`).first()
    expect(await entry.innerText()).toBe('returned R01')
    const returning = page.getByRole('row', { name: /returns [\w]{4}…/ })
    await returning.locator(`a[href*="${payment}"]`).first().waitFor()

    // The next return is that of the next payment.
    await collect()
    await collect()
    await goTo(page, `#/inject?kind=ach-return&customer=${customer!.uid}`)
    await clickButton(page, 'Inject')
    await line.waitFor()
    const said = await line.innerText()
    await clickButton(page, 'Inject again')
    await line.filter({ hasNotText: said }).waitFor()
    expect(await region(page, 'Result').getByText('refused').count()).toBe(0)
  })
})

describe('a Customer', IN_BROWSER, () => {
  it('a developer creates Customers: they appear at once, link to each other, and their state is drawn', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    const page = await visit(context, sandbox.gui, { at: '#/customers' })
    await heading(page, 'Example').waitFor()
    const { body: ada } = await client.post<{ uid: string }>('/customers', {
      external_uid: 'e-1',
      details: { first_name: 'Ada', last_name: 'Harbor', address: { city: 'Ames' } },
    })
    await link(page, 'Ada Harbor').waitFor()
    const ben = { customer_type: 'secondary', primary_customer_uid: ada.uid, details: { first_name: 'Ben' } }
    const { body: second } = await client.post<{ uid: string }>('/customers', ben)
    await link(page, 'Ben').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    await link(page, 'Ada Harbor').click()
    await heading(page, 'Ada Harbor').waitFor()
    expect(page.url()).toMatch(new RegExp(`#/customers/${ada.uid}$`))
    const words = await region(page, 'Record').innerText()
    for (const field of ['external_uid', 'e-1', 'secondary_customer_uids', 'address.city', 'Ames', 'pii_confirmed_at'])
      expect(words).toContain(field)
    await page.getByRole('group', { name: /^States of Customer: current initiated; possible next queued/ }).waitFor()
    await statusIs(page, 'initiated')
    await link(page.getByRole('complementary'), 'Ben').click()
    await heading(page, 'Ben').waitFor()
    expect(page.url()).toContain(second.uid)
    // The transition that it takes is drawn.
    const taken = () => machine(page).locator('[data-taken]').allTextContents()
    expect(await taken()).toEqual([])
    await client.call('DELETE', `/customers/${second.uid}`)
    await expect.poll(taken).toContain('initiated to pending_archival')
    await statusIs(page, 'pending_archival')
    await sees(page, 'bold: taken')
    await page.goBack()
    await heading(page, 'Ada Harbor').waitFor()
    await page.reload()
    await heading(page, 'Ada Harbor').waitFor()

    // One that is onboarded has the evaluation scheduled.
    const { body } = await client.post<{ uid: string }>('/customers', OLIVE)
    const products = await list(sandbox, 'products')
    const product = products.find((one) => [one.prerequisite_product_uids].flat().length === 0)!
    await client.post('/customer_products', { customer_uid: body.uid, product_uid: product.uid })
    await goTo(page, `#/customers/${body.uid}`)
    await sees(region(page, 'Scheduled for this record'), /^KYC\/AML of .* is decided/)
  })

  it('a user sees hostile text of a Customer as text on every screen, and long text shortened until he expands it', async (context) => {
    const sandbox = await openWindow()
    const names = ['first_name', 'middle_name', 'last_name', 'suffix', 'phone', 'business_name', 'dob']
    const address = ['street1', 'street2', 'city', 'state', 'postal_code']
    const bad = (all: string[]) => Object.fromEntries(all.map((name, at) => [name, HOSTILE[at % HOSTILE.length]]))
    const { status, body } = await sandbox.client().post<{ uid: string }>('/customers', {
      external_uid: HOSTILE[0],
      email: HOSTILE[1],
      details: { ...bad(names), address: bad(address) },
    })
    expect(status).toBe(201)
    const page = await visit(context, sandbox.gui, { at: '#/customers' })
    await rows(page).first().waitFor()
    expect(await width(page)).toBe(1280)
    await goTo(page, `#/customers/${body.uid}`)
    const name = page.locator('dt[title="details.last_name"] + dd')
    expect(await name.innerText()).toMatch(/^A{160}… All 10,000 characters/)
    await clickButton(name, 'All 10,000 characters')
    await expect.poll(() => name.locator('bdi').innerText()).toBe(HOSTILE[2])
    await clickButton(name, 'Less')
    await expect.poll(() => name.locator('bdi').innerText()).toBe(`${'A'.repeat(160)}…`)
    for (const tab of ['Timeline', 'Accounts 0', 'Record']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).waitFor()
      expect(await width(page)).toBe(1280)
    }
    expect(await page.locator('[data-screen-bar]').evaluate((bar) => bar.scrollWidth <= bar.clientWidth)).toBe(true)
    await goTo(page, '#/requests/x2')
    await request(page).locator('pre').waitFor()
    expect(await request(page).innerText()).toContain('<script>window.hurt = 1</script>')
    expect(await request(page).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
  })

  it('a user reads the timeline of a Customer: lanes, reads, a search, an export, and the accounts', async (context) => {
    const sandbox = await openDemo()
    const { customer } = await receiveWireToApprove(sandbox)
    const client = apiClient(sandbox)
    await client.get(`/customers/${customer}`)
    const refused = await client.call('PUT', `/customers/${customer}`, { json: { customer_type: 'primary' } })
    expect(refused.status).toBe(422)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${customer}` })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const entries = region(page, 'Timeline').locator('[data-row]')
    await entries.first().waitFor()
    const all = await entries.count()
    expect(await page.getByText(/^POST \/sandbox\/mock_transactions$/).count()).toBeGreaterThan(0)
    expect(await entries.filter({ hasText: '+18,450.00' }).count()).toBeGreaterThan(0)
    // No change of status is cut. A refusal has no amount, so its text uses the Amount column.
    const cut = await page.locator('[data-state-change]').evaluateAll((changes) =>
      changes
        .map((it) => it.parentElement!)
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    const head = (await page.getByRole('columnheader', { name: 'Amount' }).boundingBox())!
    const refusal = entries.filter({ has: page.locator('[data-glyph-text][data-signal=bad]') }).first()
    const box = (await refusal.getByRole('gridcell').nth(3).boundingBox())!
    expect(box.x + box.width).toBeGreaterThan(head.x + head.width)

    await page.getByRole('button', { name: /^Reads hidden/ }).click()
    await page.getByRole('button', { name: /^Reads shown/ }).waitFor()
    await expect.poll(() => entries.count()).toBeGreaterThan(all)
    await page.getByRole('button', { name: /^Requests/ }).click()
    await page.getByRole('button', { name: /^States/ }).click()
    await expect.poll(() => entries.locator('[data-lane=request], [data-lane=state]').count()).toBe(0)
    expect(await entries.locator('[data-lane=money]').count()).toBeGreaterThan(0)
    await addressHas(page, /without=request&without=state/)
    await page.reload()
    await entries.first().waitFor()
    expect(await entries.locator('[data-lane=request]').count()).toBe(0)
    await page.getByLabel('Search the timeline').fill('nothing of the kind')
    await sees(page, 'No entry matches the filters.')
    await clickButton(page, 'Clear filters')
    await entries.locator('[data-lane=request]').first().waitFor()
    await clickButton(page, 'Export timeline')
    const csv = await download(page, () => page.getByRole('menuitem', { name: /^CSV/ }).click())
    expect(csv.name).toBe(`timeline-${customer}.csv`)

    await goTo(page, `#/customers/${customer}?tab=accounts`)
    const grid = page.getByRole('grid', { name: /ccounts/ })
    await grid.locator('[data-row]').first().waitFor()
    await grid.focus()
    await focusIsOn(grid)
    await press(page, 'ArrowDown', 'Enter')
    await addressHas(page, /#\/synthetic_accounts\//)
  })
})
