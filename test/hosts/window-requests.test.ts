import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readHar } from '../../src/api/replay/recordings/har.ts'
import { call } from '../support/operator.ts'
import { ACH } from '../support/payments.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import {
  addressHas,
  button,
  clickButton,
  download,
  focusIsOn,
  goTo,
  IN_BROWSER,
  link,
  menuItem,
  openDemo,
  openWindow,
  press,
  region,
  request,
  row,
  sees,
  select,
  visit,
} from '../support/window.ts'

/** A request that is corrected and sent again, and what was undone, in the built window and a real browser. */

const editor = (page: Page) => page.getByRole('form', { name: 'Edit and resend' })
const edit = async (page: Page) => {
  await clickButton(request(page), 'Edit and resend')
  await editor(page).waitFor()
}
const answer = (page: Page, status: string) => request(page).locator('[data-answer-line]').filter({ hasText: status })
const send = async (page: Page, status: string) => {
  await clickButton(editor(page), 'Send')
  await answer(page, status).waitFor()
}
const hits = (page: Page) => request(page).locator('[data-hit]')
const field = (page: Page, label: string) => editor(page).getByLabel(label, { exact: true })
const newestCustomer = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true, limit: 1 })).data[0]

/** Sends a request from the sandbox, and returns its place in the window. */
async function refuse(sandbox: TestSandbox, method: 'GET' | 'POST', path: string, body?: string, more: object = {}) {
  const { uid } = await call(sandbox, 'exchanges.send', {
    method,
    path,
    ...(body === undefined ? {} : { body }),
    ...more,
  })
  return `#/requests/${uid}`
}

