import { generateKey } from 'openpgp'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { type Answer, startReceiver } from '../support/receiver.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  button,
  chooseFilter,
  clickButton,
  goTo,
  IN_BROWSER,
  link,
  openDemo,
  paletteField,
  press,
  region,
  row,
  runCommand,
  sees,
  select,
  visit,
} from '../support/window.ts'

/** The screen Webhooks, in a real browser, with a receiver. */

const refuse: Answer = (_event, response) => void response.writeHead(503).end('the queue is full')

const webhookRow = (page: Page, text: string) => page.locator('[data-webhook]').filter({ hasText: text })
const pane = (page: Page) => region(page, 'Details')
const dialog = (page: Page) => page.getByRole('dialog')
const urlField = (page: Page) => dialog(page).getByRole('textbox', { name: 'url', exact: true })
const openMore = (page: Page) =>
  dialog(page)
    .getByText(/more fields/)
    .click()
const saveForm = async (page: Page) => {
  await clickButton(page, 'Save')
  await dialog(page).waitFor({ state: 'detached' })
}

/** An event: interest arrives for a Customer of the demo world. */
async function makeEvent(sandbox: TestSandbox, us_dollar_amount = '12.00') {
  const { data } = await call(sandbox, 'records.list', { collection: 'customers' })
  const customer = data.find(({ external_uid }) => external_uid === 'demo-business-1')!
  const movement = { movement: 'interest', customer_uid: String(customer.uid), us_dollar_amount } as const
  return String((await call(sandbox, 'transactions.inject', movement)).uid)
}

