import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  addressHas,
  allowClipboard,
  button,
  chooseFilter,
  clickButton,
  download,
  focusedRole,
  footerSays,
  goTo,
  header,
  heading,
  IN_BROWSER,
  link,
  menuItem,
  openDemo,
  openWindow,
  press,
  region,
  request,
  row,
  rows,
  sees,
  select,
  uidsOf,
  visit,
} from '../support/window.ts'

/** Lists and tables, in the built window and a real browser. */

type Listed = Record<string, unknown> & { uid: string }

/** A list as the API has it, newest first. */
const listFromApi = async (sandbox: TestSandbox, path: string, query = '') => {
  const filters: Readonly<Record<string, string>> = {
    '/transactions': '&include_zero=true&show_denied_auths=true&show_expired=true',
    '/customers': '&include_initiated=true',
  }
  const all = await apiClient(sandbox).get<{ data: Listed[] }>(`${path}?limit=1000${filters[path] ?? ''}${query}`)
  return all.body.data
}

const cells = (page: Page, at: number) => rows(page).nth(at).getByRole('gridcell').allInnerTexts()
const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()
const details = (page: Page) => page.getByLabel('Details', { exact: true }).and(page.locator('section'))
const lastCells = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((one) => one.querySelector('[role=gridcell]:last-child')!.textContent!))
const toNumber = (amount: string) => Number(amount.replaceAll(/[,+−]/g, ''))

/** The lists of records: where they are, what they count, and which columns have no space beside the details at 1440 pixels. */
const lists = [
  ['#/transactions', '/transactions', 'Transactions', '25 Transactions', ['Customer', 'uid']],
  ['#/transfers', '/transfers', 'Transfers', '11 Transfers', ['Customer', 'Transaction', 'uid']],
  ['#/returns', '/returns', 'Returns', '1 Return', ['uid']],
  ['#/combined_transfers', '/combined_transfers', 'Combined Transfers', '1 Combined Transfer', ['uid']],
  ['#/vrns', '/virtual_reference_numbers', 'VRNs', '4 Virtual Reference Numbers', ['Customer']],
  ['#/customers', '/customers', 'Customers', '3 Customers', ['email', 'external_uid', 'uid']],
] as const

