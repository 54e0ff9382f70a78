import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import { type ServeOutput, serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { openDemo, openWindow, visit } from '../support/window.ts'

/** What each of its users comes for, from a cold start to the end: by mouse, and again by keyboard alone. */

const TIMEOUT = { timeout: 300_000 }

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const link = (within: Page | Locator, name: string | RegExp) => within.getByRole('link', { name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page) => page.locator('[role=row][aria-selected]')
const clock = (page: Page) => page.locator('[data-now]')
const showsTime = (page: Page, words: string) => expect.poll(() => clock(page).innerText()).toContain(words)

// ── By keyboard alone ───────────────────────────────────────────────────────────────────────────────────────────────

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)
const focused = (target: Locator) =>
  expect.poll(() => isFocused(target), { message: `${target} has the focus` }).toBe(true)
/** Where the focus is can be seen: on the element, or on the frame that is drawn around a field. */
const isSeen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element?.matches(':focus-visible')) return false
    const framed = [element, element.closest('[data-field], [data-editor]')]
    return framed.some((drawn) => drawn !== null && getComputedStyle(drawn).outlineStyle !== 'none')
  })

/** Goes on by Tab as far as it takes, and sees where it is. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.waitFor()
  for (let i = 0; i < 60 && !(await isFocused(target)); i++) {
    await press(page, key)
    expect(await page.evaluate(() => document.activeElement !== null), 'the focus is somewhere').toBe(true)
  }
  await focused(target)
  expect(await isSeen(page), `the focus on ${target} is visible`).toBe(true)
}
/** What was done took nothing away from under the hands: the focus is in the screen, or in the dialog over it. */
const notLost = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('main, [role=dialog]') !== null), {
      message: 'the focus was not lost',
    })
    .toBe(true)

const asked = (page: Page) => page.getByRole('combobox', { name: 'Search commands, screens and records' })
const meant = (page: Page) => page.getByRole('dialog').locator('[role=option][aria-selected=true]')
/** Does by the palette what comes first for these letters. */
async function ask(page: Page, text: string, title: string) {
  await press(page, 'Control+k')
  await page.keyboard.type(text)
  await expect.poll(() => asked(page).inputValue()).toBe(text)
  await focused(asked(page))
  await expect.poll(() => meant(page).innerText()).toContain(title)
  await press(page, 'Enter')
  await asked(page).waitFor({ state: 'detached' })
}

// ── What the users bring ────────────────────────────────────────────────────────────────────────────────────────────

/** An app that knows nothing but what the window shows. */
async function appOf(page: Page) {
  const shown = (name: string) => page.locator('[data-value-line]', { hasText: name }).locator('code').innerText()
  const [api, uid, hmac_key] = [await shown('Base URL'), await shown('Program uid'), await shown('HMAC key')]
  return apiClient({ api, programs: () => [{ uid, hmac_key }] as never })
}
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const NOBODYS = { customer_type: 'secondary', primary_customer_uid: 'nobody' }

/** What a browser recorded at a customer's: theirs was active when it was read, and a file of the app was loaded, too. */
function harOf(api: string): string {
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
const asFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** All that is somebody's in this world, as its files would say it. */
async function personal(sandbox: TestSandbox): Promise<string[]> {
  const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
  const words = [OLIVE.details.ssn, OLIVE.details.ssn.replaceAll('-', '')]
  for (const { email, details } of data as unknown as (typeof OLIVE)[]) {
    const { first_name, last_name, phone, address } = details
    words.push(email, phone, `${first_name} ${last_name}`, ...(address.street1 ? [address.street1] : []))
  }
  expect(words.length, 'there is something to look for').toBeGreaterThan(12)
  return words
}

const transactions = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'records.list', { collection: 'transactions', limit: 0 })).total_count
const due = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'tasks.list', {})).tasks.filter(({ recurring }) => !recurring)

// ── The journeys ────────────────────────────────────────────────────────────────────────────────────────────────────

