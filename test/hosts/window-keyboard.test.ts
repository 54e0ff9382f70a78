import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { createHar, FAILING, recordedRequest, toFile } from '../support/files.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  allowClipboard,
  button,
  focusIsOn,
  heading,
  IN_BROWSER,
  link,
  openDemo,
  openWindow,
  press,
  region,
  request,
  rows,
  runCommand,
  sees,
  selectedCommand,
  tabTo,
  typeCommand,
  visit,
} from '../support/window.ts'

/** The main tasks of each kind of user, from a cold start to the end, by keyboard alone. */

/** Checks that the focus is in the screen or in an open dialog. */
const focusIsKept = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('main, [role=dialog]') !== null), {
      message: 'the focus is in the screen or in a dialog',
    })
    .toBe(true)
const timeIs = (page: Page, text: string) => expect.poll(() => page.locator('[data-now]').innerText()).toContain(text)
const enter = async (page: Page, target: Locator, key?: 'Shift+Tab') => {
  await tabTo(page, target, key)
  await press(page, 'Enter')
}

/** A client with the values that the window shows. */
async function connectApp(page: Page) {
  const shown = (name: string) => page.locator('[data-value-line]', { hasText: name }).locator('code').innerText()
  const [api, uid, hmac_key] = [await shown('Base URL'), await shown('Program uid'), await shown('HMAC key')]
  return apiClient({ api, programs: () => [{ uid, hmac_key }] as never })
}

/** All personal data of the world's Customers. The demo world has no real persons, so a bundle leaves its values as they are. */
async function readPersonalData(sandbox: TestSandbox): Promise<string[]> {
  const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
  const words = [OLIVE.details.ssn, OLIVE.details.ssn.replaceAll('-', '')]
  const customers = data as unknown as (typeof OLIVE & { external_uid: string | null })[]
  for (const { email, details } of customers.filter(({ external_uid }) => !external_uid?.startsWith('demo-'))) {
    const { first_name, last_name, phone, address } = details
    words.push(email, phone, `${first_name} ${last_name}`, ...(address.street1 ? [address.street1] : []))
  }
  expect(words.length, 'the world contains personal data').toBeGreaterThan(5)
  return words
}

const countRecords = async (sandbox: TestSandbox, collection: string) =>
  (await call(sandbox, 'records.list', { collection, include_initiated: true, limit: 0 })).total_count
const now = async (sandbox: TestSandbox) => (await call(sandbox, 'clock.read', {})).now

