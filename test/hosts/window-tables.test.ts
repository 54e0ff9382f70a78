import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { apiClient } from '../support/client.ts'
import { call } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { shareDemo } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, visit, WAIT_MS } from '../support/window.ts'

/** What people expect of a table: sorting, columns, ranges, copying, context menus and saved views. In a real browser. */

const sandbox = await shareDemo({ start: Date.parse('2026-11-24T16:21:02Z'), window: built })
/** The uids of the Customers, newest first. */
const data = { customers: [] as string[], bakery: '' }
beforeAll(async () => {
  const { data: found } = await call(sandbox, 'records.list', { collection: 'customers' })
  data.customers = found.map(({ uid }) => String(uid))
  data.bakery = String(found.find(({ external_uid }) => external_uid === 'demo-business-1')!.uid)
})

const rows = (page: Page) => page.locator('main [data-row]')
const header = (page: Page, name: string | RegExp) => page.getByRole('columnheader', { name })
const waitForFooter = (page: Page, text: string | RegExp) =>
  page.locator('main [data-footer]').getByText(text).waitFor()
const detailsOf = (page: Page) => page.getByLabel('Details', { exact: true }).and(page.locator('section'))
const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts()
const uids = (page: Page) => rows(page).locator('[data-uid] bdi').allInnerTexts()
const lastCells = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((row) => row.querySelector('[role=gridcell]:last-child')!.textContent!))
const toNumber = (amount: string) => Number(amount.replaceAll(/[,+−]/g, ''))
const openTransactions = async (context: TestContext) => {
  const page = await visit(context, sandbox.gui, { at: '#/transactions' })
  await waitForFooter(page, '25 Transactions')
  return page
}
/** Reads the clipboard, which needs a permission. */
const readCopied = async (page: Page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return () => page.evaluate(() => navigator.clipboard.readText())
}

