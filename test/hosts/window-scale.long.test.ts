import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatMessage, textMessage } from '../../src/api/contract/messages.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { built, goTo, visit } from '../support/window.ts'

/**
 * The window with a large world and a long request log. The test prints times, but asserts only numbers of requests and rows and
 * the memory, because these do not depend on the load of the machine.
 */

const TRANSACTIONS = 100_000
const EXCHANGES = 20_000
const formatCount = (count: number) => count.toLocaleString('en')

/** Writes the request log of a data folder, the oldest request first. */
function writeExchanges(folder: string, program_uid: string) {
  mkdirSync(join(folder, 'exchanges'), { recursive: true })
  const lines = Array.from({ length: EXCHANGES }, (_, at) => {
    const refused = at % 9 === 0
    const summary = {
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
    }
    const message = { headers: [], body: '' }
    return `${JSON.stringify(summary)}\t${JSON.stringify({ request: message, response: message, hinted: [], refusal: null })}\n`
  })
  writeFileSync(join(folder, 'exchanges', '000000000001.jsonl'), lines.join(''))
}

const START = Date.parse('2026-08-14T14:00:00.000Z')
const DAY = 86_400_000

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
        description: textMessage(`${formatMessage(record.description)}, number ${at}`),
        status: at % 50 === 0 ? 'failed' : 'settled',
      })
    }
  })
}

async function openLargeWorld(): Promise<TestSandbox> {
  const data = createTemporaryFolder()
  writeExchanges(data, 'Hb7QmXk2Tz9LrVw4')
  const start = START + 40 * DAY
  const sandbox = await startSandbox({ data, seed: 'test', start, world: 'demo', window: built, log_length: EXCHANGES })
  addTransactions(sandbox)
  return sandbox
}

const countRows = (page: Page) => page.locator('[data-row]').count()

/** Opens a list; returns the time and the number of records.list requests until its first rows are visible. */
const openList = (page: Page, hash: string, title: string) =>
  page.evaluate(
    async ([to, label]) => {
      const requests = () =>
        performance.getEntriesByType('resource').filter(({ name }) => name.includes('records.list'))
      performance.clearResourceTimings()
      const began = performance.now()
      location.hash = to!
      const firstRow = () => document.querySelector(`main [role=grid][aria-label^="${label}"] [data-row]`)
      await new Promise<void>((done) => {
        const look = () => requestAnimationFrame(firstRow() ? () => done() : look)
        look()
      })
      return { ms: performance.now() - began, requests: requests().length }
    },
    [hash, title],
  )

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

async function readHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}

const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[all.length >> 1]!
const pressKey = async (page: Page, key: string) => {
  await page.keyboard.press(key)
  // After two frames, the effect of the key is visible.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

describe(`the window over ${formatCount(TRANSACTIONS)} Transactions and ${formatCount(EXCHANGES)} requests`, () => {
  let page: Page
  let session: CDPSession
  const lists = [
    ['#/requests', 'Requests', new RegExp(`^${formatCount(EXCHANGES)} requests$`)],
    ['#/transactions', 'Transactions', new RegExp(`^${formatCount(TRANSACTIONS)} Transactions$`)],
    ['#/transfers', 'Transfers', /^11 Transfers$/],
    ['#/vrns', 'VRNs', /^4 Virtual Reference Numbers$/],
    ['#/customers', 'Customers', /^3 Customers$/],
  ] as const
  const waitForFooter = (says: RegExp) => page.locator('[data-footer]').getByText(says).waitFor({ timeout: 60_000 })

  it('opens every list with its first page, scrolls without a blank frame, and uses less than 300 MB', {
    timeout: 600_000,
  }, async (context) => {
    const sandbox = await openLargeWorld()
    page = await visit(context, sandbox.gui)
    session = await page.context().newCDPSession(page)
    const times: Record<string, number[]> = {}
    for (let round = 0; round < 3; round++)
      for (const [hash, title] of lists) {
        const { ms, requests } = await openList(page, hash, title)
        ;(times[title] ??= []).push(ms)
        // The list, its names of Customers and accounts, and the counts of the four kinds of payments.
        if (round === 0) expect(requests, title).toBeLessThan(16)
      }
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
        expect(await countRows(page)).toBeLessThan(80)
      }
      for (const part of [0.2, 0.9, 0.43, 0.44, 0.01]) {
        await page.getByRole('grid').evaluate((table, to) => void (table.scrollTop = table.scrollHeight * to), part)
        await pressKey(page, 'Shift')
        expect(await findGaps(page), `${hash} at ${part}`).toEqual([])
      }
    }
    await goTo(page, `#/transactions?q=number%20${TRANSACTIONS - 223}`)
    await waitForFooter(new RegExp(`^1 of ${formatCount(TRANSACTIONS)} Transactions$`))
    const used = await readHeap(session)
    console.log(`First rows, median of 3: ${opened.join(', ')}. Memory with all of it read: ${used.toFixed(0)} MB`)
    expect(used).toBeLessThan(300)
  })
})
