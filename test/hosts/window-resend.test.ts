import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { IN_BROWSER, openWindow, visit } from '../support/window.ts'

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

  it('sends a form as a form', async (context) => {
    const sandbox = await openWindow()
    const { uid } = await call(sandbox, 'exchanges.send', {
      ...{ method: 'POST', path: '/customers', content_type: 'application/x-www-form-urlencoded' },
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
