import type { Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import { formatAmount } from '../../src/renderer/format/text.ts'
import { apiClient } from '../support/client.ts'
import { call as callOf } from '../support/operator.ts'
import {
  addressHas,
  button,
  clickButton,
  download,
  focusedRole,
  goTo,
  heading,
  IN_BROWSER,
  openDemo,
  press,
  region,
  sees,
  visit,
} from '../support/window.ts'

/** The Accounts screen, in the built window and a real browser, with the month of the demo world. */

const tree = (page: Page) => page.getByRole('treegrid', { name: 'Accounts by Customer' })
const pane = (page: Page) => region(page, 'Account')
const entries = (page: Page) => page.getByRole('grid', { name: /^Entries of/ })
const balances = (page: Page) => pane(page).getByLabel('Balances').innerText()
const rowOf = (page: Page, name: string) => tree(page).getByRole('row').filter({ hasText: name }).first()

async function openAccounts(context: TestContext, viewport = { width: 1280, height: 800 }) {
  const sandbox = await openDemo()
  const call = <N extends MethodName>(name: N, input: MethodInput<N>) => callOf(sandbox, name, input)
  const { accounts } = await call('ledger.accounts', {})
  const page = await visit(context, sandbox.gui, { at: '#/accounts', viewport })
  await entries(page).locator('[data-row]').first().waitFor()
  await page.locator('[data-plot] svg').waitFor()
  await sees(region(page, 'Trial balance'), 'balanced')
  return { sandbox, call, page, accounts, master: accounts.find(({ master }) => master)! }
}

describe('Accounts', IN_BROWSER, () => {
  it('an accountant reads the tree, the chart, the entries and both checks, now and at an earlier close, and exports them', async (context) => {
    const { call, page, accounts, master } = await openAccounts(context)
    const own = accounts.filter(({ customer_uid }) => customer_uid === master.customer_uid)
    for (const { name, balance } of own.filter((it) => it.liability || it.book === 'custodial'))
      expect((await rowOf(page, name).innerText()).replaceAll('\n', ' '), name).toContain(formatAmount(balance))
    const history = await call('ledger.balances', { account_uid: master.uid })
    const now = history.steps.at(-1)!
    expect(await balances(page)).toContain(formatAmount(now.available!))
    const chart = page.locator('[data-plot]')
    expect(await chart.getAttribute('aria-label')).toContain(`settled ${formatAmount(now.settled)}`)
    await clickButton(page, 'Table')
    await clickButton(page, 'all')
    const steps = page.getByRole('grid', { name: /^Balance over time/ }).locator('[data-row]')
    await expect.poll(() => steps.count()).toBe(history.steps.length + history.scheduled.length)
    expect(await steps.first().innerText()).toContain(formatAmount(now.settled))

    const { data, total_count } = await call('ledger.lines', { account_uid: master.uid })
    const rows = await entries(page).locator('[data-row]').allInnerTexts()
    expect(rows).toHaveLength(total_count)
    for (const [i, { amount, running, source }] of data.entries()) {
      expect(rows[i]).toContain(`${amount.startsWith('-') ? '' : '+'}${formatAmount(amount)}`)
      expect(rows[i]).toContain(formatAmount(running))
      expect(rows[i]).toContain(source.name)
    }
    const { closes } = await call('ledger.reconciliation', { pool_uid: master.pool_uid })
    const sums = region(page, 'Sums of both books')
    expect(await sums.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual(
      closes.map(({ synthetic }) => formatAmount(synthetic)),
    )
    expect(await sums.getByRole('img', { name: 'agrees' }).count()).toBe(closes.length)
    const { books } = await call('ledger.trial_balance', { pool_uid: master.pool_uid })
    const trial = await region(page, 'Debits and credits of both books').innerText()
    for (const { credits } of books) expect(trial).toContain(formatAmount(credits))
    await page.getByTitle(/^Why is .* available\?$/).click()
    await page.getByRole('dialog').locator('[data-statement]').waitFor()
    await press(page, 'Escape')

    // As of an earlier close.
    const { at } = (await call('ledger.reconciliation', { days: 20 })).closes[0]!
    const earlier = (await call('ledger.accounts', { at })).accounts
    const account = earlier.find(({ uid }) => uid === master.uid)!
    await button(page, /^As of: now/).click()
    await page.getByRole('menuitemradio').last().click()
    await button(page, /^As of: close of/).waitFor()
    await expect.poll(() => balances(page)).toContain(formatAmount(account.balance))
    await expect.poll(() => entries(page).locator('[data-row]').count()).toBe(account.lines)
    expect(await rowOf(page, account.name).innerText()).toContain(formatAmount(account.balance))
    const exportCsv = async (item: RegExp) => {
      await clickButton(page, 'Export CSV')
      const { name, text } = await download(page, () => page.getByRole('menuitem', { name: item }).click())
      return { name, lines: text.trimEnd().split('\r\n') }
    }
    const table = await exportCsv(/^Accounts/)
    expect(table.name).toMatch(/^accounts \d{4}-\d\d-\d\d\.csv$/)
    expect(table.lines).toHaveLength(earlier.length + 1)
    for (const { uid, balance } of earlier)
      expect(table.lines.some((line) => line.includes(uid) && line.includes(`,${balance},`))).toBe(true)
    await button(page, /^As of: close/).click()
    await page.getByRole('menuitemradio', { name: 'now' }).click()
    await button(page, /^As of: now/).waitFor()
    const exported = await exportCsv(/^Entries/)
    expect(exported.lines.slice(1).map((line) => line.split(',').at(-1))).toEqual(data.map(({ uid }) => uid))
  })

  it('an accountant folds the tree, reads the chart and opens an entry by keyboard, while payments arrive', async (context) => {
    const { sandbox, call, page, master } = await openAccounts(context, { width: 1280, height: 620 })
    await press(page, 'g', 'a')
    await expect.poll(() => focusedRole(page)).toBe('treegrid')
    const first = tree(page).getByRole('row', { expanded: true })
    await press(page, 'Home', 'ArrowLeft')
    await expect.poll(() => first.count()).toBe(0)
    await press(page, 'ArrowRight')
    await expect.poll(() => first.count()).toBe(1)
    await press(page, 'ArrowRight', 'ArrowDown')
    const second = (await tree(page).locator('[aria-selected=true] bdi').innerText()).trim()
    await heading(pane(page), second).waitFor()
    expect(page.url()).toContain('account=')
    await press(page, '/')
    await page.keyboard.type('zzz')
    await sees(page, 'No account matches the filters.')
    await press(page, 'Escape', 'Escape')
    await page.locator('[data-plot]').focus()
    const reading = () => page.locator('[data-reading]').innerText()
    await press(page, 'Home')
    await expect.poll(reading).toMatch(/settled/)
    await press(page, 'End', 'Escape')
    await expect.poll(reading).toBe('')

    // A payment changes the figures; the folding, the selection and the scroll position stay.
    await goTo(page, `#/accounts?account=${master.uid}`)
    await tree(page).getByRole('row', { expanded: false }).first().click()
    await tree(page).press('ArrowRight')
    await tree(page).evaluate((grid) => void (grid.scrollTop = 60))
    const place = () =>
      tree(page).evaluate((grid) => [grid.scrollTop, grid.querySelectorAll('[aria-expanded=true]').length])
    const before = await place()
    expect(before[0]).toBe(60)
    const wire = { transaction_type: 'wire', customer_uid: master.customer_uid, us_dollar_amount: '1234.56' }
    const { body } = await apiClient(sandbox).post<{ uid: string }>('/sandbox/mock_transactions', wire)
    const pending = entries(page).getByText('Pending, not in the running balance')
    await pending.waitFor()
    await sees(entries(page), '+1,234.56')
    await call('moves.make', { collection: 'transactions', uid: body.uid, move: 'settle' })
    await pending.waitFor({ state: 'detached' })
    const { accounts } = await call('ledger.accounts', { uid: [master.uid] })
    await expect.poll(() => balances(page)).toContain(formatAmount(accounts[0]!.balance))
    expect(await place()).toEqual(before)
    expect(page.url()).toContain(master.uid)

    await tree(page).focus()
    await press(page, 'Home', 'ArrowDown')
    await sees(pane(page).locator('header'), 'master')
    await entries(page).locator('[data-row]').first().waitFor()
    await entries(page).focus()
    await press(page, 'ArrowDown', 'Enter')
    await addressHas(page, /#\/transactions\//)
  })
})
