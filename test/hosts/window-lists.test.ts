import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { call } from '../support/operator.ts'
import { shareDemo, startSandbox } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, openWindow, visit, WAIT_MS } from '../support/window.ts'

/** Payments, VRNs and Customers, in the built window and a real browser, over one demo world. */

const library = fileURLToPath(new URL('../../resources/scenarios', import.meta.url))

const sandbox = await shareDemo({ window: built })

type Listed = Record<string, unknown> & { uid: string }
const EVERYTHING = 'limit=1000&include_initiated=true&include_zero=true&show_denied_auths=true&show_expired=true'
const listFromApi = async (path: string, query = '') => {
  const filters =
    path === '/transactions'
      ? EVERYTHING.replace('&include_initiated=true', '')
      : path === '/customers'
        ? 'limit=1000&include_initiated=true'
        : 'limit=1000'
  return (await apiClient(sandbox).get<{ data: Listed[] }>(`${path}?${filters}${query}`)).body.data
}

const rows = (page: Page) => page.locator('main [data-row]')
const foot = (page: Page) => page.locator('main [data-footer]')
/** The uid that each row shows. */
const uids = (page: Page) => rows(page).locator('[data-uid] bdi').allInnerTexts()
const cells = (page: Page, at: number) => rows(page).nth(at).getByRole('gridcell').allInnerTexts()
const waitForFooter = (page: Page, words: string | RegExp) => foot(page).getByText(words).waitFor()

const lists = [
  ['#/transactions', '/transactions', 'Transactions', '25 Transactions'],
  ['#/transfers', '/transfers', 'Transfers', '11 Transfers'],
  ['#/returns', '/returns', 'Returns', '1 Return'],
  ['#/combined_transfers', '/combined_transfers', 'Combined Transfers', '1 Combined Transfer'],
  ['#/vrns', '/virtual_reference_numbers', 'VRNs', '4 Virtual Reference Numbers'],
  ['#/customers', '/customers', 'Customers', '3 Customers'],
] as const

describe('each list of records', IN_BROWSER, () => {
  it('shows the records of the API in the same order, and cuts no name, status or uid at 1280 pixels', async (context) => {
    const page = await visit(context, sandbox.gui)
    for (const [hash, path, title, count] of lists) {
      await goTo(page, hash)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      await waitForFooter(page, count)
      const listed = await listFromApi(path)
      expect(await uids(page), title).toEqual(listed.map(({ uid }) => uid))
      for (const [at, record] of listed.entries()) {
        const words = (await cells(page, at)).join('\n')
        expect(words).toContain(String(record.status))
        const amount = record.us_dollar_amount ?? record.usd_transfer_amount ?? record.total_balance
        if (amount !== undefined) expect(words.replaceAll(/[,+−]/g, '')).toContain(String(amount).replace('-', ''))
      }
      const grid = page.getByRole('grid', { name: `${title}, newest first` })
      expect(await grid.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
      const cut = () =>
        grid.evaluate((it) =>
          [...it.querySelectorAll('a, [data-uid] bdi, [role="gridcell"]:has([data-glyph-text])')]
            .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
            .map(({ textContent }) => textContent),
        )
      await expect.poll(cut, { timeout: WAIT_MS }).toEqual([])
    }
  })

  it('shows its title, search and filters in one line when filters are set', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/transactions?type=wire&status=settled' })
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    const title = (await page.getByRole('heading', { name: 'Transactions', exact: true }).boundingBox())!
    const search = (await page.getByLabel('Search Transactions').locator('..').boundingBox())!
    expect(title.x + title.width).toBeLessThanOrEqual(search.x)
    expect((await page.locator('main [data-screen-bar]').boundingBox())!.height).toBe(40)
  })
})

