import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { languages } from '../../src/renderer/screens/connect/snippets.ts'
import { serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { call } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { scheduleTasks } from '../support/tasks.ts'
import { built, findCutTexts, IN_BROWSER, openDemo, openWindow, visit, WAIT_MS } from '../support/window.ts'

/** The built window in a real browser, against a real sandbox. */

const rows = (page: Page) => page.locator('[role=row][aria-selected]')
const selectedRow = (page: Page) => page.locator('[role=row][aria-selected=true]')
const inspector = (page: Page) => page.getByRole('region', { name: 'Request', exact: true })
const clock = (page: Page) => page.locator('[data-now]')

describe('the headless host', IN_BROWSER, () => {
  it('serves the window, which shows a new request at once and advances the clock', async (context) => {
    const host = await serve(['--ephemeral', '--clock', 'frozen', '--start', '2026-11-20T14:04:18Z'])
    const page = await visit(context, host.line.gui)
    await page.getByText('Waiting. Nothing has called port').waitFor()
    const created = await apiClient(host).post('/customers', { email: 'ada@example.test' })
    expect(created.status).toBe(201)
    await page.getByText(`Create a Customer: ${created.body.uid}`).waitFor()
    await expect.poll(() => clock(page).innerText()).toContain('09:04:18')
    await page.getByRole('button', { name: '1 hour' }).click()
    await expect.poll(() => clock(page).innerText()).toContain('10:04:18')
    const response = await fetch(`${host.line.control}/clock.read`, {
      method: 'POST',
      headers: { 'x-control-key': host.line.control_key },
    })
    expect(await response.json()).toMatchObject({ now: '2026-11-20T15:04:18.000Z', mode: 'frozen' })
  })
})

describe('requests', IN_BROWSER, () => {
  it('appear at once, and the window explains a refused one', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    await page.getByText('Waiting. Nothing has called port').waitFor()
    const client = sandbox.client()
    await client.get('/customers')
    await page.getByText('Called with the token').waitFor()
    expect(await page.locator('main li[data-state=done]').count()).toBe(3)

    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click()
    await rows(page).nth(1).waitFor()
    expect(await rows(page).count()).toBe(2)

    await client.post('/customers', { customer_type: 'secondary', primary_customer_uid: 'nobody', emial: 'x@y.test' })
    await rows(page).nth(2).waitFor()
    await rows(page).first().click()
    const request = inspector(page)
    await request.getByText('primary_customer_uid', { exact: true }).first().waitFor()
    const words = await request.innerText()
    expect(words).toContain('POST /customers')
    expect(words).toMatch(/40\d\d/)
    expect(words).toContain('no changes')
    expect(words).toContain('emial was ignored; did you mean email?')
    expect(await request.locator('li[data-refused]').innerText()).toBe('rules')
    expect(await request.locator('[data-hit]').innerText()).toContain('"primary_customer_uid": "nobody"')
    expect(await request.locator('[data-tip]').innerText()).toContain('"emial"')
    expect(page.url()).toMatch(/#\/requests\/x3$/)
  })

  it('show the cause of a refusal that the response does not contain', async (context) => {
    const sandbox = await openWindow()
    await sandbox.client().send('GET', '/customers', { headers: { authorization: 'Bearer abc' } })
    const page = await visit(context, sandbox.gui)
    await page.getByRole('link', { name: 'See why' }).first().click()
    await inspector(page).getByText('the value begins with "Bearer "').waitFor()
    expect(await inspector(page).locator('li[data-refused]').innerText()).toBe('token')
    expect(await inspector(page).locator('li[data-unreached]').count()).toBe(5)
  })

  it('are filtered, and the address contains the filters', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    await client.get('/customers?limit=-1')
    await client.post('/customers', {})
    const page = await visit(context, sandbox.gui)
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await expect.poll(() => rows(page).count()).toBe(3)
    await page.getByRole('button', { name: /^Refused/ }).click()
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Method: any' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'POST' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.keyboard.press('Escape')
    await page.getByLabel('Search requests').fill('create a')
    await expect.poll(() => rows(page).count()).toBe(1)
    await expect.poll(() => page.url()).toMatch(/#\/requests\?method=POST&q=create\+a$/)
    await page.getByLabel('Search requests').fill('no such thing')
    await page.getByText('No request matches the filters.').waitFor()
  })

  it('do not move the visible rows; new ones are counted until the user shows them', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    for (let i = 0; i < 240; i++) await client.get(`/customers?limit=${i}`)
    const page = await visit(context, sandbox.gui)
    await page.getByText('Called with the token').waitFor()
    await page.evaluate(() => void (location.hash = '#/requests'))
    await page.getByText('241 requests', { exact: true }).waitFor()
    // The table is virtual: it contains only the visible rows, but states the number of all rows.
    expect(await rows(page).count()).toBeLessThan(80)
    const grid = page.getByRole('grid')
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(241)
    await grid.evaluate((element) => element.scrollTo({ top: 2_800 }))
    await page.getByText('/customers?limit=130', { exact: true }).waitFor()
    const placeOf = () => page.getByText('/customers?limit=130', { exact: true }).boundingBox()
    const before = await placeOf()
    for (let i = 0; i < 3; i++) await client.get('/customers?limit=999')
    await page.getByRole('button', { name: '3 new, show' }).waitFor()
    expect(await placeOf()).toEqual(before)
    await page.getByRole('button', { name: '3 new, show' }).click()
    await page.getByText('following the newest').waitFor()
    await page.getByText('/customers?limit=999').first().waitFor()
  })
})