describe('edit and resend', IN_BROWSER, () => {
  it('a developer corrects a request in three clicks, and resends others as a form, as text, and by Ctrl+Enter', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: await refuse(sandbox, 'GET', '/customers?limit=-1') })
    let clicks = 0
    await page.exposeFunction('countClick', () => void clicks++)
    await page.evaluate("addEventListener('click', () => countClick(), true)")
    await edit(page)
    await field(page, 'limit').click()
    await press(page, 'Control+a')
    await page.keyboard.type('1')
    await send(page, '200')
    expect(clicks).toBe(3)
    const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
    expect(data[0]).toMatchObject({ method: 'GET', path: '/customers?limit=1', status: 200 })

    // The method, the path and the body are as sent, in fields and as text.
    const body = '{"external_uid":"a-1",  "details": {"first_name":"Ada","ssn":"123-45-6789"}}'
    await goTo(page, await refuse(sandbox, 'POST', '/customers', body))
    await edit(page)
    await expect.poll(() => field(page, 'method').inputValue()).toBe('POST')
    expect(await field(page, 'path').inputValue()).toBe('/customers')
    await editor(page).getByRole('textbox', { name: 'external_uid' }).fill('a-2')
    await field(page, 'Text').check()
    const text = field(page, 'Body as JSON')
    expect(JSON.parse(await text.inputValue())).toMatchObject({ external_uid: 'a-2', details: { first_name: 'Ada' } })
    await text.fill((await text.inputValue()).replace('Ada', 'Eve'))
    await send(page, '201')
    // The number that the log has sealed is sent as it was.
    expect(await newestCustomer(sandbox)).toMatchObject({
      external_uid: 'a-2',
      details: { first_name: 'Eve', ssn_last_four: '6789' },
    })

    // Any method, and a form as a form.
    await sandbox.client().call('PATCH', '/customers')
    const [patched] = (await call(sandbox, 'exchanges.list', { limit: 1 })).data
    await goTo(page, `#/requests/${patched!.uid}`)
    await edit(page)
    await expect.poll(() => field(page, 'method').inputValue()).toBe('PATCH')
    await send(page, '405')
    const form = { content_type: 'application/x-www-form-urlencoded' }
    await goTo(page, await refuse(sandbox, 'POST', '/customers', 'external_uid=form-1', form))
    await edit(page)
    await field(page, 'Body').fill('external_uid=form-2')
    await send(page, '201')
    expect(await newestCustomer(sandbox)).toMatchObject({ external_uid: 'form-2' })

    // Ctrl+Enter in the text sends once. So does it in the form of an endpoint in the reference.
    await goTo(page, await refuse(sandbox, 'POST', '/customers', '{"email":"once@example.test"}'))
    let sent = 0
    page.on('request', (one) => void (one.url().endsWith('/exchanges.send') && sent++))
    await edit(page)
    await field(page, 'Text').check()
    await field(page, 'Body as JSON').press('Control+Enter')
    await answer(page, '201').waitFor()
    expect(sent).toBe(1)
    await goTo(page, '#/reference/createCustomer')
    await page.getByLabel('Body as JSON').press('Control+Enter')
    await page.locator('[data-answer-line]').waitFor()
    expect(sent).toBe(2)
  })

  it('a developer edits a request with e and replays it with r, from its row or its menu, and its result stays in a wide window', async (context) => {
    const sandbox = await openWindow()
    await refuse(sandbox, 'GET', '/customers?limit=-1')
    await refuse(sandbox, 'GET', '/pools?limit=-1')
    const page = await visit(context, sandbox.gui, { at: '#/requests', viewport: { width: 1920, height: 1000 } })
    await row(page, '/pools').click()
    await request(page).waitFor()
    await page.getByRole('columnheader', { name: 'Result' }).waitFor()
    await press(page, 'e')
    await clickButton(editor(page), 'Cancel')
    await editor(page).waitFor({ state: 'detached' })
    await request(page).waitFor()
    await press(page, 'r')
    await sees(page, 'This request:')
    await press(page, 'Escape')
    await row(page, '/customers').click({ button: 'right' })
    const { text } = await download(page, () => menuItem(page, 'Save as HAR…').click())
    expect(readHar(text)).toMatchObject({
      requests: [{ method: 'GET', path: '/customers?limit=-1', response: { status: 400 } }],
      unusable: [],
    })
    await row(page, '/customers').click({ button: 'right' })
    await menuItem(page, 'Edit and resend').click()
    await editor(page).waitFor()
    expect(await field(page, 'path').inputValue()).toBe('/customers')
    // The answer has the same parts as a request of the log.
    await send(page, '400')
    for (const part of [/^Body|^Query/, /^Headers/, 'Response 400'])
      await editor(page).getByRole('tab', { name: part }).waitFor()
    await editor(page).locator('[data-stages] [data-refused]').waitFor()
    // Another request is shown, not edited.
    await row(page, '/pools').click()
    await editor(page).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('columnheader', { name: 'Result' }).waitFor({ state: 'detached' })
  })

  it('a developer reads repairs that follow the world: after another payment less can be sent', async (context) => {
    const sandbox = await openDemo()
    const { values } = await call(sandbox, 'requests.examples', {})
    const pay = (usd_transfer_amount: string) => {
      const body = {
        source_synthetic_account_uid: values.synthetic_accounts,
        destination_synthetic_account_uid: values.counterparty,
        initiating_customer_uid: values.customers,
        usd_transfer_amount,
        ach: { ...ACH, effective_entry_date: values.banking_day },
      }
      return refuse(sandbox, 'POST', '/transfers', JSON.stringify(body))
    }
    const page = await visit(context, sandbox.gui, { at: await pay('90000000.00') })
    const repairs = page.getByRole('list', { name: 'Repairs' })
    const most = async () => /Send at most ([\d,.]+\.\d\d)/.exec((await repairs.textContent()) ?? '')?.[1]
    await repairs.waitFor()
    const before = (await most())!
    await pay('5.00')
    const cents = (text: string) => Number(text.replaceAll(/\D/g, ''))
    await expect.poll(async () => cents((await most()) ?? ''), { timeout: 15_000 }).toBe(cents(before) - 500)

    // From any screen: two keys lead to the requests, the arrow to the refused one, which says why; S sends it mended.
    await pay('80000000.00')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await row(page, '/transfers').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await sees(request(page), /Send at most/)
    await page.keyboard.press('s')
    await sees(page.getByRole('status'), /^Send at most .*: 201, /)
    await request(page).getByText('201').first().waitFor()
  })

  it('a developer misspells: each unknown name, value, path and sign is marked, and a click corrects it', async (context) => {
    const sandbox = await openWindow()
    const broken = '{\n  "external_uid": "a-1",\n  "email" "a@b.test"\n}'
    const page = await visit(context, sandbox.gui, { at: await refuse(sandbox, 'POST', '/customers', broken) })
    await sees(request(page), 'line 3, column 11: found "; expected a colon')
    expect(await hits(page).innerText()).toContain('"email" "a@b.test"')
    await edit(page)
    await sees(editor(page), 'This is not JSON: line 3, column 11')
    expect(await editor(page).locator('[data-hit]').innerText()).toBe('3')

    const names = '{"customer_type":"primry","emial":"ada@example.test"}'
    await goTo(page, await refuse(sandbox, 'POST', '/customers', names))
    await sees(request(page), 'emial was ignored; did you mean email?')
    await sees(request(page), 'customer_type has an unknown value; did you mean primary?')
    await clickButton(request(page), 'Change to primary')
    await expect.poll(() => field(page, 'customer_type').inputValue()).toBe('primary')
    await clickButton(editor(page), 'Rename to email')
    await send(page, '201')
    expect(await newestCustomer(sandbox)).toMatchObject({ customer_type: 'primary', email: 'ada@example.test' })

    await goTo(page, await refuse(sandbox, 'GET', '/custmers?limt=1'))
    await sees(request(page), 'No endpoint has this path; did you mean /customers?')
    await clickButton(request(page), 'Change to /customers')
    await sees(editor(page), 'limt is ignored; did you mean limit?')
    await clickButton(editor(page), 'Rename to limit')
    await expect.poll(() => field(page, 'query').inputValue()).toBe('limit=1')
    await send(page, '200')

    // The form of a long body scrolls to the wrong field, and the bar of the screen stays in sight.
    const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`unknown_field_${at}`, 'value']))
    const long = { customer_type: 'primry', details: { first_name: 'Ada', phone: '1' }, ...unknown }
    await goTo(page, await refuse(sandbox, 'POST', '/customers', JSON.stringify(long)))
    const title = page.getByRole('heading', { level: 1 })
    const before = await title.boundingBox()
    await edit(page)
    await focusIsOn(field(page, 'customer_type'))
    await expect.poll(() => request(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
    expect(await title.boundingBox()).toEqual(before)
  })

  it('a developer sees what was refused in the body, the path and the headers, and in each form of the window', async (context) => {
    const sandbox = await openDemo()
    const read = async (collection: string, filters: object) =>
      (await call(sandbox, 'records.list', { collection, limit: 50, ...filters })).data
    const [customer] = await read('customers', { external_uid: ['demo-business-1'] })
    const accounts = await read('synthetic_accounts', { customer_uid: [String(customer!.uid)] })
    const uidOf = (category: string) =>
      accounts.find((one) => one.synthetic_account_category === category && one.net_usd_balance !== '0.00')!.uid
    const transfer = {
      initiating_customer_uid: customer!.uid,
      source_synthetic_account_uid: uidOf('general'),
      destination_synthetic_account_uid: uidOf('ach_external'),
    }
    const ach = { ...ACH, effective_entry_date: '2026-11-24' }
    const post = (body: object) => refuse(sandbox, 'POST', '/transfers', JSON.stringify(body))
    const itself = { destination_synthetic_account_uid: transfer.source_synthetic_account_uid }
    const page = await visit(context, sandbox.gui, {
      at: await post({ ...transfer, ach, usd_transfer_amount: '5.00', ...itself }),
    })
    // Also if the response does not name it.
    await expect
      .poll(() => hits(page).allInnerTexts())
      .toEqual([
        expect.stringMatching(/"source_synthetic_account_uid": .*refused$/),
        expect.stringMatching(/"destination_synthetic_account_uid": .*refused$/),
      ])
    // As missing if it was not sent. Its name is corrected, and the request is accepted.
    await goTo(page, await post({ ...transfer, ach, amount: '25.00' }))
    await sees(request(page), 'amount was ignored; did you mean usd_transfer_amount?')
    expect(await hits(page).allInnerTexts()).toEqual([expect.stringMatching(/^usd_transfer_amount\s*missing$/)])
    await clickButton(request(page), 'Rename to usd_transfer_amount')
    await send(page, '201')

    // A missing object has a button that adds it, filled in with dates and records of this world.
    const payee = accounts.find(
      (one) => one.synthetic_account_category === 'ach_external' && one.account_number_last_four === '0000',
    )
    const master = accounts.find(({ master_account }) => master_account === true)
    const filled = { source_synthetic_account_uid: master!.uid, destination_synthetic_account_uid: payee!.uid }
    await goTo(page, await post({ ...transfer, ...filled, usd_transfer_amount: '1.00' }))
    await edit(page)
    await sees(editor(page), '1003: ach is missing')
    await focusIsOn(button(editor(page), 'Add ach'))
    await press(page, 'Enter')
    await send(page, '201')
    // The response is in sight.
    await expect
      .poll(() => answer(page, '201').evaluate((line) => line.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true)

    // In the text of a body in one line, as soon as it is formatted.
    const body = JSON.stringify({ ...transfer, usd_transfer_amount: 9999999.5, ach }).replace('.5', '.50')
    await goTo(page, await refuse(sandbox, 'POST', '/transfers', body))
    await edit(page)
    await field(page, 'Text').check()
    expect(await field(page, 'Body as JSON').inputValue()).toBe(body)
    await clickButton(editor(page), 'Format')
    await editor(page).locator('[data-hit]').waitFor()
    const text = await field(page, 'Body as JSON').inputValue()
    expect(text).toContain('\n  "usd_transfer_amount": 9999999.50,\n')
    expect(JSON.parse(text)).toEqual(JSON.parse(body))
    expect(await button(editor(page), 'Format').count()).toBe(0)

    // In the path and among the headers.
    await goTo(page, await refuse(sandbox, 'GET', '/customers/AbCdEfGhIjKlMnOp'))
    await expect.poll(() => request(page).locator('mark').allInnerTexts()).toEqual(['AbCdEfGhIjKlMnOp'])
    await sees(request(page), 'the uid in the path')
    await edit(page)
    await sees(editor(page), '4002: Could not find customer. Invalid customer uid.')
    await focusIsOn(field(page, 'path'))
    const api = sandbox.client()
    const openLatest = async () => {
      const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
      await goTo(page, `#/requests/${data[0]!.uid}`)
    }
    const authorization = await api.signIn()
    await api.send('GET', '/customers', { headers: { authorization, 'x-trace-id': undefined } })
    await openLatest()
    await sees(request(page), 'Send the header x-trace-id with a new value in every request')
    await request(page)
      .getByRole('tab', { name: /^Headers/, selected: true })
      .waitFor()
    expect(await request(page).locator('[data-wrong-header]').innerText()).toBe('missing')
    await api.send('GET', '/customers', { headers: { authorization: 'auth-wrong' } })
    await openLatest()
    await sees(request(page), 'authorization')
    await expect.poll(() => request(page).locator('[data-wrong-header]').innerText()).toBe('refused')

    // A response that is longer than the window leaves the Send button in sight, above it.
    await goTo(page, await refuse(sandbox, 'GET', '/transactions?limit=10'))
    await edit(page)
    await send(page, '200')
    await request(page).evaluate((pane) => pane.scrollTo({ top: pane.scrollHeight }))
    const sendButton = (await button(editor(page), 'Send').boundingBox())!
    expect(sendButton.y).toBeGreaterThanOrEqual((await request(page).boundingBox())!.y)
    await answer(page, '200').evaluate((line) => line.parentElement!.scrollIntoView({ block: 'start' }))
    expect((await answer(page, '200').boundingBox())!.y).toBeGreaterThanOrEqual(sendButton.y + sendButton.height)

    // The form of each request that is sent from the window marks the field, and moves the focus there.
    await goTo(page, `#/customers/${transfer.initiating_customer_uid}`)
    await clickButton(page, 'Transfer…')
    const form = page.getByRole('dialog', { name: 'Transfer' })
    const amount = form.getByLabel('usd_transfer_amount', { exact: true })
    await amount.fill('9999999')
    await clickButton(form, 'Transfer')
    await sees(form, '3012: at most 5000000.00 for ach')
    await focusIsOn(amount)
    // So is its line in the text, and a link leads to the setting.
    expect(await form.locator('[data-hit]').count()).toBe(1)
    await link(form, 'Payment limits').click()
    await addressHas(page, /#\/settings\?part=limits/)
    await goTo(page, '#/reference/getCustomer')
    await page.getByRole('combobox', { name: 'uid', exact: true }).fill('AbCdEfGhIjKlMnOp')
    await press(page, 'Tab')
    await clickButton(page, 'Send')
    await sees(page, '4002: Could not find customer. Invalid customer uid.')
  })
})