describe('payments', IN_BROWSER, () => {
  it('have entries with counts below Payments in the navigation while one of them is open', async (context) => {
    const page = await visit(context, sandbox.gui)
    const nav = page.getByRole('navigation')
    expect(await nav.getByRole('link', { name: /^Transfers/ }).count()).toBe(0)
    await nav.getByRole('link', { name: /^Payments/ }).click()
    await page.getByRole('heading', { name: 'Transactions', exact: true }).waitFor()
    await expect
      .poll(() => nav.locator('[data-below]').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Transfers\s+11$/),
        expect.stringMatching(/^Transactions\s+25$/),
        expect.stringMatching(/^Returns\s+1$/),
        expect.stringMatching(/^Combined Transfers\s+1$/),
      ])
    await nav.getByRole('link', { name: /^Returns/ }).click()
    await page.getByRole('heading', { name: 'Returns', exact: true }).waitFor()
    expect(await nav.locator('[data-below][aria-current]').innerText()).toContain('Returns')
    // A Transfer links to its Transaction. Only a wider window has room for both uids.
    await page.setViewportSize({ width: 1440, height: 900 })
    await nav.getByRole('link', { name: /^Transfers/ }).click()
    await waitForFooter(page, '11 Transfers')
    const [transfer] = await listFromApi('/transfers')
    const [transaction] = transfer!.transaction_uids as string[]
    await rows(page).first().getByRole('link', { name: transaction! }).click()
    await expect.poll(() => page.url()).toMatch(new RegExp(`#/transactions/${transaction}$`))
  })

  it('show both parties, an arrow for a party outside the sandbox, and the sign of the amount', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/transactions' })
    await waitForFooter(page, '25 Transactions')
    const row = (words: string) => rows(page).filter({ hasText: words })
    await row('Ruth Hallam-Pike').first().waitFor()
    const [, type, parties, status, , , amount] = await row('Ruth Hallam-Pike')
      .first()
      .getByRole('gridcell')
      .allInnerTexts()
    expect({ type, status: status!.trim(), amount }).toEqual({
      type: 'instant_payment',
      status: 'settled',
      amount: '+312.40',
    })
    expect(parties!.split('\n').map((it) => it.trim())).toEqual(['Ruth Hallam-Pike', 'Primary Synthetic Account'])
    expect(await row('Ruth Hallam-Pike').first().getByRole('img', { name: 'outside:' }).count()).toBe(1)
    expect(
      await row('Growth').filter({ hasText: 'Operations' }).first().getByRole('img', { name: 'outside:' }).count(),
    ).toBe(0)
  })

  it('are filtered and searched, and the address contains the filters', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/transactions?type=wire&status=settled' })
    await waitForFooter(page, /of 25 Transactions/)
    const wires = await listFromApi('/transactions', '&type[]=wire&status[]=settled')
    expect(await uids(page)).toEqual(wires.map(({ uid }) => uid))
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await waitForFooter(page, /^25 Transactions$/)
    await page.getByRole('button', { name: /^net_asset/ }).click()
    await page.getByRole('menuitemcheckbox', { name: /^negative/ }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).toMatch(/net_asset=negative/)
    const all = await listFromApi('/transactions')
    const negative = all.filter(({ net_asset }) => net_asset === 'negative')
    await expect.poll(() => uids(page)).toEqual(negative.map(({ uid }) => uid))

    await page.getByRole('button', { name: /^Customer:/ }).click()
    await page.getByRole('searchbox', { name: 'Find a Customer' }).fill('nora')
    await page.keyboard.press('Enter')
    const nora = (await listFromApi('/customers')).find(({ email }) => email === 'nora.quint@example.test')!
    await expect.poll(() => page.url()).toContain(`customer=${nora.uid}`)
    const ofNora = negative.filter(({ customer_uid }) => customer_uid === nora.uid).map(({ uid }) => uid)
    await expect.poll(() => uids(page)).toEqual(ofNora)

    const search = page.getByRole('searchbox', { name: 'Search Transactions' })
    await search.fill('no such thing (')
    await page.getByText('No Transaction matches the filters.').waitFor()
    await expect.poll(() => page.url()).toMatch(/q=no\+such\+thing/)
    await page.reload()
    await page.getByText('No Transaction matches the filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await search.fill('northern mill')
    const mill = all.filter((it) => JSON.stringify(it).toLowerCase().includes('northern mill'))
    await expect.poll(() => uids(page)).toEqual(mill.map(({ uid }) => uid))
  })

  it('are selected and opened by keyboard, and the uids of several are copied', async (context) => {
    const page = await visit(context, sandbox.gui)
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await waitForFooter(page, '25 Transactions')
    const all = (await listFromApi('/transactions')).map(({ uid }) => uid)
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    expect(await page.getByRole('row', { selected: true }).locator('[data-uid] bdi').innerText()).toBe(all[2])
    await page.keyboard.press('Shift+ArrowDown')
    await foot(page).getByText('2 chosen').waitFor()
    await page.getByRole('button', { name: 'Copy uids' }).click()
    await foot(page).getByText('uids copied').waitFor({ state: 'attached' })
    await page.getByRole('grid').focus()
    await page.keyboard.press('Escape')
    await foot(page).getByRole('button', { name: 'Copy uid', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(new RegExp(`#/transactions/${all[3]}$`))
    await page.keyboard.press('[')
    await waitForFooter(page, '25 Transactions')
  })

  it('are exported as a CSV file of the filtered list', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/transactions?net_asset=negative' })
    await waitForFooter(page, /of 25 Transactions/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^transactions 2026-08-14\.csv$/)
    const [head, ...lines] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(head).toBe('created_at,type,parties,description,status,customer,uid,us_dollar_amount')
    const negative = (await listFromApi('/transactions')).filter(({ net_asset }) => net_asset === 'negative')
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual(
      negative.map(({ uid, us_dollar_amount }) => [uid, `-${us_dollar_amount}`]),
    )
  })
})

