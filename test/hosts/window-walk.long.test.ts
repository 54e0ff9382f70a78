import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { machines } from '../../src/api/contract/machines.ts'
import { CustomerStatus, CustomerType, KycStatus } from '../../src/api/contract/resources/customers.ts'
import { SyntheticAccountCategory } from '../../src/api/contract/resources/synthetic-accounts.ts'
import { TransactionStatus, TransactionType } from '../../src/api/contract/resources/transactions.ts'
import { TransferStatus } from '../../src/api/contract/resources/transfers.ts'
import { RegistrationStatus } from '../../src/api/contract/resources/virtual-reference-numbers.ts'
import type { Money } from '../../src/api/contract/terms/primitives.ts'
import { injections } from '../../src/renderer/forms/injections.ts'
import { apiClient } from '../support/client.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import {
  button,
  findAccessibilityErrors,
  findCutTexts,
  findUnevenFigures,
  goTo,
  heading,
  IN_BROWSER,
  openDemo,
  paletteField,
  press,
  rows,
  scrollWidth,
  select,
  visit,
} from '../support/window.ts'

/** Every screen in a real browser: without a breach of WCAG A and AA, at each width, with named pictures, and without motion. */

/** All widths; figures must be in sight from 800 to 1,024 pixels, and in accounts, forms and timelines to 1,180. */
const WIDTHS = [320, 768, 800, 900, 1000, 1001, 1010, 1024, 1180, 1280, 1310, 3840]

interface Place {
  readonly hash: string
  /** What is there when the window has arrived. */
  readonly sign: string
  /** Names of pictures that are there. */
  readonly pictures?: readonly RegExp[]
  /** Opens what is not open at first. */
  readonly open?: (page: Page) => Promise<unknown>
}

const ROW = 'main [data-row]'
const placesOf = ({ uid, customer, account }: Awaited<ReturnType<typeof receiveWireToApprove>>): readonly Place[] => [
  {
    hash: '#/now',
    sign: '[data-need]',
    pictures: [/^30 days ago .+, now .+/, /in and out per day$/],
  },
  { hash: '#/requests', sign: ROW },
  { hash: '#/requests/x2', sign: '[data-stages]' },
  { hash: '#/requests?replay=own', sign: 'text=The world at that time' },
  { hash: '#/requests?replay=import', sign: 'text=Choose a file…' },
  { hash: '#/customers', sign: ROW },
  {
    hash: `#/customers/${customer}`,
    sign: '[data-standing]',
  },
  { hash: `#/customers/${customer}?tab=story`, sign: '[data-lane] i' },
  {
    hash: `#/customers/${customer}?tab=map`,
    sign: '[data-map] [data-flow]',
    open: async (page) => {
      await button(page, 'Show as table').click()
      await page.locator('[data-flow]').first().focus()
    },
  },
  { hash: `#/customers/${customer}?tab=map&to=2020-01-01`, sign: 'main section[aria-label=Map] p button' },
  { hash: `#/customers/${customer}?tab=payments`, sign: '[role=tabpanel] [data-row]' },
  { hash: '#/accounts', sign: '[data-plot] svg', pictures: [/: settled .+\. The arrow keys read its values\.$/] },
  {
    hash: `#/synthetic_accounts/${account}`,
    sign: 'main table [data-right]',
    open: (page) => page.locator('main').press('w'),
  },
  { hash: '#/transactions', sign: ROW },
  {
    hash: `#/transactions/${uid}`,
    sign: '[data-path]',
    pictures: [/^Path of the payment\. .*current: authorization_pending, 24 Nov 2026/],
    open: (page) => button(page, 'Deny…').click(),
  },
  { hash: '#/transfers', sign: ROW },
  { hash: '#/transfers/nobody', sign: '[data-notice]' },
  { hash: '#/returns', sign: ROW },
  { hash: '#/combined_transfers', sign: ROW },
  { hash: '#/vrns', sign: ROW },
  { hash: '#/inject', sign: 'main form [data-form-row]' },
  { hash: '#/inject?kind=decisions', sign: 'main li' },
  { hash: '#/scenarios', sign: 'text=A scenario is a test you can read' },
  { hash: '#/scenarios?record=0', sign: 'text=Save scenario…' },
  { hash: '#/compare', sign: 'main h1' },
  { hash: '#/compare?of=snapshots', sign: 'main h1' },
  ...(['line', 'tasks', 'operations', 'snapshots', 'worlds'] as const).map((pane) => ({
    hash: `#/now?line=${pane}`,
    sign: '[data-line] [role=tab][aria-selected=true]',
  })),
  { hash: '#/webhooks', sign: 'text=Webhooks tell your app what happens' },
  { hash: '#/faults', sign: 'text=No active faults' },
  { hash: '#/reference/createTransfer', sign: '#reference-page table' },
  { hash: '#/reference/codes', sign: '#reference-page table' },
  { hash: '#/reference/errors?code=3004', sign: '#reference-page [data-key]' },
  {
    hash: '#/reference/states',
    sign: '[data-machine]',
    pictures: [/^States of .+: initiated.+The table below lists the transitions\.$/],
  },
  { hash: '#/settings', sign: '#part-products summary' },
]