describe('a list', IN_BROWSER, () => {
  it('is sorted by a click on a header: the largest amount first, then the smallest, then the newest', async (context) => {
    const page = await openTransactions(context)
    const newest = await uids(page)
    const amount = header(page, 'Amount, USD')
    expect(await amount.getAttribute('aria-sort')).toBe('none')
    await amount.getByRole('button').click()
    await expect.poll(() => amount.getAttribute('aria-sort')).toBe('descending')
    const amounts = (await lastCells(page)).map(toNumber)
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a))
    await expect.poll(() => page.url()).toContain('sort=us_dollar_amount_desc')
    // Days are in the cells, as there are no rows of days.
    expect(await page.locator('main [data-group]').count()).toBe(0)
    expect(await rows(page).first().getByRole('gridcell').first().innerText()).toMatch(/^2026-\d\d-\d\d /)
    await amount.getByRole('button').click()
    await expect.poll(() => amount.getAttribute('aria-sort')).toBe('ascending')
    expect((await lastCells(page)).map(toNumber)).toEqual(amounts.reverse())
    await amount.getByRole('button').click()
    await expect.poll(() => uids(page)).toEqual(newest)
  })

  it('sorts, resizes and moves its columns by keyboard, with one tab stop for all headers', async (context) => {
    const page = await openTransactions(context)
    const before = await headers(page)
    await header(page, 'Time').getByRole('button').focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('type')
    await page.keyboard.press('Enter')
    await expect.poll(() => header(page, 'type').getAttribute('aria-sort')).toBe('ascending')
    const width = async () => (await header(page, 'type').boundingBox())!.width
    const was = await width()
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(width).toBe(was + 16)
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => headers(page)).toEqual([before[0], before[2], before[1], ...before.slice(3)])
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement!.closest('[role=columnheader]'))).toBe(null)
  })

  it('remembers in this browser which columns are shown, their order and their widths', async (context) => {
    const page = await openTransactions(context)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'description' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Customer' }).click()
    await page.keyboard.press('Escape')
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
    const widened = await width()
    const arranged = await headers(page)
    await page.reload()
    await waitForFooter(page, '25 Transactions')
    expect(await headers(page)).toEqual(arranged)
    expect(await width()).toBe(widened)
    // Another list has columns of its own.
    await goTo(page, '#/transfers')
    await waitForFooter(page, '11 Transfers')
    expect((await headers(page))[0]).toBe('Time')
    await goTo(page, '#/transactions')
    await waitForFooter(page, '25 Transactions')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Reset columns' }).click()
    await expect.poll(async () => (await headers(page))[0]).toBe('Time')
  })

  it('shows only records between two days and two amounts, both included', async (context) => {
    const page = await openTransactions(context)
    const { data } = (
      await apiClient(sandbox).get<{ data: { us_dollar_amount: string; created_at: string }[] }>(
        '/transactions?limit=1000&include_zero=true&show_denied_auths=true&show_expired=true',
      )
    ).body
    const expected = data.filter((it) => Number(it.us_dollar_amount) >= 100 && Number(it.us_dollar_amount) <= 5_000)
    await page.getByRole('button', { name: 'Amount', exact: true }).click()
    await page.getByLabel('From', { exact: true }).fill('100')
    await page.getByLabel('To', { exact: true }).fill('5000')
    await page.keyboard.press('Escape')
    await waitForFooter(page, `${expected.length} of 25 Transactions`)
    await page.getByRole('button', { name: 'Amount: 100.00 to 5,000.00' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    const day = data[3]!.created_at.slice(0, 10)
    await page.getByRole('button', { name: 'Date', exact: true }).click()
    await page.getByLabel('From', { exact: true }).fill(day)
    await page.getByLabel('To', { exact: true }).fill(day)
    await page.keyboard.press('Escape')
    await waitForFooter(page, /^\d+ of 25 Transactions$/)
    await expect.poll(() => page.locator('main [data-group]').count()).toBe(1)
    expect(await page.locator('main [data-group]').innerText()).toContain(String(Number(day.slice(8))))
  })

  it('copies the chosen rows as tab-separated text with Ctrl C', async (context) => {
    const page = await openTransactions(context)
    const copied = await readCopied(page)
    await rows(page)
      .nth(0)
      .click({ position: { x: 20, y: 10 } })
    await rows(page)
      .nth(2)
      .click({ position: { x: 20, y: 10 }, modifiers: ['Shift'] })
    await page.keyboard.press('ControlOrMeta+c')
    const shown = await uids(page)
    await expect.poll(async () => (await copied()).split('\n').length).toBe(3)
    const lines = (await copied()).split('\n').map((line) => line.split('\t'))
    expect(lines.map((line) => line.length)).toEqual([7, 7, 7])
    expect(lines.map((line) => line[5])).toEqual(shown.slice(0, 3))
    await rows(page)
      .nth(1)
      .click({ position: { x: 20, y: 10 } })
    await page.keyboard.press('ControlOrMeta+c')
    await expect.poll(async () => (await copied()).split('\n').length).toBe(1)
  })

  it('has a context menu that opens, copies and filters by the value of a cell', async (context) => {
    const page = await openTransactions(context)
    const copied = await readCopied(page)
    const [uid] = await uids(page)
    const openMenu = (column: string) =>
      rows(page).first().locator(`[data-column=${column}]`).click({ button: 'right' })
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
    await openMenu('status')
    await item('Copy uid').click()
    await expect.poll(copied).toBe(uid)
    await openMenu('type')
    await item('Copy row with headers').click()
    await expect.poll(async () => (await copied()).split('\n')[0]).toMatch(/^created_at\ttype\t/)
    const type = await rows(page).first().locator('[data-column=type]').innerText()
    await openMenu('type')
    await item('Filter by this value').click()
    await page.getByRole('button', { name: `type: ${type}` }).waitFor()
    await expect
      .poll(async () => new Set(await page.locator('main [data-row] [data-column=type]').allInnerTexts()))
      .toEqual(new Set([type]))
    await openMenu('type')
    await page.getByRole('menuitem', { name: 'Open Enter' }).click()
    await expect.poll(() => page.url()).toContain(`#/transactions/${uid}`)
  })

  it('opens the context menu of the selected row, and of a header, by keyboard', async (context) => {
    const page = await openTransactions(context)
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Copy uid', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await header(page, 'status').getByRole('button').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Hide column' }).click()
    await expect.poll(() => headers(page)).not.toContain('status')
  })

  it('scrolls the selected row into view when its context menu is opened by keyboard', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/transactions', viewport: { width: 1280, height: 600 } })
    await waitForFooter(page, '25 Transactions')
    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('Home')
    await grid.evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
    const selected = page.locator('main [data-row][aria-selected=true]')
    await expect.poll(async () => (await selected.boundingBox())!.y).toBeLessThan((await grid.boundingBox())!.y)
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const head = (await header(page, 'uid').boundingBox())!
    const row = (await selected.boundingBox())!
    expect(row.y).toBeGreaterThanOrEqual(head.y + head.height)
    expect(Math.abs((await menu.boundingBox())!.y - row.y - row.height)).toBeLessThan(4)
  })

  it('keeps filters, sort order and columns under a name, and shows them again', async (context) => {
    const page = await openTransactions(context)
    await goTo(page, '#/transactions?type=wire&sort=us_dollar_amount_desc')
    await header(page, 'uid').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Hide column' }).click()
    await page.getByRole('button', { name: /^View: default/ }).click()
    await page.getByLabel('Name of the view').fill('Largest wires')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'View: Largest wires' }).waitFor()
    const shown = await lastCells(page)
    await page.evaluate(() => {
      location.hash = '#/transactions'
    })
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Reset columns' }).click()
    await page.reload()
    await waitForFooter(page, '25 Transactions')
    expect(await headers(page)).toContain('uid')
    await page.getByRole('button', { name: /^View: default/ }).click()
    await page.getByRole('button', { name: 'Largest wires', exact: true }).click()
    await page.getByRole('button', { name: 'type: wire' }).waitFor()
    await expect.poll(() => lastCells(page)).toEqual(shown)
    expect(await headers(page)).not.toContain('uid')
  })

  it('shows the details of the selected row beside it from 1440 pixels on, in a pane whose width is remembered', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/customers', viewport: { width: 1440, height: 900 } })
    await waitForFooter(page, '3 Customers')
    await rows(page)
      .nth(0)
      .click({ position: { x: 20, y: 10 } })
    const [first, second] = [data.customers[0]!, data.customers[1]!]
    await detailsOf(page).getByText(first).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await detailsOf(page).getByText(second).first().waitFor()
    const width = async () => Math.round((await detailsOf(page).boundingBox())!.width)
    const was = await width()
    await page.getByRole('separator', { name: 'Width of the details' }).press('ArrowLeft')
    await expect.poll(width).toBe(was + 16)
    await page.reload()
    await waitForFooter(page, '3 Customers')
    await rows(page)
      .nth(0)
      .click({ position: { x: 20, y: 10 } })
    await expect.poll(width).toBe(was + 16)
  })

  it('shows the details where the user wants them, and remembers it', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/customers' })
    const button = page.getByRole('button', { name: 'Details', exact: true })
    const select = async () => {
      await waitForFooter(page, '3 Customers')
      await page.getByRole('grid').focus()
      await page.keyboard.press('ArrowDown')
    }
    await select()
    expect(await button.getAttribute('aria-pressed'), 'below 1440 pixels').toBe('false')
    expect(await detailsOf(page).count()).toBe(0)
    await button.click()
    await detailsOf(page).waitFor()
    await page.reload()
    await select()
    await detailsOf(page).waitFor()
    await page.getByRole('button', { name: 'Close the details' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await select()
    await expect.poll(() => rows(page).first().getAttribute('aria-selected')).toBe('true')
    expect(await detailsOf(page).count(), 'the user closed them').toBe(0)
  })

  it('of any kind shows the details by keyboard, and leaves out the columns that do not fit beside them', async (context) => {
    const page = await visit(context, sandbox.gui, { viewport: { width: 1440, height: 900 } })
    for (const [hash, hidden] of [
      ['#/transactions', ['Customer', 'uid']],
      ['#/transfers', ['Customer', 'Transaction', 'uid']],
      ['#/returns', ['uid']],
      ['#/combined_transfers', ['uid']],
      ['#/vrns', ['Customer']],
      ['#/customers', ['email', 'external_uid', 'uid']],
      [`#/customers/${data.bakery}?tab=accounts`, ['uid']],
      [`#/customers/${data.bakery}?tab=payments`, ['uid']],
      [`#/customers/${data.bakery}?tab=vrns`, []],
    ] as const) {
      await goTo(page, hash)
      const grid = page.getByRole('grid').and(page.locator(':visible'))
      await rows(page).first().waitFor()
      const all = await headers(page)
      await grid.focus()
      await page.keyboard.press('ArrowDown')
      await detailsOf(page).waitFor()
      await expect.poll(() => headers(page), { message: hash }).not.toEqual(hidden.length > 0 ? all : [])
      for (const name of hidden) expect(await headers(page), hash).not.toContain(name)
      const overflow = await grid.evaluate((it) => it.scrollWidth - it.clientWidth)
      expect(overflow, `${hash} needs no scrolling sideways`).toBeLessThanOrEqual(0)
    }
  })

  it('hides no amount from 800 to 1,024 pixels', async (context) => {
    const page = await visit(context, sandbox.gui, { viewport: { width: 800, height: 800 } })
    for (const width of [800, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      for (const [hash, count] of [
        ['#/transactions', '25 Transactions'],
        ['#/transfers', '11 Transfers'],
        ['#/returns', '1 Return'],
        ['#/combined_transfers', '1 Combined Transfer'],
        ['#/vrns', '4 Virtual Reference Numbers'],
        ['#/customers', '3 Customers'],
      ] as const) {
        await goTo(page, hash)
        await waitForFooter(page, count)
        const right = () =>
          rows(page).evaluateAll((all) =>
            Math.max(...all.map((row) => row.querySelector('[data-amount]')?.getBoundingClientRect().right ?? 0)),
          )
        await expect.poll(right, { timeout: WAIT_MS }).toBeGreaterThan(0)
        expect(await right(), `${hash} at ${width}`).toBeLessThanOrEqual(width)
      }
    }
  })

  it('has the amounts of accounts, forms and timelines inside the window from 800 to 1,200 pixels, too', async (context) => {
    const page = await visit(context, sandbox.gui, { viewport: { width: 1024, height: 760 } })
    for (const [hash, part] of [
      ['#/accounts', page.getByRole('grid', { name: /^Entries of/ })],
      ['#/inject', page.locator('main form').getByLabel('customer_uid', { exact: true })],
      [`#/customers/${data.bakery}?tab=story`, page.getByRole('tab', { name: /^Timeline/ })],
    ] as const) {
      await goTo(page, hash)
      await part.first().waitFor()
      for (const width of [800, 1024, 1180]) {
        await page.setViewportSize({ width, height: 760 })
        await expect
          .poll(() => page.evaluate(findHiddenAmounts), { timeout: WAIT_MS })
          .toEqual({ some: true, hidden: [] })
      }
    }
  })

  it('leaves at most 60 % of its width empty at 1440 pixels, with and without the details', async (context) => {
    const page = await visit(context, sandbox.gui, { viewport: { width: 1440, height: 900 } })
    for (const hash of [
      '#/customers',
      '#/transactions',
      '#/transfers',
      '#/returns',
      '#/combined_transfers',
      '#/vrns',
    ]) {
      await goTo(page, hash)
      await rows(page).first().waitFor()
      const check = async (what: string) => {
        const filled = await rows(page).evaluateAll(findFilledParts)
        const average = filled.reduce((sum, part) => sum + part, 0) / filled.length
        const least = hash === '#/customers' ? Math.min(...filled) : average
        expect(least, `${hash} ${what}`).toBeGreaterThanOrEqual(0.4)
      }
      await check('alone')
      await rows(page)
        .first()
        .click({ position: { x: 20, y: 10 } })
      await detailsOf(page).waitFor()
      await check('beside the details')
    }
  })
})