describe('VRNs', IN_BROWSER, () => {
  it('show the received amount, the Customer and the lock, and link to Inject', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/vrns' })
    await waitForFooter(page, '4 Virtual Reference Numbers')
    const vrns = await listFromApi('/virtual_reference_numbers')
    const settled = await listFromApi('/transactions', '&status[]=settled')
    for (const [at, { uid }] of vrns.entries()) {
      const cents = settled
        .filter((it) => it.virtual_reference_number_uid === uid)
        .reduce((sum, it) => sum + Math.round(Number(it.us_dollar_amount) * 100), 0)
      const received = async () => Math.round(Number((await cells(page, at)).at(-1)!.replaceAll(',', '')) * 100)
      await expect.poll(received).toBe(cents)
    }
    // Accounts of two Customers have the same name, so each row shows the Customer, and the list can be filtered by it.
    const customers = await listFromApi('/customers')
    const bakery = customers.find(({ external_uid }) => external_uid === 'demo-business-1')!
    expect((await cells(page, 0)).slice(4, 6)).toEqual(['Primary Synthetic Account', 'Lighthouse Marine Supply'])
    await goTo(page, `#/vrns?customer=${bakery.uid}`)
    await waitForFooter(page, '2 of 4 Virtual Reference Numbers')
    expect((await cells(page, 0)).slice(4, 6)).toEqual(['Primary Synthetic Account', 'Quayside Bakery'])
    await goTo(page, '#/vrns')
    await waitForFooter(page, /^4 Virtual Reference Numbers/)
    await rows(page)
      .nth(2)
      .click({ position: { x: 20, y: 10 } })
    const link = page.getByRole('link', { name: 'Simulate payment…' })
    expect(await link.getAttribute('href')).toBe(`#/inject?kind=vrn&vrn=${vrns[2]!.uid}`)

    await apiClient(sandbox).call('PUT', `/virtual_reference_numbers/${vrns[0]!.uid}/lock`, {
      json: { lock_reason: 'admin' },
    })
    await rows(page)
      .first()
      .getByRole('img', { name: /^locked at/ })
      .waitFor()
    await apiClient(sandbox).call('PUT', `/virtual_reference_numbers/${vrns[0]!.uid}/unlock`, {})
    await rows(page)
      .first()
      .getByRole('img', { name: /^locked at/ })
      .waitFor({ state: 'detached' })
  })
})