describe('an integrator connects an app, understands a refusal, and finds what the app made', TIMEOUT, () => {
  const begin = async (context: TestContext) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, clipboard)
    await page.getByText('Waiting. Nothing has called port').waitFor()
    return { sandbox, page, app: await appOf(page), program: sandbox.programs()[0]! }
  }
  const arrivals = (page: Page) => region(page, 'Latest requests')
  const done = (page: Page) => page.locator('main li[data-state=done]').allInnerTexts()
  const refusal = (page: Page) => region(page, 'Why it was refused')
  /** The requests of the snippet, each visible as it happens. */
  async function firstCall(page: Page, app: ReturnType<typeof apiClient>) {
    await app.signIn()
    await page.getByText('Signed in').waitFor()
    expect((await app.get('/customers?limit=5')).status).toBe(200)
    await page.getByText('Called with the token').waitFor()
    expect(await done(page)).toEqual([/^Reached/, /^Signed in/, /^Called/].map((says) => expect.stringMatching(says)))
    await link(arrivals(page), '/customers?limit=5').waitFor()
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
    const { sandbox, page, app, program } = await begin(context)
    await press(page, 'g', 'c')
    await tabTo(page, button(page, 'Copy Base URL'))
    await press(page, 'Enter')
    await expect.poll(() => copied(page)).toBe(sandbox.api)
    await focused(button(page, 'Copy Base URL'))
    for (const [name, value] of [
      ['Program uid', program.uid],
      ['HMAC key', program.hmac_key],
    ] as const) {
      await tabTo(page, button(page, `Copy ${name}`))
      await press(page, 'Enter')
      await expect.poll(() => copied(page)).toBe(value)
    }
    await tabTo(page, button(page, 'Copy snippet for curl'))
    await press(page, 'Enter')
    await expect.poll(() => copied(page)).toContain(`BASE='${sandbox.api}'`)
    expect(await copied(page)).toContain('"$BASE/customers?limit=5"')
    await firstCall(page, app)
    await focused(button(page, 'Copy snippet for curl'))

    await app.post('/customers', NOBODYS)
    await press(page, 'g', 'r')
    await focused(page.getByRole('grid'))
    await rows(page).nth(2).waitFor()
    await press(page, 'ArrowDown')
    const code = await readRefusal(page)
    await press(page, 'Enter')
    await focused(region(page, 'Request'))
    await tabTo(page, link(page, `error ${code}`))
    await press(page, 'Enter')
    await readReference(page, code)
    await notLost(page)
    for (const [text, title, told] of [
      ['post /transfers', 'POST /transfers', /Fields of|POST \/transfers/],
      ['specification kyc', 'Specification 3.2', /^3\.2\s+A valid onboarding request/],
    ] as const) {
      await press(page, 'Control+k')
      await page.keyboard.type(text)
      await page.getByRole('option', { name: title }).first().waitFor()
      for (let i = 0; i < 6 && !(await meant(page).innerText()).includes(title); i++) await press(page, 'ArrowDown')
      await press(page, 'Enter')
      await expect
        .poll(() => page.locator('#reference-page :is([aria-current], h2)').allInnerTexts())
        .toEqual(expect.arrayContaining([expect.stringMatching(told)]))
    }
    await notLost(page)

    const { body } = await app.post<{ uid: string }>('/customers', OLIVE)
    await press(page, 'g', 'u')
    await focused(page.getByRole('grid'))
    await rows(page).first().waitFor()
    // The whole table is one stop of the Tab key.
    expect(await page.locator('[role=grid] :is(a, button):not([tabindex="-1"])').count()).toBe(0)
    await press(page, 'ArrowDown', 'Enter')
    await page.getByRole('heading', { name: 'Olive Oyl' }).waitFor()
    expect(page.url()).toContain(`#/customers/${body.uid}`)
    await notLost(page)
  })
})

