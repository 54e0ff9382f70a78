import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { _electron, type Page } from 'playwright-core'
// @ts-expect-error: plain JavaScript, so that it runs without a build.
import { NoElectronError, openDisplay, requireElectron, requireLibraries } from '../../scripts/real-electron.mjs'
import { launchBrowser } from '../../test/support/browser.ts'
import { expectSuccess, HttpClient, newTrace, refreshToken } from '../support/client.ts'
import { root } from '../support/process.ts'
import { percentile } from './rounds.ts'
import { type Row, rowOf } from './row.ts'
import { unpinned } from './servers.ts'
import { transferBody, type WorldUids } from './worlds.ts'

/**
 * A window while clients send so many requests a second to the sandbox that it shows: how long its own calls take beside those of the idle
 * window, how far its list is behind, and how long it needs after the load. In a real Electron, and in Chromium.
 */

export type Copy = () => Promise<{ readonly data: string; readonly uids: WorldUids }>

const PER_SECOND = 2_000
const CONNECTIONS = 16
const TICK_MS = 5
/** Of so many requests one creates a Transfer, the others read a Customer. */
const EVERY = 10
const MAX_CALL_MS = 50
const MAX_DELAY_MS = 100
/** For each screen, so many times as long as a round. */
const FACTOR = 3
const SCREENS = ['requests', 'connect'] as const
const WAIT_MS = 120_000

interface Opened {
  readonly page: Page
  close(): Promise<unknown>
}

export async function measureWindows(copy: Copy, seconds: number, print: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, open] of [
    ['Electron', openElectron],
    ['Chromium', openChromium],
  ] as const) {
    const { data, uids } = await copy()
    try {
      const opened = await open(data)
      for (const screen of SCREENS)
        rows.push(...(await measureScreen(name, screen, opened.page, uids, seconds * FACTOR)))
      await opened.close()
    } catch (error) {
      if (!(error instanceof NoElectronError)) throw error
      print(`The window was not measured in ${name}: ${(error as Error).message}`)
    }
  }
  for (const { work, sandbank, peer, result } of rows) print(`${work}: ${sandbank}; ${peer}; ${result}`)
  return rows
}

async function openElectron(data: string): Promise<Opened> {
  const executablePath = requireElectron()
  if (process.platform === 'linux') requireLibraries(executablePath)
  const display = await openDisplay()
  const userData = mkdtempSync(join(tmpdir(), 'sandbank-bench-electron-'))
  // Chromium's sandbox refuses root.
  const chromiumSandbox = process.getuid?.() !== 0
  const args = [root, `--user-data-dir=${userData}`, '--data', data, '--port', '0']
  const env = { ...process.env, ...display.env } as Record<string, string>
  const app = await _electron.launch({ executablePath, args, cwd: root, env, chromiumSandbox })
  return {
    page: await app.firstWindow(),
    close: async () => {
      await app.close()
      display.close()
      rmSync(userData, { recursive: true, force: true })
    },
  }
}

async function openChromium(data: string): Promise<Opened> {
  const server = await unpinned.sandbank(data)
  const found = await launchBrowser()
  if ('reason' in found) throw new NoElectronError(found.reason)
  const page = await found.browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${server.origin}/#key=${server.output!.control_key}`)
  return { page, close: () => found.browser.close().then(server.stop) }
}

async function measureScreen(
  host: string,
  screen: string,
  page: Page,
  uids: WorldUids,
  seconds: number,
): Promise<Row[]> {
  await page.locator('[data-api-address]').first().waitFor()
  await page.evaluate(prepareCalls)
  await page.evaluate((name) => void (location.hash = `#/${name}`), screen)
  await page.locator(`a[aria-current=page][href*="${screen}"]`).first().waitFor()
  const idle = await page.evaluate(watchWindow, seconds * 1_000)
  const load = await startLoad(page, uids, seconds + 2)
  await delay(1_000)
  const loaded = await page.evaluate(watchWindow, seconds * 1_000)
  const reached = await load.perSecond
  const ended = performance.now()
  await page.evaluate(waitUntilCaughtUp, WAIT_MS)
  const after = performance.now() - ended
  const [before, during] = [percentile99(idle.calls), percentile99(loaded.calls)]
  const where = `${host}, ${screen}, ${Math.round(reached).toLocaleString('en')} requests/s`
  const rows = [
    rowOf(`p99 of ${loaded.calls.length} calls of a window (${where})`, show(during), {
      peer: `idle: ${show(before)}`,
      result: `${(during / before).toFixed(1)} ×; p50 ${show(median(loaded.calls))}, idle ${show(median(idle.calls))}; up to date ${Math.round(after)} ms after the load`,
      target: `≤ ${MAX_CALL_MS} ms`,
      isMet: during <= MAX_CALL_MS,
    }),
  ]
  if (screen !== 'requests') return rows
  const { delays, ages } = loaded
  const delay99 = percentile99(delays)
  const result = `median ${show(median(delays))}; replaced at an age of ${show(median(ages))}, p99 ${show(percentile99(ages))}; ${(ages.length / seconds).toFixed(1)} updates/s`
  const target = { target: `≤ ${MAX_DELAY_MS} ms`, isMet: delay99 <= MAX_DELAY_MS }
  return [...rows, rowOf(`p99 until the newest request is on screen (${where})`, show(delay99), { result, ...target })]
}