describe('the timeline of a Customer', IN_BROWSER, () => {
  it('cuts no change of status at 1280 pixels, and shows a refusal across the empty Amount column', async (context) => {
    const client = apiClient(sandbox)
    const [bakery] = (await listFromApi('/customers')).filter(({ external_uid }) => external_uid === 'demo-business-1')
    const refused = await client.call('PUT', `/customers/${bakery!.uid}`, { json: { customer_type: 'primary' } })
    expect(refused.status).toBe(422)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${bakery!.uid}?tab=story` })
    const change = page.locator('[data-state-change]', { hasText: 'authorization_denied' }).first()
    await change.scrollIntoViewIfNeeded({ timeout: WAIT_MS })
    const cut = await page.locator('[data-state-change]').evaluateAll((all) =>
      all
        .map((it) => it.parentElement!)
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    // A refusal has no amount, so its text uses the Amount column.
    const head = (await page.getByRole('columnheader', { name: 'Amount' }).boundingBox())!
    const refusal = page
      .locator('[data-row]:has([data-glyph-text][data-signal=bad])')
      .first()
      .getByRole('gridcell')
      .nth(3)
    const box = (await refusal.boundingBox())!
    expect(box.x + box.width).toBeGreaterThan(head.x + head.width)
  })
})

// These tests change the world, so they run last.
describe('changes while a list is open', IN_BROWSER, () => {
  it('leave the scroll position unchanged, highlight changed cells, and disappear after a rewind', async (context) => {
    const client = apiClient(sandbox)
    const creations: Promise<unknown>[] = []
    for (let at = 0; at < 60; at++) creations.push(client.post('/customers', { external_uid: `row-${at}` }))
    await Promise.all(creations)
    const page = await visit(context, sandbox.gui, { at: '#/customers', viewport: { width: 1280, height: 500 } })
    await waitForFooter(page, '63 Customers')
    const grid = page.getByRole('grid')
    await grid.focus()
    for (let press = 0; press < 3; press++) await page.keyboard.press('PageDown')
    const chosen = page.getByRole('row', { selected: true })
    const uid = await chosen.locator('[data-uid] bdi').innerText()
    const before = await chosen.boundingBox()
    const seq = sandbox.store.world.seq
    await client.post('/customers', { external_uid: 'late-1' })
    await client.post('/customers', { external_uid: 'late-2' })
    await page.getByRole('button', { name: '2 new, show' }).waitFor()
    expect(await chosen.boundingBox()).toEqual(before)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')

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
    await chosen.getByText('another name').first().waitFor()
    const hits = await page.evaluate(() => (window as unknown as { hits: string[] }).hits)
    expect(hits).toContain('another name')
    expect(hits.length).toBeLessThan(3)

    await page.getByRole('button', { name: '2 new, show' }).click()
    await page.getByText('late-2', { exact: true }).first().waitFor()
    expect(await grid.evaluate((it) => it.scrollTop)).toBe(0)

    const reply = await sandbox.call('world.rewind', { seq })
    expect(reply.ok).toBe(true)
    await waitForFooter(page, '63 Customers')
    await page.getByText('late-2', { exact: true }).first().waitFor({ state: 'detached' })
  })

  it('are not animated if the user prefers reduced motion, and hostile names are shown as text', async (context) => {
    const client = apiClient(sandbox)
    const page = await visit(context, sandbox.gui, { at: '#/vrns', reducedMotion: 'reduce' })
    await waitForFooter(page, '4 Virtual Reference Numbers')
    const [vrn] = await listFromApi('/virtual_reference_numbers')
    await page.evaluate(() => {
      Element.prototype.animate = () => Object.assign(window, { moved: true }) as never
    })
    const names = [
      '<img src=x onerror="window.hurt = 1">',
      `\u202egnp.exe ${'A'.repeat(200)}`,
      '=cmd|calc',
      '\u{1F4B8}\u0001',
    ]
    for (const name of names) {
      const answer = await client.call('PUT', `/virtual_reference_numbers/${vrn!.uid}`, { json: { name } })
      if (answer.status >= 400) continue
      await expect.poll(async () => (await cells(page, 0))[1]!.length, { timeout: WAIT_MS }).toBeGreaterThan(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
    }
    expect(await page.evaluate(() => ['hurt' in window, 'moved' in window])).toEqual([false, false])
    expect(await page.locator('main img').count()).toBe(0)
  })
})

describe('a Program without records', IN_BROWSER, () => {
  it('shows an explanation and an example request on each list', async (context) => {
    const reply = await sandbox.call('programs.create', { name: 'Empty' })
    const { uid } = (reply as unknown as { value: { uid: string } }).value
    const page = await visit(context, sandbox.gui)
    for (const [hash, , title] of lists) {
      await goTo(page, `${hash}?program=${uid}`)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Example' }).waitFor()
      expect(await page.locator('[data-empty] li').count()).toBeGreaterThan(1)
      await page.locator('[data-empty] pre').getByText('curl -sg -X POST').waitFor()
      await page.locator('[data-empty] pre').getByText('--data-raw').waitFor()
      // A note marks an example that needs records which do not exist.
      expect([title, await page.getByText(/^Replace the example uids/).count()]).toEqual([
        title,
        title === 'Customers' ? 0 : 1,
      ])
    }
  })

  it('shows example requests that the API accepts unchanged once a funded Customer exists', async (context) => {
    const fresh = await startSandbox({ window: built, library })
    const run = await fresh.call('scenarios.run', { name: 'a-funded-customer', into: 'present' })
    expect(run).toMatchObject({ ok: true, value: { state: 'passed' } })
    // A Return needs a received wire whose money is still there after the example of a Transfer.
    const client = apiClient(fresh)
    const { body: all } = await client.get<{ data: Listed[] }>('/customers')
    const wire = { transaction_type: 'wire', us_dollar_amount: 20, customer_uid: all.data[0]!.uid }
    await client.post('/sandbox/mock_transactions', wire)
    await fresh.call('clock.advance', { by: 'P1D' })

    const page = await visit(context, fresh.gui)
    const accepted: string[] = []
    for (const [hash, , title] of lists) {
      await goTo(page, hash)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      await page.locator('[data-empty], [data-row]').first().waitFor()
      if ((await page.locator('[data-empty]').count()) === 0) continue
      await page.locator('[data-empty] pre').getByText('--data-raw').waitFor()
      expect(await page.getByText(/^Replace the example uids/).count()).toBe(0)
      const curl = (await page.locator('[data-empty] pre > span').allTextContents()).join('\n')
      const [, path, body] = /"\$BASE"'([^']+)'.*--data-raw '([^']+)'/s.exec(curl) ?? []
      const answer = await client.call('POST', path!, { json: JSON.parse(body!) })
      expect([title, answer.status], answer.text).toEqual([title, 201])
      accepted.push(title)
    }
    expect(accepted).toEqual(['Transfers', 'Returns', 'Combined Transfers', 'VRNs'])
  })
})

describe('a row that scrolls by too fast to be read', IN_BROWSER, () => {
  it('has its first cell and a bar beside it, and is selected by a click', async (context) => {
    const sandbox = await openWindow()
    for (let sent = 0; sent < 250; sent++) await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await page.locator('main [data-row]').first().waitFor()
    // In the page, as the rows are drawn in full soon after the last jump.
    const fast = await page.getByRole('grid').evaluate(async (grid) => {
      // On a busy machine the pause between two frames may be taken for the end of the scrolling.
      let row: HTMLElement | undefined
      for (let frame = 0; frame < 1_000 && !row; frame++) {
        grid.scrollTop = grid.scrollHeight * (0.2 + 0.2 * (frame % 4))
        await new Promise(requestAnimationFrame)
        row = [...grid.querySelectorAll<HTMLElement>('[data-unread]')].at(-1)
      }
      const [first, last] = [...(row?.children ?? [])].map((cell) => cell.getBoundingClientRect())
      row?.click()
      return { first: row?.innerText.trim(), gap: last!.left - first!.right, width: last!.width, all: grid.clientWidth }
    })
    expect(fast).toMatchObject({ first: expect.stringMatching(/^\d\d:\d\d:\d\d$/), gap: 0 })
    expect(fast.width).toBeGreaterThan(fast.all / 2)
    await expect.poll(() => page.url()).toMatch(/#\/requests\/x\d+$/)
  })
})

describe('the context menu of a row of a long list', IN_BROWSER, () => {
  it('opens at the selected row, which is scrolled into view', async (context) => {
    const sandbox = await openWindow()
    for (let sent = 0; sent < 250; sent++) await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await page.locator('main [data-row]').first().waitFor()
    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => page.url()).toMatch(/#\/requests\/x250$/)
    const selected = page.locator('main [data-row][aria-selected=true]')
    await selected.waitFor()
    await grid.evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
    await selected.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await selected.waitFor()
    const row = (await selected.boundingBox())!
    expect(row.y).toBeGreaterThan((await grid.boundingBox())!.y)
    expect(Math.abs((await menu.boundingBox())!.y - row.y - row.height)).toBeLessThan(4)
    // Above the last row, as there is no space below it.
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    await expect.poll(() => page.url()).toMatch(/#\/requests\/x1$/)
    await page.keyboard.press('Shift+F10')
    await menu.waitFor()
    const above = (await menu.boundingBox())!
    expect(above.y + above.height).toBeLessThanOrEqual((await selected.boundingBox())!.y)
  })
})

describe('a long list on a narrow window', IN_BROWSER, () => {
  it('scrolls by itself and draws only the visible rows', async (context) => {
    const sandbox = await openWindow()
    for (let sent = 0; sent < 250; sent++) await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    const page = await visit(context, sandbox.gui, { at: '#/requests', viewport: { width: 800, height: 800 } })
    await page.locator('main [data-row]').first().waitFor()
    await expect.poll(() => page.locator('main [data-row]').count()).toBeLessThan(100)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1600)
    await page.getByRole('grid').focus()
    // The page is scrolled away from the selected row.
    await page.evaluate(() => scrollTo(0, 0))
    await page.keyboard.press('End')
    await expect.poll(() => page.url()).toMatch(/#\/requests\/x1$/)
    const last = (await page.locator('main [data-row][aria-selected=true]').boundingBox())!
    expect(last.y + last.height).toBeLessThanOrEqual(800)
  })
})
