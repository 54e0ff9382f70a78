import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import { apiClient } from '../support/client.ts'
import { call as callOf } from '../support/operator.ts'
import { shareDemo } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, visit } from '../support/window.ts'

/** The Accounts screen, in the built window and a real browser, with the month of the demo world. */

/** All tests share this sandbox. Only the last test changes it. */
const sandbox = await shareDemo({ window: built })

const call = <N extends MethodName>(name: N, input: MethodInput<N>) => callOf(sandbox, name, input)

/** The amount in the format of a statement. */
const formatAmount = (amount: string) => amount.replace('-', '−').replace(/\B(?=(\d{3})+\.)/g, ',')
const tree = (page: Page) => page.getByRole('treegrid', { name: 'Accounts by Customer' })
const pane = (page: Page) => page.getByRole('region', { name: 'Account', exact: true })
const entries = (page: Page) => page.getByRole('grid', { name: /^Entries of/ })
const rowOf = (page: Page, name: string) => tree(page).getByRole('row').filter({ hasText: name })
const masterOf = async () => {
  const { accounts } = await call('ledger.accounts', {})
  return accounts.find(({ master }) => master)!
}

async function open(context: Parameters<typeof visit>[0], how: Parameters<typeof visit>[2] = {}) {
  const page = await visit(context, sandbox.gui, { at: '#/accounts', ...how })
  await entries(page).locator('[data-row]').first().waitFor()
  await page.locator('[data-plot] svg').waitFor()
  await page.getByRole('region', { name: 'Trial balance' }).getByText('balanced').waitFor()
  return page
}

/** Other tests may use the same processor cores. */
const LONG_MS = 300_000

