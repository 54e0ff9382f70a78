import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { scheduleTasks, takeLong } from '../support/tasks.ts'
import { findAccessibilityErrors, goTo, IN_BROWSER, openDemo, openWindow, visit } from '../support/window.ts'

/** Every screen in every state against WCAG A and AA, in a real browser. */

const DAY_MS = 86_400_000

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const selectFirst = (page: Page) =>
  page
    .locator('main [data-row]')
    .first()
    .click({ position: { x: 20, y: 10 } })

const FAILING = `name: It is not archived
teaches: What a step that fails looks like.
given: { scenario: a-funded-customer }
steps:
  - request: GET /customers/$customer
    expect:
      body: { status: archived, kyc_status: approved }
  - advance: P1D
`
const scenarioPane = (page: Page) => page.getByRole('region', { name: 'Scenario', exact: true })

/** Kinds of task that take long, that fail, and that do nothing. */
const tasks = {
  'take long': takeLong,
  fragile: () => {
    throw new Error('the bank is on fire')
  },
  plain: () => 'happened',
}
const results = (page: Page) => page.getByRole('region', { name: 'Result' })
const selectedTask = (page: Page) => page.getByRole('region', { name: 'Selected task' })

const paletteField = (page: Page) => page.getByRole('combobox', { name: 'Search commands, screens and records' })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

