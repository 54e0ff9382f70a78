import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SCHEMA_LINE } from '../../src/api/contract/scenarios.ts'
import { call } from '../support/operator.ts'
import { goTo, IN_BROWSER, openWindow, visit } from '../support/window.ts'

/** Scenarios, replays, imported recordings and faults, in the built window and a real browser. */

const library = fileURLToPath(new URL('../../resources/scenarios', import.meta.url))

const FAILING = `name: It is not archived
teaches: What a step that fails looks like.
given: { scenario: a-funded-customer }
steps:
  - request: GET /customers/$customer
    expect:
      body: { status: archived, kyc_status: approved }
  - advance: P1D
`

const pane = (page: Page) => page.getByRole('region', { name: 'Scenario', exact: true })
const press = (page: Page, name: string) => pane(page).getByRole('button', { name, exact: true }).click()
const runStatus = (page: Page) => pane(page).locator('[data-run-status]')
const states = (page: Page) =>
  pane(page)
    .locator('[data-step]')
    .evaluateAll((all) => all.map((li) => li.getAttribute('data-state')))
const waitForStatus = (page: Page, words: string | RegExp) => runStatus(page).filter({ hasText: words }).waitFor()
const replayedRows = (page: Page) => page.getByRole('region', { name: 'Replayed requests' }).locator('[data-row]')

