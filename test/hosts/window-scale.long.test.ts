import type { CDPSession, Page, Request, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatMessage, textMessage } from '../../src/api/contract/messages.ts'
import { printExchange } from '../../src/api/http/exchanges.ts'
import { CallLog } from '../../src/api/store/call-log.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { built, chooseFilter, clickButton, goTo, press, rows, visit } from '../support/window.ts'

/**
 * The window with a large world and a long request log. The test prints times, but asserts only which requests the
 * first rows need, numbers of requests and rows and the memory, because these do not depend on the load of the machine.
 */

const TRANSACTIONS = 100_000
const EXCHANGES = 20_000
const formatCount = (count: number) => count.toLocaleString('en')

/** Writes the request log of a data folder, the oldest request first. */
async function writeExchanges(folder: string, program_uid: string) {
  const log = await CallLog.open(folder, { length: EXCHANGES })
  const message = { headers: [], body: '' }
  const exchanges = Array.from({ length: EXCHANGES }, (_, at) => {
    const refused = at % 9 === 0
    return {
      uid: `x${at + 1}`,
      at: new Date(START + at * 2_000).toISOString(),
      program_uid,
      caller: '127.0.0.1',
      endpoint: 'listCustomers',
      method: at % 3 === 0 ? 'POST' : 'GET',
      path: `/customers/of-${at}`,
      trace_id: `trace-${at}`,
      status: refused ? 422 : 200,
      code: refused ? 1001 : null,
      ms: 1.2,
      did: 'read 0 of 0',
      hints: 0,
      seq_before: 1,
      seq_after: 1,
      request: message,
      response: message,
      hinted: [],
      refusal: null,
    }
  })
  for (const exchange of exchanges) log.add(printExchange(exchange))
  log.close()
}

const START = Date.parse('2026-08-14T14:00:00.000Z')
const DAY = 86_400_000
/** August in New York, as the window takes it and in UTC. */
const FROM = { day: '2026-08-01', instant: '2026-08-01T04:00:00.000Z' }
const TO = { last: '2026-08-31', instant: '2026-09-01T04:00:00.000Z' }

/** Adds copies of one payment, a minute apart. */
function addTransactions(sandbox: TestSandbox) {
  const [program] = sandbox.programs()
  sandbox.store.transact(program!.uid, { door: 'operator', name: 'test' }, (tx) => {
    const [model] = tx.transactions.newestFirst()
    const { made: _, ...record } = model!
    for (let at = tx.transactions.size; at < TRANSACTIONS; at++) {
      const created_at = new Date(Date.parse(record.created_at) - (TRANSACTIONS - at) * 60_000).toISOString()
      tx.transactions.put({
        ...record,
        uid: `t${String(at).padStart(15, '0')}`,
        id: at + 1,
        created_at,
        type: at % 4 === 0 ? 'wire' : record.type,
        us_dollar_amount: (((at * 7_919) % 10_000_019) / 100).toFixed(2) as typeof record.us_dollar_amount,
        description: textMessage(`${formatMessage(record.description)}, number ${at}`),
        status: at % 50 === 0 ? 'failed' : 'settled',
      })
    }
  })
}

async function openLargeWorld(): Promise<TestSandbox> {
  const data = createTemporaryFolder()
  await writeExchanges(data, 'Hb7QmXk2Tz9LrVw4')
  const start = START + 40 * DAY
  const sandbox = await startSandbox({ data, seed: 'test', start, world: 'demo', window: built, log_length: EXCHANGES })
  addTransactions(sandbox)
  return sandbox
}

/** Opens a list; returns the time until its first rows are visible. */
const openList = (page: Page, hash: string, title: string) =>
  page.evaluate(
    async ([to, label]) => {
      const began = performance.now()
      location.hash = to!
      const firstRow = () => document.querySelector(`main [role=grid][aria-label^="${label}"] [data-row]`)
      await new Promise<void>((done) => {
        const look = () => requestAnimationFrame(firstRow() ? () => done() : look)
        look()
      })
      return performance.now() - began
    },
    [hash, title],
  )

