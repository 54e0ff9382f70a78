import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { goTo, IN_BROWSER, openDemo, openWindow, visit } from '../support/window.ts'

/** The palette, the keys, the settings of a Program and the frame, in the built window and a real browser. */

const field = (page: Page) => page.getByRole('combobox', { name: 'Search commands, screens and records' })
const selectedOption = (page: Page) => page.locator('[role=option][aria-selected=true]')
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** Types into the palette without waiting until it is visible, as an experienced user does. */
async function typeCommand(page: Page, text: string) {
  await press(page, 'Control+k')
  await page.keyboard.type(text)
  await expect.poll(() => field(page).inputValue()).toBe(text)
}
const waitForClosed = (page: Page) => field(page).waitFor({ state: 'detached' })
const focusedRole = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName)

describe('the palette, by keyboard alone', IN_BROWSER, () => {
  it('previews an advance, runs it, and advances to an instant', async (context) => {
    const sandbox = await openDemo()
    const [customer] = (await call(sandbox, 'records.search', { text: 'Quayside Bakery' })).records
    const client = sandbox.client()
    await client.post('/sandbox/mock_transactions', {
      transaction_type: 'wire',
      customer_uid: customer!.uid,
      us_dollar_amount: 250,
    })
    const due = (await call(sandbox, 'tasks.list', {})).tasks.filter(({ recurring }) => !recurring)
    expect(due.length).toBeGreaterThan(0)
    const page = await visit(context, sandbox.gui)
    await typeCommand(page, 'adv 1 hour')
    await expect.poll(() => selectedOption(page).innerText()).toContain('Advance 1 hour')
    // The sandbox says where it leads.
    await expect.poll(() => selectedOption(page).innerText()).toContain(`to 12:21:02, ${due.length} task`)
    expect(await selectedOption(page).locator('mark').allInnerTexts()).toEqual(['Adv', '1', 'hour'])
    await press(page, 'Control+Enter')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText(due[0]!.why).first().waitFor()
    expect((await call(sandbox, 'clock.read', {})).now).toBe('2026-11-24T16:21:02.000Z')
    await press(page, 'Escape')
    await preview.waitFor({ state: 'detached' })
    await press(page, 'Enter')
    await waitForClosed(page)
    await page.getByText('12:21:02 ET').waitFor()

    // An instant without a zone is in New York time.
    await typeCommand(page, '2026-11-25T09:00')
    await expect.poll(() => selectedOption(page).innerText()).toContain('Advance to Wed 25 Nov 09:00')
    await press(page, 'Enter')
    await waitForClosed(page)
    await page.getByText('09:00:00 ET').waitFor()
    expect((await call(sandbox, 'clock.read', {})).now).toBe('2026-11-25T14:00:00.000Z')
  })

  it('begins with an empty text, however soon it opens again', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    await typeCommand(page, 'faults')
    await page.evaluate(() => {
      for (const init of [{ key: 'Escape' }, { key: 'k', ctrlKey: true }])
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }))
    })
    await page.keyboard.type('snapshots')
    await expect.poll(() => field(page).inputValue()).toBe('snapshots')
  })

  it('opens a record by its uid, makes a decision about it, and undoes it', async (context) => {
    const sandbox = await openDemo()
    const [customer] = (await call(sandbox, 'records.search', { text: 'Quayside Bakery' })).records
    const page = await visit(context, sandbox.gui)
    await press(page, 'Control+k')
    await field(page).waitFor()
    // The uid is pasted, and Enter is pressed before the search can respond.
    await page.keyboard.insertText(customer!.uid)
    await press(page, 'Enter')
    await waitForClosed(page)
    await expect.poll(() => page.url()).toContain(`#/customers/${customer!.uid}`)

    await typeCommand(page, 'put under review')
    await expect.poll(() => selectedOption(page).innerText()).toContain('→ under_review')
    await press(page, 'Enter')
    await waitForClosed(page)
    const status = async () =>
      (await call(sandbox, 'records.get', { collection: 'customers', uid: customer!.uid })).status
    await expect.poll(status).toBe('under_review')

    await typeCommand(page, 'undo')
    await expect.poll(() => selectedOption(page).innerText()).toContain('Undo the last change')
    await expect
      .poll(() => selectedOption(page).innerText())
      .toMatch(/undoes commit \d+: operator decided: put under review/)
    await press(page, 'Enter')
    await waitForClosed(page)
    await expect.poll(status).toBe('active')
  })

  it('opens a screen and focuses its list; Escape returns the focus to the list', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    await typeCommand(page, 'customers')
    await press(page, 'Enter')
    await waitForClosed(page)
    await page.getByRole('heading', { name: 'Customers' }).waitFor()
    await expect.poll(() => focusedRole(page)).toBe('grid')
    await press(page, 'Control+k')
    await field(page).waitFor()
    // The most recent command comes first.
    await expect.poll(() => selectedOption(page).innerText()).toContain('Customers')
    await press(page, 'Tab')
    expect(await field(page).inputValue()).toBe('Customers')
    await press(page, 'Escape')
    await waitForClosed(page)
    await expect.poll(() => focusedRole(page)).toBe('grid')

    await typeCommand(page, 'bakery')
    await page.getByRole('option', { name: /Quayside Bakery.*Customer, active/ }).waitFor()
    await page.getByRole('option', { name: /Search requests for “bakery”.*0 of 0/ }).waitFor()
    await press(page, 'Escape')
    await waitForClosed(page)
    await typeCommand(page, '3006')
    await page.getByRole('option', { name: /^3006 / }).waitFor()
    await page.keyboard.press('Escape')
    await waitForClosed(page)
    await page.getByRole('button', { name: 'Jump to anything' }).click()
    await field(page).waitFor()
  })

  it('n, h and b advance the clock on the Time screen only', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    await press(page, 'h')
    await press(page, 'g', 't')
    await expect.poll(() => page.url()).toContain('#/time')
    await press(page, 'h')
    await page.locator('[data-now]').getByText('11:00:00 ET').waitFor()
    await press(page, 'b')
    await page.locator('[data-now]').getByText('Mon 17 Aug 2026').waitFor()
    // In a select, a letter selects an option.
    await page.locator('main select').first().focus()
    const { value: before } = (await sandbox.call('clock.read', {})) as { value: { now: string } }
    await press(page, 'h')
    await press(page, 'b')
    expect(await sandbox.call('clock.read', {})).toMatchObject({ value: { now: before.now } })
    await page.locator('main').focus()
    await press(page, '[')
    await page.getByRole('heading', { name: 'Connect' }).waitFor()
  })
})

