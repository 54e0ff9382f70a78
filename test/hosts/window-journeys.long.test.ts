import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import { type ServeOutput, serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { IN_BROWSER, openDemo, openWindow, visit } from '../support/window.ts'

/** The main tasks of each kind of user, from a cold start to the end, by keyboard alone. */

const TIMEOUT = { ...IN_BROWSER, timeout: 300_000 }

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const link = (within: Page | Locator, name: string | RegExp) => within.getByRole('link', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page) => page.locator('[role=row][aria-selected]')
const clock = (page: Page) => page.locator('[data-now]')
const expectTime = (page: Page, words: string) => expect.poll(() => clock(page).innerText()).toContain(words)

// ── By keyboard alone ───────────────────────────────────────────────────────────────────────────────────────────────

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)
const expectFocus = (target: Locator) =>
  expect.poll(() => isFocused(target), { message: `${target} has the focus` }).toBe(true)
/** Returns whether the focus has a visible outline: on the element, or on the frame around a field. */
const isFocusVisible = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element?.matches(':focus-visible')) return false
    const framed = [element, element.closest('[data-field], [data-editor]')]
    return framed.some((drawn) => drawn !== null && getComputedStyle(drawn).outlineStyle !== 'none')
  })

/** Presses Tab until the target has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.waitFor()
  for (let i = 0; i < 60 && !(await isFocused(target)); i++) {
    await press(page, key)
    expect(await page.evaluate(() => document.activeElement !== null), 'an element has the focus').toBe(true)
  }
  await expectFocus(target)
  expect(await isFocusVisible(page), `the focus on ${target} is visible`).toBe(true)
}
/** Checks that the focus is in the screen or in an open dialog. */
const expectFocusKept = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('main, [role=dialog]') !== null), {
      message: 'the focus is in the screen or in a dialog',
    })
    .toBe(true)

const paletteField = (page: Page) => page.getByRole('combobox', { name: 'Search commands, screens and records' })
const selectedOption = (page: Page) => page.getByRole('dialog').locator('[role=option][aria-selected=true]')
/** Types the text into the palette and runs the first command. */
async function runCommand(page: Page, text: string, title: string) {
  await press(page, 'Control+k')
  await page.keyboard.type(text)
  await expect.poll(() => paletteField(page).inputValue()).toBe(text)
  await expectFocus(paletteField(page))
  await expect.poll(() => selectedOption(page).innerText()).toContain(title)
  await press(page, 'Enter')
  await paletteField(page).waitFor({ state: 'detached' })
}

// ── Apps and files of the users ────────────────────────────────────────────────────────────────────────────────────────────

/** A client with the values that the window shows. */
async function connectApp(page: Page) {
  const shown = (name: string) => page.locator('[data-value-line]', { hasText: name }).locator('code').innerText()
  const [api, uid, hmac_key] = [await shown('Base URL'), await shown('Program uid'), await shown('HMAC key')]
  return apiClient({ api, programs: () => [{ uid, hmac_key }] as never })
}
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const UNKNOWN_PRIMARY = { customer_type: 'secondary', primary_customer_uid: 'nobody' }

/** A HAR file of a browser: the recorded Customer is active, and one entry is not a request to the API. */
function createHar(api: string): string {
  const customer = { uid: 'theirs-1', email: OLIVE.email, status: 'initiated' }
  const entry = (second: number, method: string, url: string, status: number, answer: unknown, body?: unknown) => ({
    startedDateTime: `2026-11-24T16:00:0${second}.000Z`,
    time: 12,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'x-trace-id', value: `trace-${second}` },
        { name: 'authorization', value: 'auth-theirs' },
      ],
      queryString: [],
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: { status, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(answer) } },
  })
  const entries = [
    entry(1, 'POST', `${api}/customers`, 201, customer, OLIVE),
    entry(2, 'GET', 'https://app.example.com/logo.png', 200, ''),
    entry(3, 'GET', `${api}/customers/theirs-1`, 200, { ...customer, status: 'active' }),
  ]
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'a browser', version: '1' }, entries } })
}
const toFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** All personal data of the world's Customers. The demo world has no real persons, so a bundle leaves its values as they are. */
async function readPersonalData(sandbox: TestSandbox): Promise<string[]> {
  const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
  const words = [OLIVE.details.ssn, OLIVE.details.ssn.replaceAll('-', '')]
  const demo = /^demo-/
  const customers = data as unknown as (typeof OLIVE & { external_uid: string | null })[]
  for (const { email, details } of customers.filter(({ external_uid }) => !demo.test(external_uid ?? ''))) {
    const { first_name, last_name, phone, address } = details
    words.push(email, phone, `${first_name} ${last_name}`, ...(address.street1 ? [address.street1] : []))
  }
  expect(words.length, 'the world contains personal data').toBeGreaterThan(5)
  return words
}