/** Holds all requests for the second page of a list or a later one, and counts the other requests for records. */
async function holdLaterPages(page: Page) {
  const held: Route[] = []
  let holding = true
  let sent = 0
  const isLaterPage = (request: Request) => Number(request.postDataJSON()?.offset ?? 0) > 0
  await page.route('**/control/*.list', (route) => {
    if (holding && isLaterPage(route.request())) return void held.push(route)
    if (route.request().url().endsWith('/records.list')) sent++
    return route.fallback()
  })
  return {
    sent: () => sent,
    /** Sends the held ones on, and returns how many there were. */
    async release() {
      holding = false
      await Promise.all(held.map((route) => route.continue()))
      return held.length
    },
  }
}

/** The parts of the visible table that no row covers. A gap would be a blank frame. */
const findGaps = (page: Page) =>
  page.evaluate(() => {
    const table = document.querySelector('main [role=grid]')!
    const { top, bottom } = table.getBoundingClientRect()
    const rows = [...table.querySelectorAll('[role=rowgroup] > [role=row]')]
      .map((row) => row.getBoundingClientRect())
      .sort((a, b) => a.top - b.top)
    const end = Math.min(bottom, table.querySelector('[role=rowgroup]')!.getBoundingClientRect().bottom)
    let at = top + 24
    const found: string[] = []
    for (const row of rows) {
      if (row.top > at + 1 && at < end) found.push(`${at} to ${Math.min(row.top, end)}`)
      at = Math.max(at, row.bottom)
    }
    if (at < end - 1) found.push(`${at} to ${end}`)
    return found
  })

/** The time between frames while the list scrolls by this many rows a frame: the median, the 95th percentile and the longest. */
const scrollFrames = (page: Page, rowsPerFrame: number) =>
  page.getByRole('grid').evaluate(async (table, by) => {
    table.scrollTop = 0
    const times: number[] = []
    let last = await new Promise<number>(requestAnimationFrame)
    for (let frame = 0; frame < 120; frame++) {
      table.scrollTop += by * 28
      const now = await new Promise<number>(requestAnimationFrame)
      times.push(now - last)
      last = now
    }
    const sorted = times.sort((a, b) => a - b)
    return { median: sorted[60]!, p95: sorted[113]!, longest: sorted.at(-1)! }
  }, rowsPerFrame)

async function readHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}