describe('the first request on Connect', IN_BROWSER, () => {
  it('is one of the app: what the window, a scenario or a replay sends checks nothing off', async (context) => {
    const sandbox = await openDemo()
    const sent = await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    await call(sandbox, 'exchanges.replay', { uids: [sent.uid], into: 'present' })
    const text = 'name: One request\nsteps:\n  - request: GET /customers\n'
    await call(sandbox, 'scenarios.run', { text, into: 'present' })
    const page = await visit(context, sandbox.gui)
    await page.getByText(/^Waiting\. Nothing has called port/).waitFor()
    await page.getByRole('region', { name: 'Latest requests' }).getByText('/customers').first().waitFor()
    await sandbox.client().get('/customers?limit=3')
    await page.getByText('Called with the token').waitFor()
    expect(await page.getByText(/GET .*returned 200$/).innerText()).toContain('/customers?limit=3')
  })
})

describe('the pulse on Connect', IN_BROWSER, () => {
  it('stays in its place when the first requests arrive above it', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    const place = async () => (await page.getByRole('heading', { name: 'Pulse' }).boundingBox())?.y
    await page.getByText('Waiting. Nothing has called port').waitFor()
    const before = await place()
    for (let n = 0; n < 6; n++) await sandbox.client().get(`/customers?limit=${n}`)
    await page.getByRole('link', { name: '/customers?limit=5' }).waitFor()
    expect(await place()).toBe(before)
  })

  it('shows requests, refusals and money by rail over time, as a picture and as a table', async (context) => {
    const setup = await setUpPayments({ window: built })
    await setup.fund(await setup.customer(), '500.00')
    await setup.api.get('/customers?limit=-1')
    const page = await visit(context, setup.sandbox.gui)
    const pulse = page.getByRole('region', { name: 'Pulse' })
    await pulse.getByRole('img', { name: /requests, 1 refused; settled wire 500\.00 in 1 payment\.$/ }).waitFor()
    // A request of the app appears at once.
    await setup.api.get('/customers?limit=-2')
    await pulse.getByRole('img', { name: /requests, 2 refused;/ }).waitFor()
    await pulse.getByRole('button', { name: 'Show as table' }).click()
    expect(await pulse.getByRole('columnheader', { name: 'wire' }).count()).toBe(1)
    expect(await pulse.getByRole('cell', { name: '500.00' }).count()).toBe(1)
    // Nothing happened in the last hour of a world that is advanced by a day.
    await setup.advance({ by: 'P1D' })
    await pulse.getByRole('button', { name: 'Last hour' }).click()
    const nothing = pulse.getByRole('img', { name: /: 0 requests, 0 refused; settled nothing\.$/ })
    await nothing.waitFor()
    // The hour moves on with the clock, also if nothing else happens.
    await setup.api.get('/customers?limit=1')
    await pulse.getByRole('img', { name: /: [12] requests?, 0 refused/ }).waitFor()
    await setup.advance({ by: 'PT2H' })
    await nothing.waitFor()
  })

  it('groups the errors by code and endpoint, and each group leads to its requests', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    for (const path of ['/customers?limit=-1', '/customers?limit=-2', '/transfers?limit=-1']) await client.get(path)
    const page = await visit(context, sandbox.gui)
    const pulse = page.getByRole('region', { name: 'Pulse' })
    const group = pulse.getByRole('row', { name: /1005 GET \/customers$/ })
    await group.getByRole('link', { name: '2 requests' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'endpoint listCustomers' }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('button', { name: 'code 1005' }).click()
    await page.getByRole('button', { name: 'endpoint listCustomers' }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
  })

  it('leads from each status of a group without a code to the requests with this status', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    await client.get('/customers')
    for (const [status, times] of [
      [503, 2],
      [429, 1],
    ] as const) {
      await call(sandbox, 'faults.set', { faults: [{ kind: 'status', status, times }] })
      for (let n = 0; n < times; n++) await client.get('/customers')
    }
    const page = await visit(context, sandbox.gui)
    const pulse = page.getByRole('region', { name: 'Pulse' })
    await pulse
      .getByRole('row', { name: /503 – GET \/customers$/ })
      .getByRole('link', { name: '2 requests' })
      .click()
    await page.getByRole('button', { name: 'status 503' }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
  })
})