const countTransactions = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'records.list', { collection: 'transactions', limit: 0 })).total_count
const dueTasks = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'tasks.list', {})).tasks.filter(({ recurring }) => !recurring)

// ── The journeys ────────────────────────────────────────────────────────────────────────────────────────────────────

describe(
  'an integrator connects an app, reads why a request is refused, and opens a Customer of the app',
  TIMEOUT,
  () => {
    const openStart = async (context: TestContext) => {
      const sandbox = await openWindow()
      const page = await visit(context, sandbox.gui, clipboard)
      await page.getByText('Waiting. Nothing has called port').waitFor()
      return { sandbox, page, app: await connectApp(page), program: sandbox.programs()[0]! }
    }
    const latestRequests = (page: Page) => region(page, 'Latest requests')
    const doneSteps = (page: Page) => page.locator('main li[data-state=done]').allInnerTexts()
    const refusal = (page: Page) => region(page, 'Why it was refused')
    /** Sends the requests of the snippet. The window shows each at once. */
    async function firstCall(page: Page, app: ReturnType<typeof apiClient>) {
      await app.signIn()
      await page.getByText('Signed in').waitFor()
      expect((await app.get('/customers?limit=5')).status).toBe(200)
      await page.getByText('Called with the token').waitFor()
      expect(await doneSteps(page)).toEqual(
        [/^Reached/, /^Signed in/, /^Called/].map((says) => expect.stringMatching(says)),
      )
      await link(latestRequests(page), '/customers?limit=5').waitFor()
    }
    async function readRefusal(page: Page) {
      await expect.poll(() => refusal(page).innerText()).toMatch(/How to fix\s+\S.*\s+Specification\s+section \d/s)
      const words = await refusal(page).innerText()
      expect(words).toContain('primary_customer_uid')
      return /^\d{4}/.exec(words)![0]
    }
    async function readReference(page: Page, code: string) {
      const entry = region(page, 'Page').locator('[aria-current]')
      await expect.poll(() => entry.innerText()).toContain(code)
      expect(await entry.evaluate((row) => row.getBoundingClientRect().top < innerHeight)).toBe(true)
    }

    it('by keyboard alone', async (context) => {
      const { sandbox, page, app, program } = await openStart(context)
      await press(page, 'g', 'c')
      await tabTo(page, button(page, 'Copy Base URL'))
      await press(page, 'Enter')
      await expect.poll(() => readClipboard(page)).toBe(sandbox.api)
      await expectFocus(button(page, 'Copy Base URL'))
      for (const [name, value] of [
        ['Program uid', program.uid],
        ['HMAC key', program.hmac_key],
      ] as const) {
        await tabTo(page, button(page, `Copy ${name}`))
        await press(page, 'Enter')
        await expect.poll(() => readClipboard(page)).toBe(value)
      }
      await tabTo(page, button(page, 'Copy snippet for curl'))
      await press(page, 'Enter')
      await expect.poll(() => readClipboard(page)).toContain(`BASE='${sandbox.api}'`)
      expect(await readClipboard(page)).toContain('"$BASE/customers?limit=5"')
      await firstCall(page, app)
      await expectFocus(button(page, 'Copy snippet for curl'))

      await app.post('/customers', UNKNOWN_PRIMARY)
      await press(page, 'g', 'r')
      await expectFocus(page.getByRole('grid'))
      await rows(page).nth(2).waitFor()
      await press(page, 'ArrowDown')
      const code = await readRefusal(page)
      await press(page, 'Enter')
      await expectFocus(region(page, 'Request'))
      await tabTo(page, link(page, `error ${code}`))
      await press(page, 'Enter')
      await readReference(page, code)
      await expectFocusKept(page)
      for (const [text, title, expected] of [
        ['post /transfers', 'POST /transfers', /Fields of|POST \/transfers/],
        ['specification kyc', 'Specification 3.2', /^3\.2\s+A valid onboarding request/],
      ] as const) {
        await press(page, 'Control+k')
        await page.keyboard.type(text)
        await page.getByRole('option', { name: title }).first().waitFor()
        for (let i = 0; i < 6 && !(await selectedOption(page).innerText()).includes(title); i++)
          await press(page, 'ArrowDown')
        await press(page, 'Enter')
        await expect
          .poll(() => page.locator('#reference-page :is([aria-current], h2)').allInnerTexts())
          .toEqual(expect.arrayContaining([expect.stringMatching(expected)]))
      }
      await expectFocusKept(page)

      const { body } = await app.post<{ uid: string }>('/customers', OLIVE)
      await press(page, 'g', 'u')
      await expectFocus(page.getByRole('grid'))
      await rows(page).first().waitFor()
      // All rows are one stop of the Tab key, and all headers another one.
      const stops = page.locator('[role=grid] :is(a, button):not([tabindex="-1"])')
      expect(await stops.evaluateAll((all) => all.map((one) => one.closest('[role]')?.getAttribute('role')))).toEqual([
        'columnheader',
      ])
      await press(page, 'ArrowDown', 'Enter')
      await page.getByRole('heading', { name: 'Olive Oyl' }).waitFor()
      expect(page.url()).toContain(`#/customers/${body.uid}`)
      await expectFocusKept(page)
    })
  },
)

