import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import type { CustomerMap } from '../../src/api/contract/control/customer-map.ts'
import { formatAmount } from '../../src/renderer/format/text.ts'
import { call } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import {
  allowClipboard,
  built,
  button,
  clickButton,
  footerSays,
  goTo,
  heading,
  IN_BROWSER,
  press,
  region,
  scrollWidth,
  sees,
  visit,
} from '../support/window.ts'

/** The map of a Customer, in the built window and a real browser. */

async function bank(context: TestContext) {
  const setup = await setUpPayments({ window: built })
  const { sandbox, mock, customer, account } = setup
  const olive = await customer()
  const receive = (us_dollar_amount: number, counterparty_name: string, more: object = {}) =>
    mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount, counterparty_name, ...more })
  const external = (name: string, account_number: string) => account(olive, 'ach_external', { name, account_number })
  const openMap = async (more = '', size = { width: 1280, height: 800 }) => {
    const page = await visit(context, sandbox.gui, { at: `#/customers/${olive.uid}?tab=map${more}`, viewport: size })
    await page.getByRole('tab', { name: 'Map', selected: true }).waitFor()
    return page
  }
  const readMap = () => call(sandbox, 'customers.map', { customer_uid: olive.uid })
  return { ...setup, olive, receive, external, openMap, readMap }
}

const flowOf = (page: Page, name: string | RegExp) => page.locator('[data-map]').getByRole('link', { name })
const details = (page: Page) => region(page, 'Details of the map')
/** Of a flow its name, of a node its description. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: link } = document
    return link?.getAttribute('aria-label') ?? link?.getAttribute('title') ?? ''
  })

/** The middle of the upper edge of a flow, a little below. */
const middleOf = (flow: Locator) =>
  flow
    .locator('[data-part]')
    .first()
    .evaluate((element) => {
      const path = element as SVGPathElement
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 4)
      const { e, f } = path.getScreenCTM()!
      return [x + e, y + f + 1] as const
    })