describe('Customers', IN_BROWSER, () => {
  it('appear in the list when they are created, and have a page with an address', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    await page
      .getByRole('link', { name: /^Customers/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Example' }).waitFor()
    const client = sandbox.client()
    const details = { first_name: 'Ada', last_name: 'Harbor', address: { city: 'Ames' } }
    const ada = (await client.post<{ uid: string }>('/customers', { external_uid: 'e-1', details })).body
    await page.getByRole('link', { name: 'Ada Harbor' }).waitFor()
    const ben = { customer_type: 'secondary', primary_customer_uid: ada.uid, details: { first_name: 'Ben' } }
    const second = (await client.post<{ uid: string }>('/customers', ben)).body
    await page.getByRole('link', { name: 'Ben', exact: true }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)

    await page.getByRole('link', { name: 'Ada Harbor' }).click()
    await page.getByRole('heading', { name: 'Ada Harbor' }).waitFor()
    expect(page.url()).toMatch(new RegExp(`#/customers/${ada.uid}$`))
    const record = page.getByRole('region', { name: 'Record' })
    const words = await record.innerText()
    for (const field of ['external_uid', 'e-1', 'secondary_customer_uids', 'address.city', 'Ames', 'pii_confirmed_at'])
      expect(words).toContain(field)
    expect(
      await record.getByRole('img', { name: /^States of Customer: current initiated; possible next queued/ }).count(),
    ).toBe(1)
    expect(await page.locator('[data-machine] [data-current]').textContent()).toBe('initiated')
    await page.getByRole('complementary').getByRole('link', { name: 'Ben' }).click()
    await page.getByRole('heading', { name: 'Ben' }).waitFor()
    expect(page.url()).toContain(second.uid)
    await page.goBack()
    await page.getByRole('heading', { name: 'Ada Harbor' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Ada Harbor' }).waitFor()
  })

  it('are reported as unknown if no Customer has the uid', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/customers/nobody', lossy: true })
    await page.getByText('No Customer has the uid nobody.').waitFor()
  })

  it('show hostile text as text only', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    const details = {
      first_name: '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">',
      last_name: '\u202egnp.exe \u0001\u{1F4B8}',
      middle_name: 'A'.repeat(10_000),
    }
    const { body } = await client.post<{ uid: string }>('/customers', { email: '\u202ereversed', details })
    const page = await visit(context, sandbox.gui)
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await rows(page).first().waitFor()
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBe(1280)
    await page.evaluate((uid) => void (location.hash = `#/customers/${uid}`), body.uid)
    await page.getByRole('region', { name: 'Fields' }).getByText('details.middle_name').waitFor()
    expect(await width()).toBe(1280)
    expect(await page.locator('[data-screen-bar]').evaluate((bar) => bar.scrollWidth <= bar.clientWidth)).toBe(true)
    await page.evaluate(() => void (location.hash = '#/requests/x2'))
    await inspector(page).locator('pre').waitFor()
    expect(await inspector(page).innerText()).toContain('<script>window.hurt = 1</script>')
    expect(await inspector(page).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
    expect(await page.locator('img').count()).toBe(0)
  })
})

describe('the clock', IN_BROWSER, () => {
  it('is run, frozen and advanced from the bar', async (context) => {
    const sandbox = await openWindow({ tasks: { k: () => 'done' } })
    scheduleTasks(sandbox, ['k', 5_400_000])
    const page = await visit(context, sandbox.gui)
    await page.getByText('10:00:00 ET').waitFor()
    expect(await clock(page).innerText()).toBe('Fri 14 Aug 2026 10:00:00 ET')
    await page.getByRole('button', { name: '1 hour' }).click()
    await page.getByText('11:00:00 ET').waitFor()
    await page.getByRole('button', { name: 'To next task' }).click()
    await page.getByText('11:30:00 ET').waitFor()
    await page.getByRole('button', { name: '1 business day' }).click()
    await page.getByText('Mon 17 Aug 2026').waitFor()

    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Running').waitFor()
    const started = await clock(page).innerText()
    await expect.poll(() => clock(page).innerText(), { timeout: WAIT_MS }).not.toBe(started)
    await page.locator('body').press('.')
    await page.getByText('Frozen').waitFor()
    expect((await sandbox.call('clock.read', {})) as object).toMatchObject({ value: { mode: 'frozen' } })
  })

  it('is advanced by a custom duration; an invalid one shows an error beside the field', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { lossy: true })
    await page.getByText('10:00:00 ET').waitFor()
    await page.getByRole('button', { name: 'Custom…' }).click()
    const field = page.getByLabel('A duration or a time in New York')
    await field.fill('P1M')
    await field.press('Enter')
    await page.getByRole('dialog').getByText('months and years have no fixed length').waitFor()
    await field.fill('2026-08-13T00:00:00Z')
    await field.press('Enter')
    await page.getByRole('dialog').getByText('time does not go back').waitFor()
    await field.fill('30 minutes')
    await field.press('Enter')
    await page.getByText('10:30:00 ET').waitFor()
    await page.getByRole('button', { name: 'Custom…' }).click()
    await field.fill('monday 9:00')
    await field.press('Enter')
    await page.getByText('09:00:00 ET').waitFor()
    await page.getByRole('button', { name: 'Custom…' }).click()
    await field.fill('2 business days')
    await field.press('Enter')
    await page.getByText('Wed 19 Aug 2026').first().waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'To next task' }).getAttribute('title')).toBe('Nothing scheduled.')
  })

  it('has an Undo of the last advance in its form', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    await page.getByText('10:00:00 ET').waitFor()
    const custom = page.getByRole('button', { name: 'Custom…' })
    await custom.click()
    expect(await page.getByRole('dialog').getByText('Last advance').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1 hour' }).click()
    await page.getByText('11:00:00 ET').waitFor()
    await custom.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the last advance' }).click()
    await page.getByText('10:00:00 ET').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Redo the last advance' }).click()
    await page.getByText('11:00:00 ET').waitFor()
  })

  it('shows all its controls beside a running clock, from 1,001 pixels on', async (context) => {
    const sandbox = await openWindow({ clock: 'running' })
    const page = await visit(context, sandbox.gui, { viewport: { width: 1001, height: 800 } })
    await page.getByRole('button', { name: 'Freeze' }).waitFor()
    const cut = await page.locator('header').evaluate((header) => {
      const edges = [...header.children].map((child) => child.getBoundingClientRect())
      const [mode, time] = edges
      return { beyond: edges.filter(({ right }) => right > innerWidth).length, overlaps: mode!.right > time!.left }
    })
    expect(cut).toEqual({ beyond: 0, overlaps: false })
    const mode = page.getByText('Running', { exact: true })
    expect(await mode.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  })
})