describe(
  'QA steps a scenario, advances the clock, holds a task, and saves, compares and restores a snapshot',
  TIMEOUT,
  () => {
    const pane = (page: Page) => region(page, 'Scenario')
    const waitForStatus = (page: Page, words: string) =>
      pane(page).locator('[data-run-status]', { hasText: words }).waitFor()
    const result = (page: Page) => region(page, 'Result')
    const selectedTask = (page: Page) => region(page, 'Selected task')
    const waitForMessage = (page: Page, words: string) =>
      page.locator('main').getByRole('status').filter({ hasText: words }).first().waitFor()
    const difference = (page: Page) => region(page, 'Comparison').getByText(/^\d+ records? differs?\.$/)

    it('by keyboard alone', async (context) => {
      const sandbox = await openDemo()
      const page = await visit(context, sandbox.gui)
      await press(page, 'g', 's')
      await page.getByRole('listbox').waitFor()
      await press(page, '/')
      await expectFocus(page.getByLabel('Search scenarios'))
      await page.keyboard.type('a repeated trace id')
      await expect.poll(() => page.getByRole('option').count()).toBe(1)
      await tabTo(page, page.getByRole('listbox'))
      await press(page, 'ArrowDown')
      await waitForStatus(page, 'not run yet')
      await press(page, 'Enter')
      await expectFocus(button(pane(page), 'Run'))
      await tabTo(page, button(pane(page), 'Step'))
      await press(page, 'Enter')
      await waitForStatus(page, 'paused before step 2 of 6')
      await expectFocus(button(pane(page), 'Step'))
      await tabTo(page, button(pane(page), 'Continue'), 'Shift+Tab')
      await press(page, 'Enter')
      await waitForStatus(page, 'passed, 6 steps')
      await expectFocus(button(pane(page), 'Run'))

      await press(page, 'g', 't')
      await expectFocus(page.getByRole('grid'))
      await press(page, 'h')
      await expectTime(page, '12:21:02 ET')
      await press(page, 'b')
      await expectTime(page, 'Wed 25 Nov 2026')
      const inject = async () => {
        const before = await countTransactions(sandbox)
        await runCommand(page, 'inject', 'Inject')
        await expectFocus(page.getByRole('listbox'))
        await page.getByRole('heading', { name: 'Incoming ACH credit' }).waitFor()
        await press(page, 'ArrowUp', 'Enter', 'Control+Enter')
        await result(page).getByText('pending', { exact: true }).waitFor()
        await expectFocusKept(page)
        expect(await countTransactions(sandbox)).toBe(before + 1)
      }
      await inject()
      const [first] = await dueTasks(sandbox)
      await runCommand(page, 'time', 'Time')
      await expectFocus(page.getByRole('grid'))
      await press(page, 'n')
      await expect.poll(async () => (await call(sandbox, 'clock.read', {})).now).toBe(first!.due_at)

      await inject()
      await runCommand(page, 'time', 'Time')
      await expectFocus(page.getByRole('grid'))
      await rows(page).first().waitFor()
      await press(page, 'ArrowDown', 'Enter')
      await expectFocus(button(selectedTask(page), 'Run now'))
      await tabTo(page, button(selectedTask(page), 'Hold'))
      await press(page, 'Enter')
      await selectedTask(page).getByText('is held: advances skip it').waitFor()
      await expectFocus(button(selectedTask(page), 'Release'))
      expect(await dueTasks(sandbox)).toEqual([expect.objectContaining({ held: true })])

      await runCommand(page, 'keep a snapshot before', 'as before')
      const countBefore = await countTransactions(sandbox)
      await inject()
      await runCommand(page, 'snapshots', 'Snapshots')
      await tabTo(page, button(page, 'Compare before'))
      await press(page, 'Enter')
      await difference(page).waitFor()
      await expectFocus(page.getByLabel('From', { exact: true }))
      await tabTo(page, button(page, 'Swap'))
      await press(page, 'Enter')
      await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('before')
      await difference(page).waitFor()
      await expectFocus(button(page, 'Swap'))
      await tabTo(page, page.getByRole('tab', { name: 'Compare' }), 'Shift+Tab')
      await press(page, 'ArrowLeft', 'Enter')
      await tabTo(page, button(page, 'Restore before'))
      await press(page, 'Enter')
      await waitForMessage(page, 'Restored before.')
      expect(await countTransactions(sandbox)).toBe(countBefore)
      await expectFocus(button(page, 'Restore before'))
      await tabTo(page, button(page, 'Undo the restore'), 'Shift+Tab')
      await press(page, 'Enter')
      await waitForMessage(page, 'Undone by rewinding')
      await expectFocus(button(page, 'Redo the restore'))
      expect(await countTransactions(sandbox)).toBe(countBefore + 1)
    })
  },
)