describe('the map of a Customer', IN_BROWSER, () => {
  it('a user reads a flow under the pointer, follows it to its payments, and sees new and returned ones at once', async (context) => {
    const { receive, external, pay, olive, advance, openMap } = await bank(context)
    await receive(500, 'Dock Ltd')
    await receive(900, 'Dock Ltd')
    await receive(30, 'Harbor Inc')
    await advance({ until: 'idle' })
    const mill = await external('Mill', '70000120')
    const { transaction_uids } = await pay(olive, olive.master, mill, '250.00')
    await advance({ until: 'idle' })
    const page = await openMap()
    const out = flowOf(page, /^From Primary Synthetic Account to Mill: settled 250\.00 in 1 payment\. By ach\.$/)
    await out.waitFor()
    await sees(details(page), 'All flows, USD')
    await page.mouse.move(...(await middleOf(out)))
    await sees(details(page), 'Primary Synthetic Account → Mill')
    const detailRows = () => details(page).getByRole('row').allInnerTexts()
    expect(await detailRows()).toEqual(['settled\t1\t250.00', 'by ach', 'settled\t1\t250.00'])
    await page.mouse.click(...(await middleOf(out)))
    await heading(page, String(transaction_uids[0])).waitFor()

    // Two payments: a list of exactly these.
    await page.goBack()
    const dock = flowOf(page, /^From Dock Ltd to Primary Synthetic Account/)
    const dockSays = (text: RegExp) => dock.and(page.getByRole('link', { name: text })).waitFor()
    await dockSays(/: settled 1,400\.00 in 2 payments/)
    await page.mouse.click(...(await middleOf(dock)))
    await heading(page, 'Transactions').waitFor()
    await footerSays(page, '2 of 4 Transactions')
    const amounts = page.locator('main [role=row]').filter({ hasText: /\+[\d.]+$/ })
    const listed = (await amounts.allInnerTexts()).map((text) => text.trim().split(/\s/).at(-1))
    expect(listed).toEqual(['+900.00', '+500.00'])
    await button(page, /^Flow: Dock Ltd → Primary Synthetic Account/).click()
    await footerSays(page, /^4 Transactions$/)
    // A node opens its record.
    await page.goBack()
    await page.locator('[data-map] a[data-node=accounts]').click()
    await heading(page, olive.master).waitFor()
    await page.goBack()

    // An injected payment is pending at once, and settled after an advance. More money is thicker.
    const parts = (flow: Locator) =>
      flow.locator('[data-part]').evaluateAll((all) => all.map((one) => one.getAttribute('data-part')))
    await dockSays(/: settled 1,400\.00/)
    expect(await parts(dock)).toEqual(['settled'])
    const thickness = () =>
      dock.locator('[data-part=settled]').evaluate((path) => (path as SVGPathElement).getBBox().height)
    const before = await thickness()
    await receive(7_500, 'Dock Ltd')
    await dockSays(/pending 7,500\.00 in 1 payment/)
    expect(await parts(dock)).toEqual(['settled', 'pending'])
    await advance({ until: 'idle' })
    await dockSays(/: settled 8,900\.00 in 3 payments/)
    expect(await thickness()).toBeGreaterThanOrEqual(before)

    // A returned payment is hatched, so that it is known by more than its color.
    const bad = await external('Returns all', '123459903')
    await pay(olive, olive.master, bad, '120.00')
    await advance({ until: 'idle' })
    const flow = flowOf(page, /to Returns all: settled 120\.00 in 1 payment, returned 120\.00 in 1 payment/)
    await flow.waitFor()
    expect(await parts(flow)).toEqual(['returned'])
    expect(await flow.locator('[data-part]').getAttribute('fill')).toMatch(/^url\(#/)
    await flow.focus()
    await sees(details(page), 'Primary Synthetic Account → Returns all')
    expect((await detailRows()).slice(0, 2)).toEqual(['settled\t1\t120.00', 'returned\t1\t120.00'])
    await press(page, 'Enter')
    await footerSays(page, '2 of 7 Transactions')
    await sees(page.locator('main [data-returned]'), 'returned R03')
  })

  it('a user moves on the map by keys: it is one tab stop, and arrow keys reach each flow and record', async (context) => {
    const { receive, external, pay, olive, advance, openMap } = await bank(context)
    await receive(500, 'Dock Ltd')
    await advance({ until: 'idle' })
    await pay(olive, olive.master, await external('Mill', '70000120'), '250.00')
    await pay(olive, olive.master, await external('Other', '70000130'), '20.00')
    const page = await openMap()
    await flowOf(page, /to Mill/).waitFor()
    await page.getByRole('button', { name: 'Show as table' }).focus()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toMatch(/^From Dock Ltd to Primary/)
    await details(page).getByText('Dock Ltd → Primary Synthetic Account').waitFor()
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return focused(page)
    }
    expect(await press('ArrowRight')).toMatch(/^Primary Synthetic Account: balance 500\.00\. In: settled 500\.00/)
    await details(page).getByText('balance').waitFor()
    expect(await press('ArrowRight')).toMatch(/to Mill: pending 250\.00 in 1 payment/)
    expect(await press('ArrowDown')).toMatch(/to Other: pending 20\.00/)
    expect(await press('ArrowDown')).toMatch(/to Other/)
    expect(await press('Home')).toMatch(/^From Dock Ltd/)
    expect(await press('End')).toMatch(/^Other: pending 20\.00/)
    expect(await press('ArrowUp')).toMatch(/^Mill: pending 250\.00/)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[data-map]') === null)).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toMatch(/^Mill/)
    await page.keyboard.press('Enter')
    await page
      .getByRole('heading', { level: 1 })
      .filter({ hasNotText: 'Person' })
      .getByText(/^[\w-]{16}$/)
      .waitFor()
    await page.getByText('ach_external').first().waitFor()
  })

  it('a user reads the map as a table with the figures of the control method, and copies it', async (context) => {
    const { fund, receive, external, pay, olive, account, advance, openMap, readMap } = await bank(context)
    await fund(olive, '5000.00')
    const savings = await account(olive, 'general', { name: 'Savings' })
    await pay(olive, olive.master, savings, '1200.00')
    await pay(olive, olive.master, await external('Returns all', '123459903'), '120.00')
    await receive(33, 'Dock Ltd', { synthetic_account_uid: savings })
    await advance({ until: 'idle' })
    await receive(44, 'Dock Ltd', { synthetic_account_uid: savings })
    const page = await openMap()
    await page.getByRole('button', { name: 'Show as table' }).click()
    const map = (await readMap()) as CustomerMap
    const nameOf = (id: string) => map.nodes.find((node) => node.id === id)!.name
    const amounts = (of: CustomerMap['flows'][number]) =>
      [of.settled, of.returned, of.return_pending, of.pending].map(({ us_dollar_amount: amount }) =>
        formatAmount(amount),
      )
    const rows = async (selector: string) =>
      (await page.locator(selector).allInnerTexts()).map((text) => text.split('\t').map((cell) => cell.trim()))
    await page.locator('[data-flow-row]').first().waitFor()
    expect((await rows('[data-flow-row]')).map((cells) => cells.slice(0, 6))).toEqual(
      map.flows.map((flow) => [nameOf(flow.from), nameOf(flow.to), ...amounts(flow)]),
    )
    expect(await rows('[data-account-row]')).toEqual(
      map.nodes
        .filter(({ role }) => role === 'account')
        .map(({ name, status, in: ins, out, balance }) => [
          ...[name, status, ins.settled.us_dollar_amount, out.settled.us_dollar_amount].map((cell, i) =>
            i < 2 ? cell : formatAmount(cell!),
          ),
          formatAmount(balance!),
        ]),
    )
    const readCopied = await allowClipboard(page)
    await clickButton(page, 'Copy table')
    await expect.poll(readCopied).toContain('\t')
    const copied = await readCopied()
    expect(copied.split('\n')).toHaveLength(map.flows.length + 1)
    expect(copied.split('\n')[1]).toBe(
      'Mock Counterparty\tPrimary Synthetic Account\t5000.00\t0.00\t0.00\t0.00\t1\twire 5000.00',
    )
  })

  it('a user of a new Customer learns how to begin, and chooses a time, which is kept in the address', async (context) => {
    const { api, fund, olive, advance, openMap } = await bank(context)
    const page = await openMap()
    await heading(page, 'No money has moved yet').waitFor()
    await page.getByRole('link', { name: 'Incoming wire' }).click()
    await heading(page, 'Incoming wire').waitFor()
    const { body } = await api.post<{ uid: string }>('/customers', { email: 'ida@example.test' })
    await goTo(page, `#/customers/${body.uid}?tab=map`)
    await sees(page, 'This Customer has no accounts yet')

    await fund(olive, '10.00')
    await advance({ by: 'P3D' })
    await goTo(page, `#/customers/${olive.uid}?tab=map&period=hour`)
    await sees(page, 'No payment settled in this time')
    const paid = flowOf(page, /^From .* settled 10\.00/)
    const period = (name: string) => page.getByRole('button', { name, exact: true })
    expect(await period('Last hour').getAttribute('aria-pressed')).toBe('true')
    await period('Week').click()
    await paid.waitFor()
    await expect.poll(() => page.url()).toContain('period=week')
    await page.reload()
    await paid.waitFor()
    expect(await period('Week').getAttribute('aria-pressed')).toBe('true')
    // Days of New York; they replace the period.
    await page.getByRole('button', { name: 'Days', exact: true }).click()
    await page.getByLabel('From', { exact: true }).fill('2026-08-15')
    await sees(page, 'No payment settled in this time')
    expect(await period('Week').getAttribute('aria-pressed')).toBe('false')
    await page.getByLabel('From', { exact: true }).fill('2026-08-14')
    await page.getByLabel('To', { exact: true }).fill('2026-08-14')
    await paid.waitFor()
    await page.keyboard.press('Escape')
    await period('All').click()
    await expect.poll(() => page.url()).not.toMatch(/period=|from=/)
    // The week passes: a period ends now.
    await period('Week').click()
    await paid.waitFor()
    await advance({ by: 'P8D' })
    await sees(page, 'No payment settled in this time')
    await page.getByRole('button', { name: 'Show all' }).click()
    await paid.waitFor()
  })

  it('a user sees 30 counterparties at each width: nothing overlaps, and no amount is cut', async (context) => {
    const { api, receive, external, pay, account, olive, advance, openMap } = await bank(context)
    const savings = await account(olive, 'general', {
      name: 'A reserve with a name that is much too long for its place',
    })
    const { body: vrn } = await api.post<{ uid: string }>('/virtual_reference_numbers', {
      synthetic_account_uid: savings,
      name: 'Rent',
      routing_number: '110000000',
    })
    await receive(1_000_000, 'A name that is too long for a place')
    for (let n = 1; n < 27; n++)
      await receive(n * n * 11, `Sender ${n}`, n % 4 === 0 ? { virtual_reference_number_uid: vrn.uid } : {})
    await advance({ until: 'idle' })
    await pay(olive, olive.master, savings, '9000.00')
    for (const n of [1, 2, 3])
      await pay(olive, olive.master, await external(`Receiver ${n}`, `7000012${n}0`), '300000.00', {
        ach: { ...ACH, effective_entry_date: '2026-08-17' },
      })
    const page = await openMap()
    for (const [width, height] of [
      [1280, 800],
      [1440, 900],
      [1920, 1080],
      [800, 1000],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.locator('[data-map] a[data-node=accounts]').first().waitFor()
      await expect.poll(async () => [width, await findOverlaps(page)]).toEqual([width, []])
      expect(await scrollWidth(page)).toBeLessThanOrEqual(width)
    }
    expect(await page.locator('[data-node=senders]').count()).toBe(27)
  })
})

/** Nodes that overlap, amounts that are cut, and what is outside of the map. */
const findOverlaps = (page: Page) =>
  page.evaluate(() => {
    const map = document.querySelector('[data-map]')!
    const room = map.parentElement!.getBoundingClientRect()
    const nodes = [...map.querySelectorAll('[data-node]')]
    const found: string[] = []
    for (const [i, node] of nodes.entries()) {
      const box = node.getBoundingClientRect()
      if (box.left < room.left - 1 || box.right > room.right + 1) found.push(`outside: ${node.textContent}`)
      for (const other of nodes.slice(i + 1)) {
        const { left, right, top, bottom } = other.getBoundingClientRect()
        if (left < box.right && right > box.left && top < box.bottom && bottom > box.top)
          found.push(`${node.textContent} and ${other.textContent}`)
      }
      for (const amount of node.querySelectorAll('[data-amount]')) {
        const { left, right } = amount.getBoundingClientRect()
        if (right > box.right || left < box.left) found.push(`cut: ${amount.textContent}`)
      }
    }
    return found
  })
