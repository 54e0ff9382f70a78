import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import {
  addressHas,
  button,
  clickButton,
  focusedRole,
  goTo,
  heading,
  IN_BROWSER,
  openDemo,
  openWindow,
  paletteField,
  press,
  region,
  runCommand,
  sees,
  selectedCommand,
  typeCommand,
  visit,
} from '../support/window.ts'

/** The palette, the settings of a Program and the frame, in the built window and a real browser. */

describe('the palette', IN_BROWSER, () => {
  it('a user advances the clock by a text, reads before what will run, decides about a record, and undoes that', async (context) => {
    const sandbox = await openDemo()
    const now = async () => (await call(sandbox, 'clock.read', {})).now
    const [customer] = (await call(sandbox, 'records.search', { text: 'Quayside Bakery' })).records
    const wire = { transaction_type: 'wire', customer_uid: customer!.uid, us_dollar_amount: 250 }
    await sandbox.client().post('/sandbox/mock_transactions', wire)
    const due = (await call(sandbox, 'tasks.list', {})).tasks.filter(({ recurring }) => !recurring)
    expect(due.length).toBeGreaterThan(0)
    const page = await visit(context, sandbox.gui)
    // The sandbox says where it leads.
    await typeCommand(page, 'adv 1 hour', 'Advance 1 hour')
    await expect.poll(() => selectedCommand(page).innerText()).toContain(`to 12:21:02, ${due.length} task`)
    expect(await selectedCommand(page).locator('mark').allInnerTexts()).toEqual(['Adv', '1', 'hour'])
    await press(page, 'Control+Enter')
    const tried = page.getByRole('dialog', { name: 'Try it: Advance 1 hour' })
    await sees(tried.getByRole('region', { name: 'Records' }), 'settled')
    expect(await now()).toBe('2026-11-24T16:21:02.000Z')
    await press(page, 'Escape')
    await tried.waitFor({ state: 'detached' })
    await press(page, 'Enter')
    await paletteField(page).waitFor({ state: 'detached' })
    await sees(page, '12:21:02 ET')
    // An instant without a zone is in New York time.
    for (const [text, title, instant] of [
      ['2026-11-25T09:00', 'Advance to Wed 25 Nov 09:00', '2026-11-25T14:00:00.000Z'],
      ['monday 9:00', 'Advance to Mon 30 Nov 09:00', '2026-11-30T14:00:00.000Z'],
    ] as const) {
      await runCommand(page, text, title)
      await expect.poll(now).toBe(instant)
    }

    // The uid is pasted, and Enter is pressed before the search can respond.
    await press(page, 'Control+k')
    await paletteField(page).waitFor()
    await page.keyboard.insertText(customer!.uid)
    await press(page, 'Enter')
    await paletteField(page).waitFor({ state: 'detached' })
    await addressHas(page, new RegExp(`#/customers/${customer!.uid}`))
    const status = async () =>
      (await call(sandbox, 'records.get', { collection: 'customers', uid: customer!.uid })).status
    await runCommand(page, 'put under review', '→ under_review')
    await expect.poll(status).toBe('under_review')
    await typeCommand(page, 'undo', 'Undo')
    await expect.poll(() => selectedCommand(page).innerText()).toContain('decision put under review')
    await press(page, 'Enter')
    await expect.poll(status).toBe('active')
  })

  it('a user opens screens, records, injections, scenarios, settings, endpoints and errors by their titles', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    // It begins with an empty text, however soon it opens again.
    await typeCommand(page, 'faults')
    await page.evaluate(() => {
      for (const init of [{ key: 'Escape' }, { key: 'k', ctrlKey: true }])
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }))
    })
    await page.keyboard.type('snapshots')
    await expect.poll(() => paletteField(page).inputValue()).toBe('snapshots')
    const close = async () => {
      await press(page, 'Escape')
      await paletteField(page).waitFor({ state: 'detached' })
    }
    await close()

    // A screen whose list gets the focus; Escape returns it there.
    await runCommand(page, 'customers')
    await heading(page, 'Customers').waitFor()
    await expect.poll(() => focusedRole(page)).toBe('grid')
    await press(page, 'Control+k')
    await paletteField(page).waitFor()
    // The most recent command comes first, and Tab completes its title.
    await expect.poll(() => selectedCommand(page).innerText()).toContain('Customers')
    await press(page, 'Tab')
    expect(await paletteField(page).inputValue()).toBe('Customers')
    await close()
    await expect.poll(() => focusedRole(page)).toBe('grid')
    const finds = async (text: string, ...options: RegExp[]) => {
      await typeCommand(page, text)
      for (const name of options) await page.getByRole('option', { name }).first().waitFor()
    }
    await finds('bakery', /Quayside Bakery.*Customer, active/, /Search requests for “bakery”.*0 of 0/)
    await close()
    await finds('3006', /^3006 /)
    await close()
    await page.getByRole('button', { name: 'Jump to anything' }).click()
    await paletteField(page).waitFor()
    await close()
    for (const [text, option, address] of [
      ['wire to a vrn', /Inject: Wire to a VRN/, /#\/inject\?kind=vrn/],
      ['funded customer', /Scenario: A funded Customer/i, /#\/scenarios\/a-funded-customer/],
      ['settings access tokens', /Settings: Access tokens/, /part=access-tokens|part=tokens/],
      ['allowlist', /Settings: Access$/, /part=access/],
      ['daily limit', /Settings: Payment limits/, /part=limits/],
      ['initiate a transfer', /POST \/transfers: Initiate a Transfer/, /#\/reference\/createTransfer/],
    ] as const) {
      await finds(text, option)
      await page.getByRole('option', { name: option }).first().click()
      await addressHas(page, address)
    }
  })
})

