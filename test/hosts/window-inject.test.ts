import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  addressHas,
  button,
  clickButton,
  focusedRole,
  focusIsOn,
  goTo,
  heading,
  IN_BROWSER,
  openDemo,
  press,
  region,
  request,
  sees,
  visit,
} from '../support/window.ts'

/** Inject and the API reference, in the built window and a real browser. */

const newest = async (sandbox: TestSandbox, collection: string) =>
  (await call(sandbox, 'records.list', { collection, include_initiated: true, limit: 1 })).data[0]!
const count = async (sandbox: TestSandbox, collection: string) =>
  (await call(sandbox, 'records.list', { collection, limit: 1 })).total_count
const result = (page: Page) => region(page, 'Result')
const statusIs = (page: Page, status: string) => result(page).getByText(status, { exact: true }).first().waitFor()
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const json = (page: Page) => page.getByLabel('Body as JSON')
const bodyOf = async (page: Page) => JSON.parse(await json(page).inputValue()) as Record<string, unknown>
const open = async (page: Page, kind: string) => {
  await page.getByRole('option', { name: kind, exact: true }).click()
  await page.getByRole('heading', { name: kind }).waitFor()
}

describe('Inject and the API reference', IN_BROWSER, () => {
  it('a user injects each kind of payment and movement, forces outcomes, and reads why an amount is refused', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/inject', lossy: true })
    // The result links to its record, and follows it.
    await clickButton(page, 'Inject')
    await statusIs(page, 'pending')
    const first = await newest(sandbox, 'transactions')
    expect(first).toMatchObject({ type: 'ach', net_asset: 'positive', us_dollar_amount: '1250.00', status: 'pending' })
    const href = await region(result(page), 'The record').getByRole('link').getAttribute('href')
    expect(href).toContain(`#/transactions/${first.uid}`)
    await call(sandbox, 'clock.advance', { until: 'idle' })
    await statusIs(page, 'settled')
    await sees(region(page, 'Injected in this session'), 'Incoming ACH credit')

    for (const [kind, type, net_asset, status] of [
      ['Incoming wire debit', 'wire', 'negative', 'pending'],
      ['Incoming instant payment', 'instant_payment', 'positive', 'pending'],
      ['Wire to a VRN', 'wire', 'positive', 'authorization_pending'],
      ['ACH debit on a VRN', 'ach', 'negative', 'authorization_pending'],
    ] as const) {
      await open(page, kind)
      await clickButton(page, 'Inject')
      await statusIs(page, status)
      expect(await newest(sandbox, 'transactions')).toMatchObject({ type, net_asset, status })
    }
    // A movement outside the application.
    await page.getByRole('option', { name: 'Card, direct deposit, interest, fee', exact: true }).click()
    await heading(page, 'A movement outside the application').waitFor()
    await field(page, 'us_dollar_amount').fill('-5')
    await sees(page, 'must be more than 0')
    expect(await button(page, 'Inject').getAttribute('aria-disabled')).toBe('true')
    await field(page, 'us_dollar_amount').fill('4.20')
    // A refusal marks its field until the body changes; another movement drops what it does not take.
    const typed = await bodyOf(page)
    await json(page).fill(JSON.stringify({ ...typed, outcome: 'expired', settled_amount: '4.00' }))
    await clickButton(page, 'Inject')
    await sees(page, 'The movement was refused.')
    expect(await field(page, 'settled_amount').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'movement').selectOption('fee')
    expect(await bodyOf(page)).toEqual({ ...typed, movement: 'fee' })
    expect(await field(page, 'settled_amount').getAttribute('aria-invalid')).not.toBe('true')
    await clickButton(page, 'Inject')
    await statusIs(page, 'pending')
    expect(await newest(sandbox, 'transactions')).toMatchObject({ type: 'fee', us_dollar_amount: '4.20' })

    // The form and the JSON body stay in sync.
    await open(page, 'Incoming wire')
    await field(page, 'us_dollar_amount').fill('77.10')
    expect((await bodyOf(page)).us_dollar_amount).toBe(77.1)
    await json(page).fill(JSON.stringify({ ...(await bodyOf(page)), memo: 'Rent' }))
    expect(await field(page, 'memo').inputValue()).toBe('Rent')
    // An invalid field shows its error before the request is sent. Sending anyway shows the refusal.
    await field(page, 'us_dollar_amount').fill('0')
    await sees(page, '1007: us_dollar_amount must not be 0')
    await clickButton(page, 'Inject')
    await sees(page, '1 field is invalid.')
    await focusIsOn(field(page, 'us_dollar_amount'))
    await clickButton(page, 'Send anyway')
    const refusal = region(result(page), 'Why it was refused')
    await sees(refusal, 'us_dollar_amount must not be 0')
    // Errors that only the rules find are shown after the response.
    await field(page, 'us_dollar_amount').fill('')
    await clickButton(page, 'Inject again')
    await sees(page, '1003: us_dollar_amount is missing')
    await refusal.getByRole('link', { name: 'error 1003' }).click()
    await page.locator('[data-key="missingParameter"][aria-current]').waitFor()
    // The page scrolls to the error that the address names.
    await goTo(page, '#/reference/errors?code=3004')
    await expect.poll(() => page.locator('#reference-page').evaluate((pane) => pane.scrollTop)).toBeGreaterThan(500)

    // The account number forces the outcome. The result offers the next injection.
    await goTo(page, '#/inject?kind=ach-99')
    await page.getByLabel('Network code').selectOption('R03')
    expect((await bodyOf(page)).account_number).toMatch(/9903$/)
    await clickButton(page, 'Inject')
    await clickButton(page, 'Next: Send a Transfer to it')
    await heading(page, 'Create a Transfer').waitFor()
    await clickButton(page, 'Inject')
    await statusIs(page, 'queued')
    await call(sandbox, 'clock.advance', { until: 'idle' })
    expect(JSON.stringify(await newest(sandbox, 'transactions'))).toContain('R03')
    // A Customer that was just created is the one to onboard, which schedules its KYC evaluation.
    await goTo(page, '#/inject?kind=customer')
    await clickButton(page, 'Inject')
    await statusIs(page, 'initiated')
    await clickButton(page, 'Next: Onboard this Customer')
    await heading(page, 'Onboard a Customer').waitFor()
    expect((await bodyOf(page)).customer_uid).toBe((await newest(sandbox, 'customers')).uid)
    await clickButton(page, 'Inject')
    await sees(result(page), /^KYC\/AML of .* is decided/)

    // A series gives each counterparty a name and a number of its own; another one is canceled before its end.
    const times = page.getByLabel('How many times, at most 100')
    await goTo(page, '#/inject?kind=ach-99')
    const accounts = await count(sandbox, 'synthetic_accounts')
    await times.fill('3')
    await clickButton(page, 'Inject 3 times')
    await sees(result(page), '3 injected; last response:')
    expect((await count(sandbox, 'synthetic_accounts')) - accounts).toBe(3)
    await goTo(page, '#/inject?kind=instant')
    await heading(page, 'Incoming instant payment').waitFor()
    const before = await count(sandbox, 'transactions')
    await times.fill('101')
    await sees(page, '1 to 100')
    await times.fill('100')
    await clickButton(page, 'Inject 100 times')
    await clickButton(page, 'Cancel')
    await sees(result(page), / not sent; last response:/)
    const injected = (await count(sandbox, 'transactions')) - before
    expect(injected).toBeGreaterThan(0)
    expect(injected).toBeLessThan(100)
    await sees(result(page), new RegExp(`^${injected} injected`))
    expect(await call(sandbox, 'ledger.check', {})).toMatchObject({ balanced: true })
  })

  it('a user pays to the VRN of the address and tries an endpoint of the reference, by keyboard alone', async (context) => {
    const sandbox = await openDemo()
    const { data } = await call(sandbox, 'records.list', {
      collection: 'virtual_reference_numbers',
      status: ['active'],
    })
    const vrn = data.find(({ locked_at }) => locked_at === null)!
    const page = await visit(context, sandbox.gui, { at: `#/inject?kind=vrn&vrn=${String(vrn.uid)}` })
    await expect.poll(async () => (await bodyOf(page)).virtual_reference_number_uid).toBe(vrn.uid)
    await page.getByRole('listbox').focus()
    await press(page, 'ArrowDown')
    await heading(page, 'ACH credit to a VRN').waitFor()
    await press(page, 'Enter')
    await expect.poll(() => focusedRole(page)).toBe('SELECT')
    // Tab passes transaction_type and the null of the Customer. Another Customer is picked by name, then the first one again.
    await press(page, 'Tab', 'Tab')
    expect(await focusedRole(page)).toBe('combobox')
    const firstCustomer = (await bodyOf(page)).customer_uid
    await press(page, 'Control+a')
    await page.keyboard.insertText('Nora')
    await page.getByRole('option', { name: /Nora-Quill Quint-Orr/ }).waitFor()
    await press(page, 'Enter')
    await expect.poll(async () => (await bodyOf(page)).customer_uid).not.toBe('Nora')
    expect((await bodyOf(page)).customer_uid).toMatch(/^\w{16}$/)
    await press(page, 'Control+a')
    await page.keyboard.insertText(String(firstCustomer))
    await press(page, 'Escape', 'Control+Enter')
    await statusIs(page, 'authorization_pending')
    const received = { type: 'ach', virtual_reference_number_uid: vrn.uid }
    expect(await newest(sandbox, 'transactions')).toMatchObject(received)

    await page.getByRole('listbox').focus()
    await press(page, 'g', 'e')
    await heading(page, 'API reference').waitFor()
    await press(page, '/')
    await page.keyboard.insertText('listCustomers')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    // Tab passes the button that clears the search and reaches the list.
    await press(page, 'Tab', 'Tab', 'ArrowDown')
    await heading(page, 'GET /customers').waitFor()
    await addressHas(page, /#\/reference\/listCustomers/)
    await button(page, 'Send').focus()
    await press(page, 'Enter')
    const response = page.getByRole('status', { name: 'Response' })
    await sees(response, '"total_count"')
    await response.getByRole('link', { name: /GET \/customers\?limit=5/ }).click()
    await request(page).waitFor()
  })
})
