import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import { call as callOf } from '../support/operator.ts'
import { shareDemo } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, visit } from '../support/window.ts'

/** Inject and the API reference, in the built window and a real browser, with one demo world. */

const sandbox = await shareDemo({ window: built })

const call = <N extends MethodName>(name: N, input: MethodInput<N>) => callOf(sandbox, name, input)
const newestRecord = async (collection: string) => (await call('records.list', { collection, limit: 1 })).data[0]!
const countRecords = async (collection: string) => (await call('records.list', { collection, limit: 1 })).total_count

const selectOption = (page: Page, name: string) => page.getByRole('option', { name, exact: true }).click()
const injectButton = (page: Page, name = 'Inject') => page.getByRole('button', { name, exact: true })
const result = (page: Page) => page.getByRole('region', { name: 'Result' })
const json = (page: Page) => page.getByLabel('Body as JSON')
const bodyOf = async (page: Page) => JSON.parse(await json(page).inputValue()) as Record<string, unknown>

describe('Inject and the API reference', IN_BROWSER, () => {
  it('each kind of payment is injected, outcomes are forced, refusals are explained, and a series is canceled', async (context) => {
    const page = await visit(context, sandbox.gui)

    // A payment to an account is injected by mouse. The result links to its record.
    await goTo(page, '#/inject')
    await injectButton(page).click()
    await result(page).getByText('pending', { exact: true }).waitFor()
    const first = await newestRecord('transactions')
    expect(first).toMatchObject({ type: 'ach', net_asset: 'positive', us_dollar_amount: '1250.00', status: 'pending' })
    expect(
      await result(page).getByRole('region', { name: 'The record' }).getByRole('link').getAttribute('href'),
    ).toContain(`#/transactions/${String(first.uid)}`)
    await call('clock.advance', { until: 'idle' })
    await result(page).getByText('settled', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Injected in this session' }).getByText('Incoming ACH credit').waitFor()

    // Each injection has its own form.
    for (const [kind, type, net_asset, status] of [
      ['Incoming wire debit', 'wire', 'negative', 'pending'],
      ['Incoming instant payment', 'instant_payment', 'positive', 'pending'],
      ['Wire to a VRN', 'wire', 'positive', 'authorization_pending'],
      ['ACH debit on a VRN', 'ach', 'negative', 'authorization_pending'],
    ] as const) {
      await selectOption(page, kind)
      await page.getByRole('heading', { name: kind }).waitFor()
      await injectButton(page).click()
      await result(page).getByText(status, { exact: true }).waitFor()
      expect(await newestRecord('transactions')).toMatchObject({ type, net_asset, status })
    }

    // The form and the JSON body stay in sync.
    await selectOption(page, 'Incoming wire')
    await page.getByLabel('us_dollar_amount', { exact: true }).fill('77.10')
    expect((await bodyOf(page)).us_dollar_amount).toBe(77.1)
    await json(page).fill(JSON.stringify({ ...(await bodyOf(page)), memo: 'Rent' }))
    expect(await page.getByLabel('memo', { exact: true }).inputValue()).toBe('Rent')

    // An invalid field shows its error before the request is sent. Sending anyway shows the refusal.
    await page.getByLabel('us_dollar_amount', { exact: true }).fill('0')
    await page.getByText('1007: us_dollar_amount must not be 0').waitFor()
    await injectButton(page).click()
    await page.getByText('1 field is invalid.').waitFor()
    expect(
      await page.getByLabel('us_dollar_amount', { exact: true }).evaluate((input) => input === document.activeElement),
    ).toBe(true)
    await injectButton(page, 'Send anyway').click()
    const refusal = result(page).getByRole('region', { name: 'Why it was refused' })
    await refusal.getByText('us_dollar_amount must not be 0').waitFor()
    // Errors that only the rules find are shown after the response.
    await page.getByLabel('us_dollar_amount', { exact: true }).fill('')
    await injectButton(page, 'Inject again').click()
    await page.getByText('1003: us_dollar_amount is missing').first().waitFor()
    await refusal.getByRole('link', { name: 'error 1003' }).click()
    await page.locator('[data-key="missingParameter"][aria-current]').waitFor()
    // The page scrolls to the error that the address names.
    await goTo(page, '#/reference/errors?code=3004')
    await expect.poll(() => page.locator('#reference-page').evaluate((pane) => pane.scrollTop)).toBeGreaterThan(500)

    // The account number forces the outcome. The result offers the next injection.
    await goTo(page, '#/inject?kind=ach-99')
    await page.getByLabel('Network code').selectOption('R03')
    expect((await bodyOf(page)).account_number).toMatch(/9903$/)
    await injectButton(page).click()
    await page.getByRole('button', { name: 'Next: Send a Transfer to it' }).click()
    await page.getByRole('heading', { name: 'Create a Transfer' }).waitFor()
    await injectButton(page).click()
    await result(page).getByText('queued', { exact: true }).waitFor()
    await call('clock.advance', { until: 'idle' })
    expect(JSON.stringify(await newestRecord('transactions'))).toContain('R03')

    // Onboarding a Customer schedules the task of its KYC evaluation.
    await goTo(page, '#/inject?kind=customer')
    await injectButton(page).click()
    await page.getByRole('button', { name: 'Next: Onboard this Customer' }).click()
    await page.getByRole('heading', { name: 'Onboard a Customer' }).waitFor()
    await injectButton(page).click()
    await result(page)
      .getByText(/^KYC\/AML of .* is decided/)
      .waitFor()

    // A series of 100 injections is canceled before its end.
    await goTo(page, '#/inject?kind=instant')
    const before = await countRecords('transactions')
    await page.getByLabel('How many times, at most 100').fill('101')
    await page.getByText('1 to 100').waitFor()
    await page.getByLabel('How many times, at most 100').fill('100')
    await injectButton(page, 'Inject 100 times').click()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await result(page)
      .getByText(/ not sent; last response:/)
      .waitFor()
    const injected = (await countRecords('transactions')) - before
    expect(injected).toBeGreaterThan(0)
    expect(injected).toBeLessThan(100)
    await result(page)
      .getByText(new RegExp(`^${injected} injected`))
      .waitFor()
    expect(await call('ledger.check', {})).toMatchObject({ balanced: true })
  })

  it('a series of counterparties gives each a name and a number of its own', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/inject?kind=ach-99' })
    const before = await countRecords('synthetic_accounts')
    await page.getByLabel('How many times, at most 100').fill('3')
    await injectButton(page, 'Inject 3 times').click()
    await result(page).getByText('3 injected; last response:').waitFor()
    expect((await countRecords('synthetic_accounts')) - before).toBe(3)
  })

  it('a Customer that was just created is the one to onboard', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/inject?kind=customer' })
    await injectButton(page).click()
    await result(page).getByText('initiated', { exact: true }).waitFor()
    const { data } = await call('records.list', { collection: 'customers', include_initiated: true, limit: 1 })
    await selectOption(page, 'Onboard a Customer')
    await page.getByRole('heading', { name: 'Onboard a Customer' }).waitFor()
    expect((await bodyOf(page)).customer_uid).toBe(data[0]!.uid)
  })

  it('a movement outside the application is injected, and an invalid amount is refused at its field', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/inject' })
    await selectOption(page, 'Card, direct deposit, interest, fee')
    await page.getByRole('heading', { name: 'A movement outside the application' }).waitFor()
    await page.getByLabel('us_dollar_amount', { exact: true }).fill('-5')
    await page.getByText('must be more than 0').first().waitFor()
    expect(await injectButton(page).getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('us_dollar_amount', { exact: true }).fill('4.20')
    await page.getByLabel('movement', { exact: true }).selectOption('fee')
    await injectButton(page).click()
    await result(page).getByText('pending', { exact: true }).waitFor()
    expect(await newestRecord('transactions')).toMatchObject({ type: 'fee', us_dollar_amount: '4.20' })
  })

  it('a payment to the VRN of the address is injected and an endpoint is tried, by keyboard alone', async (context) => {
    const { data } = await call('records.list', {
      collection: 'virtual_reference_numbers',
      status: ['active'],
    })
    const vrn = data.find(({ locked_at }) => locked_at === null)!
    const page = await visit(context, sandbox.gui, { at: `#/inject?kind=vrn&vrn=${String(vrn.uid)}` })
    await expect.poll(async () => (await bodyOf(page)).virtual_reference_number_uid).toBe(vrn.uid)
    const press = (keys: string) => page.keyboard.press(keys)
    await page.getByRole('listbox').focus()
    await press('ArrowDown')
    await page.getByRole('heading', { name: 'ACH credit to a VRN' }).waitFor()
    await press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
    // Tab passes transaction_type and the null of the Customer. Another Customer is picked by name, then the first one again.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
    const firstCustomer = (await bodyOf(page)).customer_uid
    await press('Control+a')
    await page.keyboard.insertText('Nora')
    await page.getByRole('option', { name: /Nora-Quill Quint-Orr/ }).waitFor()
    await press('Enter')
    await expect.poll(async () => (await bodyOf(page)).customer_uid).not.toBe('Nora')
    expect((await bodyOf(page)).customer_uid).toMatch(/^\w{16}$/)
    await press('Control+a')
    await page.keyboard.insertText(String(firstCustomer))
    await press('Escape')
    await press('Control+Enter')
    await result(page).getByText('authorization_pending', { exact: true }).waitFor()
    expect(await newestRecord('transactions')).toMatchObject({ type: 'ach', virtual_reference_number_uid: vrn.uid })

    // In the reference, an endpoint is found, opened and tried.
    await page.getByRole('listbox').focus()
    await press('g')
    await press('e')
    await page.getByRole('heading', { name: 'API reference' }).waitFor()
    await press('/')
    await page.keyboard.insertText('listCustomers')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    // Tab passes the button that clears the search and reaches the list.
    await press('Tab')
    await press('Tab')
    await press('ArrowDown')
    await page.getByRole('heading', { name: 'GET /customers', exact: true }).waitFor()
    await expect.poll(() => page.url()).toContain('#/reference/listCustomers')
    await page.getByRole('button', { name: 'Send', exact: true }).focus()
    await press('Enter')
    const response = page.getByRole('status', { name: 'Response' })
    await response.getByText('"total_count"').waitFor()
    await response.getByRole('link', { name: /GET \/customers\?limit=5/ }).click()
    await page.getByRole('region', { name: 'Request', exact: true }).waitFor()
  })
})