describe('a scenario', IN_BROWSER, () => {
  it('runs step by step, to a selected step and to its end, and shows each state', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/scenarios' })
    await page.getByRole('option', { name: /A repeated trace id/ }).click()
    await waitForStatus(page, 'not run yet')
    const row = page.getByRole('option', { selected: true })
    const height = async () => (await row.boundingBox())!.height
    const before = await height()
    await expect.poll(() => states(page)).toEqual(Array(6).fill('not run'))

    await press(page, 'Step')
    await waitForStatus(page, 'paused before step 2 of 6')
    await press(page, 'Step')
    await waitForStatus(page, 'paused before step 3 of 6')
    await pane(page).locator('[data-step="4"]').hover()
    await press(page, 'Run to here before step 5')
    await waitForStatus(page, 'paused before step 5 of 6')
    expect(await states(page)).toEqual(['passed', 'passed', 'passed', 'passed', 'next', 'not run'])
    await press(page, 'Continue')
    await waitForStatus(page, 'passed, 6 steps')
    expect(await row.innerText()).toContain('passed')
    expect(await height()).toBe(before)

    await pane(page)
      .getByRole('button', { name: /The same trace id is refused/ })
      .click()
    const detail = pane(page).locator('[data-step-detail]')
    expect(await detail.innerText()).toContain('Duplicate trace id')
    expect(await detail.locator('tbody tr').count()).toBeGreaterThan(2)
    // The scenario ran in a scratch sandbox, so this sandbox has no Customers.
    expect(
      (await sandbox.client().get<{ total_count: number }>('/customers?include_initiated=true')).body.total_count,
    ).toBe(0)
  })

  it('opens its failed step, and shows expected and actual values side by side', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios/not-archived' })
    await press(page, 'Run')
    await waitForStatus(page, 'failed at step 18 of 19')
    const unmet = pane(page).locator('[data-unmet]')
    expect((await unmet.innerText()).split(/\s*[\t\n]\s*/).filter(Boolean)).toEqual(
      expect.arrayContaining(['"archived"', '"active"']),
    )
    const box = await unmet.boundingBox()
    expect(box!.y).toBeGreaterThan(100)
    expect(box!.y + box!.height).toBeLessThan(772)
    // Scrolling it into view scrolls the pane only.
    expect(await page.getByRole('heading', { name: 'Scenarios' }).isVisible()).toBe(true)
    expect(await page.locator('main').evaluate((main) => main.scrollTop)).toBe(0)
  })

  it('runs the text that is shown: changes are saved first, an edit clears the result, and a failed step marks its line', async (context) => {
    const sandbox = await openWindow()
    const text = `name: Edited\nsteps:\n  - request: GET /customers\n    expect:\n      status: 200\n  - advance: P1D\n`
    await call(sandbox, 'scenarios.save', { name: 'edited', text })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios/edited' })
    await press(page, 'Run')
    await waitForStatus(page, 'passed, 2 steps')
    await pane(page).getByRole('tab', { name: 'Text' }).click()
    const editor = page.getByLabel('Text of edited')
    await editor.fill(text.replace('200', '404'))
    // The result was that of the earlier text.
    await waitForStatus(page, 'not run yet')
    expect(await page.getByRole('option', { selected: true }).innerText()).not.toContain('passed')
    await press(page, 'Save and run')
    await waitForStatus(page, 'failed at step 1 of 2')
    expect((await call(sandbox, 'scenarios.read', { name: 'edited' })).text).toContain('status: 404')
    expect(await pane(page).locator('[data-hit]').innerText()).toBe('3')
    expect(await pane(page).locator('[data-hit]').getAttribute('title')).toBe('Step 1 failed')

    await editor.fill(text)
    await expect.poll(() => pane(page).locator('[data-hit]').count()).toBe(0)
    await press(page, 'Save and run')
    await waitForStatus(page, 'passed, 2 steps')
    // Invalid text is not run.
    await editor.fill('name: Edited')
    await press(page, 'Save and run')
    await page.getByText('The file is invalid and cannot be run.').waitFor()
    await waitForStatus(page, 'not run yet')
  })

  it('replaces the current world, and Undo restores the world', async (context) => {
    const sandbox = await openWindow()
    await sandbox.client().post('/customers', { external_uid: 'mine' })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios/a-funded-customer' })
    await page.getByLabel('the current world').check()
    await page.getByText('A run replaces the current world').waitFor()
    await press(page, 'Run')
    await waitForStatus(page, 'passed, 17 steps')
    const customers = async () => {
      const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
      return data.map((customer) => customer.external_uid)
    }
    expect(await customers()).toEqual(['ada'])
    await press(page, 'Undo the run')
    await page.getByText(/^Undone by rewinding to commit/).waitFor()
    expect(await customers()).toEqual(['mine'])
    await press(page, 'Redo the run')
    await expect.poll(customers).toEqual(['ada'])
  })

  it('runs with all that are listed, and the report leads from each failure to its failed step', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    await call(sandbox, 'scenarios.save', { name: 'invalid', text: 'name: 1' })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios?q=archiv' })
    const seq = sandbox.store.world.seq
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(5)
    await page.getByLabel('Search scenarios').fill('not-archived')
    await page.getByRole('button', { name: 'Run these 1' }).click()
    const report = page.getByRole('region', { name: 'Report' })
    await report.getByText('1 failed').waitFor()
    await report.getByText('status: expected archived').waitFor()
    await page.getByLabel('Search scenarios').fill('wire-')
    await page.getByRole('button', { name: 'Run these 3' }).click()
    await report.getByRole('heading', { name: /^Report of/ }).waitFor()
    await expect.poll(() => report.getByText(/^\d+ passed/).innerText()).toBe('3 passed')
    // A scenario with an invalid file is a failure, too.
    await page.getByLabel('Search scenarios').fill('invalid')
    await page.getByRole('button', { name: /^Run these/ }).click()
    await report.getByText('The file is invalid.').waitFor()
    await page.getByLabel('Search scenarios').fill('not-archived')
    await page.getByRole('button', { name: /^Run these/ }).click()
    await report.getByText('status: expected archived').waitFor()
    await report.getByRole('link', { name: 'It is not archived' }).click()
    await pane(page).locator('[data-state=failed]').first().waitFor()
    // It runs what is shown: a changed text is saved first.
    await page.getByRole('tab', { name: 'Text' }).click()
    const text = page.getByLabel('Text of not-archived')
    await text.fill((await text.inputValue()).replace('status: archived', 'status: active'))
    await page.getByText('Unsaved changes.').waitFor()
    await page.getByRole('button', { name: /^Run these/ }).click()
    await report.getByText(/^1 passed/).waitFor()
    await text.waitFor({ state: 'detached' })
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    await page.getByRole('button', { name: /^Run these/ }).click()
    await report.getByText('1 failed').waitFor()
    await report.getByRole('link', { name: 'It is not archived' }).click()
    // The report stays, and the current world is as it was.
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await report.getByText('1 failed').waitFor()
    expect(sandbox.store.world.seq).toBe(seq)
  })

  it('is recorded from requests, saved and run', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    const client = sandbox.client()
    const { body } = await client.post<{ uid: string }>('/customers', { email: 'ada@example.test' })
    await client.get(`/customers/${body.uid}`)
    await goTo(page, '#/scenarios')
    await page.getByRole('button', { name: 'Record…' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Ada is created and read')
    await expect
      .poll(() => page.getByLabel('Text of the recording').inputValue())
      .toContain('name: Ada is created and read')
    await page.getByRole('button', { name: 'Save scenario…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('heading', { name: 'Ada is created and read' }).waitFor()
    await press(page, 'Run')
    await waitForStatus(page, 'passed, 3 steps')
  })

  it('is copied from the library with another address of the schema, made invalid, fixed and deleted', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/scenarios/duplicate-trace-id' })
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('button', { name: 'Copy to your scenarios…' }).click()
    // The steps of a valid file are read a moment later. Wait for it, so that the file is not invalid or deleted by then.
    const waitForSteps = () =>
      page.waitForResponse(
        (response) =>
          response.url().endsWith('/control/scenarios.run') &&
          response.request().postDataJSON().name === 'my-duplicate-trace-id',
      )
    const stepsOfCopy = waitForSteps()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await stepsOfCopy
    await page.getByRole('tab', { name: 'Text' }).click()
    const text = page.getByLabel('Text of my-duplicate-trace-id')
    const whole = await text.inputValue()
    expect(whole.split('\n')[0]).toBe(SCHEMA_LINE)
    await text.fill(whole.replace('request: GET /customers\n', 'requst: GET /customers\n'))
    await text.press('Control+s')
    await page.getByText('The file is invalid and cannot be run.').waitFor()
    await page.getByRole('option', { name: /^my-duplicate-trace-id invalid/ }).waitFor()
    await page.getByLabel('Errors', { exact: true }).getByRole('button').first().click()
    expect(await text.evaluate((area: HTMLTextAreaElement) => document.activeElement === area)).toBe(true)
    await text.fill(whole)
    const stepsOfValid = waitForSteps()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The file is invalid and cannot be run.').waitFor({ state: 'detached' })
    await stepsOfValid
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('A scenario is a test you can read').waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(readdirSync(library).length)
  })
})

