import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { scheduleTasks } from '../support/tasks.ts'
import {
  addressHas,
  built,
  button,
  chooseFilter,
  clickButton,
  findCutTexts,
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
  sees,
  visit,
} from '../support/window.ts'

/** Connect, the requests of an app, the bar of the clock, and the key: in the built window and a real browser. */

const clock = (page: Page) => page.locator('[data-now]')
const timeIs = (page: Page, text: string) => expect.poll(() => clock(page).innerText()).toContain(text)
const need = (page: Page, text: string) => page.locator('[data-need]').filter({ hasText: text })

describe('Connect and the request log', IN_BROWSER, () => {
  it('a developer sends the first request: those of the window do not count', async (context) => {
    const sandbox = await openDemo()
    const sent = await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    await call(sandbox, 'exchanges.replay', { uids: [sent.uid], into: 'present' })
    const text = 'name: One request\nsteps:\n  - request: GET /customers\n'
    await call(sandbox, 'scenarios.run', { text, into: 'present' })
    const page = await visit(context, sandbox.gui)
    await button(region(page, 'Point my app here'), 'Key and code').waitFor()
    await press(page, 'g', 'c')
    const sheet = page.getByRole('dialog', { name: 'Connect' })
    await sees(sheet, /^Waiting\. Nothing has called port/)
    for (let n = 0; n < 6; n++) await sandbox.client().get(`/customers?limit=${n}`)
    await sees(sheet, 'Called with the token')
    expect(await sheet.locator('li[data-state=done]').count()).toBe(3)
    expect(await sheet.getByText(/GET .*returned 200$/).innerText()).toContain('/customers?limit=0')

    // The code of a receiver, in each language with the key of the command.
    const key = 'a-key-that-both-sides-know'
    await region(sheet, 'Receive webhooks').getByText(`--key ${key}`).scrollIntoViewIfNeeded()
    const code = region(sheet, 'Code of a receiver')
    for (const name of ['Python', 'Java', 'TypeScript']) {
      await code.getByRole('tab', { name }).click()
      await button(code, `Copy receiver in ${name}`).waitFor()
      // The panel of the language before may still be there.
      await sees(code.getByRole('tabpanel', { name }), `"${key}"`)
    }
    // A link in the sheet closes it.
    await press(page, 'Escape')
    await sheet.waitFor({ state: 'detached' })
    await link(region(page, 'Flow'), '/customers?limit=5').waitFor()
    await button(page, /^Connect/).click()
    await link(sheet, 'Rotate it').click()
    await addressHas(page, /#\/settings\?part=key$/)
    await sheet.waitFor({ state: 'detached' })
    await goTo(page, '#/now')
    // The clock bar cuts what the newest operation did; its tooltip has all of it.
    const undo = await button(page, /^Undo /).innerText()
    expect((await findCutTexts(page)).filter((text) => !undo.includes(text))).toEqual([])
  })

  it('opens by an address without the key, also after a reload; opened again it says what to do', async (context) => {
    const sandbox = await openWindow()
    const { path } = await call(sandbox, 'sandbox.open', {})
    const address = `${new URL(sandbox.api).origin}${path}`
    const page = await visit(context, address)
    await heading(page, 'Now').waitFor()
    expect(page.url()).not.toContain(sandbox.control_key)
    await page.reload()
    await heading(page, 'Now').waitFor()
    expect(await page.evaluate(() => document.referrer)).toBe('')
    const second = await page.context().newPage()
    await second.goto(address)
    await sees(second, 'This address has opened the window before, or is older than 60 seconds')
  })

  it('a developer reads why requests are refused, filters the log, and follows the groups of errors', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    await client.send('GET', '/customers', { headers: { authorization: 'Token abc' } })
    const page = await visit(context, sandbox.gui)
    // The cause is not in the response.
    await link(need(page, '1004'), '1004').click()
    await sees(request(page), 'the value begins with "Token "')
    expect(await request(page).locator('li[data-refused]').innerText()).toBe('token')
    expect(await request(page).locator('li[data-unreached]').count()).toBe(5)

    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click()
    await client.post('/customers', { customer_type: 'secondary', primary_customer_uid: 'nobody', emial: 'x@y.test' })
    await rows(page).nth(2).waitFor()
    await rows(page).first().click()
    await sees(request(page), 'primary_customer_uid')
    const words = await request(page).innerText()
    expect(words).toContain('POST /customers')
    expect(words).toMatch(/40\d\d/)
    expect(words).toContain('no changes')
    expect(words).toContain('emial was ignored; did you mean email?')
    expect(await request(page).locator('li[data-refused]').innerText()).toBe('rules')
    expect(await request(page).locator('[data-hit]').innerText()).toContain('"primary_customer_uid": "nobody"')
    expect(await request(page).locator('[data-tip]').innerText()).toContain('"emial"')
    expect(page.url()).toMatch(/#\/requests\/x3$/)

    for (const path of ['/customers?limit=-1', '/customers?limit=-2', '/transfers?limit=-1']) await client.get(path)
    await client.post('/customers', {})
    await goTo(page, '#/requests')
    await expect.poll(() => rows(page).count()).toBe(7)
    await page.getByRole('button', { name: /^Refused/ }).click()
    await expect.poll(() => rows(page).count()).toBe(5)
    await clickButton(page, 'Clear filters')
    await chooseFilter(page, 'Method: any', 'POST')
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.getByLabel('Search requests').fill('create a')
    await expect.poll(() => rows(page).count()).toBe(1)
    await addressHas(page, /#\/requests\?method=POST&q=create\+a$/)
    await page.getByLabel('Search requests').fill('no such thing')
    await sees(page, 'No request matches the filters.')

    await call(sandbox, 'faults.set', { faults: [{ kind: 'status', status: 503, times: 2 }] })
    for (let n = 0; n < 2; n++) await client.get('/customers')
    await goTo(page, '#/now')
    const group = need(page, 'GET /customers 1005')
    await sees(group, 'limit')
    await link(group, '2 requests').focus()
    await press(page, 'Enter')
    await button(page, 'endpoint listCustomers').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    await clickButton(page, 'code 1005')
    await clickButton(page, 'endpoint listCustomers')
    // The status stays.
    await expect.poll(() => rows(page).count()).toBe(3)
    // A group without a code leads to the requests with its status.
    await goTo(page, '#/now')
    await link(need(page, 'GET /customers 503'), '2 requests').click()
    await button(page, 'status 503').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    // The app has mended them.
    await client.get('/customers')
    await goTo(page, '#/now')
    await need(page, 'GET /transfers 1005').waitFor()
    expect(await need(page, 'GET /customers').count()).toBe(0)
  })

  it('a user approves and denies payments in place, by key, and undoes it; money and flow follow', async (context) => {
    const setup = await setUpPayments({ window: built })
    const olive = await setup.customer()
    const vrn = { synthetic_account_uid: olive.master, routing_number: '110000000' }
    const { uid } = (await setup.api.post('/virtual_reference_numbers', vrn)).body
    await setup.advance({ by: 'PT1M' })
    const wire = { transaction_type: 'wire', customer_uid: olive.uid, virtual_reference_number_uid: uid }
    for (const us_dollar_amount of [40, 7.5]) await setup.mock({ ...wire, us_dollar_amount })
    const page = await visit(context, setup.sandbox.gui)
    const [first, second] = [need(page, '40.00'), need(page, '7.50')]
    await sees(first, 'closes in 1 day 0 h 00 min, then approved')
    const money = (text: string) => region(page, 'Money').getByRole('cell', { name: text, exact: true }).first()
    await money('47.50').waitFor()
    // An app has called, so the ways to begin are not shown.
    expect(await button(page, 'Key and code').count()).toBe(0)
    // It counts down with the clock, and other windows' decisions arrive.
    await setup.advance({ by: 'PT1H' })
    await sees(first, 'closes in 23 h 00 min 00 s, then approved')
    await press(page, 'd', 'Enter')
    await first.waitFor({ state: 'detached' })
    await sees(region(page, 'Flow'), /over 40\.00, pending/)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Approve')
    await clickButton(second, /^Deny…/)
    await page.getByLabel('denied_reason').selectOption('unauthorized_credit')
    await clickButton(second, 'Deny')
    await second.waitFor({ state: 'detached' })
    await sees(page, /^Nothing waits/)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Needs you')
    await button(page, /^Undo .*deny/i).waitFor()
    await press(page, 'u')
    await second.waitFor()
    await setup.advance({ until: 'idle' })
    await money('47.50').waitFor()
    await sees(region(page, 'Flow'), /over 7\.50, settled/)
  })

  it('in an empty world a user plays a scenario, which adds to it, and finds a case by what the user has of it', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { lossy: true })
    const door = region(page, 'Play a scenario here')
    await door.getByLabel('Scenario to play here').selectOption('ach-canceled')
    await clickButton(door, 'Play here')
    await sees(door, /^Cancel a transfer: \d+ steps done\.$/)
    await link(region(page, 'Money'), 'Ada Byron').waitFor()
    const total = async () => (await call(sandbox, 'records.list', { collection: 'customers' })).total_count
    expect(await total()).toBe(1)
    // The external_uid of its Customer is taken; nothing is lost.
    await clickButton(door, 'Play here')
    await sees(door, /^Cancel a transfer: stopped at step 2 of \d+: Create a Customer/)
    expect(await total()).toBe(1)

    const { data } = await call(sandbox, 'exchanges.list', { limit: 1000 })
    const created = data.find(({ endpoint }) => endpoint === 'createTransfer')!
    const field = page.getByLabel('What you have of the case')
    await field.fill('curl http://127.0.0.1/api/v1/customers')
    await clickButton(region(page, 'Reproduce a case'), 'Open')
    await addressHas(page, /#\/requests\?replay=import$/)
    expect(await page.getByLabel(/^Or paste curl commands/).inputValue()).toContain('/api/v1/customers')
    await goTo(page, '#/now')
    await field.fill('nothing')
    await sees(page, 'No recording, and no uid or trace id that this world has.')
    await field.fill(`10:00:01 ERROR trace-id=${created.trace_id} payment failed`)
    await link(region(page, 'Reproduce a case'), /^POST \/transfers returned 201/).click()
    await addressHas(page, new RegExp(`#/requests/${created.uid}`))
  })

  it('a user scrolls through a long log: it stays in place, counts what is new, and draws only what is in sight', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    for (let i = 0; i < 249; i++) await client.get(`/customers?limit=${i}`)
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await footerSays(page, '250 requests')
    const grid = page.getByRole('grid')
    const selected = page.locator('main [data-row][aria-selected=true]')
    // The table is virtual: it contains only the visible rows, but states the number of all rows.
    expect(await rows(page).count()).toBeLessThan(80)
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(250)
    await grid.evaluate((element) => element.scrollTo({ top: 2_800 }))
    const placeOf = () => page.getByText('/customers?limit=140', { exact: true }).boundingBox()
    await sees(page, '/customers?limit=140')
    const before = await placeOf()
    for (let i = 0; i < 3; i++) await client.get('/customers?limit=999')
    await button(page, '3 new, show').waitFor()
    expect(await placeOf()).toEqual(before)
    await clickButton(page, '3 new, show')
    await sees(page, 'following the newest')
    await sees(page, '/customers?limit=999')

    // A row that scrolls by too fast to be read has its first cell and a bar beside it. In the page, as it is drawn in full soon.
    const fast = await grid.evaluate(async (element) => {
      // On a busy machine the pause between two frames may be taken for the end of the scrolling.
      let found: HTMLElement | undefined
      for (let frame = 0; frame < 1_000 && !found; frame++) {
        element.scrollTop = element.scrollHeight * (0.2 + 0.2 * (frame % 4))
        await new Promise(requestAnimationFrame)
        found = [...element.querySelectorAll<HTMLElement>('[data-unread]')].at(-1)
      }
      const [first, last] = [...(found?.children ?? [])].map((cell) => cell.getBoundingClientRect())
      found?.click()
      return { first: found?.innerText.trim(), gap: last!.left - first!.right, part: last!.width / element.clientWidth }
    })
    expect(fast).toMatchObject({ first: expect.stringMatching(/^\d\d:\d\d:\d\d$/), gap: 0 })
    expect(fast.part).toBeGreaterThan(0.5)
    await addressHas(page, /#\/requests\/x\d+$/)

    // The context menu opens at the selected row, which is scrolled into view.
    await grid.focus()
    await press(page, 'Home')
    await addressHas(page, /#\/requests\/x253$/)
    await selected.waitFor()
    await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await selected.waitFor({ state: 'detached' })
    await press(page, 'Shift+F10')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await selected.waitFor()
    const place = (await selected.boundingBox())!
    expect(place.y).toBeGreaterThan((await grid.boundingBox())!.y)
    expect(Math.abs((await menu.boundingBox())!.y - place.y - place.height)).toBeLessThan(4)
    // Above the last row, as there is no space below it.
    await press(page, 'Escape')
    await menu.waitFor({ state: 'detached' })
    await press(page, 'End')
    await addressHas(page, /#\/requests\/x1$/)
    await press(page, 'Shift+F10')
    await menu.waitFor()
    const above = (await menu.boundingBox())!
    expect(above.y + above.height).toBeLessThanOrEqual((await selected.boundingBox())!.y)
    await press(page, 'Escape')
    await menu.waitFor({ state: 'detached' })

    // On a narrow window the list scrolls by itself.
    await page.setViewportSize({ width: 800, height: 800 })
    await press(page, 'Home')
    await expect.poll(() => rows(page).count()).toBeLessThan(100)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1600)
    await grid.focus()
    await page.evaluate(() => scrollTo(0, 0))
    await press(page, 'End')
    await addressHas(page, /#\/requests\/x1$/)
    await expect.poll(async () => (await selected.boundingBox())!).toSatisfy(({ y, height }) => y + height <= 800)
  })
})

describe('the bar', IN_BROWSER, () => {
  it('a user advances, runs and freezes the clock, advances it by a text, and undoes that', async (context) => {
    const sandbox = await openWindow({ tasks: { k: () => 'done' } })
    scheduleTasks(sandbox, ['k', 5_400_000])
    const page = await visit(context, sandbox.gui, { lossy: true })
    const dialog = page.getByRole('dialog')
    const custom = async (text?: string) => {
      await clickButton(page, 'Custom…')
      if (text !== undefined) await enterText(text)
    }
    const enterText = async (text: string) => {
      const field = page.getByLabel('A duration or a time in New York')
      await field.fill(text)
      await field.press('Enter')
    }
    await timeIs(page, 'Fri 14 Aug 2026 10:00:00 ET')
    await custom()
    await press(page, 'Escape')
    await clickButton(page, '1 hour')
    await timeIs(page, '11:00:00 ET')
    await clickButton(page, /^Undo advance of 1 hour/)
    await timeIs(page, '10:00:00 ET')
    await clickButton(page, 'Redo advance of 1 hour')
    await timeIs(page, '11:00:00 ET')
    await clickButton(page, 'To next task')
    await timeIs(page, '11:30:00 ET')
    await clickButton(page, '1 business day')
    await timeIs(page, 'Mon 17 Aug 2026')

    // An invalid text shows an error beside the field.
    await custom('P1M')
    await sees(dialog, 'months and years have no fixed length')
    await enterText('2026-08-13T00:00:00Z')
    await sees(dialog, 'time does not go back')
    await enterText('30 minutes')
    await timeIs(page, '12:00:00 ET')
    await custom('monday 9:00')
    await timeIs(page, 'Mon 24 Aug 2026 09:00:00 ET')
    await custom('2 business days')
    await timeIs(page, 'Wed 26 Aug 2026')
    await dialog.waitFor({ state: 'detached' })
    expect(await button(page, 'To next task').getAttribute('title')).toBe('Nothing scheduled.')

    await clickButton(page, 'Run')
    await sees(page, 'Running')
    const started = await clock(page).innerText()
    await expect.poll(() => clock(page).innerText()).not.toBe(started)
    // Beside a running clock all controls have space, from 1,001 pixels on.
    await page.setViewportSize({ width: 1001, height: 800 })
    await button(page, 'Freeze').waitFor()
    const cut = await page.locator('header').evaluate((bar) => {
      const edges = [...bar.children].map((child) => child.getBoundingClientRect())
      const [mode, time] = edges
      return { beyond: edges.filter(({ right }) => right > innerWidth).length, overlaps: mode!.right > time!.left }
    })
    expect(cut).toEqual({ beyond: 0, overlaps: false })
    const mode = page.getByText('Running', { exact: true })
    expect(await mode.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
    // A bare full stop does nothing: it may be meant for a field.
    await page.locator('body').press('.')
    expect(await call(sandbox, 'clock.read', {})).toMatchObject({ mode: 'running' })
    await page.locator('body').press('Shift+Period')
    await sees(page, 'Frozen')
    expect(await call(sandbox, 'clock.read', {})).toMatchObject({ mode: 'frozen' })
  })

  it('a user without the key, with a wrong one and with the right one opens the window', async (context) => {
    const sandbox = await openWindow()
    const { origin } = new URL(sandbox.gui)
    const wrong = sandbox.gui.replace('test-key', 'wrong-key')
    const page = await visit(context, origin, { lossy: true })
    await heading(page, 'This window needs its key').waitFor()
    await page.goto(wrong)
    await heading(page, 'The key is not valid').waitFor()
    await page.getByLabel('Or paste the key here').fill(sandbox.gui)
    await clickButton(page, 'Open')
    await heading(page, 'Now').waitFor()
    // The key is removed from the address, and kept for the tab.
    expect(page.url()).not.toContain('key')
    expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0])
    await page.reload()
    await page.locator('[data-api-address]').first().waitFor()
    // An address with another key, opened in the tab that shows the window, is used and removed.
    await page.goto(wrong)
    await heading(page, 'The key is not valid').waitFor()
    await page.goto(sandbox.gui)
    await heading(page, 'Now').waitFor()
    expect(page.url()).not.toContain('key')
  })

  it('a user whose connection is lost sees the time of the data and what was not sent, until the sandbox is back', async (context) => {
    const first = await openWindow({ world: 'demo' })
    const port = Number(new URL(first.api).port)
    await first.client().get('/customers?limit=7')
    const { data } = await call(first, 'records.list', { collection: 'customers', status: ['active'], limit: 1 })
    const page = await visit(context, first.gui, { at: '#/requests', lossy: true })
    await sees(page, '/customers?limit=7')
    await goTo(page, `#/customers/${data[0]!.uid}`)
    await button(page, 'Put under review').waitFor()
    const alert = page.getByText('Connection lost.')
    await first.close()
    await alert.waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Fri 14 Aug 2026 10:00:00 ET')
    await sees(page.getByRole('banner'), 'Unknown')
    // A decision that gets no response was not refused.
    await clickButton(page, 'Put under review')
    await sees(page, 'Put under review could not be sent.')
    await goTo(page, '#/requests')
    expect(await row(page, '/customers?limit=7').count()).toBe(1)
    // A click says that it did nothing.
    for (const name of ['1 hour', 'Run']) {
      await clickButton(page, name)
      await sees(page, 'The clock did not change.')
      await clickButton(page, 'Close')
      await page.getByText('The clock did not change.').waitFor({ state: 'detached' })
    }
    const second = await openWindow({ port })
    await second.client().get('/customers?limit=8')
    await sees(page, '/customers?limit=8')
    expect(await alert.count()).toBe(0)
    expect(await row(page, '/customers?limit=7').count()).toBe(0)
    await sees(page.getByRole('banner'), 'Frozen')
  })
})
