import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SCHEMA_LINE } from '../../src/api/contract/scenarios.ts'
import { createHar, FAILING, recordedRequest, toFile } from '../support/files.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  addressHas,
  button,
  clickButton,
  download,
  focusIsOn,
  goTo,
  heading,
  IN_BROWSER,
  link,
  openWindow,
  press,
  region,
  request,
  row,
  rows,
  sees,
  visit,
} from '../support/window.ts'

/** Scenarios, replays, imported recordings and faults, in the built window and a real browser. */

const library = fileURLToPath(new URL('../../resources/scenarios', import.meta.url))

const pane = (page: Page) => region(page, 'Scenario')
const run = (page: Page, name: string) => clickButton(pane(page), name)
const statusIs = (page: Page, text: string | RegExp) => sees(pane(page).locator('[data-run-status]'), text)
const states = (page: Page) =>
  pane(page)
    .locator('[data-step]')
    .evaluateAll((all) => all.map((step) => step.getAttribute('data-state')))
const openText = (page: Page) => page.getByRole('tab', { name: 'Text' }).click()
const save = (page: Page) => clickButton(page.getByRole('dialog'), 'Save')
const externalUids = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).data.map(
    (customer) => customer.external_uid,
  )

describe('scenarios', IN_BROWSER, () => {
  it('a user runs a scenario step by step, to a step and to its end, and reads why another one fails', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios' })
    await page.getByRole('option', { name: /A repeated trace id/ }).click()
    await statusIs(page, 'not run yet')
    const option = page.getByRole('option', { selected: true })
    const height = async () => (await option.boundingBox())!.height
    const before = await height()
    await expect.poll(() => states(page)).toEqual(Array(6).fill('not run'))
    await run(page, 'Step')
    await statusIs(page, 'paused before step 2 of 6')
    // Another scenario does not replace a paused run.
    await goTo(page, '#/scenarios/not-archived')
    await sees(pane(page), /which is paused, has ended\. Run and Step replace it/)
    await goTo(page, '#/scenarios/duplicate-trace-id')
    await run(page, 'Step')
    await statusIs(page, 'paused before step 3 of 6')
    await pane(page).locator('[data-step="4"]').hover()
    await run(page, 'Run to here before step 5')
    await statusIs(page, 'paused before step 5 of 6')
    expect(await states(page)).toEqual(['passed', 'passed', 'passed', 'passed', 'next', 'not run'])
    await run(page, 'Continue')
    await statusIs(page, 'passed, 6 steps')
    expect(await option.innerText()).toContain('passed')
    expect(await height()).toBe(before)
    await button(pane(page), /The same trace id is refused/).click()
    const detail = pane(page).locator('[data-step-detail]')
    expect(await detail.innerText()).toContain('Duplicate trace id')
    expect(await detail.locator('tbody tr').count()).toBeGreaterThan(2)
    // The scenario ran in a world of its own, which stays; this one has no Customers.
    expect(await externalUids(sandbox)).toEqual([])
    const { current } = await call(sandbox, 'scenarios.list', {})
    await button(pane(page), `Open ${current!.world}`).waitFor()

    // To a step of one of its examples.
    await goTo(page, '#/scenarios/ach-returned-r02')
    await page.getByText(/example 1 of 3/).click()
    await page.getByRole('menuitemradio', { name: /R03/ }).click()
    await pane(page).locator('[data-step="1"]').hover()
    await run(page, 'Run to here before step 2')
    await statusIs(page, /^paused before step 2 of/)
    expect((await call(sandbox, 'scenarios.list', {})).current).toMatchObject({ example: 1, into: 'scratch' })

    // A failed step is opened, with expected and actual values side by side. Only the pane scrolls.
    await goTo(page, '#/scenarios/not-archived')
    await heading(pane(page), 'It is not archived').waitFor()
    await run(page, 'Run')
    await statusIs(page, 'failed at step 18 of 19')
    const unmet = pane(page).locator('[data-unmet]')
    expect((await unmet.innerText()).split(/\s*[\t\n]\s*/).filter(Boolean)).toEqual(
      expect.arrayContaining(['"archived"', '"active"']),
    )
    const box = (await unmet.boundingBox())!
    expect(box.y).toBeGreaterThan(100)
    expect(box.y + box.height).toBeLessThan(772)
    expect(await heading(page, 'Scenarios').isVisible()).toBe(true)
    expect(await page.locator('main').evaluate((main) => main.scrollTop)).toBe(0)
  })

  it('a user edits and runs the text that is shown: an edit clears the result, and a failed step marks its line', async (context) => {
    const sandbox = await openWindow()
    const text = `name: Edited\nsteps:\n  - request: GET /customers\n    expect:\n      status: 200\n  - advance: P1D\n`
    await call(sandbox, 'scenarios.save', { name: 'edited', text })
    // The steps of a file are asked for a moment after each change of it: by then it can be invalid or deleted.
    const page = await visit(context, sandbox.gui, { at: '#/scenarios/edited', lossy: true })
    await run(page, 'Run')
    await statusIs(page, 'passed, 2 steps')
    await openText(page)
    const editor = page.getByLabel('Text of edited')
    await editor.fill(text.replace('200', '404'))
    // The change is kept while another scenario is shown, which is read-only if it is of the library.
    await goTo(page, '#/scenarios/a-funded-customer')
    await openText(page)
    expect(await page.getByLabel('Text of a-funded-customer').getAttribute('readonly')).not.toBe(null)
    expect(await button(page, 'Delete…').count()).toBe(0)
    await goTo(page, '#/scenarios/edited')
    await openText(page)
    expect(await editor.inputValue()).toContain('404')
    // The result was that of the earlier text.
    await statusIs(page, 'not run yet')
    expect(await page.getByRole('option', { selected: true }).innerText()).not.toContain('passed')
    await run(page, 'Save and run')
    await statusIs(page, 'failed at step 1 of 2')
    expect((await call(sandbox, 'scenarios.read', { name: 'edited' })).text).toContain('status: 404')
    const hit = pane(page).locator('[data-hit]')
    expect([await hit.innerText(), await hit.getAttribute('title')]).toEqual(['3', 'Step 1 failed'])
    // The saved text is read a moment after it is saved.
    await expect.poll(() => editor.inputValue()).toContain('404')
    await editor.fill(text)
    await expect.poll(() => hit.count()).toBe(0)
    await run(page, 'Save and run')
    await statusIs(page, 'passed, 2 steps')
    // Invalid text is not run.
    await editor.fill('name: Edited')
    await run(page, 'Save and run')
    await sees(page, 'The file is invalid and cannot be run.')
    await statusIs(page, 'not run yet')

    // A copy of the library has another address of the schema. It is made invalid, fixed and deleted.
    await goTo(page, '#/scenarios/duplicate-trace-id')
    await heading(pane(page), 'A repeated trace id is refused').waitFor()
    await openText(page)
    await clickButton(page, 'Copy to your scenarios…')
    await save(page)
    await openText(page)
    const copy = page.getByLabel('Text of my-duplicate-trace-id')
    const whole = await copy.inputValue()
    expect(whole.split('\n')[0]).toBe(SCHEMA_LINE)
    await copy.fill(whole.replace('request: GET /customers\n', 'requst: GET /customers\n'))
    await copy.press('Control+s')
    const invalid = page.getByText('The file is invalid and cannot be run.')
    await invalid.waitFor()
    await page.getByRole('option', { name: /^my-duplicate-trace-id invalid/ }).waitFor()
    await page.getByLabel('Errors', { exact: true }).getByRole('button').first().click()
    await focusIsOn(copy)
    await copy.fill(whole)
    await clickButton(page, 'Save')
    await invalid.waitFor({ state: 'detached' })
    const count = await page.getByRole('option').count()
    await clickButton(page, 'Delete…')
    await clickButton(page.getByRole('dialog'), 'Delete')
    await sees(page, 'A scenario is a test you can read')
    await expect.poll(() => page.getByRole('option').count()).toBe(count - 1)
    // The library is there as a whole, and "edited".
    expect(count - 1).toBe(readdirSync(library).length + 1)
  })

  it('a user runs a scenario in the current world and undoes it, and saves requests as a scenario', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/scenarios', lossy: true })
    await page.getByRole('button', { name: 'Record…' }).first().click()
    await page.getByLabel(/^now/).check()
    // The beginning of the recording is kept on every screen.
    await goTo(page, '#/now')
    await sees(page, /^recording since commit/)
    const { body } = await sandbox.client().post<{ uid: string }>('/customers', { external_uid: 'mine' })
    await sandbox.client().get(`/customers/${body.uid}`)
    await page.getByRole('link', { name: 'Finish' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ein Überweisungstest')
    const recording = page.getByLabel('Text of the recording')
    await expect.poll(() => recording.inputValue()).toContain('name: Ein Überweisungstest')
    await clickButton(page, 'Save scenario…')
    await save(page)
    await heading(pane(page), 'Ein Überweisungstest').waitFor()
    await addressHas(page, /#\/scenarios\/ein-uberweisungstest$/)
    await run(page, 'Run')
    await statusIs(page, /^passed, \d steps/)

    await goTo(page, '#/scenarios/a-funded-customer')
    await page.getByLabel('the current world').check()
    await sees(page, 'A run replaces the current world')
    await run(page, 'Run')
    await statusIs(page, 'passed, 17 steps')
    expect(await externalUids(sandbox)).toEqual(['ada'])
    await run(page, 'Undo the run')
    await sees(page, /^Undone by commit [\d,]+: operator undid operations: the world is as after commit/)
    expect(await externalUids(sandbox)).toEqual(['mine'])
    await run(page, 'Redo the run')
    await expect.poll(() => externalUids(sandbox)).toEqual(['ada'])
  })

  it('a user runs all that are listed, and the report leads from each failure to its failed step', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    await call(sandbox, 'scenarios.save', { name: 'invalid', text: 'name: 1' })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios?q=archiv' })
    const { seq } = sandbox.store.world
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(5)
    const report = region(page, 'Report')
    const runListed = async (search: string) => {
      await page.getByLabel('Search scenarios').fill(search)
      await button(page, /^Run these/).click()
    }
    await page.getByLabel('Search scenarios').fill('no such thing')
    await sees(page, 'No scenario matches.')
    await runListed('not-archived')
    await sees(report, '1 failed')
    await sees(report, 'status: expected archived')
    await page.getByLabel('Search scenarios').fill('wire-')
    await clickButton(page, 'Run these 3')
    await report.getByRole('heading', { name: /^Report of/ }).waitFor()
    await expect.poll(() => report.getByText(/^\d+ passed/).innerText()).toBe('3 passed')
    // A scenario with an invalid file is a failure, too.
    await runListed('invalid')
    await sees(report, 'The file is invalid.')
    await runListed('not-archived')
    await sees(report, 'status: expected archived')
    await link(report, 'It is not archived').click()
    await pane(page).locator('[data-state=failed]').first().waitFor()
    // It runs what is shown: a changed text is saved first.
    await openText(page)
    const text = page.getByLabel('Text of not-archived')
    await text.fill((await text.inputValue()).replace('status: archived', 'status: active'))
    await sees(page, 'Unsaved changes.')
    await button(page, /^Run these/).click()
    await sees(report, /^1 passed/)
    await text.waitFor({ state: 'detached' })
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    await button(page, /^Run these/).click()
    await sees(report, '1 failed')
    await link(report, 'It is not archived').click()
    // The report stays, and the current world is as it was.
    await clickButton(page, 'Report')
    await sees(report, '1 failed')
    expect(sandbox.store.world.seq).toBe(seq)
  })
})