/**
 * Runs in the page: how much of each row is between the beginning of the first and the end of the last text or sign of a cell, as a
 * fraction.
 */
function findFilledParts(rows: Element[]) {
  return rows.map((row) => {
    const widths = [...row.children].map((cell) => {
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
    return widths.reduce((sum, width) => sum + width, 0) / row.clientWidth
  })
}

/** Runs in the page: amounts beyond the sides of the window or of a part that cuts or scrolls them. */
function findHiddenAmounts() {
  const texts = [...document.querySelectorAll('main *')].filter(
    ({ childElementCount, textContent }) => childElementCount === 0 && /^[+−]?[\d,]+\.\d\d$/.test(textContent.trim()),
  )
  const shown = texts.filter((text) => text.getBoundingClientRect().width > 0)
  const hidden = shown.filter((text) => {
    const { left, right } = text.getBoundingClientRect()
    if (right > innerWidth + 1) return true
    for (let box = text.parentElement; box && box !== document.body; box = box.parentElement) {
      const bounds = box.getBoundingClientRect()
      if (getComputedStyle(box).overflowX !== 'visible' && (right > bounds.right + 1 || left < bounds.left - 1))
        return true
    }
    return false
  })
  return { some: shown.length > 0, hidden: hidden.map(({ textContent }) => textContent) }
}

describe('the request log', IN_BROWSER, () => {
  const NEPAL = 'Asia/Kathmandu'
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

  it('has the real time of each request in the time zone of the computer: sorted, searched and copied', async (context) => {
    const page = await visit(context, sandbox.gui, { timezoneId: NEPAL })
    const copied = await readCopied(page)
    const api = apiClient(sandbox)
    await api.get('/customers?limit=1')
    await api.get('/customers?limit=2')
    const { data } = await call(sandbox, 'exchanges.list', { limit: 2 })
    const [last, first] = data.map(({ received_at }) => received_at!)
    await goTo(page, '#/requests')
    const time = (text: string) =>
      rows(page)
        .filter({ hasText: `/customers?limit=${text}` })
        .first()
        .locator('[data-column=received_at]')
    await expect.poll(() => time('1').innerText()).toBe(inNepal(first!).inList)
    expect(await time('2').innerText()).toBe(inNepal(last!).inList)
    expect(await time('2').locator('[title]').first().getAttribute('title')).toBe(last)

    await header(page, 'Real time').getByRole('button').click()
    await expect.poll(() => header(page, 'Real time').getAttribute('aria-sort')).toBe('descending')
    expect(await rows(page).first().innerText()).toContain('/customers?limit=2')
    await page.locator('main [data-footer]').getByText('by Real time').waitFor()

    // The log of an app may have a local time or one in UTC.
    for (const part of [inNepal(first!).time, first!.slice(11, 23), first!]) {
      await page.getByRole('searchbox', { name: 'Search requests' }).fill(part)
      await waitForFooter(page, /^\d+ of \d+ requests$/)
      await expect.poll(async () => (await rows(page).allInnerTexts()).join()).toContain('/customers?limit=1')
    }
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await time('1').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy row with headers' }).click()
    await expect.poll(copied).toContain('\treceived_at\t')
    expect((await copied()).split('\n')[1]!.split('\t')).toContain(first)
    await goTo(page, '#/requests')
    await time('1').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await waitForFooter(page, /^1 of \d+ requests$/)
  })

  it('shows both times of the chosen request, to copy, and the column of real times where there is space', async (context) => {
    const page = await visit(context, sandbox.gui, { timezoneId: NEPAL })
    const copied = await readCopied(page)
    await apiClient(sandbox).get('/customers?limit=3')
    const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
    const { uid, at, received_at } = data[0]!
    await goTo(page, '#/requests')
    await header(page, 'Real time').waitFor()
    const statusAt = async () => (await header(page, 'Status').boundingBox())!.x
    const before = await statusAt()
    await goTo(page, `#/requests/${uid}`)
    const inspector = page.getByRole('region', { name: 'Request', exact: true })
    await inspector.getByText(inNepal(received_at!).inInspector).waitFor()
    await inspector.getByText('24 Nov 2026 11:21:02 ET').waitFor()
    await inspector.getByRole('button', { name: 'Copy simulated time' }).click()
    await expect.poll(copied).toBe(at)
    await inspector.getByRole('button', { name: 'Copy real time' }).click()
    await expect.poll(copied).toBe(received_at)

    // Beside the inspector there is no space for the column, unless the user chooses it.
    await expect.poll(() => headers(page)).toEqual(['Time', 'Method', 'Path', 'Status', 'Code', 'ms', 'Mark'])
    // But for the line between them, they are where they were.
    expect(Math.abs((await statusAt()) - before)).toBeLessThanOrEqual(1)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Real time' }).click()
    await expect.poll(() => headers(page)).toContain('Real time')
    await page.getByRole('menuitem', { name: 'Reset columns' }).click()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1_100, height: 800 })
    await goTo(page, '#/requests')
    await header(page, 'Result').waitFor()
    expect(await headers(page)).not.toContain('Real time')
  })

  it('has a dash for a request whose real time is not known, last when sorted', async (context) => {
    const { sandbox } = await setUpPayments({ window: built })
    const text = (await call(sandbox, 'bundles.export', {})).text.replaceAll(/"received_at":"[^"]*",/g, '')
    await call(sandbox, 'bundles.import', { text })
    await apiClient(sandbox).get('/customers?limit=4')
    const page = await visit(context, sandbox.gui, { at: '#/requests?sort=received_at_asc' })
    await expect.poll(() => rows(page).last().locator('[data-column=received_at]').innerText()).toBe('–')
    expect(await rows(page).first().locator('[data-column=received_at]').innerText()).toMatch(/\d\d:\d\d/)
    await rows(page).last().click()
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('real time unknown').waitFor()
  })

  it('sorted by simulated time keeps its rows of days', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/requests?sort=time_asc' })
    await apiClient(sandbox).get('/customers?limit=5')
    await expect.poll(() => page.locator('main [data-group]').allInnerTexts()).toEqual(['Tue 24 Nov 2026'])
  })

  it('is sorted by duration, copies a request as curl and filters by a path', async (context) => {
    const page = await visit(context, sandbox.gui)
    const copied = await readCopied(page)
    await apiClient(sandbox).get('/customers?limit=7')
    await apiClient(sandbox).get('/transfers')
    await goTo(page, '#/requests')
    await rows(page).filter({ hasText: '/customers?limit=7' }).first().waitFor()
    await header(page, 'ms').getByRole('button').click()
    await expect.poll(() => header(page, 'ms').getAttribute('aria-sort')).toBe('descending')
    const times = (await rows(page).locator('[data-column=ms]').allInnerTexts()).map(Number)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    const path = rows(page).filter({ hasText: '/customers?limit=7' }).first().locator('[data-column=path]')
    await path.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await expect.poll(copied).toMatch(/^curl -sg "\$BASE"'\/customers\?limit=7'/m)
    await path.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await expect
      .poll(async () => new Set(await rows(page).locator('[data-column=path]').allInnerTexts()))
      .toEqual(new Set(['/api/v1/customers?limit=7'].map((text) => text.replace('/api/v1', ''))))
  })
})