describe('a replay', IN_BROWSER, () => {
  it('of a request shows the differences between the responses, and is undone', async (context) => {
    const sandbox = await openWindow()
    await sandbox.client().post('/customers', { external_uid: 'once', email: 'ada@example.test' })
    const page = await visit(context, sandbox.gui, { at: '#/requests/x2' })
    await page.getByRole('region', { name: 'Request', exact: true }).getByRole('link', { name: 'Replay…' }).click()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await expect.poll(() => replayedRows(page).allInnerTexts()).toEqual([expect.stringContaining('same')])

    await page.getByRole('button', { name: 'Replay another…' }).click()
    await page.getByRole('radio', { name: /^The current world/ }).check()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await expect.poll(() => replayedRows(page).allInnerTexts()).toEqual([expect.stringContaining('refused')])
    const comparison = page.getByRole('region', { name: 'Comparison' })
    const first = await comparison.locator('tbody tr').first().innerText()
    expect(first).toMatch(/HTTP status\s+201\s+422/)
    expect(await comparison.getByRole('region', { name: 'Recorded' }).innerText()).toContain('ada@example.test')
    expect(await comparison.getByRole('region', { name: 'Replayed' }).innerText()).toContain('4016')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
  })

  it('of a file shows a summary first and leaves the world as it is; fields are ignored, and the differences exported', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/requests?replay=import' })
    let traces = 0
    const signed = () => [
      { name: 'authorization', value: 'x' },
      { name: 'x-trace-id', value: `t${++traces}` },
    ]
    const entry = (method: string, path: string, status: number, body: object) => ({
      startedDateTime: '2026-08-14T14:00:00.000Z',
      time: 1,
      request: { method, url: `${sandbox.api}${path}`, httpVersion: 'HTTP/1.1', headers: signed(), queryString: [] },
      response: { status, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(body) } },
    })
    const missing = 'Aa1Bb2Cc3Dd4Ee5F'
    const entries = [
      entry('GET', '/pools', 200, { gone: 1, total_count: 41 }),
      entry('POST', '/customers', 201, {}),
      entry('GET', `/customers/${missing}`, 200, {}),
    ]
    const buffer = Buffer.from(JSON.stringify({ log: { version: '1.2', entries } }))
    const { seq } = sandbox.store.world
    await page.locator('input[type=file]').setInputFiles({ name: 'case.har', mimeType: 'application/json', buffer })
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByText('GET /customers/{uid}').waitFor()
    expect(await summary.innerText()).toMatch(/Requests\s+3[\s\S]*14 Aug[\s\S]*1 record that it does not create/)
    expect(await summary.innerText()).toContain(missing)
    expect(await page.getByRole('radio', { name: /^A copy of the current world/ }).isChecked()).toBe(true)

    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('3 requests replayed').waitFor()
    expect(sandbox.store.world.seq).toBe(seq)
    const comparison = page.getByRole('region', { name: 'Comparison' })
    const fields = comparison.locator('tbody th')
    const names = await fields.allInnerTexts()
    // What both responses have comes first.
    expect([names[0], names.indexOf('gone') > 0]).toEqual(['total_count', true])
    await comparison.getByRole('button', { name: 'Ignore total_count' }).click()
    await expect.poll(() => fields.allInnerTexts()).not.toContain('total_count')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export differences' }).click(),
    ])
    const exported = JSON.parse(readFileSync(await file.path(), 'utf8'))
    expect(exported).toMatchObject({ title: 'case.har', ignored: ['total_count'] })
    expect(JSON.stringify(exported.requests[0])).not.toContain('total_count')
    await page.getByRole('button', { name: 'Compare total_count again' }).click()
    await expect.poll(() => fields.allInnerTexts()).toContain('total_count')
  })

  it('of several requests starts from a selection by mouse or keyboard', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    for (let i = 0; i < 4; i++) await client.get(`/customers?limit=${i}`)
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    const row = (i: number) => page.getByRole('row').filter({ hasText: `limit=${i}` })
    await row(3).click({ modifiers: ['Control'] })
    await row(1).click({ modifiers: ['Shift'] })
    await page.getByText('3 chosen').waitFor()
    await row(2).click({ modifiers: ['Control'] })
    await page.getByText('2 chosen').waitFor()
    await page.getByRole('grid').press('Escape')
    await page.getByText(/chosen$/).waitFor({ state: 'detached' })
    await page.getByRole('grid').press('Home')
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown']) await page.getByRole('grid').press(key)
    await page.getByText('3 chosen').waitFor()
    await page.getByRole('link', { name: 'Replay…' }).first().click()
    await page.getByLabel('The 3 requests that you chose').waitFor()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('3 requests replayed').waitFor()
  })
})