describe('the settings of a Program', IN_BROWSER, () => {
  it('show the error of a limit at its field, save changed limits, and undo the save', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/settings', lossy: true })
    const limits = page.getByRole('region', { name: 'Payment limits' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    // One table: a row for each limit, a column for each rail.
    await expect
      .poll(() => limits.getByRole('columnheader').allInnerTexts())
      .toEqual(['Limit', 'ach', 'wire', 'instant_payment'])
    expect(await limits.getByRole('textbox').count()).toBe(12)
    await limits.getByLabel('ach minimum_amount').fill('a lot')
    await limits.getByText('an amount is expected, e.g. 1000.00').waitFor()
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    // Only the sandbox finds this error. The window shows it at the field.
    await limits.getByLabel('ach minimum_amount').fill('9000000')
    await save.click()
    await limits.getByText('9000000.00 is more than the maximum_amount').waitFor()
    await limits.getByLabel('ach minimum_amount').fill('25')
    await limits.getByLabel('ach daily_count').fill('')

    // Unsaved changes survive a live update and a visit to another screen.
    await sandbox.client().post('/customers', {})
    await goTo(page, '#/connect')
    await goTo(page, '#/settings')
    await page.getByText('2 changes not saved').waitFor()
    await save.click()
    await page.getByText('Saved: 2 changes.').waitFor()
    const now = async () => (await call(sandbox, 'programs.list', {})).programs[0]!.limits.ach
    expect(await now()).toMatchObject({ minimum_amount: '25.00', daily_count: null, maximum_amount: '5000000.00' })
    const [program] = [...sandbox.store.world.collections.programs.inOrder()]
    expect(program!.limits.ach.minimum_amount).toBe('25.00')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(now).toMatchObject({ minimum_amount: '0.01', daily_count: 500 })
    await expect.poll(() => limits.getByLabel('ach minimum_amount').inputValue()).toBe('0.01')
  })

  it('hide the HMAC key until the user shows it, and rotate it to a key that is long enough', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/settings' })
    const part = page.getByRole('region', { name: 'HMAC key' })
    await part.getByRole('button', { name: 'Show the key' }).waitFor()
    const { hmac_key } = sandbox.programs()[0]!
    expect(await part.innerText()).not.toContain(hmac_key)
    await part.getByRole('button', { name: 'Show the key' }).click()
    await part.getByText(hmac_key).waitFor()
    await part.getByLabel('new key').fill('too short')
    await part.getByRole('button', { name: 'Rotate' }).click()
    await part.getByText('at least 16 characters are expected').waitFor()
    await part.getByLabel('new key').fill('a key that is long enough')
    await part.getByRole('button', { name: 'Rotate' }).click()
    await part.getByText('a key that is long enough').waitFor()
    expect(sandbox.programs()[0]!.hmac_key).toBe('a key that is long enough')
  })

  it('expire the access tokens of a Program, and undo it', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/settings' })
    const api = sandbox.client()
    const token = await api.signIn()
    const status = async () => (await api.send('GET', '/customers', { headers: { authorization: token } })).status
    expect(await status()).toBe(200)
    const part = page.getByRole('region', { name: 'Access tokens' })
    await part.getByRole('button', { name: 'Expire now' }).click()
    await part.getByText('The tokens were expired.').waitFor()
    expect(await status()).toBe(401)
    await part.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(status).toBe(200)
  })

  it('add a Product with a prerequisite, and do not withdraw an account type that is in use', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/settings', lossy: true })
    const products = page.getByRole('region', { name: 'Products' })
    await products.getByRole('button', { name: 'Add a Product' }).click()
    const fresh = products.locator('details').last()
    await fresh.getByLabel('name', { exact: true }).fill('Savings')
    await fresh.getByLabel('Business Checking').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: 1 change.').waitFor()
    const offered = (await call(sandbox, 'programs.list', {})).programs[0]!.products
    expect(offered.at(-1)).toMatchObject({ name: 'Savings', prerequisite_product_uids: [offered[0]!.uid] })
    const types = page.getByRole('region', { name: 'Synthetic Account Types' })
    await types.getByRole('button', { name: 'Withdraw ach_external' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await types.getByText(/ach_external cannot be withdrawn: \d+ Synthetic Accounts? (is|are) of it/).waitFor()
  })

  it('create a second Program and switch the window to it', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    await typeCommand(page, 'new program')
    await press(page, 'Enter')
    await page.getByLabel('Name', { exact: true }).fill('Staging \u202e<b>')
    await press(page, 'Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Switch Program.' }).innerText()).toContain('Staging')
    const [, second] = sandbox.programs()
    await expect.poll(() => page.url()).toContain(`program=${second!.uid}`)
    await typeCommand(page, 'switch to')
    await press(page, 'Enter')
    await expect
      .poll(() => page.getByRole('button', { name: 'Switch Program.' }).innerText())
      .toContain('Harbor Payments')
  })
})

describe('the frame', IN_BROWSER, () => {
  it('shows that both books balance, and keeps the selected theme after a reload', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { colorScheme: 'light' })
    await page.getByRole('contentinfo').getByText('Both books balance').waitFor()
    await page.getByRole('contentinfo').getByText('not saved').waitFor()
    const paper = () => page.evaluate(() => getComputedStyle(document.querySelector('main')!).backgroundColor)
    expect(await paper()).toBe('rgb(255, 255, 255)')
    await typeCommand(page, 'theme dark')
    await press(page, 'Enter')
    await expect.poll(paper).toBe('rgb(23, 23, 21)')
    await page.reload()
    await expect.poll(paper).toBe('rgb(23, 23, 21)')
    await goTo(page, '#/settings?part=window')
    await page.getByLabel('same as the system').check()
    await expect.poll(paper).toBe('rgb(255, 255, 255)')
  })
})