describe('no breach of WCAG A and AA', IN_BROWSER, () => {
  it('Connect, Requests and Customers, empty and with records', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { lossy: true })
    const found: string[] = []
    const check = async (where: string) => void found.push(...(await findAccessibilityErrors(page, where)))
    const show = async (hash: string, text: string | RegExp) => {
      await goTo(page, hash)
      await page.getByText(text).first().waitFor()
    }
    await page.getByText('Waiting. Nothing has called port').waitFor()
    await check('Connect, empty')
    await show('#/customers', 'Example')
    await check('Customers, empty')
    await show('#/requests', 'Every request to the API appears here')
    await check('Requests, empty')

    const client = sandbox.client()
    const { body } = await client.post<{ uid: string }>('/customers', {
      external_uid: 'e',
      details: { first_name: 'Ada' },
    })
    await client.post('/customers', { external_uid: 'e', emial: 'x' })
    await client.get('/nowhere')
    await show('#/connect', 'Called with the token')
    await check('Connect')
    await show('#/requests', 'Page Not Found')
    await check('Requests')
    await show('#/requests/x3', /^refused$/)
    await check('a refusal')
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await page.getByText('Request headers').waitFor()
    await check('headers')
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('menu').waitFor()
    await check('a menu')
    await page.keyboard.press('Escape')
    await show('#/customers', /^Ada$/)
    await check('Customers')
    await show(`#/customers/${body.uid}`, 'as the API returns them')
    await check('a Customer')
    await page.getByRole('button', { name: 'Custom…' }).click()
    await page.getByRole('dialog').waitFor()
    await check('the custom advance')
    await page.keyboard.press('Escape')
    await sandbox.close()
    await page.getByText('Connection lost.').waitFor()
    await check('a lost connection')
    expect(found).toEqual([])
  })

  it('the lists of payments, VRNs and Customers, with a selected record', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    const found: string[] = []
    for (const list of ['transactions', 'transfers', 'returns', 'combined_transfers', 'vrns', 'customers']) {
      await goTo(page, `#/${list}`)
      await page.locator('main [data-footer]').getByText(/^\d+ /).waitFor()
      await selectFirst(page)
      found.push(...(await findAccessibilityErrors(page, list)))
    }
    expect(found).toEqual([])
  })

  it('records and the timeline of a Customer', async (context) => {
    const sandbox = await openDemo()
    const { uid, customer, account } = await receiveWireToApprove(sandbox)
    const places: readonly (readonly [hash: string, sign: string, act?: (page: Page) => Promise<void>])[] = [
      [
        `#/transactions/${uid}`,
        'section[aria-label="Operator decisions"] button',
        (it) => it.getByRole('button', { name: 'Deny…' }).click(),
      ],
      [`#/synthetic_accounts/${account}`, 'main table [data-right]', (it) => it.locator('main').press('w')],
      [`#/customers/${customer}`, '[data-machine]'],
      [`#/customers/${customer}?tab=story`, '[data-lane] i'],
      [
        `#/customers/${customer}?tab=map`,
        '[data-map] [data-flow]',
        async (it) => {
          await it.getByRole('button', { name: 'Show as table' }).click()
          await it.locator('[data-flow]').first().focus()
        },
      ],
      [`#/customers/${customer}?tab=map&to=2020-01-01`, 'main section[aria-label=Map] p button'],
      [`#/customers/${customer}?tab=payments`, '[role=tabpanel] [data-row]'],
      ['#/transfers/nobody', '[data-notice]'],
    ]
    const page = await visit(context, sandbox.gui, { lossy: true })
    const found: string[] = []
    for (const [hash, sign, act] of places) {
      await goTo(page, hash)
      await page.locator(sign).first().waitFor()
      await act?.(page)
      found.push(...(await findAccessibilityErrors(page, hash)))
      await page.keyboard.press('Escape')
    }
    expect(found).toEqual([])
  })

  it('Accounts, at three widths', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/accounts' })
    await page
      .getByRole('grid', { name: /^Entries of/ })
      .locator('[data-row]')
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'Trial balance' }).getByText('balanced').waitFor()
    const found: string[] = []
    for (const width of [1280, 320, 3840]) {
      await page.setViewportSize({ width, height: 900 })
      await page.locator('[data-plot] svg').waitFor()
      found.push(...(await findAccessibilityErrors(page, `${width} pixels`)))
    }
    expect(found).toEqual([])
  })

  it('Time and Snapshots', async (context) => {
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['fragile', 1_000], ['plain', DAY_MS], ['plain', 9 * DAY_MS], ['take long', 20 * DAY_MS])
    const page = await visit(context, sandbox.gui, { at: '#/time' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const found: string[] = []
    const check = async (where: string) => void found.push(...(await findAccessibilityErrors(page, where)))
    await check('the scheduled tasks')
    await page.keyboard.press('h')
    await results(page).getByText('1 outcome needs attention').waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: 'plain' })
      .first()
      .click({ position: { x: 20, y: 10 } })
    await selectedTask(page).getByRole('button', { name: 'Hold' }).click()
    await selectedTask(page).getByText('advances skip it until').waitFor()
    await page.getByLabel('Advance by').selectOption('business_days')
    await button(page, 'Preview').click()
    await page.getByText('not reached by this advance').waitFor()
    await call(sandbox, 'clock.set', { break_on: { collection: 'transactions', status: 'settled' } })
    await page.getByText('Freezes when a Transaction').waitFor()
    await check('failed and held tasks, and a preview')
    await page.getByLabel('Advance by').selectOption('duration')
    await page.getByLabel('Duration', { exact: true }).fill('P40D')
    await button(page, 'Advance').first().click()
    await page.getByRole('region', { name: 'Advance in progress' }).waitFor()
    await check('an advance')
    await page.getByRole('region', { name: 'Advance in progress' }).getByRole('button', { name: 'Cancel' }).click()
    await results(page).getByText('Canceled before').waitFor()

    await goTo(page, '#/snapshots')
    await button(page, 'Save').click()
    await page.getByText(/^Saved snapshot/).waitFor()
    await check('snapshots')
    await call(sandbox, 'clock.advance', { by: 'PT1S' })
    await sandbox.client().post('/customers', {})
    await page.getByRole('button', { name: /^Compare / }).click()
    await page.getByText(/records? differ/).waitFor()
    await check('a comparison')
    await goTo(page, '#/snapshots?pane=history')
    await page
      .locator('[data-row]')
      .first()
      .click({ position: { x: 20, y: 10 } })
    await check('the history')
    await goTo(page, '#/snapshots?pane=reset')
    await button(page, 'Start over…').click()
    await page.getByRole('dialog').waitFor()
    await check('starting over')
    await page.keyboard.press('Escape')
    expect(found).toEqual([])
  })

  it('scenarios, replays and faults', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    await call(sandbox, 'scenarios.save', { name: 'half', text: 'name: Half\nsteps:\n  - requst: x\n' })
    const page = await visit(context, sandbox.gui)
    const found: string[] = []
    const check = async (where: string) => void found.push(...(await findAccessibilityErrors(page, where)))
    await goTo(page, '#/scenarios')
    await page.getByText('A scenario is a test you can read').waitFor()
    await check('no scenario selected')
    await goTo(page, '#/scenarios/not-archived')
    await scenarioPane(page).getByRole('list', { name: 'Steps' }).waitFor()
    await check('a scenario')
    await button(page, 'Step').click()
    await scenarioPane(page).locator('[data-run-status]').filter({ hasText: 'paused' }).waitFor()
    await check('a paused scenario')
    await button(page, 'Continue').click()
    await scenarioPane(page).locator('[data-run-status]').filter({ hasText: 'failed' }).waitFor()
    await check('a failed scenario')
    await page.getByLabel('the current world').check()
    await page.getByText('A run replaces the current world').waitFor()
    await check('a scenario for the current world')
    await goTo(page, '#/scenarios/half')
    await page.getByText('The file is invalid and cannot be run.').waitFor()
    await check('an invalid text')
    await page.getByRole('button', { name: 'Save as…' }).click()
    await page.getByRole('dialog').waitFor()
    await check('saving under a name')
    await page.keyboard.press('Escape')
    const client = sandbox.client()
    await client.post('/customers', { external_uid: 'a' })
    await goTo(page, '#/scenarios?record=1')
    await page.getByLabel('Text of the recording').waitFor()
    await check('a recording')
    await call(sandbox, 'faults.set', { faults: [{ kind: 'status', status: 503, path: '/products' }] })
    await client.get('/products')
    await goTo(page, '#/requests/x3')
    await page.getByText('Fault applied').waitFor()
    await check('a request with a fault')
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /faults? active/ })
      .click()
    await page.getByRole('dialog').waitFor()
    await check('the active faults')
    await page.keyboard.press('Escape')
    await page
      .getByRole('row')
      .filter({ hasText: '/products' })
      .click({ modifiers: ['Shift'] })
    await page.getByText('1 chosen').waitFor()
    await check('chosen requests')
    await goTo(page, '#/requests?replay=own')
    await page.getByLabel('All requests in the list: 3').check()
    await check('a replay before it')
    await page.getByRole('radio', { name: /^The current world/ }).check()
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('requests replayed').waitFor()
    await check('a replay after it')
    await page.getByRole('button', { name: 'Replay another…' }).click()
    await goTo(page, '#/requests?replay=import')
    await page.getByText('Choose a file…').waitFor()
    await check('an import')
    await goTo(page, '#/requests')
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.getByRole('dialog').waitFor()
    await check('an export')
    await page.keyboard.press('Escape')
    await goTo(page, '#/faults')
    await page.getByRole('heading', { name: 'Add a fault' }).waitFor()
    await check('faults')
    expect(found).toEqual([])
  })

  it('Webhooks, empty and with events', async (context) => {
    const sandbox = await openDemo()
    const receiver = await startReceiver((_event, response) => void response.writeHead(503).end('the queue is full'))
    const page = await visit(context, sandbox.gui, { at: '#/webhooks', lossy: true })
    const found: string[] = []
    const check = async (where: string) => void found.push(...(await findAccessibilityErrors(page, where)))
    await page.getByText('Webhooks tell your app what happens').waitFor()
    await check('Webhooks, empty')
    await goTo(page, '#/webhooks?form=new')
    await page.getByRole('dialog').waitFor()
    await button(page, 'Add topics').click()
    await button(page, 'Add').click()
    await page.getByText('is missing').waitFor()
    await check('a form of a webhook, with an error')
    await page.keyboard.press('Escape')
    await call(sandbox, 'webhooks.create', { url: null })
    await page.getByText('No events yet').waitFor()
    await check('Webhooks without events')
    await call(sandbox, 'webhooks.create', { url: receiver.url, confirm: false })
    await call(sandbox, 'webhooks.create', { url: receiver.url })
    const { uid } = await receiveWireToApprove(sandbox)
    await page
      .locator('main [data-row]')
      .filter({ hasText: uid })
      .first()
      .click({ position: { x: 20, y: 10 } })
    await page.getByText('503 refused').first().waitFor()
    await check('an event')
    await button(page, 'Resend since this one…').click()
    await page.getByText(/oldest first/).waitFor()
    await check('resending events')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 800, height: 700 })
    await check('an event, at 800 pixels')
    const { data } = await call(sandbox, 'events.list', { record_uid: uid })
    await goTo(page, `#/transactions/${uid}`)
    await page.getByRole('region', { name: 'Webhook events' }).waitFor()
    await check('a record with events')
    await goTo(page, `#/webhook_events/${data[0]!.uid}`)
    await page.getByText('503 refused').first().waitFor()
    await check('the page of an event')
    expect(found).toEqual([])
  })

  it('Inject and the reference', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    for (const place of [
      '#/inject',
      '#/inject?kind=decisions',
      '#/reference/createTransfer',
      '#/reference/errors?code=3004',
    ]) {
      await goTo(page, place)
      await page.locator('main form [data-form-row], #reference-page table, main li').first().waitFor()
      expect(await findAccessibilityErrors(page, place)).toEqual([])
    }
  })

  it('the palette, the list of keys, and the settings of a Program', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { lossy: true })
    const found: string[] = []
    const check = async (where: string) => void found.push(...(await findAccessibilityErrors(page, where)))
    await press(page, 'Control+k')
    await paletteField(page).waitFor()
    await check('the palette')
    await page.keyboard.type('a')
    await page.getByRole('option', { name: /Search requests for/ }).waitFor()
    await check('the palette with what was found')
    await press(page, 'ArrowUp', 'Control+Enter')
    await page.getByRole('region', { name: 'Preview' }).waitFor()
    await check('what would run')
    await press(page, 'Escape', 'Escape')
    await paletteField(page).waitFor({ state: 'detached' })
    await press(page, '?')
    await page.getByRole('dialog').waitFor()
    await check('the keys')
    await press(page, 'Escape')
    await goTo(page, '#/settings')
    const limits = page.getByRole('region', { name: 'Payment limits' })
    await limits.getByLabel('ach minimum_amount').fill('x')
    await limits.getByText('an amount is expected').waitFor()
    await page.getByRole('region', { name: 'Products' }).locator('summary').first().click()
    await check('the settings')
    expect(found).toEqual([])
  })
})