describe('by keyboard alone', IN_BROWSER, () => {
  it('an integrator connects an app, reads why a request is refused, walks through the log, and opens a Customer', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    const copied = await allowClipboard(page)
    await heading(page, 'Now').waitFor()
    await press(page, 'g', 'c')
    await sees(page, 'Waiting. Nothing has called port')
    const app = await connectApp(page)
    const [program] = sandbox.programs()
    for (const [name, value] of [
      ['Base URL', sandbox.api],
      ['Program uid', program!.uid],
      ['HMAC key', program!.hmac_key],
    ] as const) {
      await enter(page, button(page, `Copy ${name}`))
      await expect.poll(copied).toBe(value)
      await focusIsOn(button(page, `Copy ${name}`))
    }
    await enter(page, button(page, 'Copy snippet for curl'))
    await expect.poll(copied).toContain(`BASE='${sandbox.api}'`)
    expect(await copied()).toContain('"$BASE/customers?limit=5"')
    // The window shows each request of the snippet at once, and checks off the steps.
    await app.signIn()
    await sees(page, 'Signed in')
    expect((await app.get('/customers?limit=5')).status).toBe(200)
    await sees(page, 'Called with the token')
    const steps = await page.locator('[role=dialog] li[data-state=done]').allInnerTexts()
    expect(steps).toEqual([/^Reached/, /^Signed in/, /^Called/].map((text) => expect.stringMatching(text)))
    await focusIsOn(button(page, 'Copy snippet for curl'))
    await press(page, 'Escape')
    await link(region(page, 'Flow'), '/customers?limit=5').waitFor()

    await app.post('/customers', { customer_type: 'secondary', primary_customer_uid: 'nobody' })
    await press(page, 'g', 'r')
    await focusIsOn(page.getByRole('grid'))
    await rows(page).nth(2).waitFor()
    await press(page, 'ArrowDown')
    const refusal = region(page, 'Why it was refused')
    await expect.poll(() => refusal.innerText()).toMatch(/How to fix\s+\S.*\s+Specification\s+section \d/s)
    expect(await refusal.innerText()).toContain('primary_customer_uid')
    const [code] = /^\d{4}/.exec(await refusal.innerText())!
    await press(page, 'Enter')
    await focusIsOn(request(page))
    await enter(page, link(page, `error ${code}`))
    const entry = region(page, 'Page').locator('[aria-current]')
    await expect.poll(() => entry.innerText()).toContain(code)
    expect(await entry.evaluate((line) => line.getBoundingClientRect().top < innerHeight)).toBe(true)
    await focusIsKept(page)
    for (const [text, title, expected] of [
      ['post /transfers', 'POST /transfers', /Fields of|POST \/transfers/],
      ['specification kyc', 'Specification 3.2', /^3\.2\s+A valid onboarding request/],
    ] as const) {
      await typeCommand(page, text)
      await page.getByRole('option', { name: title }).first().waitFor()
      for (let i = 0; i < 6 && !(await selectedCommand(page).innerText()).includes(title); i++)
        await press(page, 'ArrowDown')
      await press(page, 'Enter')
      await expect
        .poll(() => page.locator('#reference-page :is([aria-current], h2)').allInnerTexts())
        .toEqual(expect.arrayContaining([expect.stringMatching(expected)]))
    }
    await focusIsKept(page)

    // The list of requests: each key moves the selection, Escape closes the request, and / searches.
    await press(page, 'g', 'r')
    await press(page, 'Home', 'ArrowDown')
    await sees(request(page), 'GET /customers?limit=5')
    await press(page, 'End')
    await sees(request(page), 'POST /auth')
    const active = () =>
      page.evaluate(() => {
        const at = document.activeElement?.getAttribute('aria-activedescendant')
        return document.getElementById(at ?? '')?.textContent
      })
    expect(await active()).toContain('/auth')
    await press(page, 'Escape')
    await request(page).waitFor({ state: 'detached' })
    await press(page, '/')
    await page.keyboard.type('limit=5')
    await expect.poll(() => rows(page).count()).toBe(1)
    await press(page, 'Escape', 'Escape')
    await expect.poll(() => rows(page).count()).toBe(4)
    await page.keyboard.type('?')
    await sees(page.getByRole('dialog'), 'freeze or run')
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const { body } = await app.post<{ uid: string }>('/customers', OLIVE)
    await press(page, 'g', 'u')
    await focusIsOn(page.getByRole('grid'))
    await rows(page).first().waitFor()
    // All rows are one stop of the Tab key, and all headers another one.
    const stops = page.locator('[role=grid] :is(a, button):not([tabindex="-1"])')
    expect(await stops.evaluateAll((all) => all.map((one) => one.closest('[role]')?.getAttribute('role')))).toEqual([
      'columnheader',
    ])
    await press(page, 'ArrowDown', 'Enter')
    await heading(page, 'Olive Oyl').waitFor()
    expect(page.url()).toContain(`#/customers/${body.uid}`)
    await focusIsKept(page)
    await press(page, '[')
    await heading(page, 'Customers').waitFor()
  })

  it('QA steps and reads scenarios, advances the clock, holds a task, and saves, compares and restores a snapshot', async (context) => {
    const sandbox = await openDemo()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    const page = await visit(context, sandbox.gui)
    const pane = region(page, 'Scenario')
    const status = (text: string) => pane.locator('[data-run-status]', { hasText: text }).waitFor()
    const find = async (text: string) => {
      await press(page, '/')
      await focusIsOn(page.getByLabel('Search scenarios'))
      await press(page, 'Control+a')
      await page.keyboard.type(text)
      await expect.poll(() => page.getByRole('option').count()).toBe(1)
      await tabTo(page, page.getByRole('listbox'))
      await press(page, 'ArrowDown')
    }
    await press(page, 'g', 's')
    await page.getByRole('listbox').waitFor()
    await find('a repeated trace id')
    await status('not run yet')
    await press(page, 'Enter')
    await focusIsOn(button(pane, 'Run'))
    await enter(page, button(pane, 'Step'))
    await status('paused before step 2 of 6')
    await focusIsOn(button(pane, 'Step'))
    await enter(page, button(pane, 'Continue'), 'Shift+Tab')
    await status('passed, 6 steps')
    await focusIsOn(button(pane, 'Run'))

    // A step that failed is opened by the window, closed and opened by keys.
    await find('it is not archived')
    await pane.getByRole('list', { name: 'Steps' }).waitFor()
    await press(page, 'Enter')
    await focusIsOn(button(pane, 'Run'))
    await press(page, 'Enter')
    await status('failed at step 18 of 19')
    const detail = pane.locator('[data-step-detail]')
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await tabTo(page, pane.locator('[data-face]').filter({ hasText: 'failed' }))
    await press(page, 'Escape')
    await expect.poll(() => detail.count()).toBe(0)
    await press(page, 'ArrowUp', 'Enter')
    await expect.poll(() => detail.count()).toBe(1)
    expect(await focusedText()).toContain('expect balances, states, ledger')

    // h, b and n advance the clock on the line of time only, and in no field.
    await press(page, 'g', 'h')
    await press(page, 'h')
    await press(page, 'g', 't')
    await focusIsOn(page.getByRole('slider'))
    await timeIs(page, '11:21:02 ET')
    await press(page, 'h')
    await timeIs(page, '12:21:02 ET')
    await button(page, /^Undo advance of 1 hour/).waitFor()
    await press(page, 'b')
    await timeIs(page, 'Wed 25 Nov 2026')
    await button(page, /^Undo advance of 1 business day/).waitFor()
    await press(page, '?')
    await sees(page.getByRole('dialog'), 'on the line of time: advance to the next task')
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const before = await now(sandbox)
    const dueTasks = async () => (await call(sandbox, 'tasks.list', {})).tasks.filter(({ recurring }) => !recurring)
    const result = region(page, 'Result')
    const inject = async () => {
      const count = await countRecords(sandbox, 'transactions')
      await runCommand(page, 'inject', 'Inject')
      await focusIsOn(page.getByRole('listbox'))
      await heading(page, 'Incoming ACH credit').waitFor()
      await press(page, 'ArrowUp', 'Enter', 'Control+Enter')
      await result.getByText('pending', { exact: true }).waitFor()
      await focusIsKept(page)
      expect(await countRecords(sandbox, 'transactions')).toBe(count + 1)
    }
    await inject()
    const [first] = await dueTasks()
    await runCommand(page, 'line of time', 'Line of time')
    await focusIsOn(page.getByRole('slider'))
    await press(page, 'n')
    await expect.poll(() => now(sandbox)).toBe(first!.due_at)
    await button(page, /^Undo advance of 1 second/).waitFor()
    await press(page, 'u')
    await expect.poll(() => now(sandbox)).toBe(before)
    await button(page, 'Redo advance of 1 second').waitFor()
    await press(page, 'Shift+U')
    await expect.poll(() => now(sandbox)).toBe(first!.due_at)

    await inject()
    await runCommand(page, 'scheduled tasks', 'Scheduled tasks')
    await focusIsOn(page.getByRole('grid', { name: 'Scheduled tasks' }))
    await page.locator('[data-line] [data-row]').first().waitFor()
    await press(page, 'ArrowDown', 'Enter')
    const task = region(page, 'Selected task')
    await focusIsOn(button(task, 'Run now'))
    await enter(page, button(task, 'Hold'))
    await sees(page, 'is held: advances skip it')
    await focusIsOn(button(task, 'Release'))
    expect(await dueTasks()).toEqual([expect.objectContaining({ held: true })])

    await runCommand(page, 'keep a snapshot before', 'as before')
    const count = await countRecords(sandbox, 'transactions')
    await inject()
    await runCommand(page, 'snapshots', 'Snapshots')
    const difference = region(page, 'Comparison').locator('[data-sentence]').first()
    await enter(page, button(page, 'Compare before'))
    await difference.waitFor()
    await enter(page, button(page, 'Swap'))
    await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('before')
    await difference.waitFor()
    await focusIsOn(button(page, 'Swap'))
    await enter(page, button(page, 'Restore before'), 'Shift+Tab')
    await sees(page, /^Restored before\./)
    expect(await countRecords(sandbox, 'transactions')).toBe(count)
    await focusIsOn(button(page, 'Restore before'))
    await button(page, /^Undo action: restored a snapshot/).waitFor()
    await press(page, 'u')
    await expect.poll(() => countRecords(sandbox, 'transactions')).toBe(count + 1)
    // The field of the name takes the letters of the advances.
    const reached = await now(sandbox)
    await tabTo(page, page.locator('[aria-label="Save a snapshot"] input'), 'Shift+Tab')
    await press(page, 'b', 'Enter')
    await sees(page, /^Saved snapshot/)
    expect(await now(sandbox)).toBe(reached)
  })

  it('support replays a recording, reads the differences, and exports a bundle without personal data', async (context) => {
    const sandbox = await openDemo()
    await sandbox.client().post('/customers', OLIVE)
    const page = await visit(context, sandbox.gui)
    const choose = async (file: ReturnType<typeof toFile>) => {
      const chooser = page.waitForEvent('filechooser')
      await enter(page, button(page, 'Choose a file…'))
      await (await chooser).setFiles(file)
      await sees(page.locator('[data-import]'), file.name)
      await focusIsOn(button(page, 'Choose a file…'))
    }
    // The recorded Customer is active, and one entry is not a request to the API.
    const customer = { uid: 'theirs-1', email: OLIVE.email, status: 'initiated' }
    const har = createHar([
      recordedRequest('POST', `${sandbox.api}/customers`, 201, customer, OLIVE),
      recordedRequest('GET', 'https://app.example.com/logo.png', 200, ''),
      recordedRequest('GET', `${sandbox.api}/customers/theirs-1`, 200, { ...customer, status: 'active' }),
    ])
    await runCommand(page, 'import', 'Import a bundle, a HAR file or curl lines')
    await choose(toFile('their-case.har', har))
    await tabTo(page, page.getByRole('radio', { name: /^A copy of the current world/ }))
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown')
    await focusIsOn(page.getByRole('radio', { name: /^A new empty world/ }))
    await enter(page, button(page, 'Replay'))
    await sees(page, '2 requests replayed')
    expect(await region(page, 'Skipped entries').innerText()).toContain('logo.png')
    expect(await region(page, 'Replayed requests').locator('[data-row]').allInnerTexts()).toEqual(
      [/\/customers\s/, /differs/].map((text) => expect.stringMatching(text)),
    )
    await focusIsKept(page)
    await tabTo(page, page.getByRole('grid'))
    await press(page, 'End')
    const comparison = region(page, 'Comparison')
    const difference = comparison.getByRole('row', { name: /^status/ })
    await difference.waitFor()
    expect(await difference.innerText()).toMatch(/"active"\s+"initiated"/)
    expect(await region(comparison, 'Recorded').innerText()).toContain('"active"')
    expect(await region(comparison, 'Replayed').innerText()).toContain('"initiated"')

    const downloaded = page.waitForEvent('download')
    await runCommand(page, 'export', 'Export a bundle')
    const file = await downloaded
    const text = readFileSync(await file.path(), 'utf8')
    for (const words of await readPersonalData(sandbox))
      expect(text, 'the bundle contains no personal data').not.toContain(words)
    await focusIsKept(page)
    await enter(page, button(page, 'Replay another…'), 'Shift+Tab')
    await focusIsKept(page)
    await choose(toFile(file.suggestedFilename(), text))
    await enter(page, button(page, 'Open its world'))
    await button(page, 'Back to the root world').waitFor()
    const world = sandbox.worlds.list().at(-1)!
    const { data } = await call(world, 'records.list', { collection: 'customers', include_initiated: true })
    expect(data.length).toBe(await countRecords(sandbox, 'customers'))
    expect(data.map(({ email }) => email)).not.toContain(OLIVE.email)
  })

  it('CI starts the sandbox without a display, and a user follows it in its window and advances the clock', async (context) => {
    const host = await serve(['--ephemeral', '--clock', 'frozen', '--start', '2026-11-20T14:04:18Z'])
    const control = async (method: string, input: object = {}) => {
      const headers = { 'x-control-key': host.line.control_key, 'content-type': 'application/json' }
      const answer = await fetch(`${host.line.control}/${method}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(input),
      })
      return (await answer.json()) as Record<string, unknown>
    }
    const page = await visit(context, host.line.gui, { lossy: true })
    await sees(page, 'Point my app here')
    await timeIs(page, '09:04:18 ET')
    const { body } = await apiClient(host).post('/customers', { email: 'ada@example.test' })
    await sees(page, `customer ${body.uid}, initiated`)
    await control('clock.advance', { business_days: 1 })
    await timeIs(page, 'Mon 23 Nov 2026')
    await runCommand(page, 'adv 1 hour', 'Advance 1 hour')
    await timeIs(page, '10:04:18 ET')
    expect(await control('clock.read')).toMatchObject({ now: '2026-11-23T15:04:18.000Z', mode: 'frozen' })
    await runCommand(page, 'scheduled tasks', 'Scheduled tasks')
    await focusIsOn(page.getByRole('grid', { name: 'Scheduled tasks' }))
    host.child.kill('SIGTERM')
    expect(await host.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    await sees(page, 'Connection lost.')
    await focusIsOn(page.getByRole('grid', { name: 'Scheduled tasks' }))
  })
})
