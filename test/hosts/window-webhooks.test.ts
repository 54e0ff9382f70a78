import { generateKey } from 'openpgp'
import type { Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import { call } from '../support/operator.ts'
import { type Answer, startReceiver } from '../support/receiver.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { goTo, IN_BROWSER, openDemo, visit } from '../support/window.ts'

/** The screen Webhooks, in a real browser, with a receiver. */

const refuse: Answer = (_event, response) => void response.writeHead(503).end('the queue is full')

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const row = (page: Page, text: string) => page.locator('main [data-row]').filter({ hasText: text }).first()
const webhookRow = (page: Page, text: string) => page.locator('[data-webhook]').filter({ hasText: text })
const pane = (page: Page) => page.getByRole('region', { name: 'Details', exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const urlField = (page: Page) => dialog(page).getByRole('textbox', { name: 'url', exact: true })
const select = (page: Page, text: string) => row(page, text).click({ position: { x: 20, y: 10 } })

/** An event: interest arrives for a Customer of the demo world. */
async function makeEvent(sandbox: TestSandbox, us_dollar_amount = '12.00') {
  const { data } = await call(sandbox, 'records.list', { collection: 'customers' })
  const customer = data.find(({ external_uid }) => external_uid === 'demo-business-1')!
  const movement = { movement: 'interest', customer_uid: String(customer.uid), us_dollar_amount } as const
  return String((await call(sandbox, 'transactions.inject', movement)).uid)
}

/** The window at Webhooks, with a webhook for the events of new Transactions. */
async function openWithWebhook(context: TestContext, answer?: Answer) {
  const sandbox = await openDemo()
  const receiver = await startReceiver(answer)
  const topics = ['transactions.created' as const]
  const webhook = await call(sandbox, 'webhooks.create', { url: receiver.url, topics, confirm: false })
  const page = await visit(context, sandbox.gui, { at: '#/webhooks', viewport: { width: 1440, height: 900 } })
  return { sandbox, receiver, webhook, page }
}

describe('Webhooks', IN_BROWSER, () => {
  it('without webhooks says that nothing is kept, and listens without a receiver by one click', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    await page.locator('main').press('g')
    await page.keyboard.press('h')
    await page.getByText('Without a webhook this Program keeps no events.').waitFor()
    await page.getByText('Events are kept and sent nowhere').waitFor()
    expect(await button(page, 'Add a webhook').count()).toBe(1)
    await button(page, 'Listen here').click()
    await webhookRow(page, 'no address').getByText('active').waitFor()
    await page.getByText('No events yet').waitFor()
    expect(await button(page, 'Listen here').count(), 'one is enough').toBe(0)

    const uid = await makeEvent(sandbox)
    await row(page, uid).getByText('only kept').waitFor()
    await select(page, uid)
    await pane(page).getByText('as it would be sent').waitFor()
    const { data } = await call(sandbox, 'events.list', { record_uid: uid })
    await pane(page).locator('pre').getByText(data[0]!.uid).waitFor()

    // What was kept can be sent later.
    const receiver = await startReceiver()
    await call(sandbox, 'webhooks.create', { url: receiver.url, confirm: false })
    await button(page, 'Resend to one webhook').click()
    await page.getByRole('menuitem', { name: `to ${receiver.url}` }).click()
    await pane(page).getByText('204 accepted').waitFor()
    expect(receiver.received.map(({ body }) => body.event_id)).toEqual([data[0]!.uid])
  })

  it('adds a webhook, shows a refusal at its field, and becomes active when its receiver accepts the test event', async (context) => {
    const sandbox = await openDemo()
    const receiver = await startReceiver()
    const page = await visit(context, sandbox.gui, { at: '#/webhooks', lossy: true })
    await button(page, 'Add a webhook').click()
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await dialog(page).getByText('is missing').waitFor()
    await urlField(page).fill('https://example.com/hooks')
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await dialog(page).getByText('webhooks are sent to this machine only').waitFor()
    expect(await urlField(page).getAttribute('aria-invalid')).toBe('true')
    await urlField(page).fill(receiver.url)
    await button(page, 'Add topics').click()
    await dialog(page).getByLabel('0', { exact: true }).selectOption('customers.lock')
    await page.keyboard.press('Enter')
    await button(page, /^Add$/).click()
    await webhookRow(page, receiver.url).getByText('active').waitFor()
    await webhookRow(page, receiver.url).getByText('customers.lock').waitFor()
    await row(page, 'test.test').getByText('delivered').waitFor()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/test'])

    await button(page, `Edit… ${receiver.url}`).click()
    await dialog(page)
      .getByText(/more fields/)
      .click()
    await dialog(page).getByLabel('envelope').selectOption('data')
    await button(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    const [webhook] = (await call(sandbox, 'webhooks.list', {})).webhooks
    expect(webhook).toMatchObject({ envelope: 'data', topics: ['customers.lock'] })

    await button(page, `Test ${receiver.url}`).click()
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]!.body).toMatchObject({ data: { event_type: 'test' } })
    await button(page, `Pause ${receiver.url}`).click()
    await webhookRow(page, receiver.url).getByText('paused').waitFor()
    await button(page, `Activate ${receiver.url}`).click()
    await webhookRow(page, receiver.url).getByText('active').waitFor()
    await button(page, 'Delete…').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await webhookRow(page, receiver.url).waitFor({ state: 'detached' })
    await row(page, 'test.test').waitFor()
  })

  it('takes a PGP key of several lines and a rule for failures, and says of an event what was done on purpose', async (context) => {
    const { publicKey } = await generateKey({ type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ name: 'Olive' }] })
    const { sandbox, receiver, webhook, page } = await openWithWebhook(context)
    await button(page, `Edit… ${receiver.url}`).click()
    await dialog(page)
      .getByText(/more fields/)
      .click()
    await dialog(page).getByRole('textbox', { name: 'pgp_public_key' }).fill(publicKey)
    await button(page, 'Add failures').click()
    await dialog(page).getByLabel('kind').selectOption('corrupt_signature')
    await button(page, 'Save').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await call(sandbox, 'webhooks.list', {})).webhooks).toMatchObject([
      { uid: webhook.uid, pgp_public_key: publicKey, failures: [{ kind: 'corrupt_signature' }] },
    ])
    const uid = await makeEvent(sandbox)
    await row(page, uid).getByText('delivered').waitFor()
    await select(page, uid)
    await pane(page).getByText('Signed wrongly on purpose.').waitFor()
    await pane(page).getByText('Its signature was wrong on purpose.').waitFor()
    await pane(page).getByText('The details are sent encrypted, as a PGP message.').waitFor()
    expect(receiver.received[0]!.body.details).toMatch(/^-----BEGIN PGP MESSAGE-----/)
  })

  it('says what the receiver answered about its health after the last attempt', async (context) => {
    const { sandbox, receiver, webhook, page } = await openWithWebhook(context, refuse)
    receiver.health = 503
    await call(sandbox, 'webhooks.update', { uid: webhook.uid, retry_seconds: [] })
    const uid = await makeEvent(sandbox)
    await row(page, uid).getByText('failed').waitFor()
    await select(page, uid)
    await pane(page).getByText('After it, /health answered 503.').waitFor()
  })

  it('shows an event as it is delivered, and holds, releases and resends it', async (context) => {
    const { sandbox, receiver, page } = await openWithWebhook(context)
    const uid = await makeEvent(sandbox)
    await row(page, uid).getByText('delivered').waitFor()
    await select(page, uid)
    await pane(page).getByText('204 accepted').waitFor()
    const [sent] = receiver.received
    const text = await pane(page).locator('pre').innerText()
    for (const value of ['created', sent!.body.event_id, ...Object.values(sent!.body.details)])
      expect(text).toContain(String(value))

    receiver.answer = refuse
    const second = await makeEvent(sandbox, '13.00')
    await row(page, second)
      .getByText(/^waiting until/)
      .waitFor()
    await select(page, second)
    await pane(page).getByText('503 refused').waitFor()
    await pane(page).getByText('the queue is full').waitFor()
    await button(page, 'Hold').click()
    await row(page, second).getByText('held').waitFor()
    receiver.answer = receiver.accept
    await button(page, 'Release').click()
    await row(page, second).getByText('delivered').waitFor()
    expect(receiver.received).toHaveLength(3)
    await button(page, 'Resend').first().click()
    await expect.poll(() => receiver.received.length).toBe(4)
    await pane(page).getByText('2, newest first').waitFor()

    await select(page, uid)
    await button(page, 'Resend since this one').click()
    await dialog(page).getByText('2 events, oldest first').waitFor()
    expect(receiver.received).toHaveLength(4)
    await button(page, 'Resend 2 events').click()
    await dialog(page).getByText('2 events resent.').waitFor()
    await expect.poll(() => receiver.received.length).toBe(6)
    const resent = receiver.received.slice(4).map(({ body }) => body.details.transaction_uid)
    expect(resent).toEqual([uid, second])
    await page.keyboard.press('Escape')
  })

  it('links an event with its record, whose page and details have its events', async (context) => {
    const { sandbox, page } = await openWithWebhook(context)
    const uid = await makeEvent(sandbox)
    await row(page, uid).getByText('delivered').waitFor()
    await select(page, uid)
    await pane(page).getByRole('link', { name: uid }).click()
    const events = page.getByRole('region', { name: 'Webhook events' })
    await events.getByText('delivered').waitFor()
    await events.getByRole('link', { name: 'All 1' }).click()
    await page.getByText(`Record: ${uid}`).waitFor()
    await row(page, 'transactions.created').waitFor()
    await page.goBack()
    await events.getByRole('link', { name: 'transactions.created' }).click()
    await page.getByText('204 accepted').waitFor()

    await goTo(page, '#/transactions')
    await select(page, 'Interest')
    await events.getByText('delivered').waitFor()
    const other = await page.locator('main [data-row]').nth(3).getAttribute('id')
    await page.locator(`[id="${other}"]`).click({ position: { x: 20, y: 10 } })
    await events.waitFor({ state: 'detached' })
  })

  it('is filtered, and used by keyboard', async (context) => {
    const { sandbox, receiver, webhook, page } = await openWithWebhook(context)
    await call(sandbox, 'webhooks.test', { uid: webhook.uid })
    const uid = await makeEvent(sandbox)
    await row(page, uid).getByText('delivered').waitFor()
    await button(page, 'topic: any').click()
    await page.getByRole('menuitemcheckbox', { name: 'test', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByText('1 of 2 webhook events').waitFor()
    await row(page, 'test.test').waitFor()
    await goTo(page, '#/webhooks?status=failed')
    await page.getByText('No webhook event matches the filters.').waitFor()
    await goTo(page, '#/webhooks?status=delivered')
    await row(page, uid).waitFor()

    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await pane(page).getByText('transactions.created').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await pane(page).getByText('test.test').waitFor()
    await page.keyboard.press('Escape')
    await pane(page).waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search commands, screens and records' }).waitFor()
    await page.keyboard.insertText('add a webhook')
    await page.getByRole('option', { name: /^Add a webhook/ }).waitFor()
    await page.keyboard.press('Enter')
    await urlField(page).waitFor()
    await page.keyboard.press('Escape')
    await urlField(page).waitFor({ state: 'detached' })
    expect(receiver.received).toHaveLength(2)
  })
})
