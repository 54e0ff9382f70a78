import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { receiveWireToApprove } from '../support/demo.ts'
import { FAILING } from '../support/files.ts'
import { call } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { scheduleTasks, takeLong } from '../support/tasks.ts'
import {
  button,
  clickButton,
  findAccessibilityErrors,
  goTo,
  IN_BROWSER,
  link,
  openDemo,
  openWindow,
  paletteField,
  press,
  region,
  row,
  sees,
  select,
  visit,
} from '../support/window.ts'

/** Forms, dialogs, errors and work in progress against WCAG A and AA, in a real browser. window-walk.long.test.ts has every screen. */

const DAY_MS = 86_400_000

const tasks = { 'take long': takeLong }

/** Collects the violations; `show` goes to a place and waits for a text. */
function checksOf(page: Page) {
  const found: string[] = []
  const check = async (where: string) => void found.push(...(await findAccessibilityErrors(page, where)))
  const show = async (hash: string, text: string | RegExp) => {
    await goTo(page, hash)
    await sees(page, text)
  }
  const dialog = async (where: string) => {
    await page.getByRole('dialog').waitFor()
    await check(where)
    await press(page, 'Escape')
  }
  return { check, dialog, show, nothing: () => expect(found).toEqual([]) }
}

describe('no breach of WCAG A and AA', IN_BROWSER, () => {
  it('Connect, Requests and Customers, empty, with records, and without a connection', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { lossy: true })
    const { check, dialog, show, nothing } = checksOf(page)
    await sees(page, 'Point my app here')
    await check('Now, empty')
    await press(page, 'g', 'c')
    await sees(page, 'Waiting. Nothing has called port')
    await dialog('Connect, empty')
    await show('#/customers', 'Example')
    await check('Customers, empty')
    await show('#/requests', 'Every request to the API appears here')
    await check('Requests, empty')
    const client = sandbox.client()
    const ada = { external_uid: 'e', details: { first_name: 'Ada' } }
    const { body } = await client.post<{ uid: string }>('/customers', ada)
    await client.post('/customers', { external_uid: 'e', emial: 'x' })
    await client.get('/nowhere')
    await show('#/now', /1001/)
    await check('Now')
    await press(page, 'g', 'c')
    await sees(page, 'Called with the token')
    await dialog('Connect')
    await show('#/requests', 'Page Not Found')
    await check('Requests')
    await show('#/requests/x3', /^refused$/)
    await check('a refusal')
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await sees(page, 'Request headers')
    await check('headers')
    await clickButton(page, 'Columns')
    await page.getByRole('menu').waitFor()
    await check('a menu')
    await press(page, 'Escape')
    await show('#/customers', /^Ada$/)
    await check('Customers')
    await show(`#/customers/${body.uid}`, 'as the API returns them')
    await clickButton(page, 'Custom…')
    await dialog('the custom advance')
    await sandbox.close()
    await sees(page, 'Connection lost.')
    await check('a lost connection')
    nothing()
  })

  it('an advance, and a comparison of snapshots', async (context) => {
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['take long', 20 * DAY_MS])
    const page = await visit(context, sandbox.gui, { at: '#/customers?line=line' })
    const { check, nothing } = checksOf(page)
    await call(sandbox, 'snapshots.keep', { name: 'before' })
    await clickButton(page, 'Custom…')
    await page.getByLabel('A duration or a time in New York').fill('P40D')
    await button(page.getByRole('dialog'), 'Advance').click()
    await page.getByRole('progressbar').waitFor()
    await check('an advance')
    await clickButton(page, 'Cancel')
    await sees(page, /^Canceled before its end/)
    await sandbox.client().post('/customers', {})
    await goTo(page, '#/compare?of=snapshots&a=before')
    await page.locator('[data-sentence]').first().waitFor()
    await check('a comparison')
    nothing()
  })

  it('scenarios, replays and faults: paused, failed, invalid, recorded, chosen, imported, exported', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'scenarios.save', { name: 'not-archived', text: FAILING })
    await call(sandbox, 'scenarios.save', { name: 'half', text: 'name: Half\nsteps:\n  - requst: x\n' })
    const page = await visit(context, sandbox.gui, { at: '#/scenarios/not-archived' })
    const { check, dialog, show, nothing } = checksOf(page)
    const pane = region(page, 'Scenario')
    const status = pane.locator('[data-run-status]')
    await pane.getByRole('list', { name: 'Steps' }).waitFor()
    await check('a scenario')
    await clickButton(page, 'Step')
    await sees(status, /paused/)
    await check('a paused scenario')
    await clickButton(page, 'Continue')
    await sees(status, /failed/)
    await check('a failed scenario')
    await page.getByLabel('the current world').check()
    await sees(page, 'A run replaces the current world')
    await check('a scenario for the current world')
    await show('#/scenarios/half', 'The file is invalid and cannot be run.')
    await check('an invalid text')
    await clickButton(page, 'Save as…')
    await dialog('saving under a name')
    const client = sandbox.client()
    await client.post('/customers', { external_uid: 'a' })
    await goTo(page, '#/scenarios?record=1')
    await page.getByLabel('Text of the recording').waitFor()
    await check('a recording')
    await call(sandbox, 'faults.set', { faults: [{ kind: 'status', status: 503, path: '/products' }] })
    await client.get('/products')
    await show('#/requests/x3', 'Fault applied')
    await check('a request with a fault')
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /faults? active/ })
      .click()
    await dialog('the active faults')
    await select(row(page, '/products'), ['Shift'])
    await sees(page, '1 chosen')
    await check('chosen requests')
    await goTo(page, '#/requests?replay=own')
    await page.getByLabel('All requests in the list: 3').check()
    await page.getByRole('radio', { name: /^The current world/ }).check()
    await clickButton(page, 'Replay')
    await sees(page, 'requests replayed')
    await check('a replay after it')
    await clickButton(page, 'Replay another…')
    await goTo(page, '#/requests')
    await clickButton(page, 'Export…')
    await dialog('an export')
    nothing()
  })

  it('Webhooks: empty, a form with an error, events, resending, a narrow window', async (context) => {
    const sandbox = await openDemo()
    const receiver = await startReceiver((_event, response) => void response.writeHead(503).end('the queue is full'))
    const page = await visit(context, sandbox.gui, { at: '#/webhooks?form=new', lossy: true })
    const { check, dialog, show, nothing } = checksOf(page)
    await page.getByRole('dialog').waitFor()
    await clickButton(page, 'Add topics')
    await clickButton(page, 'Add')
    await sees(page, 'is missing')
    await dialog('a form of a webhook, with an error')
    await call(sandbox, 'webhooks.create', { url: null })
    await sees(page, 'No events yet')
    await check('Webhooks without events')
    await call(sandbox, 'webhooks.create', { url: receiver.url, confirm: false })
    await call(sandbox, 'webhooks.create', { url: receiver.url })
    const { uid } = await receiveWireToApprove(sandbox)
    await select(row(page, uid))
    await sees(page, '503 refused')
    await check('an event')
    await clickButton(page, 'Resend since this one…')
    await sees(page, /oldest first/)
    await dialog('resending events')
    await page.setViewportSize({ width: 800, height: 700 })
    await check('an event, at 800 pixels')
    const { data } = await call(sandbox, 'events.list', { record_uid: uid })
    await goTo(page, `#/transactions/${uid}`)
    await link(region(page, 'What happened'), 'transactions.created').first().waitFor()
    await check('a record with events')
    await clickButton(page, 'All states')
    await button(page, 'Reach settled').first().press('Enter')
    await sees(page, /^The clock would be/)
    await dialog('the steps to a state')
    await show(`#/webhook_events/${data[0]!.uid}`, '503 refused')
    await check('the page of an event')
    nothing()
  })

  it('the palette, the list of keys, and the settings of a Program', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { lossy: true })
    const { check, dialog, nothing } = checksOf(page)
    await press(page, 'Control+k')
    await paletteField(page).waitFor()
    await check('the palette')
    await page.keyboard.type('a')
    await page.getByRole('option', { name: /Search requests for/ }).waitFor()
    await check('the palette with what was found')
    await page.keyboard.type('dvance 1 business day')
    await press(page, 'Control+Enter')
    await page.getByRole('region', { name: 'Scheduled' }).waitFor()
    await check('what an advance would do')
    await press(page, 'Escape', 'Escape')
    await paletteField(page).waitFor({ state: 'detached' })
    await press(page, '?')
    await dialog('the keys')
    await goTo(page, '#/settings')
    const limits = region(page, 'Payment limits')
    await limits.getByLabel('ach minimum_amount').fill('x')
    await sees(limits, 'an amount is expected')
    await region(page, 'Products').locator('summary').first().click()
    await check('the settings')
    nothing()
  })
})