const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[all.length >> 1]!
const pressKey = async (page: Page, key: string) => {
  await press(page, key)
  // After two frames, the effect of the key is visible.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

describe(`the window over ${formatCount(TRANSACTIONS)} Transactions and ${formatCount(EXCHANGES)} requests`, () => {
  const lists = [
    ['#/requests', 'Requests', new RegExp(`^${formatCount(EXCHANGES)} requests$`)],
    ['#/transactions', 'Transactions', new RegExp(`^${formatCount(TRANSACTIONS)} Transactions$`)],
    ['#/transfers', 'Transfers', /^11 Transfers$/],
    ['#/vrns', 'VRNs', /^4 Virtual Reference Numbers$/],
    ['#/customers', 'Customers', /^3 Customers$/],
  ] as const

  it('a user opens every list with its first page, scrolls without a blank frame, and finds the largest wire between two dates', {
    timeout: 600_000,
  }, async (context) => {
    const sandbox = await openLargeWorld()
    const page = await visit(context, sandbox.gui)
    const session = await page.context().newCDPSession(page)
    const waitForFooter = (text: RegExp) => page.locator('[data-footer]').getByText(text).waitFor({ timeout: 60_000 })
    const times: Record<string, number[]> = {}
    // No list waits for its second page.
    const { sent, release } = await holdLaterPages(page)
    for (let round = 0; round < 3; round++)
      for (const [hash, title] of lists) {
        const before = sent()
        ;(times[title] ??= []).push(await openList(page, hash, title))
        // The list, its names of Customers and accounts, and the counts of the four kinds of payments.
        if (round === 0) expect(sent() - before, title).toBeLessThan(16)
      }
    // The requests are counted.
    expect(sent()).toBeGreaterThan(lists.length)
    expect(await release()).toBeGreaterThan(0)
    const opened = Object.entries(times).map(([title, all]) => `${title} ${median(all).toFixed(0)} ms`)

    await goTo(page, '#/transactions')
    await page.getByRole('grid', { name: 'Transactions, newest first' }).focus()
    // While pages load, the scroll bar has the length of all rows, and the last rows are faint.
    await waitForFooter(new RegExp(`^${formatCount(TRANSACTIONS)} Transactions`))
    const height = () => page.locator('main [role=rowgroup]').evaluate((rows) => rows.clientHeight)
    expect(await height()).toBeGreaterThan(TRANSACTIONS * 28)
    await waitForFooter(lists[1][2])
    for (const [hash, , says] of lists.slice(0, 2)) {
      await goTo(page, hash)
      await waitForFooter(says)
      await page.getByRole('grid').focus()
      for (const key of ['PageDown', 'PageDown', 'PageDown', 'End', 'PageUp', 'PageUp', 'Home']) {
        await pressKey(page, key)
        expect(await findGaps(page), `${hash} after ${key}`).toEqual([])
        expect(await rows(page).count()).toBeLessThan(80)
      }
      for (const part of [0.2, 0.9, 0.43, 0.44, 0.01]) {
        await page.getByRole('grid').evaluate((table, to) => void (table.scrollTop = table.scrollHeight * to), part)
        await pressKey(page, 'Shift')
        expect(await findGaps(page), `${hash} at ${part}`).toEqual([])
      }
    }
    const frames: string[] = []
    for (const [order, hash] of [
      ['newest first', '#/transactions'],
      ['by amount', '#/transactions?sort=us_dollar_amount_desc'],
    ] as const)
      for (const by of [3, 400]) {
        await goTo(page, hash)
        await waitForFooter(lists[1][2])
        const { median: middle, p95, longest } = await scrollFrames(page, by)
        frames.push(
          `${order}, ${by} rows a frame: median ${middle.toFixed(0)}, p95 ${p95.toFixed(0)}, longest ${longest.toFixed(0)} ms`,
        )
        expect(await findGaps(page), `${order}, ${by} rows a frame`).toEqual([])
        // Rows that scrolled by too fast to be read are drawn as a whole when the scrolling ends.
        await expect.poll(() => page.locator('main [data-unread]').count()).toBe(0)
        expect(await rows(page).count()).toBeGreaterThan(20)
      }
    console.log(`Frames while scrolling: ${frames.join('; ')}`)
    await goTo(page, `#/transactions?q=number%20${TRANSACTIONS - 223}`)
    await waitForFooter(new RegExp(`^1 of ${formatCount(TRANSACTIONS)} Transactions$`))
    const used = await readHeap(session)
    console.log(`First rows, median of 3: ${opened.join(', ')}. Memory with all of it read: ${used.toFixed(0)} MB`)
    expect(used).toBeLessThan(300)

    // In four actions: the type, both dates, and the largest first.
    const wires = [...sandbox.store.world.collections.transactions.inOrder()].filter(
      ({ type, created_at }) => type === 'wire' && created_at >= FROM.instant && created_at < TO.instant,
    )
    const largest = wires.reduce((a, b) => (Number(b.us_dollar_amount) > Number(a.us_dollar_amount) ? b : a))
    expect(wires.length).toBeGreaterThan(5_000)
    await goTo(page, '#/transactions')
    await page.getByRole('grid', { name: 'Transactions, newest first' }).locator('[data-row]').first().waitFor()
    await chooseFilter(page, /^type: any/, /^wire$/)
    await clickButton(page, 'Date')
    await page.getByLabel('From', { exact: true }).fill(FROM.day)
    await page.getByLabel('To', { exact: true }).fill(TO.last)
    await press(page, 'Escape')
    await clickButton(page, 'Amount, USD')
    const first = rows(page).first().locator('[data-uid] bdi')
    await expect.poll(() => first.innerText(), { timeout: 30_000 }).toBe(largest.uid)
    // The answer of the sandbox and, once all is read, that of the window are the same.
    const found = `${formatCount(wires.length)} of ${formatCount(TRANSACTIONS)} Transactions`
    await waitForFooter(new RegExp(`^${found}$`))
    expect(await first.innerText()).toBe(largest.uid)
  })
})
