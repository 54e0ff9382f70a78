import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { machines } from '../../src/api/contract/machines.ts'
import { CustomerStatus, CustomerType, KycStatus } from '../../src/api/contract/resources/customers.ts'
import { SyntheticAccountCategory } from '../../src/api/contract/resources/synthetic-accounts.ts'
import { TransactionStatus, TransactionType } from '../../src/api/contract/resources/transactions.ts'
import { TransferStatus } from '../../src/api/contract/resources/transfers.ts'
import { RegistrationStatus } from '../../src/api/contract/resources/virtual-reference-numbers.ts'
import type { Money } from '../../src/api/contract/terms/primitives.ts'
import { apiClient } from '../support/client.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import { findCutTexts, findUnevenFigures, goTo, IN_BROWSER, openDemo, scrollWidth, visit } from '../support/window.ts'

/** Every screen at several sizes of the window, in a real browser. */

const SIZES = [
  [320, 640],
  [768, 1024],
  [1010, 800],
  [1280, 800],
  [1310, 900],
  [3840, 2160],
] as const

type Sign = string | ((page: Page) => ReturnType<Page['locator']>)

/** Where the window goes, and what is there when it has arrived. */
const screensOf = ({ uid, customer, account }: Awaited<ReturnType<typeof receiveWireToApprove>>) =>
  [
    ['#/connect', (it) => it.getByText('Next, from this window')],
    ['#/requests', (it) => it.getByText('following the newest')],
    ['#/requests/x2', '[data-stages]'],
    ['#/requests?replay=own', (it) => it.getByText('The world at that time')],
    ['#/requests?replay=import', (it) => it.getByText('Choose a file…')],
    ['#/customers', 'main [data-row]'],
    [`#/customers/${customer}`, '[data-machine]'],
    [`#/customers/${customer}?tab=story`, '[data-lane] i'],
    [`#/customers/${customer}?tab=map`, '[data-map] [data-flow]'],
    [`#/customers/${customer}?tab=payments`, '[role=tabpanel] [data-row]'],
    ['#/accounts', '[data-plot] svg'],
    [`#/synthetic_accounts/${account}`, 'main table [data-right]'],
    ['#/transactions', 'main [data-row]'],
    [`#/transactions/${uid}`, 'section[aria-label="Operator decisions"] button'],
    ['#/transfers', 'main [data-row]'],
    ['#/transfers/nobody', '[data-notice]'],
    ['#/returns', 'main [data-row]'],
    ['#/combined_transfers', 'main [data-row]'],
    ['#/vrns', 'main [data-row]'],
    ['#/time', 'main h1'],
    ['#/inject', 'main form [data-form-row]'],
    ['#/scenarios', (it) => it.getByText('A scenario is a test you can read')],
    ['#/scenarios?record=0', (it) => it.getByText('Save scenario…')],
    ['#/snapshots', 'main h1'],
    ['#/snapshots?pane=compare', 'main h1'],
    ['#/snapshots?pane=history', 'main h1'],
    ['#/snapshots?pane=reset', 'main h1'],
    ['#/worlds', 'main h1'],
    ['#/worlds?pane=compare', 'main h1'],
    ['#/webhooks', (it) => it.getByText('Webhooks tell your app what happens')],
    ['#/faults', (it) => it.getByText('No active faults')],
    ['#/reference/createTransfer', '#reference-page table'],
    ['#/reference/codes', '#reference-page table'],
    ['#/settings', '#part-products summary'],
  ] satisfies (readonly [hash: string, sign: Sign])[]

async function open(page: Page, hash: string, sign: Sign) {
  await goTo(page, hash)
  await (typeof sign === 'string' ? page.locator(sign) : sign(page)).first().waitFor()
}

it('nothing is wider than the window, from 320 to 3840 pixels', IN_BROWSER, async (context) => {
  const sandbox = await openDemo()
  const { uid, customer, account } = await receiveWireToApprove(sandbox)
  const page = await visit(context, sandbox.gui, { lossy: true })
  const places = screensOf({ uid, customer, account })
  for (const [hash, sign] of places) {
    await open(page, hash, sign)
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => scrollWidth(page), { message: `${hash} at ${width} pixels` }).toBeLessThanOrEqual(width)
      if (!/inject|reference/.test(hash)) continue
      // Forms and pages of text are not scrolled sideways within the screen either.
      const hidden = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
      expect(hidden, `inside ${hash} at ${width} pixels`).toBe(0)
    }
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => scrollWidth(page), { message: 'the palette' }).toBeLessThanOrEqual(320)
})