describe('lists of records', IN_BROWSER, () => {
  it('a user opens each list at each width: the records of the API in their order, and no name or amount is cut', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    for (const [hash, path, title, count, hidden] of lists) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await goTo(page, hash)
      await heading(page, title).waitFor()
      await footerSays(page, count)
      const listed = await listFromApi(sandbox, path)
      expect(await uidsOf(page), title).toEqual(listed.map(({ uid }) => uid))
      for (const [at, record] of listed.entries()) {
        const words = (await cells(page, at)).join('\n')
        expect(words).toContain(String(record.status))
        const amount = record.us_dollar_amount ?? record.usd_transfer_amount ?? record.total_balance
        if (amount !== undefined) expect(words.replaceAll(/[,+−]/g, '')).toContain(String(amount).replace('-', ''))
      }
      const grid = page.getByRole('grid', { name: `${title}, newest first` })
      const overflow = () => grid.evaluate((it) => it.scrollWidth - it.clientWidth)
      expect(await overflow()).toBe(0)
      await expect
        .poll(() =>
          grid.evaluate((it) =>
            [...it.querySelectorAll('a, [data-uid] bdi, [role="gridcell"]:has([data-glyph-text])')]
              .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
              .map(({ textContent }) => textContent),
          ),
        )
        .toEqual([])
      // Narrow windows show the amounts, too.
      for (const width of [800, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        const right = () =>
          rows(page).evaluateAll((all) =>
            Math.max(...all.map((one) => one.querySelector('[data-amount]')?.getBoundingClientRect().right ?? 0)),
          )
        await expect.poll(right, { message: `${hash} at ${width}` }).toBeGreaterThan(0)
        expect(await right(), `${hash} at ${width}`).toBeLessThanOrEqual(width)
      }
      // On a wide window at most 60 % are empty, with and without the details, which leave out what has no space.
      await page.setViewportSize({ width: 1440, height: 900 })
      const isFilled = async (what: string) => {
        const filled = await rows(page).evaluateAll(findFilledParts)
        const average = filled.reduce((sum, part) => sum + part, 0) / filled.length
        const least = hash === '#/customers' ? Math.min(...filled) : average
        expect(least, `${hash} ${what}`).toBeGreaterThanOrEqual(0.4)
      }
      // A short list has its first record beside it, before one is selected.
      if (listed.length > 6) {
        await expect.poll(() => headers(page), { message: hash }).toEqual(expect.arrayContaining([...hidden]))
        await isFilled('alone')
        await grid.focus()
        await press(page, 'ArrowDown')
      }
      await details(page).waitFor()
      for (const name of hidden) await expect.poll(() => headers(page), { message: hash }).not.toContain(name)
      expect(await overflow(), `${hash} needs no scrolling sideways`).toBeLessThanOrEqual(0)
      await isFilled('beside the details')
    }
    // So do the lists of a Customer.
    const [bakery] = await listFromApi(sandbox, '/customers', '&external_uid=demo-business-1')
    for (const [tab, hidden] of [
      ['accounts', ['uid']],
      ['payments', ['uid']],
      ['vrns', []],
    ] as const) {
      await goTo(page, `#/customers/${bakery!.uid}?tab=${tab}`)
      const grid = page.getByRole('grid').and(page.locator(':visible'))
      await rows(page).first().waitFor()
      await grid.focus()
      await press(page, 'ArrowDown')
      await details(page).waitFor()
      for (const name of hidden) await expect.poll(() => headers(page), { message: tab }).not.toContain(name)
      expect(await grid.evaluate((it) => it.scrollWidth - it.clientWidth), tab).toBeLessThanOrEqual(0)
    }
  })

  it('a user browses payments: counts in the navigation, parties, filters in the address, a search and a CSV file', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    const nav = page.getByRole('navigation')
    expect(await nav.getByRole('link', { name: /^Transfers/ }).count()).toBe(0)
    await nav.getByRole('link', { name: /^Payments/ }).click()
    await heading(page, 'Transactions').waitFor()
    await expect
      .poll(() => nav.locator('[data-below]').allInnerTexts())
      .toEqual(
        [/^Transfers\s+11$/, /^Transactions\s+25$/, /^Returns\s+1$/, /^Combined Transfers\s+1$/].map((text) =>
          expect.stringMatching(text),
        ),
      )
    await nav.getByRole('link', { name: /^Returns/ }).click()
    await heading(page, 'Returns').waitFor()
    expect(await nav.locator('[data-below][aria-current]').innerText()).toContain('Returns')
    // A Transfer links to its Transaction. Only a wider window has room for both uids.
    await page.setViewportSize({ width: 1440, height: 900 })
    await nav.getByRole('link', { name: /^Transfers/ }).click()
    await footerSays(page, '11 Transfers')
    const [transfer] = await listFromApi(sandbox, '/transfers')
    const [transaction] = transfer!.transaction_uids as string[]
    await rows(page).first().getByRole('link', { name: transaction! }).click()
    await addressHas(page, new RegExp(`#/transactions/${transaction}$`))
    await page.setViewportSize({ width: 1280, height: 800 })

    // Both parties, an arrow for a party outside the sandbox, and the sign of the amount.
    await goTo(page, '#/transactions')
    await footerSays(page, '25 Transactions')
    const incoming = row(page, 'Ruth Hallam-Pike')
    const [, type, parties, status, , , amount] = await incoming.getByRole('gridcell').allInnerTexts()
    expect([type, status!.trim(), amount]).toEqual(['instant_payment', 'settled', '+312.40'])
    expect(parties!.split('\n').map((it) => it.trim())).toEqual(['Ruth Hallam-Pike', 'Primary Synthetic Account'])
    const arrows = (of: typeof incoming) => of.getByRole('img', { name: 'outside:' }).count()
    expect(await arrows(incoming)).toBe(1)
    expect(await arrows(rows(page).filter({ hasText: 'Growth' }).filter({ hasText: 'Operations' }).first())).toBe(0)

    // Filters are in the address. Title, search and filters are in one line.
    await goTo(page, '#/transactions?type=wire&status=settled')
    await footerSays(page, /of 25 Transactions/)
    const wires = await listFromApi(sandbox, '/transactions', '&type[]=wire&status[]=settled')
    expect(await uidsOf(page)).toEqual(wires.map(({ uid }) => uid))
    const title = (await heading(page, 'Transactions').boundingBox())!
    const field = (await page.getByLabel('Search Transactions').locator('..').boundingBox())!
    expect(title.x + title.width).toBeLessThanOrEqual(field.x)
    expect((await page.locator('main [data-screen-bar]').boundingBox())!.height).toBe(40)
    await clickButton(page, 'Clear filters')
    await footerSays(page, /^25 Transactions$/)
    await chooseFilter(page, /^net_asset/, /^negative/)
    await addressHas(page, /net_asset=negative/)
    const all = await listFromApi(sandbox, '/transactions')
    const negative = all.filter(({ net_asset }) => net_asset === 'negative')
    await expect.poll(() => uidsOf(page)).toEqual(negative.map(({ uid }) => uid))
    const csv = await download(page, () => clickButton(page, 'Export CSV'))
    expect(csv.name).toBe('transactions 2026-11-24.csv')
    const [head, ...lines] = csv.text.trimEnd().split('\r\n')
    expect(head).toBe('created_at,type,parties,description,status,customer,uid,us_dollar_amount')
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual(
      negative.map(({ uid, us_dollar_amount }) => [uid, `-${us_dollar_amount}`]),
    )
    await page.getByRole('button', { name: /^Customer:/ }).click()
    await page.getByRole('searchbox', { name: 'Find a Customer' }).fill('nora')
    await press(page, 'Enter')
    const customers = await listFromApi(sandbox, '/customers')
    const nora = customers.find(({ email }) => email === 'nora.quint@example.test')!
    await addressHas(page, new RegExp(`customer=${nora.uid}`))
    const ofNora = negative.filter(({ customer_uid }) => customer_uid === nora.uid).map(({ uid }) => uid)
    await expect.poll(() => uidsOf(page)).toEqual(ofNora)
    const search = page.getByRole('searchbox', { name: 'Search Transactions' })
    await search.fill('no such thing (')
    await sees(page, 'No Transaction matches the filters.')
    await addressHas(page, /q=no\+such\+thing/)
    await page.reload()
    await sees(page, 'No Transaction matches the filters.')
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await search.fill('northern mill')
    const mill = all.filter((it) => JSON.stringify(it).toLowerCase().includes('northern mill'))
    await expect.poll(() => uidsOf(page)).toEqual(mill.map(({ uid }) => uid))
    await clickButton(page, 'Clear filters')

    // Between two amounts and two days, both included.
    const range = async (name: string, from: string, to: string) => {
      await clickButton(page, name)
      await page.getByLabel('From', { exact: true }).fill(from)
      await page.getByLabel('To', { exact: true }).fill(to)
      await press(page, 'Escape')
    }
    await range('Amount', '100', '5000')
    const between = all.filter(({ us_dollar_amount: it }) => Number(it) >= 100 && Number(it) <= 5_000)
    await footerSays(page, `${between.length} of 25 Transactions`)
    await button(page, 'Amount: 100.00 to 5,000.00').waitFor()
    await clickButton(page, 'Clear filters')
    const day = String(all[3]!.created_at).slice(0, 10)
    await range('Date', day, day)
    await footerSays(page, /^\d+ of 25 Transactions$/)
    await expect.poll(() => page.locator('main [data-group]').count()).toBe(1)
    expect(await page.locator('main [data-group]').innerText()).toContain(String(Number(day.slice(8))))
  })

  it('a user sorts, arranges columns, filters by a cell and keeps a view by mouse, and finds all of it after a reload', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/transactions' })
    await footerSays(page, '25 Transactions')
    const copied = await allowClipboard(page)
    const newest = await uidsOf(page)
    const amount = header(page, 'Amount, USD')
    const sortedBy = async (order: string) => {
      await amount.getByRole('button').click()
      await expect.poll(() => amount.getAttribute('aria-sort')).toBe(order)
    }
    expect(await amount.getAttribute('aria-sort')).toBe('none')
    await sortedBy('descending')
    const amounts = (await lastCells(page)).map(toNumber)
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a))
    await addressHas(page, /sort=us_dollar_amount_desc/)
    // Days are in the cells, as there are no rows of days.
    expect(await page.locator('main [data-group]').count()).toBe(0)
    expect((await cells(page, 0))[0]).toMatch(/^2026-\d\d-\d\d /)
    await sortedBy('ascending')
    expect((await lastCells(page)).map(toNumber)).toEqual(amounts.reverse())
    await sortedBy('none')
    await expect.poll(() => uidsOf(page)).toEqual(newest)

    // Columns: which are shown, their order and their widths. Another list has columns of its own.
    await clickButton(page, 'Columns')
    await page.getByRole('menuitemcheckbox', { name: 'description' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Customer' }).click()
    await press(page, 'Escape')
    expect(await headers(page)).toContain('description')
    expect(await headers(page)).not.toContain('Customer')
    await header(page, 'uid').getByRole('button').dragTo(header(page, 'Time'))
    await expect.poll(async () => (await headers(page))[0]).toBe('uid')
    const edge = (await header(page, 'status').locator('[data-resize]').boundingBox())!
    await page.mouse.move(edge.x + 3, edge.y + 8)
    await page.mouse.down()
    await page.mouse.move(edge.x + 43, edge.y + 8, { steps: 4 })
    await page.mouse.up()
    const width = async () => Math.round((await header(page, 'status').boundingBox())!.width)
    const [widened, arranged] = [await width(), await headers(page)]
    await page.reload()
    await footerSays(page, '25 Transactions')
    expect([await width(), await headers(page)]).toEqual([widened, arranged])
    await goTo(page, '#/transfers')
    await footerSays(page, '11 Transfers')
    expect((await headers(page))[0]).toBe('Time')
    await goTo(page, '#/transactions')
    await footerSays(page, '25 Transactions')
    const resetColumns = async () => {
      await clickButton(page, 'Columns')
      await page.getByRole('menuitem', { name: 'Reset columns' }).click()
      await press(page, 'Escape')
    }
    await resetColumns()
    await expect.poll(async () => (await headers(page))[0]).toBe('Time')

    // Ranges of rows are copied as tab-separated text.
    await select(rows(page).nth(0))
    await select(rows(page).nth(2), ['Shift'])
    await press(page, 'ControlOrMeta+c')
    await expect.poll(async () => (await copied()).split('\n').length).toBe(3)
    const lines = (await copied()).split('\n').map((line) => line.split('\t'))
    expect(lines.map((line) => line.length)).toEqual([7, 7, 7])
    expect(lines.map((line) => line[5])).toEqual(newest.slice(0, 3))
    await select(rows(page).nth(1))
    await press(page, 'ControlOrMeta+c')
    await expect.poll(async () => (await copied()).split('\n').length).toBe(1)

    // The context menu of a cell.
    const cell = (column: string) => rows(page).first().locator(`[data-column=${column}]`)
    const choose = async (column: string, item: string) => {
      await cell(column).click({ button: 'right' })
      await menuItem(page, item).click()
    }
    await choose('status', 'Copy uid')
    await expect.poll(copied).toBe(newest[0])
    await choose('type', 'Copy row with headers')
    await expect.poll(async () => (await copied()).split('\n')[0]).toMatch(/^created_at\ttype\t/)
    const type = await cell('type').innerText()
    await choose('type', 'Filter by this value')
    await button(page, `type: ${type}`).waitFor()
    await expect
      .poll(async () => new Set(await rows(page).locator('[data-column=type]').allInnerTexts()))
      .toEqual(new Set([type]))
    await choose('type', 'Open Enter')
    await addressHas(page, new RegExp(`#/transactions/${newest[0]}`))

    // A view keeps filters, sort order and columns under a name.
    await goTo(page, '#/transactions?type=wire&sort=us_dollar_amount_desc')
    await header(page, 'uid').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Hide column' }).click()
    await page.getByRole('button', { name: /^View: default/ }).click()
    await page.getByLabel('Name of the view').fill('Largest wires')
    await press(page, 'Enter')
    await button(page, 'View: Largest wires').waitFor()
    const shown = await lastCells(page)
    await goTo(page, '#/transactions')
    await resetColumns()
    await page.reload()
    await footerSays(page, '25 Transactions')
    expect(await headers(page)).toContain('uid')
    await page.getByRole('button', { name: /^View: default/ }).click()
    await clickButton(page, 'Largest wires')
    await button(page, 'type: wire').waitFor()
    await expect.poll(() => lastCells(page)).toEqual(shown)
    expect(await headers(page)).not.toContain('uid')
  })

  it('a user selects, copies, sorts and arranges by keyboard, with one tab stop for all headers', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { viewport: { width: 1280, height: 600 } })
    await press(page, 'g', 'p')
    await footerSays(page, '25 Transactions')
    const all = (await listFromApi(sandbox, '/transactions')).map(({ uid }) => uid)
    await expect.poll(() => focusedRole(page)).toBe('grid')
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown')
    const selected = page.getByRole('row', { selected: true })
    expect(await selected.locator('[data-uid] bdi').innerText()).toBe(all[2])
    await press(page, 'Shift+ArrowDown')
    await footerSays(page, '2 chosen')
    await clickButton(page, 'Copy uids')
    await page.locator('main [data-footer]').getByText('uids copied').waitFor({ state: 'attached' })
    const grid = page.getByRole('grid')
    await grid.focus()
    await press(page, 'Escape')
    await button(page.locator('main [data-footer]'), 'Copy uid').waitFor()
    await press(page, 'Enter')
    await addressHas(page, new RegExp(`#/transactions/${all[3]}$`))
    await press(page, '[')
    await footerSays(page, '25 Transactions')

    // The context menu of the selected row, which is scrolled into view.
    await grid.focus()
    await press(page, 'Home')
    await grid.evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
    await expect.poll(async () => (await selected.boundingBox())!.y).toBeLessThan((await grid.boundingBox())!.y)
    await press(page, 'Shift+F10')
    await menuItem(page, 'Copy uid').waitFor()
    const [menu, head, place] = await Promise.all(
      [page.getByRole('menu'), header(page, 'uid'), selected].map(async (it) => (await it.boundingBox())!),
    )
    expect(place!.y).toBeGreaterThanOrEqual(head!.y + head!.height)
    expect(Math.abs(menu!.y - place!.y - place!.height)).toBeLessThan(4)
    await press(page, 'Escape')

    const before = await headers(page)
    await header(page, 'Time').getByRole('button').focus()
    await press(page, 'ArrowRight')
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('type')
    await press(page, 'Enter')
    await expect.poll(() => header(page, 'type').getAttribute('aria-sort')).toBe('ascending')
    const width = async () => (await header(page, 'type').boundingBox())!.width
    const was = await width()
    await press(page, 'Shift+ArrowRight')
    await expect.poll(width).toBe(was + 16)
    await press(page, 'Alt+ArrowRight')
    await expect.poll(() => headers(page)).toEqual([before[0], before[2], before[1], ...before.slice(3)])
    await press(page, 'Tab')
    expect(await page.evaluate(() => document.activeElement!.closest('[role=columnheader]'))).toBe(null)
    await header(page, 'status').getByRole('button').focus()
    await press(page, 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Hide column' }).click()
    await expect.poll(() => headers(page)).not.toContain('status')
  })

  it('a user shows the details of a row where he wants them, and the window remembers it', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/customers', viewport: { width: 1440, height: 900 } })
    const [first, second] = (await listFromApi(sandbox, '/customers')).map(({ uid }) => uid)
    const selectFirst = async () => {
      await footerSays(page, '3 Customers')
      await select(rows(page).nth(0))
      await expect.poll(() => rows(page).first().getAttribute('aria-selected')).toBe('true')
    }
    await selectFirst()
    await sees(details(page), first!)
    await press(page, 'ArrowDown')
    await sees(details(page), second!)
    const width = async () => Math.round((await details(page).boundingBox())!.width)
    const was = await width()
    await page.getByRole('separator', { name: 'Width of the details' }).press('ArrowLeft')
    await expect.poll(width).toBe(was + 16)
    await page.reload()
    await selectFirst()
    await expect.poll(width).toBe(was + 16)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.reload()
    await selectFirst()
    expect(await button(page, 'Details').getAttribute('aria-pressed'), 'below 1440 pixels').toBe('false')
    expect(await details(page).count()).toBe(0)
    await clickButton(page, 'Details')
    await details(page).waitFor()
    await page.reload()
    await selectFirst()
    await details(page).waitFor()
    await clickButton(page, 'Close the details')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await selectFirst()
    expect(await details(page).count(), 'the user closed them').toBe(0)
  })

  it('a user reads VRNs: the received amount, the Customer, a lock as it happens, and the way to Inject', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/vrns', reducedMotion: 'reduce' })
    await footerSays(page, '4 Virtual Reference Numbers')
    const vrns = await listFromApi(sandbox, '/virtual_reference_numbers')
    const settled = await listFromApi(sandbox, '/transactions', '&status[]=settled')
    for (const [at, { uid }] of vrns.entries()) {
      const cents = settled
        .filter((it) => it.virtual_reference_number_uid === uid)
        .reduce((sum, it) => sum + Math.round(Number(it.us_dollar_amount) * 100), 0)
      await expect.poll(async () => Math.round(toNumber((await cells(page, at)).at(-1)!) * 100)).toBe(cents)
    }
    // Accounts of two Customers have the same name, so each row shows the Customer, and the list can be filtered by it.
    const [bakery] = await listFromApi(sandbox, '/customers', '&external_uid=demo-business-1')
    expect((await cells(page, 0)).slice(4, 6)).toEqual(['Primary Synthetic Account', 'Lighthouse Marine Supply'])
    await goTo(page, `#/vrns?customer=${bakery!.uid}`)
    await footerSays(page, '2 of 4 Virtual Reference Numbers')
    expect((await cells(page, 0)).slice(4, 6)).toEqual(['Primary Synthetic Account', 'Quayside Bakery'])
    await goTo(page, '#/vrns')
    await footerSays(page, /^4 Virtual Reference Numbers/)
    await select(rows(page).nth(2))
    const href = await link(page, 'Simulate payment…').getAttribute('href')
    expect(href).toBe(`#/inject?kind=vrn&vrn=${vrns[2]!.uid}`)
    const change = (what: string, json: object) =>
      apiClient(sandbox).call('PUT', `/virtual_reference_numbers/${vrns[0]!.uid}${what}`, { json })
    const lock = rows(page)
      .first()
      .getByRole('img', { name: /^locked at/ })
    await change('/lock', { lock_reason: 'admin' })
    await lock.waitFor()
    await change('/unlock', {})
    await lock.waitFor({ state: 'detached' })

    // Hostile names are shown as text, and nothing moves for a user who prefers reduced motion.
    await page.evaluate(() => {
      Element.prototype.animate = () => Object.assign(window, { moved: true }) as never
    })
    for (const name of ['<img src=x onerror="window.hurt = 1">', `\u202egnp.exe ${'A'.repeat(200)}`, '=cmd|calc']) {
      if ((await change('', { name })).status >= 400) continue
      await expect.poll(async () => (await cells(page, 0))[1]!.length).toBeGreaterThan(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
    }
    expect(await page.evaluate(() => ['hurt' in window, 'moved' in window])).toEqual([false, false])
    expect(await page.locator('main img').count()).toBe(0)
  })

  it('records change while a list is open: it stays in place, highlights changed cells, and follows a rewind', async (context) => {
    const sandbox = await openDemo()
    const client = sandbox.client()
    await Promise.all(Array.from({ length: 60 }, (_, at) => client.post('/customers', { external_uid: `row-${at}` })))
    const page = await visit(context, sandbox.gui, { at: '#/customers', viewport: { width: 1280, height: 500 } })
    await footerSays(page, '63 Customers')
    const grid = page.getByRole('grid')
    await grid.focus()
    await press(page, 'PageDown', 'PageDown', 'PageDown')
    const chosen = page.getByRole('row', { selected: true })
    const uid = await chosen.locator('[data-uid] bdi').innerText()
    const before = await chosen.boundingBox()
    const { seq } = sandbox.store.world
    await client.post('/customers', { external_uid: 'late-1' })
    await client.post('/customers', { external_uid: 'late-2' })
    await button(page, '2 new, show').waitFor()
    expect(await chosen.boundingBox()).toEqual(before)
    expect(await focusedRole(page)).toBe('grid')
    // A changed cell is highlighted once.
    await page.evaluate(() => {
      const hits: string[] = []
      const animate = Element.prototype.animate
      Element.prototype.animate = function (...args) {
        hits.push(this.textContent ?? '')
        return animate.apply(this, args)
      }
      Object.assign(window, { hits })
    })
    await client.call('PUT', `/customers/${uid}`, { json: { external_uid: 'another name' } })
    await sees(chosen, 'another name')
    const hits = await page.evaluate(() => (window as unknown as { hits: string[] }).hits)
    expect(hits).toContain('another name')
    expect(hits.length).toBeLessThan(3)
    await clickButton(page, '2 new, show')
    const late = page.getByText('late-2', { exact: true }).first()
    await late.waitFor()
    expect(await grid.evaluate((it) => it.scrollTop)).toBe(0)
    await call(sandbox, 'world.rewind', { seq })
    await footerSays(page, '63 Customers')
    await late.waitFor({ state: 'detached' })
  })

  it('a user of an empty Program gets an explanation and an example, which the API accepts once there is a Customer', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    const example = page.locator('[data-empty] pre')
    const notes = () => page.getByText(/^Replace the example uids/).count()
    for (const [hash, , title] of lists) {
      await goTo(page, hash)
      await heading(page, title).waitFor()
      await heading(page, 'Example').waitFor()
      expect(await page.locator('[data-empty] li').count()).toBeGreaterThan(1)
      await sees(example, 'curl -sg -X POST')
      await sees(example, '--data-raw')
      // A note marks an example that needs records which do not exist.
      expect([title, await notes()]).toEqual([title, title === 'Customers' ? 0 : 1])
    }
    expect(await call(sandbox, 'scenarios.run', { name: 'a-funded-customer', into: 'present' })).toMatchObject({
      state: 'passed',
    })
    // A Return needs a received wire whose money is still there after the example of a Transfer.
    const client = apiClient(sandbox)
    const [customer] = await listFromApi(sandbox, '/customers')
    const wire = { transaction_type: 'wire', us_dollar_amount: 20, customer_uid: customer!.uid }
    await client.post('/sandbox/mock_transactions', wire)
    await call(sandbox, 'clock.advance', { by: 'P1D' })
    await page.reload()
    const accepted: string[] = []
    for (const [hash, , title] of lists) {
      await goTo(page, hash)
      await heading(page, title).waitFor()
      await page.locator('[data-empty], [data-row]').first().waitFor()
      if ((await page.locator('[data-empty]').count()) === 0) continue
      await sees(example, '--data-raw')
      expect(await notes()).toBe(0)
      const curl = (await example.locator('> span').allTextContents()).join('\n')
      const [, path, body] = /"\$BASE"'([^']+)'.*--data-raw '([^']+)'/s.exec(curl) ?? []
      const answer = await client.call('POST', path!, { json: JSON.parse(body!) })
      expect([title, answer.status], answer.text).toEqual([title, 201])
      accepted.push(title)
    }
    expect(accepted).toEqual(['Transfers', 'Returns', 'Combined Transfers', 'VRNs'])
  })
})