async function open(page: Page, { hash, sign }: Pick<Place, 'hash' | 'sign'>) {
  await goTo(page, hash)
  await page.locator(sign).first().waitFor()
}

interface AxNode {
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
}

/** The pictures in Chromium's accessibility tree, with the name that a screen reader says. */
async function readPictures(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] }
  await session.detach()
  const roles = ['image', 'img', 'figure', 'SvgRoot', 'Canvas', 'graphics-document', 'graphics-symbol']
  return nodes
    .filter(({ ignored, role }) => !ignored && roles.includes(role?.value ?? ''))
    .map(({ name }) => name?.value.trim() ?? '')
}

/** Runs in the page: what moves or fades, or would on a change. */
function findMotion() {
  const seconds = (list: string) => list.split(',').map(Number.parseFloat)
  const found = new Set<string>()
  for (const animation of document.getAnimations())
    found.add(`runs: ${(animation.effect as KeyframeEffect | null)?.target?.className}`)
  for (const element of document.querySelectorAll('*'))
    for (const pseudo of [undefined, '::before', '::after'] as const) {
      const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(element, pseudo)
      const what = `${element.tagName} ${element.getAttribute('class')}`
      if (Math.max(...seconds(transitionDuration)) > 0) found.add(`fades: ${what}`)
      if (animationName !== 'none' && Math.max(...seconds(animationDuration)) > 0) found.add(`moves: ${what}`)
      if (scrollBehavior === 'smooth') found.add(`scrolls smoothly: ${what}`)
    }
  return [...found]
}

it('every screen is accessible, fits each width from 320 to 3840 pixels, names its pictures, and moves nothing', {
  ...IN_BROWSER,
  timeout: 600_000,
}, async (context) => {
  const sandbox = await openDemo()
  const wire = await receiveWireToApprove(sandbox)
  await sandbox.client().post('/customers', { external_uid: 'x' })
  await sandbox.client().get('/nowhere')
  const page = await visit(context, sandbox.gui, { reducedMotion: 'reduce', lossy: true })
  const found: string[] = []
  const find = (where: string, all: readonly string[]) => void found.push(...all.map((what) => `${where}: ${what}`))
  const moves = async (where: string) => find(where, await page.evaluate(findMotion))
  await page.evaluate(() => {
    const scroll = Element.prototype.scrollIntoView
    Element.prototype.scrollIntoView = function (options) {
      if (typeof options === 'object' && options.behavior === 'smooth') throw new Error('smooth scrolling')
      scroll.call(this, options)
    }
  })
  for (const place of placesOf(wire)) {
    const { hash, pictures = [] } = place
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(page, place)
    await expect
      .poll(() => readPictures(page), { message: hash })
      .toEqual(expect.arrayContaining(pictures.map((name) => expect.stringMatching(name))))
    find(
      hash,
      (await readPictures(page)).filter((name) => name === '').map(() => 'a picture without a name'),
    )
    await page.getByRole('button').first().hover()
    await moves(hash)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const where = `${hash} at ${width} pixels`
      await expect.poll(() => scrollWidth(page), { message: where }).toBeLessThanOrEqual(width)
      // Forms and pages of text are not scrolled sideways within the screen either.
      if (/inject|reference/.test(hash))
        find(
          where,
          await page.locator('main').evaluate((main) => (main.scrollWidth > main.clientWidth ? ['scrolls'] : [])),
        )
      if (width >= 800 && width <= (/accounts|inject|story/.test(hash) ? 1180 : 1024))
        await expectFiguresInSight(page, where, find)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    const first = page.locator('main [data-row]:visible').first()
    if ((await first.count()) > 0 && !/\/customers\/|snapshots/.test(hash)) {
      await select(first)
      await expectFiguresInSight(page, `${hash} with a selected row`, find)
    }
    await place.open?.(page)
    find(hash, await findAccessibilityErrors(page, hash))
    await page.emulateMedia({ colorScheme: 'light' })
    await press(page, 'Escape')
  }

  // Menus, dialogs, and a record that changes: its cells are tinted for a moment, if motion is welcome.
  await open(page, { hash: '#/transactions', sign: ROW })
  await rows(page).first().click({ button: 'right' })
  await moves('a context menu')
  await press(page, 'Escape', 'Control+k')
  await paletteField(page).waitFor()
  await moves('the palette')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => scrollWidth(page), { message: 'the palette' }).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 1280, height: 800 })
  await press(page, 'Escape', '?')
  await page.getByRole('dialog').waitFor()
  await moves('the list of shortcuts')
  await press(page, 'Escape')
  await call(sandbox, 'moves.make', { collection: 'transactions', uid: wire.uid, move: 'approve' })
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  await rows(page).locator('[data-column=status]').filter({ hasText: 'settled' }).first().waitFor()
  await moves('a changed record')
  expect(found).toEqual([])
})