describe('the key and the connection', IN_BROWSER, () => {
  it('the window removes the key from the address and stores it for the tab', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui)
    expect(page.url()).not.toContain('key')
    expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(['', 0])
    await page.reload()
    await page.locator('[data-api-address]').first().waitFor()
  })

  it('the window rejects a wrong key, and opens with the right one', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui.replace('test-key', 'wrong-key'), { lossy: true })
    await page.getByRole('heading', { name: 'The key is not valid' }).waitFor()
    await page.getByLabel('Or paste the key here').fill(sandbox.gui)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Connect' }).waitFor()
  })

  it('an address with another key, opened in the tab that shows the window, is used and removed', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui.replace('test-key', 'wrong-key'), { lossy: true })
    await page.getByRole('heading', { name: 'The key is not valid' }).waitFor()
    await page.goto(sandbox.gui)
    await page.getByRole('heading', { name: 'Connect' }).waitFor()
    expect(page.url()).not.toContain('key')
  })

  it('the window reports a missing key', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, new URL(sandbox.gui).origin)
    await page.getByRole('heading', { name: 'This window needs its key' }).waitFor()
  })

  it('the window reports a lost connection with the time of the shown data, and reconnects by itself', async (context) => {
    const first = await openWindow()
    const port = Number(new URL(first.api).port)
    await first.client().get('/customers?limit=7')
    const page = await visit(context, first.gui, { lossy: true })
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByText('/customers?limit=7').waitFor()
    await first.close()
    await page.getByText('Connection lost.').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Fri 14 Aug 2026 10:00:00 ET')
    expect(await page.getByText('/customers?limit=7').count()).toBe(1)
    await page.getByRole('banner').getByText('Unknown', { exact: true }).waitFor()
    // A click says that it did nothing.
    for (const button of ['1 hour', 'Run']) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByText('The clock did not change.').waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByText('The clock did not change.').waitFor({ state: 'detached' })
    }
    const second = await openWindow({ port })
    await second.client().get('/customers?limit=8')
    await page.getByText('/customers?limit=8').waitFor()
    expect(await page.getByText('Connection lost.').count()).toBe(0)
    expect(await page.getByText('/customers?limit=7').count()).toBe(0)
    await page.getByRole('banner').getByText('Frozen', { exact: true }).waitFor()
  })

  it('a decision that gets no response says so: it was not refused', async (context) => {
    const sandbox = await openWindow({ world: 'demo' })
    const { data } = await call(sandbox, 'records.list', { collection: 'customers', status: ['active'], limit: 1 })
    const page = await visit(context, sandbox.gui, { at: `#/customers/${data[0]!.uid}`, lossy: true })
    await page.getByRole('button', { name: 'Put under review' }).waitFor()
    await sandbox.close()
    await page.getByText('Connection lost.').waitFor()
    await page.getByRole('button', { name: 'Put under review' }).click()
    await page.getByText('Put under review could not be sent.').waitFor()
  })
})

