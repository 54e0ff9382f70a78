import { describe, expect, it } from 'vitest'
import { formatIsoDate } from '../../src/renderer/format/time.ts'
import { apiClient } from '../support/client.ts'
import { call } from '../support/operator.ts'
import { ACH } from '../support/payments.ts'
import { START, shareDemo } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, visit } from '../support/window.ts'

/** Payments that another bank returned, in the built window, a real browser and the demo world. */

const sandbox = await shareDemo({ seed: 'returns', window: built })

/** An ACH debit of the demo world's Client that has settled. */
async function collectByAch() {
  const list = async (collection: string, query: object = {}) =>
    (await call(sandbox, 'records.list', { collection, limit: 200, ...query })).data
  const accounts = await list('synthetic_accounts', { status: ['active'] })
  const external = accounts.find((one) => one.synthetic_account_category === 'ach_external')!
  const own = accounts.find(
    (one) => one.synthetic_account_category === 'general' && one.pool_uid === external.pool_uid,
  )!
  const customer = String((await list('customers', { pool_uid: [own.pool_uid] }))[0]!.uid)
  const { status, body } = await apiClient(sandbox).post<{ uid: string; transaction_uids: string[] }>('/transfers', {
    initiator_type: 'customer',
    initiating_customer_uid: customer,
    source_synthetic_account_uid: external.uid,
    destination_synthetic_account_uid: own.uid,
    usd_transfer_amount: '41.00',
    ach: { ...ACH, effective_entry_date: formatIsoDate(START) },
  })
  expect({ status, body: JSON.stringify(body) }).toMatchObject({ status: 201 })
  await call(sandbox, 'clock.advance', { until: 'idle' })
  return { customer, transfer: body.uid, payment: body.transaction_uids[0]! }
}

describe('an injection', IN_BROWSER, () => {
  it('says before it is sent that the data forces an outcome', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/inject?kind=ach-99' })
    const notice = page.locator('[data-forced]')
    await notice.getByText(/ends in 9902: an ACH is returned with R02 after it has settled/).waitFor()
    await page.getByLabel('Network code').selectOption('R03')
    await notice.getByText(/ends in 9903: an ACH is returned with R03/).waitFor()
    await goTo(page, '#/inject?kind=ach-credit')
    await page.getByRole('heading', { name: 'Incoming ACH credit' }).waitFor()
    expect(await notice.count()).toBe(0)
  })

  it('of a return names the next payment afterwards, so that it can be sent again', async (context) => {
    const { customer } = await collectByAch()
    await collectByAch()
    const page = await visit(context, sandbox.gui, { at: `#/inject?kind=ach-return&customer=${customer}` })
    const result = page.getByRole('region', { name: 'Result' })
    await page.getByRole('button', { name: 'Inject', exact: true }).click()
    await result.locator('[data-return-line]').waitFor()
    const first = await result.locator('[data-return-line]').innerText()
    await page.getByRole('button', { name: 'Inject again', exact: true }).click()
    await result.locator('[data-return-line]').filter({ hasNotText: first }).waitFor()
    await page.getByRole('region', { name: 'Injected in this session' }).getByText('2', { exact: true }).waitFor()
    expect(await result.getByText('refused').count()).toBe(0)
  })
})

describe('a returned payment', IN_BROWSER, () => {
  it('is marked in its page, in the lists, in the result of an injection and in the timeline, and is linked with its return', async (context) => {
    const { customer, transfer, payment } = await collectByAch()
    const page = await visit(context, sandbox.gui, { at: `#/inject?kind=ach-return&customer=${customer}` })
    // The result of the injection is the return: it names the payment.
    await page.getByRole('button', { name: 'Inject', exact: true }).click()
    const result = page.getByRole('region', { name: 'The record' })
    const line = result.locator('[data-return-line]')
    await line.waitFor()
    expect(await line.innerText()).toBe(`returns Transaction ${payment.slice(0, 4)}… with R01`)
    const back = (await result.locator('a[href*="/transactions/"]').first().getAttribute('href'))!.split('/').at(-1)!

    // The link leads to the payment, whose page names its return, and back.
    await line.getByRole('link').click()
    const header = page.locator('main [data-return-line]')
    await header.getByText('returned R01').waitFor()
    expect(await header.getByRole('link').getAttribute('href')).toContain(back)
    await goTo(page, `#/transfers/${transfer}`)
    await header.getByText('returned R01').waitFor()
    await header.getByRole('link').click()
    await header.getByText('returns').waitFor()
    expect(await header.getByRole('link').getAttribute('href')).toContain(payment)

    // The lists mark it, and show only the returned ones on demand.
    for (const [list, uid] of [
      ['transactions', payment],
      ['transfers', transfer],
    ] as const) {
      await goTo(page, `#/${list}`)
      await page.getByRole('button', { name: /^status: any/ }).click()
      await page.getByRole('menuitemcheckbox', { name: /^returned/ }).click()
      await page.keyboard.press('Escape')
      const row = page.locator('[role=row]', { hasText: uid })
      await row.getByText('settled', { exact: true }).waitFor()
      expect(await row.locator('[data-returned]').innerText()).toBe('returned R01')
      expect(await row.locator('[data-returned] a').getAttribute('href')).toContain(back)
      const others = page.locator('main [role=row]:has([data-uid]):not(:has([data-returned]))')
      await expect.poll(() => others.count()).toBe(0)
    }

    // So do the payments and the timeline of its Customer.
    await goTo(page, `#/customers/${customer}?tab=payments`)
    await page.locator('[role=row]', { hasText: payment }).locator('[data-returned] a').waitFor()
    await goTo(page, `#/customers/${customer}?tab=story`)
    await page.getByRole('tab', { name: /Timeline/, selected: true }).waitFor()
    await page
      .getByRole('row', { name: /41\.00/ })
      .first()
      .waitFor()
    const mark = page.locator(`[role=row] [data-returned]:has(a[href*="${back}"])`).first()
    expect(await mark.innerText()).toBe('returned R01')
    const returning = page.getByRole('row', { name: /returns [\w]{4}…/ })
    await returning.locator(`a[href*="${payment}"]`).first().waitFor()
  })
})