const show = (time: number | undefined) => `${time?.toFixed(1)} ms`
const percentile99 = (times: readonly number[]) => percentile(times, 0.99)
const median = (times: readonly number[]) => percentile(times, 0.5)

async function startLoad(page: Page, uids: WorldUids, seconds: number) {
  const [api, program] = await page.evaluate(async () => {
    const call = window.callSandbox!
    return [(await call('world.describe', {})).api, (await call('programs.list', {})).programs[0]]
  })
  const http = new HttpClient(new URL(api).origin, { sockets: CONNECTIONS })
  const signIn = { authorization: refreshToken(program), 'x-trace-id': newTrace() }
  const { token } = await expectSuccess(http.send({ method: 'POST', path: '/api/v1/auth', headers: signIn }))
  const headers = { authorization: String(token), 'content-type': 'application/json' }
  const read = { method: 'GET', path: `/api/v1/customers/${uids.customer}` }
  const create = { method: 'POST', path: '/api/v1/transfers', text: JSON.stringify(transferBody(uids, 'book', '')) }
  const send = (n: number) => {
    const request = n % EVERY === 0 ? create : read
    return expectSuccess(http.send({ ...request, headers: { ...headers, 'x-trace-id': newTrace() } }))
  }
  return { perSecond: sendEvenly(send, seconds).finally(() => http.close()) }
}

/** Resolves with how many were answered in a second. While many wait for their answers, no more are sent: they would measure the queue. */
async function sendEvenly(send: (n: number) => Promise<unknown>, seconds: number): Promise<number> {
  const began = performance.now()
  const waiting = new Set<Promise<unknown>>()
  let sent = 0
  for (let passed = 0; passed < seconds; passed = (performance.now() - began) / 1_000) {
    for (; sent < passed * PER_SECOND && waiting.size < 2 * CONNECTIONS; sent++) {
      const answer = send(sent)
      waiting.add(answer)
      answer.then(() => waiting.delete(answer))
    }
    await delay(TICK_MS)
  }
  await Promise.all(waiting)
  return sent / ((performance.now() - began) / 1_000)
}

declare global {
  interface Window {
    // biome-ignore lint/suspicious/noExplicitAny: each use knows the shape of its answer.
    callSandbox?: (name: string, input: object) => Promise<any>
    /** The newest request that the list shows: its real time. */
    newestShown?: () => string
  }
}

// ── In the page: nothing of this module is there ───────────────────────────────────────────────────────────────────

function prepareCalls() {
  window.callSandbox = async (name, input) => {
    if (window.sandbox) {
      const reply = await window.sandbox.call(name, input)
      if (!reply.ok) throw new Error(JSON.stringify(reply.error))
      return reply.value
    }
    const headers = { 'content-type': 'application/json', 'x-control-key': sessionStorage.getItem('sandbank.key')! }
    const response = await fetch(`/control/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })
    return response.json()
  }
  window.newestShown = () => {
    const cells = [...document.querySelectorAll('[data-row] [data-column="received_at"] [title]')]
    return cells.reduce(
      (newest, cell) => (cell.getAttribute('title')! > newest ? cell.getAttribute('title')! : newest),
      '',
    )
  }
}

/** Milliseconds of each call, and for each update of the list: how old its newest request is, and how old the one before had become. */
async function watchWindow(ms: number): Promise<{ calls: number[]; delays: number[]; ages: number[] }> {
  const calls: number[] = []
  const delays: number[] = []
  const ages: number[] = []
  const ends = performance.now() + ms
  let newest = ''
  const look = () => {
    const shown = window.newestShown!()
    if (shown !== newest && newest !== '') {
      delays.push(Date.now() - Date.parse(shown))
      ages.push(Date.now() - Date.parse(newest))
    }
    newest = shown
    if (performance.now() < ends) requestAnimationFrame(look)
  }
  look()
  const asked = [
    ['clock.read', {}],
    ['exchanges.list', { limit: 20 }],
    ['records.list', { collection: 'customers', limit: 20 }],
  ] as const
  for (let n = 0; performance.now() < ends; n++) {
    const [name, input] = asked[n % asked.length]!
    const began = performance.now()
    await window.callSandbox!(name, input)
    calls.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { calls, delays, ages }
}

/** Until the window says of no list that it is loading, and shows what the sandbox has: the newest request, the number of requests. */
async function waitUntilCaughtUp(withinMs: number) {
  const ends = performance.now() + withinMs
  for (;;) {
    const { total_count, data } = await window.callSandbox!('exchanges.list', { limit: 1 })
    const link = document.querySelector('nav a[href*="requests"]')!.textContent!
    const shown = Number(link.replace(/\D/g, ''))
    const newest = window.newestShown!()
    const isNewest = newest === '' ? !location.hash.includes('requests') : newest === data[0].received_at
    if (isNewest && shown >= total_count) return
    if (performance.now() > ends)
      throw new Error(
        `The window shows ${shown} requests, ${newest} as the newest: the sandbox has ${total_count}, ${data[0].received_at}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