describe('replays, imports and faults', IN_BROWSER, () => {
  const replay = (page: Page) => clickButton(page, 'Replay')
  const replayedRows = (page: Page) => region(page, 'Replayed requests').locator('[data-row]').allInnerTexts()
  const comparison = (page: Page) => region(page, 'Comparison')
  const choose = (page: Page, file: ReturnType<typeof toFile>) => page.locator('input[type=file]').setInputFiles(file)

  it('a user replays one request and several, reads the differences, and undoes the replay', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    await client.post('/customers', { external_uid: 'once', email: 'ada@example.test' })
    const page = await visit(context, sandbox.gui, { at: '#/requests/x2' })
    await clickButton(request(page), 'Replay…')
    await replay(page)
    await expect.poll(() => replayedRows(page)).toEqual([expect.stringContaining('same')])
    await clickButton(page, 'Replay another…')
    await page.getByRole('radio', { name: /^The current world/ }).check()
    await replay(page)
    await expect.poll(() => replayedRows(page)).toEqual([expect.stringContaining('refused')])
    expect(await comparison(page).locator('tbody tr').first().innerText()).toMatch(/HTTP status\s+201\s+422/)
    expect(await region(comparison(page), 'Recorded').innerText()).toContain('ada@example.test')
    expect(await region(comparison(page), 'Replayed').innerText()).toContain('4016')
    // A refused request has changed nothing.
    expect(await button(page.locator('main'), /^Undo/).count()).toBe(0)
    await clickButton(page, 'Replay another…')

    // Several are chosen by mouse or keyboard.
    for (let i = 0; i < 4; i++) await client.get(`/customers?limit=${i}`)
    await goTo(page, '#/requests')
    const log = (i: number) => row(page, `limit=${i}`)
    await log(3).click({ modifiers: ['Control'] })
    await log(1).click({ modifiers: ['Shift'] })
    await sees(page, '3 chosen')
    await log(2).click({ modifiers: ['Control'] })
    await sees(page, '2 chosen')
    await page.getByRole('grid').press('Escape')
    await page.getByText(/chosen$/).waitFor({ state: 'detached' })
    await page.getByRole('grid').press('Control+a')
    await sees(page, `${await rows(page).count()} chosen`)
    await page.getByRole('grid').press('Escape')
    await page.getByRole('grid').press('Home')
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown')
    await sees(page, '3 chosen')
    await page.getByRole('link', { name: 'Replay…' }).first().click()
    await page.getByLabel('The 3 requests that you chose').waitFor()
    await replay(page)
    await sees(page, '3 requests replayed')
  })

  it('a user imports a HAR file, ignores and exports differences, and learns which files cannot be read', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/requests?replay=import', lossy: true })
    const missing = 'Aa1Bb2Cc3Dd4Ee5F'
    const entries = [
      recordedRequest('GET', `${sandbox.api}/pools`, 200, { gone: 1, total_count: 41 }),
      recordedRequest('POST', `${sandbox.api}/customers`, 201, {}),
      recordedRequest('GET', `${sandbox.api}/customers/${missing}`, 200, {}),
      recordedRequest('GET', 'https://example.test/a.png', 200, ''),
    ]
    const { seq } = sandbox.store.world
    await choose(page, toFile('case.har', createHar(entries)))
    // A summary comes first, and the world stays as it is.
    const summary = region(page, 'Summary')
    await sees(summary, 'GET /customers/{uid}')
    expect(await summary.innerText()).toMatch(/Requests\s+3[\s\S]*14 Aug[\s\S]*1 record that it does not create/)
    expect(await summary.innerText()).toContain(missing)
    expect(await page.getByRole('radio', { name: /^A copy of the current world/ }).isChecked()).toBe(true)
    await replay(page)
    await sees(page, '3 requests replayed')
    expect(await region(page, 'Skipped entries').innerText()).toContain('example.test/a.png')
    expect(sandbox.store.world.seq).toBe(seq)
    const fields = comparison(page).locator('tbody th')
    const names = await fields.allInnerTexts()
    // What both responses have comes first.
    expect([names[0], names.indexOf('gone') > 0]).toEqual(['total_count', true])
    await clickButton(comparison(page), 'Ignore total_count')
    await expect.poll(() => fields.allInnerTexts()).not.toContain('total_count')
    const exported = JSON.parse((await download(page, () => clickButton(page, 'Export differences'))).text)
    expect(exported).toMatchObject({ title: 'case.har', ignored: ['total_count'] })
    expect(JSON.stringify(exported.requests[0])).not.toContain('total_count')
    await clickButton(page, 'Compare total_count again')
    await expect.poll(() => fields.allInnerTexts()).toContain('total_count')

    await clickButton(page, 'Replay another…')
    const zip = Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0x80])
    await choose(page, { ...toFile('case.zip', ''), buffer: zip })
    await sees(page, /case.zip could not be read/)
    await page.getByLabel(/^Or paste/).fill('<html></html>')
    await replay(page)
    await sees(page, /The file is XML or HTML/)
  })

  it('a user exports a bundle: he sees what the mask leaves, chooses what it keeps, and opens it beside this world', async (context) => {
    const sandbox = await openWindow()
    const details = {
      first_name: 'Theodora',
      last_name: 'Lovelace',
      suffix: 'Jr',
      phone: '5155550123',
      ssn: '512-04-8823',
      dob: '1990-04-17',
      address: { street1: '1742 Cobblestone Row', city: 'Marlowe', state: 'TX', postal_code: '50311' },
    }
    const customer = { external_uid: 'mine', email: 'theodora@wexford.example', details }
    expect((await sandbox.client().post('/customers', customer)).status).toBe(201)
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await button(page, /^Export/)
      .first()
      .click()
    await page.getByText('What the mask leaves').click()
    await sees(page, /whether a person is under 18, but no day, month or year of birth/)
    await page.getByLabel('Note for the reader').fill('Case 17')
    const exported = () => download(page, () => clickButton(page, 'Download'))
    const masked = await exported()
    expect(masked.name).toMatch(/\.sandbank$/)
    expect(masked.text).not.toMatch(/Theodora|512-04|"ssn_last_four":"8823"|"Jr"|"TX"/)
    await page.getByRole('checkbox', { name: /last four digits of Social Security numbers/ }).check()
    const { text } = await exported()
    expect(text).toMatch(/"ssn_last_four":"8823"/)
    expect(text).not.toMatch(/Theodora|512-04|"Jr"|"TX"/)
    await press(page, 'Escape')

    await goTo(page, '#/requests?replay=import')
    await choose(page, toFile('case-17.sandbank', text))
    await sees(page, 'case-17.sandbank')
    await sees(page, 'Case 17')
    await clickButton(page, 'Open its world')
    await button(page, 'Back to the root world').waitFor()
    expect(new URL(page.url()).pathname).toBe('/worlds/world-1/')
    expect(sandbox.worlds.get('world-1')!.store.world.collections.customers.size).toBe(1)
    expect(await externalUids(sandbox)).toEqual(['mine'])
  })

  it('a user sets a fault, sees it on every screen and on its request, and clears it', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/faults' })
    await page.getByLabel('kind').selectOption('drop_after_commit')
    await page.getByLabel('method', { exact: true }).selectOption('POST')
    await page.getByLabel('path', { exact: true }).fill('/customers')
    await clickButton(page, 'Add')
    await sees(page, 'drop_after_commit on POST /customers')
    const indicator = page.getByRole('button', { name: /^1 fault active drop_after_commit on POST/ })
    await indicator.waitFor()
    await expect(sandbox.client().post('/customers', {})).rejects.toThrow()
    await goTo(page, '#/requests')
    const dropped = row(page, 'dropped')
    await dropped.getByRole('img', { name: 'fault: drop_after_commit' }).waitFor()
    await dropped.click()
    const meaning =
      'The request is committed, but the connection is dropped before the response: the caller does not know.'
    await sees(page, meaning)
    await indicator.click()
    await clickButton(page, 'Clear all')
    await indicator.waitFor({ state: 'detached' })
    expect((await call(sandbox, 'faults.list', {})).faults).toEqual([])
    await press(page, 'Escape')

    // One that is wrong is not set: its fields say why, and the first one has the focus.
    await goTo(page, '#/faults')
    await sees(page, 'No active faults')
    await page.getByLabel('kind').selectOption('status')
    const status = page.getByLabel('status', { exact: true })
    await status.fill('200')
    await page.getByLabel('times').fill('twice')
    await clickButton(page, 'Add')
    await sees(page, '“200” is invalid. Enter a whole number, 400 to 599.')
    await sees(page, '“twice” is invalid. Enter a whole number, at least 1.')
    await focusIsOn(status)
    expect(await status.getAttribute('aria-invalid')).toBe('true')
    expect((await call(sandbox, 'faults.list', {})).faults).toEqual([])
    await clickButton(page, 'Add: Lost response')
    await sees(page, 'drop_after_commit on POST /transfers')
    // Those of another client are shown, too.
    const faults = [{ kind: 'latency', ms: 1 } as const, { kind: 'status', status: 503 } as const]
    await call(sandbox, 'faults.set', { faults })
    await page.getByRole('button', { name: /^2 faults active/ }).waitFor()
    expect(await rows(page).count()).toBe(0)
  })
})