describe(
  'support replays a recording, reads the differences, and exports a bundle without personal data',
  TIMEOUT,
  () => {
    const openStart = async (context: TestContext) => {
      const sandbox = await openDemo()
      await sandbox.client().post('/customers', OLIVE)
      const page = await visit(context, sandbox.gui)
      return { sandbox, page, har: toFile('their-case.har', createHar(sandbox.api)) }
    }
    const replayed = (page: Page) => region(page, 'Replayed requests').locator('[data-row]')
    const comparison = (page: Page) => region(page, 'Comparison')
    async function readDifferences(page: Page) {
      await page.getByText('2 requests replayed').waitFor()
      expect(await region(page, 'Skipped entries').innerText()).toContain('logo.png')
      expect(await replayed(page).allInnerTexts()).toEqual(
        [/\/customers\s/, /differs/].map((s) => expect.stringMatching(s)),
      )
    }
    async function readComparison(page: Page) {
      const difference = comparison(page).getByRole('row', { name: /^status/ })
      await difference.waitFor()
      expect(await difference.innerText()).toMatch(/"active"\s+"initiated"/)
      expect(await comparison(page).getByRole('region', { name: 'Recorded' }).innerText()).toContain('"active"')
      expect(await comparison(page).getByRole('region', { name: 'Replayed' }).innerText()).toContain('"initiated"')
    }
    async function readBundle(
      sandbox: TestSandbox,
      download: Promise<{ path(): Promise<string>; suggestedFilename(): string }>,
    ) {
      const file = await download
      const text = readFileSync(await file.path(), 'utf8')
      for (const words of await readPersonalData(sandbox))
        expect(text, 'the bundle contains no personal data').not.toContain(words)
      return toFile(file.suggestedFilename(), text)
    }
    async function expectWorldOfBundle(sandbox: TestSandbox, before: number) {
      const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
      expect(data.length).toBe(before)
      expect(data.map(({ email }) => email)).not.toContain(OLIVE.email)
    }
    const countCustomers = async (sandbox: TestSandbox) =>
      (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).total_count

    it('by keyboard alone', async (context) => {
      const { sandbox, page, har } = await openStart(context)
      const choose = async (file: ReturnType<typeof toFile>) => {
        const chooser = page.waitForEvent('filechooser')
        await tabTo(page, button(page, 'Choose a file…'))
        await press(page, 'Enter')
        await (await chooser).setFiles(file)
        await page.locator('[data-import]').getByText(file.name).waitFor()
        await expectFocus(button(page, 'Choose a file…'))
      }
      await runCommand(page, 'import', 'Import a bundle, a HAR file or curl lines')
      await choose(har)
      await tabTo(page, page.getByRole('radio', { name: /^A copy of the current world/ }))
      await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown')
      await expectFocus(page.getByRole('radio', { name: /^A new empty world/ }))
      await tabTo(page, button(page, 'Replay'))
      await press(page, 'Enter')
      await readDifferences(page)
      await expectFocusKept(page)
      await tabTo(page, page.getByRole('grid'))
      await press(page, 'End')
      await readComparison(page)

      const download = page.waitForEvent('download')
      await runCommand(page, 'export', 'Export a bundle')
      const bundle = await readBundle(sandbox, download)
      const before = await countCustomers(sandbox)
      await expectFocusKept(page)
      await tabTo(page, button(page, 'Replay another…'), 'Shift+Tab')
      await press(page, 'Enter')
      await expectFocusKept(page)
      await choose(bundle)
      await tabTo(page, button(page, 'Open its world'))
      await press(page, 'Enter')
      await page.getByText('Bundle opened').waitFor()
      await expectFocusKept(page)
      await expectWorldOfBundle(sandbox, before)
    })
  },
)