describe('by keyboard alone', IN_BROWSER, () => {
  it('a request is opened and closed, and the list is searched', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    await client.get('/customers?limit=1')
    await client.get('/customers?limit=2')
    const page = await visit(context, sandbox.gui)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.getByText('Called with the token').waitFor()
    await press('g', 'r')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    await press('ArrowDown', 'ArrowDown')
    await expect.poll(() => selectedRow(page).innerText()).toContain('/customers?limit=1')
    await inspector(page).getByText('GET /customers?limit=1').waitFor()
    await press('Home')
    await inspector(page).getByText('GET /customers?limit=2').waitFor()
    await press('End')
    await inspector(page).getByText('POST /auth').waitFor()
    const focus = await page.evaluate(() => {
      const grid = document.activeElement
      return grid && document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent
    })
    expect(focus).toContain('/auth')
    await press('Escape')
    await inspector(page).waitFor({ state: 'detached' })

    await press('/')
    await page.keyboard.type('limit=2')
    await expect.poll(() => rows(page).count()).toBe(1)
    await press('Escape', 'Escape')
    await expect.poll(() => rows(page).count()).toBe(3)

    await page.keyboard.type('?')
    await page.getByRole('dialog').getByText('freeze or run').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press('g', 'c')
    await page.getByRole('heading', { name: 'Connect' }).waitFor()
    await press('[')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
  })
})