const WIDE = { timeout: 120_000, ...IN_BROWSER }
/** The largest amount that the columns are made for. */
const LARGE = '99999999.99' as Money

/** Records with every status and type, and with large amounts; a request that was dropped. */
async function openFullWorld() {
  const sandbox = await openDemo()
  const approved = await receiveWireToApprove(sandbox)
  const api = apiClient(sandbox)
  const wire = { transaction_type: 'wire', customer_uid: approved.customer, us_dollar_amount: LARGE }
  const receive = async () => (await api.post<{ uid: string }>('/sandbox/mock_transactions', wire)).body.uid
  const settled = await receive()
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  const pending = await receive()
  await call(sandbox, 'faults.set', { faults: [{ path: '/products', kind: 'drop_after_commit', times: 1 }] })
  await expect(api.get('/products')).rejects.toThrow()
  let count = 0
  /** Copies of a record, each with other values. */
  const addCopies = <T extends object>(
    records: { put(record: T): void },
    [model]: Iterable<T>,
    variants: readonly Partial<T>[],
  ) => {
    for (const variant of variants) {
      count++
      const { made: _, ...copy } = {
        made: 0,
        ...model!,
        id: 1_000 + count,
        uid: `full${String(count).padStart(12, '0')}`,
      }
      records.put({ ...copy, ...variant } as T)
    }
  }
  sandbox.store.transact(sandbox.programs()[0]!.uid, { door: 'operator', name: 'test' }, (tx) => {
    const { transactions, transfers, customers, virtual_reference_numbers: vrns } = tx
    const us_dollar_amount = LARGE
    addCopies(
      transactions,
      [transactions.get(settled)!],
      [
        ...TransactionType.options.map((type) => ({ type, status: 'settled' as const, us_dollar_amount })),
        // Without an amount, as open payments are part of the pending balance.
        ...TransactionStatus.options.map((status) => ({ status, us_dollar_amount: '0.00' as Money })),
      ],
    )
    addCopies(
      transfers,
      transfers.newestFirst(),
      TransferStatus.options.map((status) => ({
        status,
        rail: 'instant_payment' as const,
        usd_transfer_amount: LARGE,
      })),
    )
    addCopies(customers, customers.newestFirst(), [
      ...CustomerStatus.options.map((status) => ({ status })),
      ...KycStatus.options.map((kyc_status) => ({ kyc_status })),
    ])
    addCopies(
      vrns,
      vrns.newestFirst(),
      RegistrationStatus.options.map((status) => ({ instant_payment_rail_registration_status: status })),
    )
  })
  return { sandbox, settled, pending, ...approved }
}

const WORDS: ReadonlySet<string> = new Set([
  ...[...TransactionType.options, ...Object.values(machines).flatMap(({ states }) => states)],
  ...[...SyntheticAccountCategory.options, ...CustomerType.options, 'dropped', 'scheduled'],
])
/** Times, days, amounts, types and statuses; names, paths and sentences may be cut. */
const mustBeWhole = (text: string) =>
  WORDS.has(text) ||
  text.startsWith('returned') ||
  /^[A-Z]?[a-z]{0,8} ?\d{1,2}( [A-Z][a-z]{2})?( \d{4})?$/.test(text) ||
  /\d\d:\d\d|\d{4}-\d\d-\d\d/.test(text) ||
  /^[+\u2212]?[\d,]+\.\d\d$/.test(text)

it(
  'no time, amount, type or status is cut at 1280 pixels, and all figures have the same width',
  WIDE,
  async (context) => {
    const { sandbox, settled, pending, uid, customer, account } = await openFullWorld()
    // High enough for all rows.
    const page = await visit(context, sandbox.gui, { lossy: true, viewport: { width: 1280, height: 2400 } })
    const more: ReturnType<typeof screensOf> = [
      [`#/customers/${customer}?tab=accounts`, '[role=tabpanel] [data-row]'],
      [`#/customers/${customer}?tab=vrns`, '[role=tabpanel] [data-row]'],
      [`#/accounts?account=${account}`, '[aria-label^="Entries of"] [data-row]'],
      [`#/transactions/${settled}`, '[aria-label="Line items"] [data-right]'],
      [`#/transactions/${pending}`, '[aria-label="Path of the payment"]'],
      ['#/time', '[data-shape-of]'],
      ['#/transactions?sort=us_dollar_amount_desc', 'main [data-row]'],
      ['#/requests?sort=ms_desc', 'main [data-row]'],
    ]
    const check = async (where: string) => {
      await expect
        .poll(async () => (await findCutTexts(page)).filter(mustBeWhole), { message: `cut in ${where}` })
        .toEqual([])
      expect(await findUnevenFigures(page), `uneven in ${where}`).toEqual([])
      expect(await findUnformattedAmounts(page), `unformatted in ${where}`).toEqual([])
      // A label that reaches the edge of the drawing is cut off.
      if (await page.locator('[data-plot] svg').count()) expect(await hasCutLabel(page), where).toBe(false)
    }
    for (const [hash, sign] of [...screensOf({ uid, customer, account }), ...more]) {
      await open(page, hash, sign)
      await check(hash)
    }
    await open(page, `#/accounts?account=${account}`, '[aria-label^="Entries of"] [data-row]')
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('grid', { name: 'Balance over time, newest first' }).locator('[data-row]').first().waitFor()
    await check('the table of balances')
  },
)