describe('CI starts the sandbox without a display and advances its clock, and a user opens its window', TIMEOUT, () => {
  const openStart = async (context: TestContext) => {
    const host = await serve(['--ephemeral', '--clock', 'frozen', '--start', '2026-11-20T14:04:18Z'])
    const page = await visit(context, host.line.gui, { lossy: true })
    await page.getByText('Waiting. Nothing has called port').waitFor()
    await expectTime(page, '09:04:18 ET')
    return { host, page }
  }
  async function control({ control, control_key }: ServeOutput, method: string, input: object = {}) {
    const answer = await fetch(`${control}/${method}`, {
      method: 'POST',
      headers: { 'x-control-key': control_key, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    return (await answer.json()) as Record<string, unknown>
  }
  async function endHost(host: Awaited<ReturnType<typeof serve>>, page: Page) {
    host.child.kill('SIGTERM')
    expect(await host.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    await page.getByText('Connection lost.').waitFor()
  }

  it('by keyboard alone', async (context) => {
    const { host, page } = await openStart(context)
    await control(host.line, 'clock.advance', { business_days: 1 })
    await expectTime(page, 'Mon 23 Nov 2026')
    await runCommand(page, 'adv 1 hour', 'Advance 1 hour')
    await expectTime(page, '10:04:18 ET')
    expect(await control(host.line, 'clock.read')).toMatchObject({ now: '2026-11-23T15:04:18.000Z' })
    await runCommand(page, 'time', 'Time')
    await expectFocus(page.getByRole('grid'))
    expect(await isFocusVisible(page)).toBe(true)
    await endHost(host, page)
    await expectFocus(page.getByRole('grid'))
  })
})