describe('QA steps a scenario, moves time, holds a task, and keeps, compares and restores a world', TIMEOUT, () => {
  const pane = (page: Page) => region(page, 'Scenario')
  const stands = (page: Page, words: string) => pane(page).locator('[data-run-status]', { hasText: words }).waitFor()
  const outcome = (page: Page) => region(page, 'Result')
  const chosen = (page: Page) => region(page, 'Selected task')
  const said = (page: Page, words: string) => page.locator('[data-filled]', { hasText: words }).waitFor()
  const differs = (page: Page) => region(page, 'Comparison').getByText(/^\d+ records? differs?\.$/)

  it('by keyboard alone', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    await press(page, 'g', 's')
    await page.getByRole('listbox').waitFor()
    await press(page, '/')
    await focused(page.getByLabel('Search scenarios'))
    await page.keyboard.type('a repeated trace id')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await tabTo(page, page.getByRole('listbox'))
    await press(page, 'ArrowDown')
    await stands(page, 'not run yet')
    await press(page, 'Enter')
    await focused(button(pane(page), 'Run'))
    await tabTo(page, button(pane(page), 'Step'))
    await press(page, 'Enter')
    await stands(page, 'paused before step 2 of 6')
    await focused(button(pane(page), 'Step'))
    await tabTo(page, button(pane(page), 'Continue'), 'Shift+Tab')
    await press(page, 'Enter')
    await stands(page, 'passed, 6 steps')
    await focused(button(pane(page), 'Run'))

    await press(page, 'g', 't')
    await focused(page.getByRole('grid'))
    await press(page, 'h')
    await showsTime(page, '12:21:02 ET')
    await press(page, 'b')
    await showsTime(page, 'Wed 25 Nov 2026')
    const inject = async () => {
      const before = await transactions(sandbox)
      await ask(page, 'inject', 'Inject')
      await focused(page.getByRole('listbox'))
      await page.getByRole('heading', { name: 'Incoming ACH credit' }).waitFor()
      await press(page, 'ArrowUp', 'Enter', 'Control+Enter')
      await outcome(page).getByText('pending', { exact: true }).waitFor()
      await notLost(page)
      expect(await transactions(sandbox)).toBe(before + 1)
    }
    await inject()
    const [first] = await due(sandbox)
    await ask(page, 'time', 'Time')
    await focused(page.getByRole('grid'))
    await press(page, 'n')
    await expect.poll(async () => (await call(sandbox, 'clock.read', {})).now).toBe(first!.due_at)

    await inject()
    await ask(page, 'time', 'Time')
    await focused(page.getByRole('grid'))
    await rows(page).nth(1).waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await focused(button(chosen(page), 'Run now'))
    await tabTo(page, button(chosen(page), 'Hold'))
    await press(page, 'Enter')
    await chosen(page).getByText('is held: advances skip it').waitFor()
    await focused(button(chosen(page), 'Release'))
    expect(await due(sandbox)).toEqual([expect.objectContaining({ held: true })])

    await ask(page, 'keep a snapshot before', 'as before')
    const kept = await transactions(sandbox)
    await inject()
    await ask(page, 'snapshots', 'Snapshots')
    await tabTo(page, button(page, 'Compare before'))
    await press(page, 'Enter')
    await differs(page).waitFor()
    await focused(page.getByLabel('From', { exact: true }))
    await tabTo(page, button(page, 'Swap'))
    await press(page, 'Enter')
    await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('before')
    await differs(page).waitFor()
    await focused(button(page, 'Swap'))
    await tabTo(page, page.getByRole('tab', { name: 'Compare' }), 'Shift+Tab')
    await press(page, 'ArrowLeft', 'Enter')
    await tabTo(page, button(page, 'Restore before'))
    await press(page, 'Enter')
    await said(page, 'Restored before.')
    expect(await transactions(sandbox)).toBe(kept)
    await focused(button(page, 'Restore before'))
    await tabTo(page, button(page, 'Undo the restore'), 'Shift+Tab')
    await press(page, 'Enter')
    await said(page, 'Undone by rewinding')
    await focused(button(page, 'Redo the restore'))
    expect(await transactions(sandbox)).toBe(kept + 1)
  })
})