describe('Webhooks', IN_BROWSER, () => {
  it('a developer listens without a receiver, adds one, edits, tests, pauses and deletes it', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { lossy: true })
    await press(page, 'g', 'k')
    await sees(page, 'The history has the events of all records, also without a webhook.')
    await sees(page, 'Events are kept and sent nowhere')
    expect(await page.getByRole('button', { name: 'Add a webhook' }).count()).toBe(1)
    await clickButton(page, 'Listen here')
    await sees(webhookRow(page, 'no address'), 'active')
    await sees(page, 'No events yet')
    expect(await button(page, 'Listen here').count(), 'one is enough').toBe(0)
    const uid = await makeEvent(sandbox)
    await sees(row(page, uid), 'only kept')
    await select(row(page, uid))
    await sees(pane(page), 'as it would be sent')
    const { data } = await call(sandbox, 'events.list', { record_uid: uid })
    await sees(pane(page).locator('pre'), data[0]!.uid)

    // A webhook of the form: refusals are at their fields, and it is active when its receiver accepts the test event.
    const receiver = await startReceiver()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await clickButton(dialog(page), 'Add')
    await sees(dialog(page), 'is missing')
    await urlField(page).fill('https://example.com/hooks')
    await clickButton(dialog(page), 'Add')
    await sees(dialog(page), 'webhooks are sent to this machine only')
    expect(await urlField(page).getAttribute('aria-invalid')).toBe('true')
    await urlField(page).fill(receiver.url)
    await page.getByRole('button', { name: 'Add topics' }).click()
    await dialog(page).getByLabel('customers.lock', { exact: true }).check()
    await clickButton(dialog(page), 'Add')
    const own = webhookRow(page, receiver.url)
    await sees(own, 'active')
    await sees(own, 'customers.lock')
    await sees(row(page, 'test.test'), 'delivered')
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/test'])
    // What was kept can be sent later.
    await select(row(page, uid))
    await page.getByRole('button', { name: 'Resend to one webhook' }).click()
    await page.getByRole('menuitem', { name: `to ${receiver.url}` }).click()
    await sees(pane(page), '204 accepted')
    expect(receiver.received[1]!.body.event_id).toBe(data[0]!.uid)

    await button(page, `Edit… ${receiver.url}`).click()
    await openMore(page)
    await dialog(page).getByLabel('envelope').selectOption('data')
    await saveForm(page)
    const saved = (await call(sandbox, 'webhooks.list', {})).webhooks.find(({ url }) => url === receiver.url)
    expect(saved).toMatchObject({ envelope: 'data', topics: ['customers.lock'] })
    await clickButton(page, `Test ${receiver.url}`)
    await expect.poll(() => receiver.received.length).toBe(3)
    expect(receiver.received[2]!.body).toMatchObject({ data: { event_type: 'test' } })
    await clickButton(page, `Pause ${receiver.url}`)
    await sees(own, 'paused')
    await clickButton(page, `Activate ${receiver.url}`)
    await sees(own, 'active')
    await button(own, /^Delete…/).click()
    await clickButton(dialog(page), 'Delete')
    await own.waitFor({ state: 'detached' })
    await row(page, 'test.test').waitFor()
  })

  it('a developer follows events: delivered, refused, held, released, resent, signed wrongly, and linked to their records', async (context) => {
    const sandbox = await openDemo()
    const receiver = await startReceiver()
    const topics = ['transactions.created' as const]
    const webhook = await call(sandbox, 'webhooks.create', { url: receiver.url, topics, confirm: false })
    const page = await visit(context, sandbox.gui, { at: '#/webhooks', viewport: { width: 1440, height: 900 } })
    const uid = await makeEvent(sandbox)
    await sees(row(page, uid), 'delivered')
    await select(row(page, uid))
    await sees(pane(page), '204 accepted')
    const [sent] = receiver.received
    const text = await pane(page).locator('pre').innerText()
    for (const value of ['created', sent!.body.event_id, ...Object.values(sent!.body.details)])
      expect(text).toContain(String(value))

    receiver.answer = refuse
    const second = await makeEvent(sandbox, '13.00')
    await sees(row(page, second), /^waiting until/)
    await select(row(page, second))
    await sees(pane(page), '503 refused')
    await sees(pane(page), 'the queue is full')
    await page.getByRole('button', { name: 'Hold' }).click()
    await sees(row(page, second), 'held')
    receiver.answer = receiver.accept
    await page.getByRole('button', { name: 'Release' }).click()
    await sees(row(page, second), 'delivered')
    expect(receiver.received).toHaveLength(3)
    await page.getByRole('button', { name: 'Resend' }).first().click()
    await expect.poll(() => receiver.received.length).toBe(4)
    await sees(pane(page), '2, newest first')
    await select(row(page, uid))
    await page.getByRole('button', { name: 'Resend since this one' }).click()
    await sees(dialog(page), '2 events, oldest first')
    expect(receiver.received).toHaveLength(4)
    await clickButton(dialog(page), 'Resend 2 events')
    await sees(dialog(page), '2 events resent.')
    await expect.poll(() => receiver.received.length).toBe(6)
    const resent = receiver.received.slice(4).map(({ body }) => body.details.transaction_uid)
    expect(resent).toEqual([uid, second])
    await press(page, 'Escape')

    // The event is linked with its record, whose page and details have its events.
    await link(pane(page), uid).click()
    const events = region(page, 'What happened')
    await sees(events, 'delivered')
    await events.getByRole('link', { name: 'Events' }).click()
    await sees(page, `Record: ${uid}`)
    await row(page, 'transactions.created').waitFor()
    await page.goBack()
    await events.getByRole('link', { name: 'transactions.created' }).click()
    await sees(page, '204 accepted')
    await goTo(page, '#/transactions')
    await select(row(page, 'Interest'))
    await sees(events, 'delivered')
    await select(page.locator('main [data-row]').nth(3))
    await expect.poll(() => link(events, 'transactions.created').count()).toBe(0)

    // Filters, and keys.
    await goTo(page, '#/webhooks')
    await call(sandbox, 'webhooks.test', { uid: webhook.uid })
    await chooseFilter(page, 'topic: any', /^test$/)
    await sees(page, '1 of 3 webhook events')
    await row(page, 'test.test').waitFor()
    await goTo(page, '#/webhooks?status=failed')
    await sees(page, 'No webhook event matches the filters.')
    await goTo(page, '#/webhooks?status=delivered')
    // It is the first row only when its delivery has been read.
    await row(page, 'test.test').waitFor()
    await page.getByRole('grid').focus()
    await press(page, 'Home')
    await sees(pane(page), 'test.test')
    await press(page, 'ArrowDown')
    await sees(pane(page), 'transactions.created')
    await press(page, 'Escape')
    await pane(page).waitFor({ state: 'detached' })
    await runCommand(page, 'add a webhook', 'Add a webhook')
    await urlField(page).waitFor()
    await press(page, 'Escape')
    await urlField(page).waitFor({ state: 'detached' })

    // A PGP key of several lines and a rule for failures; the event says what was done on purpose.
    const { publicKey } = await generateKey({ type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ name: 'Olive' }] })
    await button(page, `Edit… ${receiver.url}`).click()
    await openMore(page)
    await dialog(page).getByRole('textbox', { name: 'pgp_public_key' }).fill(publicKey)
    await page.getByRole('button', { name: 'Add failures' }).click()
    await dialog(page).getByLabel('kind').selectOption('corrupt_signature')
    await saveForm(page)
    expect((await call(sandbox, 'webhooks.list', {})).webhooks).toMatchObject([
      { uid: webhook.uid, pgp_public_key: publicKey, failures: [{ kind: 'corrupt_signature' }] },
    ])
    await goTo(page, '#/webhooks')
    const third = await makeEvent(sandbox)
    await sees(row(page, third), 'delivered')
    await select(row(page, third))
    await sees(pane(page), 'Signed wrongly on purpose.')
    await sees(pane(page), 'Its signature was wrong on purpose.')
    await sees(pane(page), 'The details are sent encrypted, as a PGP message.')
    expect(receiver.received.at(-1)!.body.details).toMatch(/^-----BEGIN PGP MESSAGE-----/)

    // After the last attempt, the window says what the receiver answered about its health.
    receiver.answer = refuse
    receiver.health = 503
    await call(sandbox, 'webhooks.update', { uid: webhook.uid, retry_seconds: [] })
    const failing = await makeEvent(sandbox)
    await sees(row(page, failing), 'failed')
    await select(row(page, failing))
    await sees(pane(page), 'After it, /health answered 503.')
    expect(await paletteField(page).count()).toBe(0)
  })
})