/** Figures that are still hidden or cut when the layout has settled. */
async function expectFiguresInSight(page: Page, where: string, find: (where: string, all: readonly string[]) => void) {
  const hidden = () => page.evaluate(findHiddenFigures)
  await expect
    .poll(hidden, { timeout: 3_000 })
    .toEqual([])
    .catch(async () => find(where, [`hidden: ${(await hidden()).join(', ')}`]))
}

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

it('no time, amount, type or status is cut at 1280 pixels, and all figures have the same width', {
  ...IN_BROWSER,
  timeout: 600_000,
}, async (context) => {
  const { sandbox, settled, pending, uid, customer, account } = await openFullWorld()
  // High enough for all rows.
  const page = await visit(context, sandbox.gui, { lossy: true, viewport: { width: 1280, height: 2400 } })
  const more: readonly Place[] = [
    { hash: `#/customers/${customer}?tab=accounts`, sign: '[role=tabpanel] [data-row]' },
    { hash: `#/customers/${customer}?tab=vrns`, sign: '[role=tabpanel] [data-row]' },
    { hash: `#/accounts?account=${account}`, sign: '[aria-label^="Entries of"] [data-row]' },
    { hash: `#/transactions/${settled}`, sign: '[aria-label="Path of the payment"]' },
    { hash: `#/transactions/${pending}`, sign: '[aria-label="Path of the payment"]' },
    { hash: '#/now?line=tasks', sign: '[data-shape-of]' },
    { hash: '#/transactions?sort=us_dollar_amount_desc', sign: ROW },
    { hash: '#/requests?sort=ms_desc', sign: ROW },
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
  for (const place of [...placesOf({ uid, customer, account }), ...more]) {
    await open(page, place)
    await check(place.hash)
  }
  await open(page, { hash: `#/accounts?account=${account}`, sign: '[aria-label^="Entries of"] [data-row]' })
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('grid', { name: 'Balance over time, newest first' }).locator('[data-row]').first().waitFor()
  await check('the table of balances')
})

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

it('each template of Inject is accepted twice, one after the other, in the same world', IN_BROWSER, async (context) => {
  const page = await visit(context, (await openDemo()).gui, { at: '#/inject' })
  const refused: string[] = []
  for (const { id, title } of injections) {
    await goTo(page, `#/inject?kind=${id}`)
    await heading(page, title).waitFor()
    for (const name of ['Inject', 'Inject again']) {
      const sent = page.waitForResponse((response) => response.url().endsWith('/exchanges.send'))
      await button(page, name).click()
      const { status, did } = (await (await sent).json()) as { status: number; did: string }
      if (status >= 400) refused.push(`${title}: ${status} ${did}`)
      await button(page, 'Inject again').waitFor()
    }
  }
  const forced = 'VRN creation fails: 422 Failed to create VRNs: its name begins with "fail"'
  expect(refused).toEqual([forced, forced])
})