describe(
  'support replays a record, reads the differences, and hands on a bundle without personal data',
  TIMEOUT,
  () => {
    const begin = async (context: TestContext) => {
      const sandbox = await openDemo()
      await sandbox.client().post('/customers', OLIVE)
      const page = await visit(context, sandbox.gui)
      return { sandbox, page, har: asFile('their-case.har', harOf(sandbox.api)) }
    }
    const replayed = (page: Page) => region(page, 'Replayed requests').locator('[data-row]')
    const compared = (page: Page) => region(page, 'Comparison')
    async function readDifferences(page: Page) {
      await page.getByText('2 requests replayed').waitFor()
      expect(await region(page, 'Skipped entries').innerText()).toContain('logo.png')
      expect(await replayed(page).allInnerTexts()).toEqual(
        [/\/customers\s/, /differs/].map((s) => expect.stringMatching(s)),
      )
    }
    async function readComparison(page: Page) {
      const difference = compared(page).getByRole('row', { name: /^status/ })
      await difference.waitFor()
      expect(await difference.innerText()).toMatch(/"active"\s+"initiated"/)
      expect(await compared(page).getByRole('region', { name: 'Recorded' }).innerText()).toContain('"active"')
      expect(await compared(page).getByRole('region', { name: 'Replayed' }).innerText()).toContain('"initiated"')
    }
    async function asBundle(
      sandbox: TestSandbox,
      download: Promise<{ path(): Promise<string>; suggestedFilename(): string }>,
    ) {
      const file = await download
      const text = readFileSync(await file.path(), 'utf8')
      for (const words of await personal(sandbox)) expect(text, 'nothing of anybody is in it').not.toContain(words)
      return asFile(file.suggestedFilename(), text)
    }
    async function itsWorld(sandbox: TestSandbox, before: number) {
      const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
      expect(data.length).toBe(before)
      expect(data.map(({ email }) => email)).not.toContain(OLIVE.email)
    }
    const customers = async (sandbox: TestSandbox) =>
      (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).total_count

    it('by keyboard alone', async (context) => {
      const { sandbox, page, har } = await begin(context)
      const choose = async (file: ReturnType<typeof asFile>) => {
        const chooser = page.waitForEvent('filechooser')
        await tabTo(page, button(page, 'Choose a file…'))
        await press(page, 'Enter')
        await (await chooser).setFiles(file)
        await page.locator('[data-import]').getByText(file.name).waitFor()
        await focused(button(page, 'Choose a file…'))
      }
      await ask(page, 'import', 'Import a bundle, a HAR file or curl lines')
      await choose(har)
      await tabTo(page, page.getByRole('radio', { name: /^The current world/ }))
      await press(page, 'ArrowDown', 'ArrowDown')
      await focused(page.getByRole('radio', { name: /^A new empty world/ }))
      await tabTo(page, button(page, 'Replay'))
      await press(page, 'Enter')
      await readDifferences(page)
      await notLost(page)
      await tabTo(page, page.getByRole('grid'))
      await press(page, 'End')
      await readComparison(page)

      const download = page.waitForEvent('download')
      await ask(page, 'export', 'Export a bundle')
      const bundle = await asBundle(sandbox, download)
      const before = await customers(sandbox)
      await notLost(page)
      await tabTo(page, button(page, 'Replay another…'), 'Shift+Tab')
      await press(page, 'Enter')
      await notLost(page)
      await choose(bundle)
      await tabTo(page, button(page, 'Open its world'))
      await press(page, 'Enter')
      await page.getByText('Bundle opened').waitFor()
      await notLost(page)
      await itsWorld(sandbox, before)
    })
  },
)

describe('their CI starts it without a display, moves its time, and somebody looks in by its address', TIMEOUT, () => {
  const begin = async (context: TestContext) => {
    const host = await serve(['--ephemeral', '--clock', 'frozen', '--start', '2026-11-20T14:04:18Z'])
    const page = await visit(context, host.line.gui, { lossy: true })
    await page.getByText('Waiting. Nothing has called port').waitFor()
    await showsTime(page, '09:04:18 ET')
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
  async function ends(host: Awaited<ReturnType<typeof serve>>, page: Page) {
    host.child.kill('SIGTERM')
    expect(await host.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    await page.getByText('Connection lost.').waitFor()
  }

  it('by keyboard alone', async (context) => {
    const { host, page } = await begin(context)
    await control(host.line, 'clock.advance', { business_days: 1 })
    await showsTime(page, 'Mon 23 Nov 2026')
    await ask(page, 'adv 1 hour', 'Advance 1 hour')
    await showsTime(page, '10:04:18 ET')
    expect(await control(host.line, 'clock.read')).toMatchObject({ now: '2026-11-23T15:04:18.000Z' })
    await ask(page, 'time', 'Time')
    await focused(page.getByRole('grid'))
    expect(await isSeen(page)).toBe(true)
    await ends(host, page)
    await focused(page.getByRole('grid'))
  })
})