describe('an imported file', IN_BROWSER, () => {
  it('is replayed if it is a HAR file; skipped entries and unreadable files are reported', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { lossy: true })
    const request = (method: string, url: string, more: object = {}) => ({
      startedDateTime: '2026-08-14T14:00:00.000Z',
      time: 1,
      request: { method, url, httpVersion: 'HTTP/1.1', headers: [], queryString: [], ...more },
      response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '{}' } },
    })
    const har = {
      log: {
        version: '1.2',
        entries: [request('GET', `${sandbox.api}/products`), request('GET', 'https://example.test/a.png')],
      },
    }
    await goTo(page, '#/requests?replay=import')
    await page.locator('input[type=file]').setInputFiles({
      name: 'case.har',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(har)),
    })
    await page.getByText('case.har').waitFor()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('1 request replayed').waitFor()
    expect(await page.getByRole('region', { name: 'Skipped entries' }).innerText()).toContain('example.test/a.png')

    await page.getByRole('button', { name: 'Replay another…' }).click()
    await page.locator('input[type=file]').setInputFiles({
      name: 'case.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0x80]),
    })
    await page.getByText(/case.zip could not be read/).waitFor()
    await page.getByLabel(/^Or paste/).fill('<html></html>')
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText(/The file is XML or HTML/).waitFor()
  })

  it('replaces the current world if it is a bundle, and Undo restores the world', async (context) => {
    const sandbox = await openWindow()
    await sandbox.client().post('/customers', { external_uid: 'mine' })
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.getByLabel('Note for the reader').fill('Case 17')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.sandbank$/)
    const text = readFileSync(await file.path(), 'utf8')
    await page.keyboard.press('Escape')

    await goTo(page, '#/requests?replay=import')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'case-17.sandbank', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page.getByText('case-17.sandbank').waitFor()
    await page.getByRole('button', { name: 'Open its world' }).click()
    await page.getByText('Bundle opened').waitFor()
    await page.getByText('Case 17').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
    expect(data.map(({ external_uid }) => external_uid)).toEqual(['mine'])
  })
})

