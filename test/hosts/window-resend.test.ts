import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { goTo, IN_BROWSER, openDemo, openWindow, visit } from '../support/window.ts'

/** Edit and resend, in the built window and a real browser. */

const request = (page: Page) => page.getByRole('region', { name: 'Request', exact: true })
const editor = (page: Page) => page.getByRole('form', { name: 'Edit and resend' })

describe('edit and resend', IN_BROWSER, () => {
  it('answers the corrected request in three clicks', async (context) => {
    const sandbox = await openWindow()
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers?limit=-1' })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    let clicks = 0
    await page.exposeFunction('countClick', () => void clicks++)
    await page.evaluate("addEventListener('click', () => countClick(), true)")

    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByLabel('limit', { exact: true }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1')
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '200' }).waitFor()
    expect(clicks).toBe(3)
    const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
    expect(data[0]).toMatchObject({ method: 'GET', path: '/customers?limit=1', status: 200 })
  })

  it('has the method, the path, the query and the body as sent, as a form and as text', async (context) => {
    const sandbox = await openWindow()
    const body = '{"external_uid":"a-1",  "details": {"first_name":"Ada","ssn":"123-45-6789"}}'
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await expect.poll(() => editor(page).getByLabel('Method').inputValue()).toBe('POST')
    expect(await editor(page).getByLabel('Path').inputValue()).toBe('/customers')
    await editor(page).getByRole('textbox', { name: 'external_uid' }).fill('a-2')
    await editor(page).getByLabel('Text', { exact: true }).check()
    const text = editor(page).getByLabel('Body as JSON')
    expect(JSON.parse(await text.inputValue())).toMatchObject({ external_uid: 'a-2', details: { first_name: 'Ada' } })
    await text.fill((await text.inputValue()).replace('Ada', 'Eve'))
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '201' }).waitFor()
    const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
    // The number that the log has sealed is sent as it was.
    expect(data.find(({ external_uid }) => external_uid === 'a-2')).toMatchObject({
      details: { first_name: 'Eve', ssn_last_four: '6789' },
    })
  })

  it('has any method as sent', async (context) => {
    const sandbox = await openWindow()
    await sandbox.client().call('PATCH', '/customers')
    const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${data[0]!.uid}` })
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await expect.poll(() => editor(page).getByLabel('Method').inputValue()).toBe('PATCH')
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '405' }).waitFor()
  })

  it('sends a form as a form', async (context) => {
    const sandbox = await openWindow()
    const { uid } = await call(sandbox, 'exchanges.send', {
      method: 'POST',
      path: '/customers',
      content_type: 'application/x-www-form-urlencoded',
      body: 'external_uid=form-1',
    } as const)
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByLabel('Body', { exact: true }).fill('external_uid=form-2')
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '201' }).waitFor()
    const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
    expect(data.map(({ external_uid }) => external_uid).toSorted()).toEqual(['form-1', 'form-2'])
  })
})

describe('a wrong body', IN_BROWSER, () => {
  it('is marked in the line where it stops being JSON, as sent and in the form', async (context) => {
    const sandbox = await openWindow()
    const body = '{\n  "external_uid": "a-1",\n  "email" "a@b.test"\n}'
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByText('line 3, column 11: found "; expected a colon').first().waitFor()
    expect(await request(page).locator('[data-hit]').innerText()).toContain('"email" "a@b.test"')
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByText('This is not JSON: line 3, column 11').waitFor()
    expect(await editor(page).locator('[data-hit]').innerText()).toBe('3')
  })
})

describe('an unknown name or value', IN_BROWSER, () => {
  it('of a refused request is named with the one that was meant, and a click corrects it', async (context) => {
    const sandbox = await openWindow()
    const body = '{"customer_type":"primry","emial":"ada@example.test"}'
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByText('emial was ignored; did you mean email?').waitFor()
    await request(page).getByText('customer_type has an unknown value; did you mean primary?').waitFor()
    await request(page).getByRole('button', { name: 'Change to primary' }).click()
    await expect.poll(() => editor(page).getByLabel('customer_type', { exact: true }).inputValue()).toBe('primary')
    await editor(page).getByRole('button', { name: 'Rename to email' }).click()
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '201' }).waitFor()
    const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
    expect(data[0]).toMatchObject({ customer_type: 'primary', email: 'ada@example.test' })
  })

  it('of a path and a query is corrected, too', async (context) => {
    const sandbox = await openWindow()
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'GET', path: '/custmers?limt=1' })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByText('No endpoint has this path; did you mean /customers?').waitFor()
    await request(page).getByRole('button', { name: 'Change to /customers' }).click()
    await editor(page).getByText('limt is ignored; did you mean limit?').waitFor()
    await editor(page).getByRole('button', { name: 'Rename to limit' }).click()
    await expect.poll(() => editor(page).getByLabel('Query').inputValue()).toBe('limit=1')
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '200' }).waitFor()
  })
})

describe('what was refused', IN_BROWSER, () => {
  const transferOf = async (sandbox: TestSandbox) => {
    const read = async (collection: string, filters: object) =>
      (await call(sandbox, 'records.list', { collection, limit: 50, ...filters } as never)).data
    const [customer] = await read('customers', { external_uid: ['demo-business-1'] })
    const accounts = await read('synthetic_accounts', { customer_uid: [String(customer!.uid)] })
    const uidOf = (category: string) =>
      accounts.find((one) => one.synthetic_account_category === category && one.net_usd_balance !== '0.00')!.uid
    return {
      initiating_customer_uid: customer!.uid,
      source_synthetic_account_uid: uidOf('general'),
      destination_synthetic_account_uid: uidOf('ach_external'),
    }
  }
  const ach = {
    originator_name: 'Harbor Payments',
    sec_code: 'CCD',
    entry_description: 'INVOICE',
    service_processing: 'STANDARD',
    effective_entry_date: '2026-11-24',
  }
  const hits = (page: Page) => request(page).locator('[data-hit]')

  it('is marked in the body, also if the response does not name it, and as missing if it was not sent', async (context) => {
    const sandbox = await openDemo()
    const transfer = await transferOf(sandbox)
    const send = async (body: object) =>
      (await call(sandbox, 'exchanges.send', { method: 'POST', path: '/transfers', body: JSON.stringify(body) })).uid
    const same = await send({
      ...transfer,
      ach,
      usd_transfer_amount: '5.00',
      destination_synthetic_account_uid: transfer.source_synthetic_account_uid,
    })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${same}` })
    await expect
      .poll(() => hits(page).allInnerTexts())
      .toEqual([
        expect.stringMatching(/"source_synthetic_account_uid": .*refused$/),
        expect.stringMatching(/"destination_synthetic_account_uid": .*refused$/),
      ])
    const missing = await send({ ...transfer, ach, amount: '25.00' })
    await goTo(page, `#/requests/${missing}`)
    await request(page).getByText('amount was ignored; did you mean usd_transfer_amount?').waitFor()
    expect(await hits(page).allInnerTexts()).toEqual([expect.stringMatching(/^usd_transfer_amount\s*missing$/)])
    // The name is corrected, and the request is accepted.
    await request(page).getByRole('button', { name: 'Rename to usd_transfer_amount' }).click()
    await editor(page).getByRole('button', { name: 'Send' }).click()
    await request(page).locator('[data-answer-line]').filter({ hasText: '201' }).waitFor()
  })

  it('is marked in the text of a body in one line as soon as the body is formatted', async (context) => {
    const sandbox = await openDemo()
    const body = JSON.stringify({ ...(await transferOf(sandbox)), usd_transfer_amount: 9999999.5, ach }).replace(
      '.5',
      '.50',
    )
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/transfers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByLabel('Text', { exact: true }).check()
    expect(await editor(page).getByLabel('Body as JSON').inputValue()).toBe(body)
    const format = editor(page).getByRole('button', { name: 'Format' })
    await format.click()
    await editor(page).locator('[data-hit]').waitFor()
    const text = await editor(page).getByLabel('Body as JSON').inputValue()
    expect(text).toContain('\n  "usd_transfer_amount": 9999999.50,\n')
    expect(JSON.parse(text)).toEqual(JSON.parse(body))
    expect(await format.count()).toBe(0)
  })

  it('is marked in the path and among the headers', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers/AbCdEfGhIjKlMnOp' })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await expect.poll(() => request(page).locator('mark').allInnerTexts()).toEqual(['AbCdEfGhIjKlMnOp'])
    await request(page).getByText('the uid in the path').waitFor()
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByText('4002: Could not find customer. Invalid customer uid.').waitFor()
    expect(
      await editor(page)
        .getByLabel('Path')
        .evaluate((input) => input === document.activeElement),
    ).toBe(true)

    const api = sandbox.client()
    const authorization = await api.signIn()
    await api.send('GET', '/customers', { headers: { authorization, 'x-trace-id': undefined } })
    const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
    await goTo(page, `#/requests/${data[0]!.uid}`)
    await request(page).getByText('Send the header x-trace-id with a new value in every request').waitFor()
    expect(
      await request(page)
        .getByRole('tab', { name: /^Headers/ })
        .getAttribute('aria-selected'),
    ).toBe('true')
    expect(await request(page).locator('[data-wrong-header]').innerText()).toBe('missing')
    await api.send('GET', '/customers', { headers: { authorization: 'auth-wrong' } })
    const [refused] = (await call(sandbox, 'exchanges.list', { limit: 1 })).data
    await goTo(page, `#/requests/${refused!.uid}`)
    await request(page).getByText('authorization', { exact: true }).first().waitFor()
    await expect.poll(() => request(page).locator('[data-wrong-header]').innerText()).toBe('refused')
  })

  it('is marked in the form of each request that is sent from the window, which moves the focus there', async (context) => {
    const sandbox = await openDemo()
    const transfer = await transferOf(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${transfer.initiating_customer_uid}` })
    await page.getByRole('button', { name: 'Transfer…' }).click()
    const form = page.getByRole('dialog', { name: 'Transfer' })
    const amount = form.getByLabel('usd_transfer_amount', { exact: true })
    await amount.fill('9999999')
    await form.getByRole('button', { name: 'Transfer', exact: true }).click()
    await form.getByText('3012: at most 5000000.00 for ach').first().waitFor()
    await expect.poll(() => amount.evaluate((input) => input === document.activeElement)).toBe(true)
    // So is its line in the text, and a link leads to the setting.
    expect(await form.locator('[data-hit]').count()).toBe(1)
    await form.getByRole('link', { name: 'Payment limits' }).click()
    await expect.poll(() => page.url()).toContain('#/settings?part=limits')
    await goTo(page, '#/reference/getCustomer')
    await page.getByRole('combobox', { name: 'uid', exact: true }).fill('AbCdEfGhIjKlMnOp')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('4002: Could not find customer. Invalid customer uid.').waitFor()
  })
})

describe('a request that was changed and refused again', IN_BROWSER, () => {
  it('shows the refused object with a button that adds it, filled in with dates and records of this world', async (context) => {
    const sandbox = await openDemo()
    const [customer] = (await call(sandbox, 'records.list', { collection: 'customers', limit: 1 } as never)).data
    const accounts = (
      await call(sandbox, 'records.list', { collection: 'synthetic_accounts', customer_uid: [customer!.uid] } as never)
    ).data
    const uidOf = (fits: (one: (typeof accounts)[number]) => boolean) => accounts.find(fits)!.uid
    const body = JSON.stringify({
      initiating_customer_uid: customer!.uid,
      source_synthetic_account_uid: uidOf(({ master_account }) => master_account === true),
      destination_synthetic_account_uid: uidOf(
        (one) => one.synthetic_account_category === 'ach_external' && one.account_number_last_four === '0000',
      ),
      usd_transfer_amount: '1.00',
    })
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/transfers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByText('1003: ach is missing').waitFor()
    const add = editor(page).getByRole('button', { name: 'Add ach' })
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await editor(page).getByRole('button', { name: 'Send' }).click()
    const answer = request(page).locator('[data-answer-line]').filter({ hasText: '201' })
    await answer.waitFor()
    // The response is in sight.
    await expect.poll(() => answer.evaluate((line) => line.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
  })
})

describe('the form of a long body', IN_BROWSER, () => {
  it('scrolls to the wrong field, and the bar of the screen stays in sight', async (context) => {
    const sandbox = await openWindow()
    const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`unknown_field_${at}`, 'value']))
    const body = JSON.stringify({ customer_type: 'primry', details: { first_name: 'Ada', phone: '1' }, ...unknown })
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    const title = page.getByRole('heading', { level: 1 })
    const before = await title.boundingBox()
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    const type = editor(page).getByLabel('customer_type', { exact: true })
    await expect.poll(() => type.evaluate((input) => input === document.activeElement)).toBe(true)
    await expect.poll(() => request(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
    expect(await title.boundingBox()).toEqual(before)
  })
})

describe('a response that is longer than the window', IN_BROWSER, () => {
  it('leaves the Send button in sight, above the response', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'GET', path: '/transactions?limit=10' })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    const send = editor(page).getByRole('button', { name: 'Send' })
    await send.click()
    const answer = request(page).locator('[data-answer-line]').filter({ hasText: '200' })
    await answer.waitFor()
    await request(page).evaluate((pane) => pane.scrollTo({ top: pane.scrollHeight }))
    const [pane, button] = [(await request(page).boundingBox())!, (await send.boundingBox())!]
    expect(button.y).toBeGreaterThanOrEqual(pane.y)
    await answer.evaluate((line) => line.parentElement!.scrollIntoView({ block: 'start' }))
    expect((await answer.boundingBox())!.y).toBeGreaterThanOrEqual(button.y + button.height)
  })
})

describe('Ctrl+Enter', IN_BROWSER, () => {
  it('in the text of the body sends the request once', async (context) => {
    const sandbox = await openWindow()
    const body = '{"email":"once@example.test"}'
    const { uid } = await call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body })
    const page = await visit(context, sandbox.gui, { at: `#/requests/${uid}` })
    let sent = 0
    page.on('request', (one) => void (one.url().endsWith('/exchanges.send') && sent++))
    await request(page).getByRole('button', { name: 'Edit and resend' }).click()
    await editor(page).getByLabel('Text', { exact: true }).check()
    await editor(page).getByLabel('Body as JSON').press('Control+Enter')
    await request(page).locator('[data-answer-line]').filter({ hasText: '201' }).waitFor()
    expect(sent).toBe(1)

    // So does the form of an endpoint in the reference.
    await page.evaluate(() => void (location.hash = '#/reference/createCustomer'))
    await page.getByLabel('Body as JSON').press('Control+Enter')
    await page.locator('[data-answer-line]').waitFor()
    expect(sent).toBe(2)
  })
})