describe('what was undone', IN_BROWSER, () => {
  const now = async (sandbox: TestSandbox) => (await call(sandbox, 'clock.read', {})).now
  const seqOf = async (sandbox: TestSandbox) => (await call(sandbox, 'world.describe', {})).seq

  it('a user finds what a rewind undid in the log and in the history, opens it as a world, and redoes it', async (context) => {
    const sandbox = await openWindow()
    await refuse(sandbox, 'POST', '/customers', '{"external_uid":"first"}')
    const before = await seqOf(sandbox)
    const undone = await refuse(sandbox, 'POST', '/customers', '{"external_uid":"second"}')
    const after = await seqOf(sandbox)
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await row(page, '/customers').waitFor()
    // The mark appears in a window that was open before.
    const { seq: rewind } = await call(sandbox, 'world.rewind', { seq: before })
    const mark = page.getByRole('img', { name: `undone by commit ${rewind}: operator rewound the world` })
    await mark.waitFor()
    await clickButton(page, 'Undone 1')
    await sees(page, '1 of')
    await row(page, '/customers').click()
    await addressHas(page, new RegExp(undone))
    await sees(request(page), `Undone by commit ${rewind}: operator rewound the world. The current world`)

    await goTo(page, '#/requests?line=operations')
    const line = region(page, 'Line of time').getByRole('row').filter({ hasText: 'undone:' }).first()
    await line.click({ position: { x: 20, y: 10 } })
    await sees(
      region(page, 'Selected commit'),
      `Undone by commit ${rewind}: operator rewound the world, commit ${before}.`,
    )
    await button(page, `Rewind to commit ${after}`).waitFor()
    await call(sandbox, 'world.rewind', { seq: rewind - 1 })
    await goTo(page, '#/requests')
    await row(page, '/customers').waitFor()
    await mark.waitFor({ state: 'detached' })

    await call(sandbox, 'world.rewind', { seq: before })
    await goTo(page, undone)
    await clickButton(request(page), `New world from commit ${after}`)
    await page.waitForURL(/worlds\//)
    await page.locator('[data-api-address]').first().waitFor()
    await goTo(page, '#/customers?include=initiated')
    await sees(page, 'second')
  })

  it('a user finds the advance of another client among the requests, after a reload and in a new window, and undoes it', async (context) => {
    const sandbox = await openDemo({ clock: 'frozen' })
    const began = await now(sandbox)
    const get = () => call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    await get()
    await call(sandbox, 'clock.advance', { by: 'PT2H' })
    await get()
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    const order = () =>
      page
        .locator('[role=row]')
        .evaluateAll((all) => all.flatMap(({ textContent }) => /Clock advanced|\/customers/.exec(textContent) ?? []))
    const expected = ['/customers', 'Clock advanced', '/customers']
    await expect.poll(order).toEqual(expected)
    await page.reload()
    await expect.poll(order).toEqual(expected)
    await press(page, 'g', 'o')
    await select(region(page, 'Line of time').getByRole('row').filter({ hasText: 'advance of 2 hours' }).first())
    await button(region(page, 'Selected commit'), /^Undo operation/).click()
    await sees(page, '(undone)')
    expect(await now(sandbox)).toBe(began)
  })

  it('a user undoes and redoes advances and settings; both survive leaving the screen, an advance also a reload', async (context) => {
    const sandbox = await openDemo({ clock: 'frozen' })
    const began = await now(sandbox)
    const page = await visit(context, sandbox.gui, { at: '#/faults' })
    const away = async () => {
      await goTo(page, '#/customers')
      await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    }
    const [undo, redo] = [button(page, /^Undo advance of 1 hour/), button(page, 'Redo advance of 1 hour')]
    await clickButton(page, '1 hour')
    await undo.click()
    await redo.waitFor()
    expect(await now(sandbox)).toBe(began)
    await away()
    await page.reload()
    await redo.waitFor()
    expect(await undo.count()).toBe(0)
    await redo.click()
    await undo.waitFor()
    expect(await now(sandbox)).not.toBe(began)

    // Another client undoes it: the clock bar names that one instead, and it can be undone, too.
    const { operation } = (await call(sandbox, 'operations.preview', {})).undo!
    await call(sandbox, 'world.rewind', { seq: operation - 1 })
    await button(page, /^Undo action: rewound the world/).click()
    await undo.waitFor()

    await goTo(page, '#/settings')
    await clickButton(page, 'Expire now')
    await button(page, 'Undo the expiry').waitFor()
    await away()
    await goTo(page, '#/settings')
    await clickButton(page, 'Undo the expiry')
    await button(page, 'Redo the expiry').waitFor()
    // From there one click leads to what was undone.
    await link(page, 'See what was undone').click()
    await sees(region(page, 'Selected commit'), 'expired the access tokens of a Program')
    await sees(region(page, 'Line of time'), 'undone:')
  })
})