/**
 * Runs in the page: how much of each row is between the beginning of the first and the end of the last text or sign of a cell, as a
 * fraction.
 */
function findFilledParts(all: Element[]) {
  return all.map((one) => {
    const widths = [...one.children].map((cell) => {
      const range = document.createRange()
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      let width = 0
      while (texts.nextNode()) {
        range.selectNodeContents(texts.currentNode)
        width += range.getBoundingClientRect().width
      }
      for (const sign of cell.querySelectorAll('svg')) width += sign.getBoundingClientRect().width
      return Math.min(width, cell.clientWidth)
    })
    return widths.reduce((sum, width) => sum + width, 0) / one.clientWidth
  })
}

describe('the request log as a table', IN_BROWSER, () => {
  /** As the list shows a real time, five hours and three quarters east of UTC. */
  const inNepal = (instant: string) => {
    const local = new Date(Date.parse(instant) + 345 * 60_000)
    const [, day, month, year] = local.toUTCString().split(' ')
    const time = local.toISOString().slice(11, 23)
    return {
      time,
      inList: `${Number(day)} ${month} ${time}`,
      inInspector: `${Number(day)} ${month} ${year} ${time} GMT+5:45`,
    }
  }

  it('a developer finds a request by the real time of his computer, sorts, copies and filters', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/requests', timezoneId: 'Asia/Kathmandu' })
    const copied = await allowClipboard(page)
    const api = apiClient(sandbox)
    // Each in a millisecond of its own, by which it can be found.
    for (const path of ['/products', '/customers?limit=1', '/customers?limit=2', '/transfers']) {
      await api.get(path)
      const answered = Date.now()
      await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(answered)
    }
    const { data } = await call(sandbox, 'exchanges.list', { limit: 3 })
    const [, last, first] = data.map(({ received_at }) => received_at!)
    const cell = (limit: string, column = 'received_at') =>
      row(page, `/customers?limit=${limit}`).locator(`[data-column=${column}]`)
    await expect.poll(() => cell('1').innerText()).toBe(inNepal(first!).inList)
    expect(await cell('2').innerText()).toBe(inNepal(last!).inList)
    expect(await cell('2').locator('[title]').first().getAttribute('title')).toBe(last)
    const sortBy = async (name: string) => {
      await header(page, name).getByRole('button').click()
      await expect.poll(() => header(page, name).getAttribute('aria-sort')).toBe('descending')
    }
    await sortBy('Real time')
    expect(await rows(page).first().innerText()).toContain('/transfers')
    await footerSays(page, 'by Real time')
    // The log of an app may have a local time or one in UTC.
    for (const part of [inNepal(first!).time, first!.slice(11, 23), first!]) {
      await page.getByRole('searchbox', { name: 'Search requests' }).fill(part)
      await footerSays(page, /^\d+ of \d+ requests$/)
      await expect.poll(async () => (await rows(page).allInnerTexts()).join()).toContain('/customers?limit=1')
    }
    await clickButton(page, 'Clear filters')
    const choose = async (column: string, item: string) => {
      await cell('1', column).click({ button: 'right' })
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('received_at', 'Copy row with headers')
    await expect.poll(copied).toContain('\treceived_at\t')
    expect((await copied()).split('\n')[1]!.split('\t')).toContain(first)
    await choose('path', 'Copy as curl')
    await expect.poll(copied).toMatch(/^curl -sg "\$BASE"'\/customers\?limit=1'/m)
    await choose('path', 'Filter by this value')
    await expect
      .poll(async () => new Set(await rows(page).locator('[data-column=path]').allInnerTexts()))
      .toEqual(new Set(['/customers?limit=1']))
    await goTo(page, '#/requests')
    await choose('received_at', 'Filter by this value')
    await footerSays(page, /^1 of \d+ requests$/)
    await goTo(page, '#/requests')
    await sortBy('ms')
    const times = (await rows(page).locator('[data-column=ms]').allInnerTexts()).map(Number)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    // Sorted by simulated time, it keeps its rows of days.
    await goTo(page, '#/requests?sort=time_asc')
    await expect.poll(() => page.locator('main [data-group]').allInnerTexts()).toEqual(['Tue 24 Nov 2026'])

    // The chosen request has both times, to copy. Beside it there is no space for the column, unless the user chooses it.
    await goTo(page, '#/requests')
    await header(page, 'Real time').waitFor()
    const statusAt = async () => (await header(page, 'Status').boundingBox())!.x
    const before = await statusAt()
    await goTo(page, `#/requests/${data[1]!.uid}`)
    await sees(request(page), inNepal(last!).inInspector)
    await sees(request(page), '24 Nov 2026 11:21:02 ET')
    await clickButton(request(page), 'Copy simulated time')
    await expect.poll(copied).toBe(data[1]!.at)
    await clickButton(request(page), 'Copy real time')
    await expect.poll(copied).toBe(last)
    await expect.poll(() => headers(page)).toEqual(['Time', 'Method', 'Path', 'Status', 'Code', 'ms', 'Mark'])
    // But for the line between them, they are where they were.
    expect(Math.abs((await statusAt()) - before)).toBeLessThanOrEqual(1)
    await clickButton(page, 'Columns')
    await page.getByRole('menuitemcheckbox', { name: 'Real time' }).click()
    await expect.poll(() => headers(page)).toContain('Real time')
    await page.getByRole('menuitem', { name: 'Reset columns' }).click()
    await press(page, 'Escape')
    await page.setViewportSize({ width: 1_100, height: 800 })
    await goTo(page, '#/requests')
    await header(page, 'Result').waitFor()
    expect(await headers(page)).not.toContain('Real time')
    await page.setViewportSize({ width: 1280, height: 800 })

    // A request of an older log has no real time: it is last when sorted.
    const text = (await call(sandbox, 'bundles.export', {})).text.replaceAll(/"received_at":"[^"]*",/g, '')
    await call(sandbox, 'bundles.import', { text })
    await apiClient(sandbox).get('/customers?limit=4')
    await goTo(page, '#/requests?sort=received_at_asc')
    await expect.poll(() => rows(page).last().locator('[data-column=received_at]').innerText()).toBe('–')
    expect(await cell('4').innerText()).toMatch(/\d\d:\d\d/)
    await rows(page).last().click()
    await sees(request(page), 'real time unknown')
  })
})