describe('the receiver of webhooks on Connect', IN_BROWSER, () => {
  it('is shown in each language, with the key of the command', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    const key = 'a-key-that-both-sides-know'
    const command = page.getByRole('region', { name: 'Receive webhooks' }).getByText(`--key ${key}`)
    await command.scrollIntoViewIfNeeded()
    const code = page.getByRole('region', { name: 'Code of a receiver' })
    for (const name of ['Python', 'Java', 'TypeScript']) {
      await code.getByRole('tab', { name }).click()
      await code.getByRole('button', { name: `Copy receiver in ${name}` }).waitFor()
      // The panel of the language before may still be there.
      await code.getByRole('tabpanel', { name }).getByText(`"${key}"`).waitFor()
    }
    expect(await findCutTexts(page)).toEqual([])
  })
})

describe('the snippets of Connect', IN_BROWSER, () => {
  const run = promisify(execFile)
  const runs: Readonly<Record<string, { file: string; command: string; args: readonly string[] }>> = {
    curl: { file: 'call.sh', command: 'sh', args: [] },
    TypeScript: { file: 'call.mjs', command: process.execPath, args: [] },
    Python: { file: 'call.py', command: 'python3', args: [] },
    Java: { file: 'Call.java', command: 'java', args: [] },
  }
  const needs: Readonly<Record<string, readonly string[]>> = {
    curl: ['curl', 'openssl'],
    Python: ['python3'],
    Java: ['java'],
  }

  it.each(languages)('run unchanged: $name', async ({ name, write }) => {
    const sandbox = await startSandbox()
    const [program] = sandbox.programs()
    const values = { base_url: sandbox.api, program_uid: program!.uid, hmac_key: program!.hmac_key }
    for (const tool of needs[name] ?? [])
      if (!(await run(tool, tool === 'openssl' ? ['version'] : ['--version']).catch(() => undefined))) {
        console.warn(`The snippet for ${name} was not run: there is no ${tool} here`)
        return
      }
    const folder = await mkdtemp(join(tmpdir(), 'snippet-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { file, command, args } = runs[name]!
    // Older versions of Node do not strip types.
    const source = name === 'TypeScript' ? write(values).replace(/: (object|string)\b/g, '') : write(values)
    await writeFile(join(folder, file), source)
    const { stdout } = await run(command, [...args, join(folder, file)])
    expect(stdout).toMatch(/total_count['"]?: ?0/)
  })
})