describe('the settings of a Program', IN_BROWSER, () => {
  it('a user changes limits: errors are at their fields, changes are kept until saved, and the save is undone', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/settings', lossy: true })
    const limits = region(page, 'Payment limits')
    const save = button(page, 'Save')
    // One table: a row for each limit, a column for each rail.
    await expect
      .poll(() => limits.getByRole('columnheader').allInnerTexts())
      .toEqual(['Limit', 'ach', 'wire', 'instant_payment'])
    expect(await limits.getByRole('textbox').count()).toBe(12)
    const minimum = limits.getByLabel('ach minimum_amount')
    await minimum.fill('a lot')
    await sees(limits, 'an amount is expected, e.g. 1000.00')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    // Only the sandbox finds this error. The window shows it at the field.
    await minimum.fill('9000000')
    await save.click()
    await sees(limits, '9000000.00 is more than the maximum_amount')
    await minimum.fill('25')
    await limits.getByLabel('ach daily_count').fill('')
    // Unsaved changes survive a live update and a visit to another screen.
    await sandbox.client().post('/customers', {})
    await goTo(page, '#/now')
    await goTo(page, '#/settings')
    await sees(page, '2 changes not saved')
    await save.click()
    await sees(page, 'Saved: 2 changes.')
    const program = async () => (await call(sandbox, 'programs.list', {})).programs[0]!
    const ach = async () => (await program()).limits.ach
    expect(await ach()).toMatchObject({ minimum_amount: '25.00', daily_count: null, maximum_amount: '5000000.00' })
    await button(page, /^Undo the saved changes/).click()
    await expect.poll(ach).toMatchObject({ minimum_amount: '0.01', daily_count: 500 })
    await expect.poll(() => minimum.inputValue()).toBe('0.01')

    // A Product with a prerequisite; an account type that is in use is not withdrawn.
    const products = region(page, 'Products')
    await clickButton(products, 'Add a Product')
    const fresh = products.locator('details').last()
    await fresh.getByLabel('name', { exact: true }).fill('Savings')
    await clickButton(fresh, 'Add to prerequisite_product_uids')
    await fresh.locator('input[id$="prerequisite_product_uids.0"]').click()
    await page.getByRole('option').first().click()
    await save.click()
    await sees(page, 'Saved: 1 change.')
    const offered = (await program()).products
    expect(offered.at(-1)).toMatchObject({ name: 'Savings', prerequisite_product_uids: [offered[0]!.uid] })
    const types = region(page, 'Synthetic Account Types')
    await types.locator('summary', { hasText: 'ach_external' }).click()
    await clickButton(types, 'Withdraw ach_external')
    await save.click()
    await sees(types, /ach_external cannot be withdrawn: \d+ Synthetic Accounts? (is|are) of it/)
  })

  it('a user shows and rotates the key, expires the tokens, adds a Program and switches to it, and selects a theme', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/settings', colorScheme: 'light' })
    const api = sandbox.client()
    const token = await api.signIn()
    const status = async () => (await api.send('GET', '/customers', { headers: { authorization: token } })).status
    expect(await status()).toBe(200)
    const tokens = region(page, 'Access tokens')
    await clickButton(tokens, 'Expire now')
    await sees(tokens, 'The tokens were expired.')
    expect(await status()).toBe(401)
    await button(tokens, /^Undo/).click()
    await expect.poll(status).toBe(200)

    const part = region(page, 'HMAC key')
    await button(part, 'Show the key').waitFor()
    const { hmac_key } = sandbox.programs()[0]!
    expect(await part.innerText()).not.toContain(hmac_key)
    await clickButton(part, 'Show the key')
    await sees(part, hmac_key)
    await part.getByLabel('new key').fill('too short')
    await clickButton(part, 'Rotate')
    await sees(part, 'at least 16 characters are expected')
    await part.getByLabel('new key').fill('a key that is long enough')
    await clickButton(part, 'Rotate')
    await sees(part, 'a key that is long enough')
    expect(sandbox.programs()[0]!.hmac_key).toBe('a key that is long enough')

    await runCommand(page, 'new program')
    await page.getByLabel('Name', { exact: true }).fill('Staging \u202e<b>')
    await press(page, 'Enter')
    const switcher = page.getByRole('button', { name: 'Switch Program.' })
    await expect.poll(() => switcher.innerText()).toContain('Staging')
    await addressHas(page, new RegExp(`program=${sandbox.programs()[1]!.uid}`))
    await runCommand(page, 'switch to')
    await expect.poll(() => switcher.innerText()).toContain('Harbor Payments')

    // The frame: the books, and the theme, which is kept after a reload.
    await sees(page.getByRole('contentinfo'), 'Both books balance')
    await sees(page.getByRole('contentinfo'), 'not saved')
    const paper = () => page.evaluate(() => getComputedStyle(document.querySelector('main')!).backgroundColor)
    expect(await paper()).toBe('rgb(255, 255, 255)')
    await runCommand(page, 'theme dark')
    await expect.poll(paper).toBe('rgb(23, 23, 21)')
    await page.reload()
    await expect.poll(paper).toBe('rgb(23, 23, 21)')
    await goTo(page, '#/settings?part=window')
    await page.getByLabel('same as the system').check()
    await expect.poll(paper).toBe('rgb(255, 255, 255)')
  })
})
