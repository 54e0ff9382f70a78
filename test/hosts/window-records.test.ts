import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import { collections } from '../../src/renderer/data/collections.ts'
import { apiClient } from '../support/client.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call as callOf } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { shareDemo } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, openWindow, visit, WAIT_MS } from '../support/window.ts'

/** The page of a record and the timeline of a Customer, in the built window, a real browser and the demo world. */

const sandbox = await shareDemo({ seed: 'records', window: built })

const call = <N extends MethodName>(name: N, input: MethodInput<N>) => callOf(sandbox, name, input)
const listRecords = async (collection: string, query: object = {}) =>
  (await call('records.list', { collection, include_initiated: true, limit: 50, ...query })).data

const statusOf = async (uid: string) => (await call('records.get', { collection: 'transactions', uid })).status

const decisions = (page: Page) => page.getByRole('region', { name: 'Operator decisions' })
const currentStatus = (page: Page) => page.locator('[data-machine]').first().locator('[data-current]').textContent()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Presses Tab until the element with this text has the focus. */
async function tabTo(page: Page, words: string) {
  for (let i = 0; i < 200; i++) {
    if ((await focusedText(page)) === words) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach "${words}"`)
}

/** A Friday evening at the pace of banks. */
async function setUpPath() {
  const setup = await setUpPayments({ window: built })
  const olive = await setup.customer()
  const mill = await setup.account(olive, 'ach_external')
  await setup.fund(olive, '500.00')
  await setup.sandbox.call('clock.set', { pace: 'real' })
  await setup.advance({ to: '2026-08-14T22:30:00.000Z' })
  return { ...setup, olive, mill }
}

describe('the page of a record', IN_BROWSER, () => {
  it('shows the fields, the history and the related records of each kind of record', async (context) => {
    // The test event of a webhook is a record of each of its kinds.
    const webhook = { url: 'http://127.0.0.1:9/hooks', retry_seconds: [] }
    expect(await sandbox.call('webhooks.create', webhook)).toMatchObject({ ok: true })
    const page = await visit(context, sandbox.gui)
    const complete: string[] = []
    for (const collection of Object.keys(collections)) {
      const [record] = await listRecords(collection)
      const uid = String(record!.uid)
      await goTo(page, `#/${collection}/${uid}`)
      const fields = page.getByRole('region', { name: 'Fields' })
      await fields.getByText(uid, { exact: true }).waitFor()
      await page.getByRole('region', { name: 'History' }).locator('tbody tr').first().waitFor()
      await page.getByRole('region', { name: 'Related', exact: true }).waitFor()
      if ((await page.locator('[data-notice]').count()) === 0 && (await width(page)) === 1280) complete.push(collection)
    }
    expect(complete).toEqual(Object.keys(collections))
  })

  it('makes a decision with its inputs by mouse, shows the result, and undoes it', async (context) => {
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    await decisions(page).getByRole('button', { name: 'Deny…' }).click()
    const form = decisions(page).getByRole('form', { name: 'Deny' })
    await form.getByRole('button', { name: 'Deny' }).click()
    await form.getByText('denied_reason is missing: choose one.').waitFor()
    await form.getByLabel(/denied_reason/).selectOption('unauthorized_credit')
    await form.getByLabel(/denied_memo/).fill('not ours')
    await form.getByRole('button', { name: 'Deny' }).click()
    const result = decisions(page).locator('[data-decision-result]')
    await result.getByText(/Deny: done in commit/).waitFor()
    expect(await result.innerText()).toMatch(/status\s+authorization_pending\s+→\s+authorization_denied/)
    expect(await statusOf(uid)).toBe('authorization_denied')
    await expect.poll(() => currentStatus(page), { timeout: WAIT_MS }).toBe('authorization_denied')

    await result.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => currentStatus(page), { timeout: WAIT_MS }).toBe('authorization_pending')
    expect(await statusOf(uid)).toBe('authorization_pending')
  })

  it('makes a decision by keyboard alone, and undoes it', async (context) => {
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    await decisions(page).getByRole('button', { name: 'Approve' }).waitFor()
    await tabTo(page, 'Approve')
    await page.keyboard.press('Enter')
    await page.getByText(/Approve: done in commit/).waitFor()
    expect(await statusOf(uid)).not.toBe('authorization_pending')
    await tabTo(page, 'Undo the decision approve')
    await page.keyboard.press('Enter')
    await expect.poll(() => statusOf(uid), { timeout: WAIT_MS }).toBe('authorization_pending')
  })

  it('draws the transition to pending_archival that an archived Customer took', async (context) => {
    const own = await openWindow()
    const client = own.client()
    const { uid } = (await client.post<{ uid: string }>('/customers', { external_uid: 'to-archive' })).body
    const page = await visit(context, own.gui, { at: `#/customers/${uid}` })
    const diagram = page.locator('[data-machine]').first()
    const taken = () => diagram.locator('[data-taken]').allTextContents()
    await diagram.waitFor()
    expect(await taken()).toEqual([])
    await client.call('DELETE', `/customers/${uid}`)
    await expect.poll(taken, { timeout: WAIT_MS }).toContain('initiated to pending_archival')
    await expect.poll(() => currentStatus(page), { timeout: WAIT_MS }).toBe('pending_archival')
    expect(await page.getByText('bold: taken').isVisible()).toBe(true)
  })

  it('draws the path of a payment over banking days, what was passed solid and what is next outlined', async (context) => {
    const { sandbox, olive, mill, pay, advance } = await setUpPath()
    const { uid } = await pay(olive, olive.master, mill, '20.00')
    const page = await visit(context, sandbox.gui, { at: `#/transfers/${uid}` })
    const path = page.getByRole('region', { name: 'Path of the payment' })
    const picture = path.getByRole('img', { name: /current: queued, 14 Aug 2026 18:30:00 ET/ })
    await picture.waitFor()
    const kinds = () =>
      path
        .locator('[data-kind]')
        .evaluateAll((rows) => rows.map((row) => Object.values({ ...(row as SVGElement).dataset })))
    expect((await kinds()).map(([kind, ...rest]) => [kind, rest.at(-1)])).toEqual([
      ['current', 'queued'],
      ['scheduled', 'pending'],
      ['scheduled', 'settled'],
      ['possible', 'failed'],
      ['possible', 'canceled'],
    ])
    // From Friday to Tuesday, with the weekend in between.
    expect(await path.locator('[data-day]').count()).toBe(5)
    expect(await path.locator('[data-day="closed"]').count()).toBe(2)
    expect(await path.locator('[data-time="cut-off"] title').first().textContent()).toMatch(/^ACH cut-off: /)
    const bars = path.locator('[data-state="pending"] [data-part]')
    expect(await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('data-part')))).toEqual(['outlined'])

    await advance({ to: '2026-08-18T12:30:00.000Z' })
    await path.getByRole('img', { name: /current: settled, 18 Aug 2026 08:30:00 ET/ }).waitFor()
    expect(await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('data-part')))).toEqual(['solid'])

    // The table has the same facts.
    await path.getByRole('button', { name: 'Show as table' }).focus()
    await page.keyboard.press('Enter')
    expect(
      await path.getByRole('row', { name: /pending passed 17 Aug 2026 17:00:00 ET 18 Aug 2026 08:30:00 ET/ }).count(),
    ).toBe(1)
    expect(await path.getByText('Banks are closed: 2026-08-15, 2026-08-16').count()).toBe(1)
  })

  it('draws a payment from source to destination in both books, and links each entry once it is posted', async (context) => {
    const { sandbox, olive, mill, pay, advance } = await setUpPath()
    const { uid } = await pay(olive, olive.master, mill, '20.00')
    const page = await visit(context, sandbox.gui, { at: `#/transfers/${uid}` })
    const entries = page.getByRole('region', { name: 'Entries of ach' })
    await entries.getByText('would post next, Tue 18 Aug 08:30').waitFor()
    const amounts = (book: string) =>
      entries.locator(`[data-book="${book}"] [data-amount]`).evaluateAll((all) => all.map((one) => one.textContent))
    expect(await amounts('synthetic')).toEqual(['\u221220.00', '+20.00'])
    expect(await amounts('custodial')).toEqual(['\u221220.00', '+20.00'])
    await advance({ to: '2026-08-18T12:30:00.000Z' })
    await entries.getByText('posted Tue 18 Aug 08:30').waitFor()
    await entries.locator('[data-book="custodial"]').getByRole('link', { name: '+20.00' }).click()
    await page.waitForURL(/#\/custodial_line_items\//)
  })

  it('shows why a decision is not possible, and ignores a click on it', async (context) => {
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    const settle = decisions(page).getByRole('button', { name: 'Settle' })
    const folded = decisions(page).getByText(/^Not now: .*settle.*must be queued or pending/)
    await folded.waitFor()
    expect(await settle.isVisible()).toBe(false)
    await folded.click()
    await settle.waitFor()
    expect(await settle.getAttribute('aria-disabled')).toBe('true')
    const described = await settle.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).innerText()).toContain(
      'its status is authorization_pending; it must be queued or pending',
    )
    await settle.click({ force: true })
    expect(await statusOf(uid)).toBe('authorization_pending')
  })

  it('explains a balance as a statement when w is pressed, and closes the statement with Escape', async (context) => {
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    await page.locator('[data-why=main]').waitFor()
    await page.locator('main').press('w')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('a deposit still pending does not count').first().waitFor()
    expect(await dialog.innerText()).toMatch(/Why is [\d,.]+ available\?/)
    expect(await dialog.innerText()).toMatch(/settled, from \d+ line items?/)
    expect(await dialog.getByRole('link', { name: /POST \/sandbox\/mock_transactions/ }).count()).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // On a status, the key w explains the status.
    await page.locator('[data-standing] [data-why]').press('w')
    await page.getByRole('dialog').getByText('Why is status authorization_pending?').waitFor()
  })

  it('lists the line items of a settled balance, and each leads to its record and its Transaction', async (context) => {
    const setup = await setUpPayments({ window: built })
    const olive = await setup.customer()
    const wire = await setup.fund(olive, '500.00')
    const at = `#/synthetic_accounts/${olive.master}`
    const open = async () => {
      const page = await visit(context, setup.sandbox.gui, { at })
      await page.getByTitle('Why is net_usd_balance 500.00?').first().click()
      return { page, statement: page.locator('[data-statement]') }
    }
    const first = await open()
    expect(await first.statement.innerText()).toMatch(/Credit from .*\s+\+?500\.00\s+14 Aug [\d:]+, of Transaction/)
    await first.statement.getByRole('link', { name: /^Credit from/ }).click()
    await first.page.waitForURL(/#\/synthetic_line_items\//)
    const second = await open()
    await second.statement.getByRole('link', { name: /^Transaction/ }).click()
    await second.page.waitForURL(`**/#/transactions/${wire}`)
  })

  it('draws the chain of causes of anything, from the effect to the request or the decision', async (context) => {
    const setup = await setUpPayments({ window: built })
    const olive = await setup.customer()
    await setup.fund(olive, '500.00')
    const { uid } = await setup.pay(olive, olive.master, await setup.account(olive, 'general'), '20.00')
    const page = await visit(context, setup.sandbox.gui, { at: `#/transfers/${uid}` })
    await page.getByTitle('Why is status queued?').first().click()
    const chain = page.locator('[data-chain]')
    await chain.getByRole('link', { name: 'POST /transfers' }).first().waitFor()
    const drawn = () =>
      chain
        .locator('[data-link]')
        .evaluateAll((all) =>
          all.map((one) => [(one as SVGElement).dataset.link, one.querySelectorAll('[data-tip]').length]),
        )
    const steps = await chain.locator('li').count()
    expect(await drawn()).toHaveLength(steps)
    expect((await drawn())[0]).toEqual(['request', 0])
    for (const [, arrows] of (await drawn()).slice(1)) expect(arrows).toBe(1)
  })

  it('holds, releases and runs a scheduled task of the record', async (context) => {
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    const next = page.getByRole('region', { name: 'Scheduled' })
    expect(await next.getByRole('timer').innerText()).toBe('1 day 0 h 00 min')
    await next.getByRole('button', { name: 'Hold' }).click()
    await next.getByText(/held, due/).waitFor()
    await next.getByRole('button', { name: 'Release' }).click()
    await next.getByRole('timer').waitFor()
    await next.getByRole('button', { name: 'Run now' }).click()
    await expect.poll(() => statusOf(uid), { timeout: WAIT_MS }).not.toBe('authorization_pending')
  })

  it('keeps showing an open record after a rewind removes it, with a notice', async (context) => {
    const { seq } = await call('world.describe', {})
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}`, lossy: true })
    await page.getByRole('region', { name: 'Fields' }).getByText(uid, { exact: true }).waitFor()
    await call('world.rewind', { seq })
    await page.getByText('This Transaction no longer exists').waitFor()
    expect(await page.locator('[data-gone]').count()).toBe(1)
    expect(await page.getByRole('region', { name: 'Operator decisions' }).count()).toBe(0)
  })

  it('reports an unknown uid, and links to the list', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/transfers/nobody', lossy: true })
    await page.getByText('No Transfer has the uid nobody.').waitFor()
    await page.getByRole('link', { name: 'all Transfers' }).click()
    expect(page.url()).toMatch(/#\/transfers$/)
  })
})

describe('a Customer', IN_BROWSER, () => {
  const HOSTILE = [
    '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">',
    '\u202egnp.exe \u0001\u{1F4B8}',
    'A'.repeat(10_000),
  ]

  it('shows hostile text in every text field as text, and shortens long text until the user expands it', async (context) => {
    const names = ['first_name', 'middle_name', 'last_name', 'suffix', 'phone', 'business_name', 'dob']
    const address = ['street1', 'street2', 'city', 'state', 'postal_code']
    const bad = (all: string[]) => Object.fromEntries(all.map((name, at) => [name, HOSTILE[at % HOSTILE.length]]))
    const { status, body } = await apiClient(sandbox).post<{ uid: string }>('/customers', {
      external_uid: HOSTILE[0],
      email: HOSTILE[1],
      details: { ...bad(names), address: bad(address) },
    })
    expect(status).toBe(201)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${body.uid}` })
    const name = page.locator('dt[title="details.last_name"] + dd')
    expect(await name.innerText()).toMatch(/^A{160}… All 10,000 characters/)
    await name.getByRole('button', { name: 'All 10,000 characters', exact: true }).click()
    await expect.poll(() => name.locator('bdi').innerText(), { timeout: WAIT_MS }).toBe(HOSTILE[2])
    await name.getByRole('button', { name: 'Less' }).click()
    await expect.poll(() => name.locator('bdi').innerText(), { timeout: WAIT_MS }).toBe(`${'A'.repeat(160)}…`)
    for (const tab of ['Timeline', 'Accounts 0', 'Record']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).waitFor()
      expect(await width(page)).toBe(1280)
    }
    expect(await page.locator('[data-screen-bar]').evaluate((bar) => bar.scrollWidth <= bar.clientWidth)).toBe(true)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
  })

  it('has a timeline with hidden lanes, optional reads, a search and an export; the address contains the filters', async (context) => {
    const { customer } = await receiveWireToApprove(sandbox)
    await apiClient(sandbox).get(`/customers/${customer}`)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${customer}` })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const rows = page.getByRole('region', { name: 'Timeline' }).locator('[data-row]')
    await rows.first().waitFor()
    const all = await rows.count()
    expect(await page.getByText(/^POST \/sandbox\/mock_transactions$/).count()).toBeGreaterThan(0)
    expect(await rows.first().innerText()).toContain('+18,450.00')

    await page.getByRole('button', { name: /^Reads hidden/ }).click()
    await page.getByRole('button', { name: /^Reads shown/ }).waitFor()
    await expect.poll(() => rows.count(), { timeout: WAIT_MS }).toBeGreaterThan(all)
    await page.getByRole('button', { name: /^Requests/ }).click()
    await page.getByRole('button', { name: /^States/ }).click()
    await expect.poll(() => rows.locator('[data-lane=request], [data-lane=state]').count()).toBe(0)
    expect(await rows.locator('[data-lane=money]').count()).toBeGreaterThan(0)
    await expect.poll(() => page.url()).toContain('without=request&without=state')

    await page.reload()
    await rows.first().waitFor()
    expect(await rows.locator('[data-lane=request]').count()).toBe(0)
    await page.getByLabel('Search the timeline').fill('nothing of the kind')
    await page.getByText('No entry matches the filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rows.locator('[data-lane=request]').first().waitFor()

    await page.getByRole('button', { name: 'Export timeline' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^CSV/ }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`timeline-${customer}.csv`)
  })

  it('lists its accounts, and Enter opens the selected one', async (context) => {
    const { customer } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/customers/${customer}?tab=accounts` })
    const grid = page.getByRole('grid')
    await grid.locator('[data-row]').first().waitFor()
    await grid.press('ArrowDown')
    await grid.press('Enter')
    await expect.poll(() => page.url()).toContain('#/synthetic_accounts/')
  })
})