/** Amounts of thousands without separators. Code has none, nor does what one types. */
const findUnformattedAmounts = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const content = text.textContent!
      if (text.parentElement!.closest('pre, code, textarea')) continue
      if (/(?<![\d.,])\d{4,}\.\d\d(?!\d)/.test(content)) found.push(content)
    }
    return found
  })

/** A label of an amount that is not whole. */
const hasCutLabel = (page: Page) =>
  page.locator('[data-plot] svg').evaluate((svg: SVGSVGElement) => {
    const { right } = svg.getBoundingClientRect()
    return [...svg.querySelectorAll('text')].some((text) => text.getBoundingClientRect().right > right)
  })

it(
  'no amount, status or time is hidden or cut from 800 to 1,024 pixels, and the page never scrolls sideways',
  IN_BROWSER,
  async (context) => {
    const sandbox = await openDemo()
    const places = screensOf(await receiveWireToApprove(sandbox))
    await call(sandbox, 'clock.advance', { by: 'PT1H' })
    const page = await visit(context, sandbox.gui, { lossy: true })
    const found: string[] = []
    const check = async (where: string) => {
      const hidden = () => page.evaluate(findHiddenFigures)
      await expect
        .poll(hidden, { timeout: 3_000 })
        .toEqual([])
        .catch(async () => found.push(`${where}: ${(await hidden()).join(', ')}`))
    }
    for (const [hash, sign] of places) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await open(page, hash, sign)
      for (const width of [800, 900, 1000, 1001, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => scrollWidth(page), { message: `${hash} at ${width} pixels` }).toBeLessThanOrEqual(width)
        await check(`${hash} at ${width} pixels`)
      }
      const row = page.locator('main [data-row]:visible').first()
      if ((await row.count()) === 0) continue
      await row.click({ position: { x: 20, y: 10 } })
      await check(`${hash} with a selected row`)
    }
    expect(found).toEqual([])
  },
)

/** Runs in the page: amounts, statuses and times beyond a side of the window or of a part that cuts or scrolls them, or below another part. */
function findHiddenFigures() {
  const isFigure = (text: string) => /^[+−-]?[\d,]+\.\d\d$|^\d\d:\d\d(:\d\d)?\b/.test(text)
  const figures = [...document.querySelectorAll('main *')].filter(
    (element) =>
      element.matches('[data-glyph-text]') ||
      (element.childElementCount === 0 && isFigure(element.textContent.trim()) && !element.closest('svg')),
  )
  const hidden = figures.filter((element) => {
    const { left, right, top, bottom, width } = element.getBoundingClientRect()
    if (width < 2 || !element.checkVisibility()) return false
    if (left < -1 || right > innerWidth + 1) return true
    const visible = { top: 0, bottom: innerHeight }
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === 'visible') continue
      const bounds = box.getBoundingClientRect()
      visible.top = Math.max(visible.top, bounds.top)
      visible.bottom = Math.min(visible.bottom, bounds.bottom)
      if (right > bounds.right + 1 || left < bounds.left - 1) return true
      if (box === element && box.scrollWidth > box.clientWidth + 1) return true
    }
    // Only what is scrolled into view can be below another part.
    const [x, y] = [right - 2, (top + bottom) / 2]
    if (y < visible.top || y > visible.bottom) return false
    const front = document.elementFromPoint(x, y)
    if (front === null || front.contains(element) || element.contains(front)) return false
    // On a narrow window the details cover the whole list, until they are closed.
    const cover = front.closest('section')
    return !(cover && getComputedStyle(cover).position === 'absolute')
  })
  return hidden.map((element) => element.textContent.slice(0, 60))
}
