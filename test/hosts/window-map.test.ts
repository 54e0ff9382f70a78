import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import type { CustomerMap } from '../../src/api/contract/control/customer-map.ts'
import { formatAmount } from '../../src/renderer/format/numbers.ts'
import { call } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { built, goTo, IN_BROWSER, scrollWidth, visit } from '../support/window.ts'

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
const details = (page: Page) => page.getByRole('region', { name: 'Details of the map' })
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
  it('says the amounts of a flow under the pointer, and leads to its Transaction, or to the list of all of them', async (context) => {
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
    await details(page).getByText('All flows, USD').waitFor()

    await page.mouse.move(...(await middleOf(out)))
    await details(page).getByText('Primary Synthetic Account → Mill').waitFor()
    expect(await details(page).getByRole('row').allInnerTexts()).toEqual([
      'settled\t1\t250.00',
      'by ach',
      'settled\t1\t250.00',
    ])
    await page.mouse.click(...(await middleOf(out)))
    await page.getByRole('heading', { level: 1, name: String(transaction_uids[0]) }).waitFor()

    // Two payments: a list of exactly these.
    await page.goBack()
    const both = flowOf(page, /^From Dock Ltd to Primary Synthetic Account: settled 1,400\.00 in 2 payments/)
    await page.mouse.click(...(await middleOf(both)))
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
    await page.getByText('2 of 4 Transactions').waitFor()
    const amounts = page.locator('main [role=row]').filter({ hasText: /\+[\d.]+$/ })
    expect((await amounts.allInnerTexts()).map((text) => text.trim().split(/\s/).at(-1))).toEqual([
      '+900.00',
      '+500.00',
    ])
    await page.getByRole('button', { name: /^Flow: Dock Ltd → Primary Synthetic Account/ }).click()
    await page.getByText(/^4 Transactions$/).waitFor()

    // A node opens its record.
    await page.goBack()
    await page.locator('[data-map] a[data-node=accounts]').click()
    await page.getByRole('heading', { level: 1, name: olive.master }).waitFor()
  })

  it('is one tab stop: arrow keys reach each flow and record, and Enter opens it', async (context) => {
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

  it('shows an injected payment at once as pending, and after an advance as settled', async (context) => {
    const { receive, fund, olive, openMap, advance } = await bank(context)
    await fund(olive, '10.00')
    const page = await openMap()
    await flowOf(page, /^From Mock Counterparty to Primary Synthetic Account: settled 10\.00/).waitFor()
    await receive(75, 'Dock Ltd')
    const flow = flowOf(page, /^From Dock Ltd to Primary Synthetic Account/)
    await flow.and(page.getByRole('link', { name: /: pending 75\.00 in 1 payment/ })).waitFor()
    expect(
      await flow.locator('[data-part]').evaluateAll((all) => all.map((one) => one.getAttribute('data-part'))),
    ).toEqual(['pending'])
    const thickness = () => flow.locator('[data-part]').evaluate((path) => (path as SVGPathElement).getBBox().height)
    const before = await thickness()
    await advance({ until: 'idle' })
    await flow.and(page.getByRole('link', { name: /: settled 75\.00 in 1 payment/ })).waitFor()
    await page.getByRole('link', { name: 'Primary Synthetic Account 85.00' }).waitFor()
    // More money is thicker, compared with the other flow.
    await receive(7_500, 'Dock Ltd')
    await advance({ until: 'idle' })
    await flow.and(page.getByRole('link', { name: /: settled 7,575\.00 in 2 payments/ })).waitFor()
    expect(await thickness()).toBeGreaterThanOrEqual(before)
  })

  it('shows a returned payment as returned', async (context) => {
    const { fund, external, pay, olive, advance, openMap } = await bank(context)
    await fund(olive, '500.00')
    const bad = await external('Returns all', '123459903')
    await pay(olive, olive.master, bad, '120.00')
    await advance({ until: 'idle' })
    const page = await openMap()
    const flow = flowOf(page, /to Returns all: settled 120\.00 in 1 payment, returned 120\.00 in 1 payment/)
    await flow.waitFor()
    const band = flow.locator('[data-part]')
    expect(await band.evaluateAll((all) => all.map((one) => one.getAttribute('data-part')))).toEqual(['returned'])
    // A hatch, so that it is known by more than its color.
    expect(await band.getAttribute('fill')).toMatch(/^url\(#/)
    await flow.focus()
    await details(page).getByText('Primary Synthetic Account → Returns all').waitFor()
    expect((await details(page).getByRole('row').allInnerTexts()).slice(0, 2)).toEqual([
      'settled\t1\t120.00',
      'returned\t1\t120.00',
    ])
    await page.keyboard.press('Enter')
    await page.getByText('2 of 3 Transactions').waitFor()
    await page.locator('main [data-returned]').getByText('returned R03').waitFor()
  })

  it('has a table with the figures of the control method, which can be copied', async (context) => {
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
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy table' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')).toHaveLength(map.flows.length + 1)
    expect(copied.split('\n')[1]).toBe(
      'Mock Counterparty\tPrimary Synthetic Account\t5000.00\t0.00\t0.00\t0.00\t1\twire 5000.00',
    )
  })

  it('keeps the chosen time in the address, and says if nothing moved in it', async (context) => {
    const { fund, olive, advance, openMap } = await bank(context)
    await fund(olive, '10.00')
    await advance({ by: 'P3D' })
    const page = await openMap('&period=hour')
    await page.getByText('No payment settled in this time').waitFor()
    const period = (name: string) => page.getByRole('button', { name, exact: true })
    expect(await period('Last hour').getAttribute('aria-pressed')).toBe('true')
    await period('Week').click()
    await flowOf(page, /^From .* settled 10\.00/).waitFor()
    await expect.poll(() => page.url()).toContain('period=week')
    await page.reload()
    await flowOf(page, /^From .* settled 10\.00/).waitFor()
    expect(await period('Week').getAttribute('aria-pressed')).toBe('true')
    // Days of New York; they replace the period.
    await page.getByRole('button', { name: 'Days', exact: true }).click()
    await page.getByLabel('From', { exact: true }).fill('2026-08-15')
    await page.getByText('No payment settled in this time').waitFor()
    expect(await period('Week').getAttribute('aria-pressed')).toBe('false')
    await page.getByLabel('From', { exact: true }).fill('2026-08-14')
    await page.getByLabel('To', { exact: true }).fill('2026-08-14')
    await flowOf(page, /^From .* settled 10\.00/).waitFor()
    await page.keyboard.press('Escape')
    await period('All').click()
    await expect.poll(() => page.url()).not.toMatch(/period=|from=/)
    // The week passes: a period ends now.
    await period('Week').click()
    await flowOf(page, /^From .* settled 10\.00/).waitFor()
    await advance({ by: 'P8D' })
    await page.getByText('No payment settled in this time').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await flowOf(page, /^From .* settled 10\.00/).waitFor()
  })

  it('says of a Customer without payments how to begin', async (context) => {
    const { api, openMap } = await bank(context)
    const page = await openMap()
    await page.getByRole('heading', { name: 'No money has moved yet' }).waitFor()
    await page.getByRole('link', { name: 'Incoming wire' }).click()
    await page.getByRole('heading', { name: 'Incoming wire' }).waitFor()
    const { body } = await api.post<{ uid: string }>('/customers', { email: 'ida@example.test' })
    await goTo(page, `#/customers/${body.uid}?tab=map`)
    await page.getByText('This Customer has no accounts yet').waitFor()
  })

  it('shows 30 counterparties at each width without overlap, and cuts no amount', async (context) => {
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