describe('a fault', IN_BROWSER, () => {
  it('is shown on every screen and on its request, and is cleared', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/faults' })
    await page.getByLabel('kind').selectOption('drop_after_commit')
    await page.getByLabel('method').selectOption('POST')
    await page.getByLabel('path').fill('/customers')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('drop_after_commit on POST /customers').first().waitFor()
    const indicator = page.getByRole('button', { name: /^1 fault active drop_after_commit on POST/ })
    await indicator.waitFor()
    await sandbox
      .client()
      .post('/customers', {})
      .catch(() => {})
    await goTo(page, '#/requests')
    const row = page.getByRole('row').filter({ hasText: 'dropped' })
    await expect.poll(() => row.getByRole('img', { name: 'fault: drop_after_commit' }).count()).toBe(1)
    await row.click()
    await page
      .getByText(
        'The request is committed, but the connection is dropped before the response: the caller does not know.',
      )
      .waitFor()
    await indicator.click()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await indicator.waitFor({ state: 'detached' })
    expect((await call(sandbox, 'faults.list', {})).faults).toEqual([])
  })

  it('that another client sets is shown', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    await call(sandbox, 'faults.set', {
      faults: [
        { kind: 'latency', ms: 1 },
        { kind: 'status', status: 503 },
      ],
    })
    await page.getByRole('button', { name: /^2 faults active/ }).waitFor()
  })
})

describe('by keyboard alone', IN_BROWSER, () => {
  it('a scenario is found and run, and its failed step is opened and closed', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    const page = await visit(context, sandbox.gui)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focus = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await press('g', 's')
    await page.getByRole('listbox').waitFor()
    await press('/')
    await page.keyboard.type('it is not archived')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await press('Tab', 'Tab')
    // Tab passes the button that clears the search and the one that records.
    while (!(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'listbox'))) await press('Tab')
    await press('ArrowDown')
    await pane(page).getByRole('list', { name: 'Steps' }).waitFor()
    await press('Enter')
    await expect.poll(focus).toBe('Run')
    await press('Enter')
    await waitForStatus(page, 'failed at step 18 of 19')
    while (!(await page.evaluate(() => document.activeElement?.hasAttribute('data-face')))) await press('Tab')
    expect(await focus()).toContain('failed')
    await press('Escape')
    await expect.poll(() => pane(page).locator('[data-step-detail]').count()).toBe(0)
    await press('ArrowUp', 'Enter')
    await expect.poll(() => pane(page).locator('[data-step-detail]').count()).toBe(1)
    expect(await focus()).toContain('expect balances, states, ledger')
  })
})