describe('panes', IN_BROWSER, () => {
  const separator = (page: Page, name: string) => page.getByRole('separator', { name })
  const sizeOf = async (page: Page, name: string) => Number(await separator(page, name).getAttribute('aria-valuenow'))
  /** The size of the pane itself: of the neighbor that the separator sizes. */
  const measure = (page: Page, name: string) =>
    separator(page, name).evaluate((line) => {
      const pane = line.dataset.sizes === 'before' ? line.previousElementSibling! : line.nextElementSibling!
      const { width, height } = pane.getBoundingClientRect()
      return Math.round(line.getAttribute('aria-orientation') === 'horizontal' ? height : width)
    })

  it('a user resizes the panes of every screen and folds parts, and finds them so after a reload', async (context) => {
    const sandbox = await openDemo()
    await call(sandbox, 'clock.advance', { by: 'P2D' })
    const [bakery] = await listFromApi(sandbox, '/customers', '&external_uid=demo-business-1')
    const customer = `#/customers/${bakery!.uid}`
    const splitters = [
      ['#/accounts', 'Width of the list', 'ArrowRight'],
      ['#/scenarios', 'Width of the list', 'ArrowRight'],
      ['#/inject', 'Width of the list', 'ArrowRight'],
      ['#/inject', 'Width of the body', 'ArrowLeft'],
      ['#/reference', 'Width of the list', 'ArrowRight'],
      ['#/faults', 'Width of the form', 'ArrowLeft'],
      ['#/settings', 'Width of the list', 'ArrowRight'],
      [customer, 'Width of the right pane', 'ArrowLeft'],
      [customer, 'Width of the fields', 'ArrowRight'],
      [`${customer}?tab=story`, 'Width of the details', 'ArrowLeft'],
    ] as const
    const page = await visit(context, sandbox.gui, { viewport: { width: 1440, height: 900 } })
    const before: number[] = []
    for (const [hash, name, grow] of splitters) {
      await goTo(page, hash)
      await separator(page, name).waitFor()
      const was = await measure(page, name)
      before.push(was)
      await expect.poll(() => sizeOf(page, name), { message: hash }).toBe(was)
      await separator(page, name).press(grow)
      await expect.poll(() => measure(page, name), { message: hash }).toBe(was + 16)
      await expect.poll(() => sizeOf(page, name), { message: hash }).toBe(was + 16)
      const { x, y, width, height } = (await separator(page, name).boundingBox())!
      const by = grow === 'ArrowLeft' ? -40 : 40
      const [toX, toY] = width > height ? [0, by] : [by, 0]
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2 + toX, y + height / 2 + toY, { steps: 2 })
      await page.mouse.up()
      await expect.poll(() => measure(page, name), { message: hash }).toBe(was + 56)
    }
    await page.reload()
    for (const [at, [hash, name]] of splitters.entries()) {
      await goTo(page, hash)
      await separator(page, name).waitFor()
      await expect.poll(() => measure(page, name), { message: hash }).toBe(before[at]! + 56)
      await separator(page, name).dblclick()
      await expect.poll(() => measure(page, name), { message: hash }).toBe(before[at])
    }
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.size.')))).toEqual([])

    // Both panes keep a minimum, whatever the size of the window.
    const list = 'Width of the list'
    await goTo(page, '#/scenarios')
    await separator(page, list).press('End')
    const widest = Number(await separator(page, list).getAttribute('aria-valuemax'))
    await expect.poll(() => sizeOf(page, list)).toBeLessThanOrEqual(widest)
    await page.setViewportSize({ width: 1024, height: 800 })
    await expect.poll(() => sizeOf(page, list)).toBeLessThanOrEqual((1024 - 184) * 0.6 + 1)
    await separator(page, list).press('Home')
    await expect.poll(() => sizeOf(page, list)).toBe(240)
    await page.setViewportSize({ width: 1000, height: 800 })
    expect(await separator(page, list).isVisible(), 'panes below each other have none').toBe(false)
    await page.setViewportSize({ width: 1280, height: 800 })

    // Folded parts. The browser reports a change after the click.
    const remembered = (name: string) =>
      page.evaluate((key) => localStorage.getItem(key), `sandbank.layout.open.${name}`)
    await goTo(page, '#/reference/createTransfer')
    const tryIt = page.locator('details').filter({ hasText: 'Send it' })
    await tryIt.getByText('Send it').click()
    await expect.poll(() => remembered('try-it')).toBe('false')
    await page.reload()
    await tryIt.waitFor()
    expect(await tryIt.getAttribute('open')).toBe(null)
    await goTo(page, '#/reference/createCustomer')
    await tryIt.waitFor()
    expect(await tryIt.getAttribute('open'), 'on each page of the reference').toBe(null)
    const accounts = await listFromApi(sandbox, '/synthetic_accounts', `&customer_uid=${bakery!.uid}`)
    const master = accounts.find((account) => account.master_account === true)
    await goTo(page, `#/synthetic_accounts/${master!.uid}`)
    const actions = region(page, 'Actions').locator('details').first()
    await actions.locator('summary').click()
    await expect.poll(() => remembered('impossible-actions')).toBe('true')
    await page.reload()
    await expect.poll(() => actions.getAttribute('open')).toBe('')
  })
})