describe('the Accounts screen', IN_BROWSER, () => {
  it(
    'shows the values of the control API in the tree, the chart, the entries and both checks',
    async (context) => {
      const page = await open(context)
      const { accounts } = await call('ledger.accounts', {})
      const master = await masterOf()
      const own = accounts.filter(({ customer_uid }) => customer_uid === master.customer_uid)
      for (const { name, balance, available, book, liability } of own.filter(
        (it) => it.liability || it.book === 'custodial',
      ))
        expect((await rowOf(page, name).first().innerText()).replaceAll('\n', ' '), `${book} ${liability}`).toContain(
          [balance, ...(available === null ? [] : [available])].map(formatAmount)[0]!,
        )
      const history = await call('ledger.balances', { account_uid: master.uid })
      const now = history.steps.at(-1)!
      expect(await pane(page).getByLabel('Balances').innerText()).toContain(formatAmount(now.available!))
      expect(await page.locator('[data-plot]').getAttribute('aria-label')).toContain(
        `settled ${formatAmount(now.settled)}`,
      )

      await page.getByRole('button', { name: 'Table' }).click()
      await page.getByRole('button', { name: 'all', exact: true }).click()
      const steps = page.getByRole('grid', { name: /^Balance over time/ })
      await expect.poll(() => steps.locator('[data-row]').count()).toBe(history.steps.length + history.scheduled.length)
      expect(await steps.locator('[data-row]').first().innerText()).toContain(formatAmount(now.settled))

      const { data, total_count } = await call('ledger.lines', { account_uid: master.uid })
      const rows = await entries(page).locator('[data-row]').allInnerTexts()
      expect(rows).toHaveLength(total_count)
      for (const [i, { amount, running, source }] of data.entries()) {
        expect(rows[i]).toContain(`${amount.startsWith('-') ? '' : '+'}${formatAmount(amount)}`)
        expect(rows[i]).toContain(formatAmount(running))
        expect(rows[i]).toContain(source.name)
      }
      const { closes } = await call('ledger.reconciliation', { pool_uid: master.pool_uid })
      const sums = page.getByRole('region', { name: 'Sums of both books' })
      expect(await sums.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual(
        closes.map(({ synthetic }) => formatAmount(synthetic)),
      )
      expect(await sums.getByRole('img', { name: 'agrees' }).count()).toBe(closes.length)
      const { books } = await call('ledger.trial_balance', { pool_uid: master.pool_uid })
      const trial = await page.getByRole('region', { name: 'Debits and credits of both books' }).innerText()
      for (const { credits } of books) expect(trial).toContain(formatAmount(credits))

      await page.getByTitle(/^Why is .* available\?$/).click()
      await page.getByRole('dialog').locator('[data-statement]').waitFor()
    },
    LONG_MS,
  )

  it(
    'folds the tree, selects an account, reads its chart and opens an entry by keyboard alone',
    async (context) => {
      const page = await open(context)
      await page.keyboard.press('g')
      await page.keyboard.press('a')
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('treegrid')
      const first = tree(page).getByRole('row', { expanded: true })
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => first.count()).toBe(0)
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => first.count()).toBe(1)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      const second = (await tree(page).locator('[aria-selected=true] bdi').innerText()).trim()
      await pane(page).getByRole('heading', { name: second }).waitFor()
      expect(page.url()).toContain('account=')
      await page.keyboard.press('/')
      await page.keyboard.type('zzz')
      await page.getByText('No account matches the filters.').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')

      await page.locator('[data-plot]').focus()
      await page.keyboard.press('Home')
      await expect.poll(() => page.locator('[data-reading]').innerText()).toMatch(/settled/)
      await page.keyboard.press('End')
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('[data-reading]').innerText()).toBe('')
      await tree(page).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      await pane(page).locator('header').getByText('master').waitFor()
      await entries(page).locator('[data-row]').first().waitFor()
      await entries(page).focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toContain('#/transactions/')
    },
    LONG_MS,
  )

  it(
    'shows balances and entries as of an earlier close, and exports both lists as CSV',
    async (context) => {
      const page = await open(context)
      const master = await masterOf()
      const { closes } = await call('ledger.reconciliation', { days: 20 })
      const { at } = closes[0]!
      const { accounts } = await call('ledger.accounts', { at })
      const account = accounts.find(({ uid }) => uid === master.uid)!
      await page.getByRole('button', { name: /^As of: now/ }).click()
      await page.getByRole('menuitemradio').last().click()
      await page.getByRole('button', { name: /^As of: close of/ }).waitFor()
      await expect.poll(() => pane(page).getByLabel('Balances').innerText()).toContain(formatAmount(account.balance))
      await expect.poll(() => entries(page).locator('[data-row]').count()).toBe(account.lines)
      expect(await rowOf(page, account.name).first().innerText()).toContain(formatAmount(account.balance))

      const exportCsv = async (item: RegExp) => {
        await page.getByRole('button', { name: 'Export CSV' }).click()
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('menuitem', { name: item }).click(),
        ])
        return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
      }
      const table = await exportCsv(/^Accounts/)
      expect(table.name).toMatch(/^accounts \d{4}-\d\d-\d\d\.csv$/)
      const rows = table.text.trimEnd().split('\r\n')
      expect(rows).toHaveLength(accounts.length + 1)
      for (const account of accounts)
        expect(rows.some((row) => row.includes(account.uid) && row.includes(`,${account.balance},`))).toBe(true)

      await page.getByRole('button', { name: /^As of: close/ }).click()
      await page.getByRole('menuitemradio', { name: 'now' }).click()
      await page.getByRole('button', { name: /^As of: now/ }).waitFor()
      const list = await exportCsv(/^Entries/)
      const { data } = await call('ledger.lines', { account_uid: master.uid })
      expect(
        list.text
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((row) => row.split(',').at(-1)),
      ).toEqual(data.map(({ uid }) => uid))
    },
    LONG_MS,
  )

  it(
    'updates the figures after a payment, and keeps the folding, the selection and the scroll position',
    async (context) => {
      const page = await open(context, { viewport: { width: 1280, height: 620 } })
      const master = await masterOf()
      await goTo(page, `#/accounts?account=${master.uid}`)
      const others = tree(page).getByRole('row', { expanded: false })
      await others.first().click()
      await tree(page).press('ArrowRight')
      await tree(page).evaluate((grid) => void (grid.scrollTop = 60))
      const place = () =>
        tree(page).evaluate((grid) => [grid.scrollTop, grid.querySelectorAll('[aria-expanded=true]').length])
      const placeBefore = await place()
      expect(placeBefore[0]).toBe(60)
      const money = { transaction_type: 'wire', customer_uid: master.customer_uid, us_dollar_amount: '1234.56' }
      const { body } = await apiClient(sandbox).post<{ uid: string }>('/sandbox/mock_transactions', money)
      await entries(page).getByText('Pending, not in the running balance').waitFor()
      await entries(page).getByText('+1,234.56').waitFor()
      await call('moves.make', { collection: 'transactions', uid: body.uid, move: 'settle' })
      await entries(page).getByText('Pending, not in the running balance').waitFor({ state: 'detached' })
      const { accounts } = await call('ledger.accounts', { uid: [master.uid] })
      await expect
        .poll(() => pane(page).getByLabel('Balances').innerText())
        .toContain(formatAmount(accounts[0]!.balance))
      expect(await place()).toEqual(placeBefore)
      expect(page.url()).toContain(master.uid)
    },
    LONG_MS,
  )
})
