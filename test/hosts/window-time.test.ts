import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Runner } from '../../src/api/time/tasks.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { scheduleTasks, takeLong } from '../support/tasks.ts'
import {
  clickButton,
  goTo,
  heading,
  IN_BROWSER,
  openWindow,
  press,
  region,
  row,
  rows,
  sees,
  select,
  visit,
} from '../support/window.ts'

/** The Time and Snapshots screens, in the built window and a real browser. */

const DAY_MS = 86_400_000

let broken = true
/** Kinds of task that take long, fail, or only wait. */
const tasks: Readonly<Record<string, Runner>> = {
  'take long': takeLong,
  fragile: () => {
    if (broken) throw new Error('the bank is on fire')
    return 'mended'
  },
  plain: () => 'happened',
}

const task = (page: Page) => region(page, 'Selected task')
const scheduled = (page: Page) => page.getByRole('grid', { name: 'Scheduled tasks' })
const results = (page: Page) => region(page, 'Result')
const ranTasks = (page: Page) => results(page).getByRole('grid', { name: 'Tasks that ran' })
const form = (page: Page) => page.getByRole('form', { name: 'Advance the clock' })
const advance = (page: Page) => clickButton(form(page), 'Advance')
const progress = (page: Page) => region(page, 'Advance in progress')
const listedTimes = (page: Page) =>
  page
    .getByRole('grid', { name: 'Scheduled tasks' })
    .locator('[data-row] time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
const now = async (sandbox: TestSandbox) => (await call(sandbox, 'clock.read', {})).now
const nowIs = (sandbox: TestSandbox, instant: string) => expect.poll(() => now(sandbox)).toBe(instant)
const customersOf = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).data

describe('Time', IN_BROWSER, () => {
  it('a user holds, releases, runs and reaches scheduled tasks, and runs failed ones again', async (context) => {
    broken = true
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['plain', 3_600_000], ['fragile', 4 * DAY_MS], ['plain', 5 * DAY_MS])
    const page = await visit(context, sandbox.gui, { at: '#/time?recurring=shown' })
    const due = (await call(sandbox, 'tasks.list', {})).tasks.map(({ due_at }) => due_at)
    expect(due.length).toBe(4)
    await expect.poll(() => listedTimes(page)).toEqual(due)
    await clickButton(page, 'Recurring: shown')
    const countIs = (count: number) => expect.poll(async () => (await listedTimes(page)).length).toBe(count)
    await countIs(3)
    await select(row(page, 'plain'))
    await sees(task(page), 'A task that is plain')
    await clickButton(task(page), 'Hold')
    await sees(task(page), 'advances skip it until')
    expect((await call(sandbox, 'tasks.list', {})).tasks[0]).toMatchObject({ held: true })
    await clickButton(task(page), 'Release')
    await sees(task(page), 'plain is released.')
    await clickButton(task(page), 'Run now')
    await sees(task(page), 'plain ran at 10:00:00: happened.')
    await countIs(2)
    await clickButton(task(page), 'Undo the run')
    await sees(task(page), /^Undone by commit [\d,]+: operator undid operations/)
    await countIs(3)

    // A failed task comes first, with its error, and is run again.
    await select(row(page, 'fragile'))
    await clickButton(task(page), 'Advance to this')
    await nowIs(sandbox, '2026-08-18T14:00:00.000Z')
    await sees(page, 'Failed')
    const first = scheduled(page).locator('[data-row]').first()
    await expect.poll(() => first.innerText()).toContain('the bank is on fire')
    await clickButton(first, 'Run again')
    await sees(task(page), /fragile ran at .*: failed: the bank is on fire/)
    broken = false
    await clickButton(first, 'Run again')
    await sees(task(page), /fragile ran at .*: mended/)
    await expect.poll(() => page.getByText('Failed', { exact: true }).count()).toBe(0)

    // An advance to a day. The results of earlier advances can be chosen.
    await page
      .getByRole('row')
      .filter({ hasText: 'Wed 19 Aug' })
      .getByRole('button', { name: /^Advance to this/ })
      .click()
    await nowIs(sandbox, '2026-08-19T04:00:00.000Z')
    await results(page).getByRole('combobox').selectOption({ index: 1 })
    await sees(results(page), 'the bank is on fire')
  })

  it('a user previews an advance, follows and cancels it, undoes it, and advances by each way', async (context) => {
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['take long', 1_000], ['plain', 3 * DAY_MS])
    const before = await now(sandbox)
    const page = await visit(context, sandbox.gui, { at: '#/time', viewport: { width: 1440, height: 900 } })
    const duration = form(page).getByLabel('Duration', { exact: true })
    await duration.fill('soon')
    await sees(form(page), '"soon" is no amount of time')
    await press(page, 'Enter')
    await duration.fill('36 hours')
    await sees(form(page), /^To Sat 15 Aug 2026 22:00:00 ET/)
    await duration.fill('P2D')
    await sees(form(page), '2 tasks will run, 1 of them recurring. Tasks can schedule more tasks.')
    await press(page, 'Control+Enter')
    await sees(page, '1 due, not reached by this advance')
    expect(await now(sandbox), 'the clock has not moved').toBe(before)
    await advance(page)
    await progress(page).getByRole('progressbar').waitFor()
    await region(page, 'Running tasks').getByText('take long').nth(1).waitFor()
    expect(await region(page, 'Running tasks').getByRole('columnheader').allInnerTexts()).toEqual(['Time, ET', 'Task'])
    await clickButton(progress(page), 'Cancel')
    await sees(results(page), 'Canceled before its end.')
    const reached = await now(sandbox)
    expect(Date.parse(reached) - Date.parse(before)).toBeGreaterThan(0)
    expect(Date.parse(reached) - Date.parse(before)).toBeLessThan(2 * DAY_MS)
    await clickButton(results(page), 'Undo the advance')
    await sees(results(page), /^Undone by commit [\d,]+: operator undid operations: the world is as after commit/)
    expect(await now(sandbox)).toBe(before)
    await clickButton(results(page), 'Redo the advance')
    await nowIs(sandbox, reached)

    // To a date and time in New York, by business days, and until idle.
    const fresh = await openWindow({ tasks })
    scheduleTasks(fresh, ['plain', 10 * DAY_MS])
    const other = await visit(context, fresh.gui, { at: '#/connect', viewport: { width: 1440, height: 900 } })
    await region(other, 'Scheduled').first().waitFor()
    await goTo(other, '#/time')
    const grid = other.getByRole('grid', { name: 'Scheduled tasks' })
    await grid.waitFor()
    // The strip of days is there once.
    await expect.poll(() => other.getByRole('img', { name: /^Timeline of/ }).count()).toBe(1)
    await expect.poll(() => other.locator('[data-doubled]').isVisible()).toBe(false)
    const by = form(other).getByLabel('Advance by')
    await by.selectOption('moment')
    await form(other).getByLabel('Date in New York').fill('2026-08-13')
    await sees(form(other), 'time does not go back')
    await form(other).getByLabel('Date in New York').fill('2026-08-14')
    await form(other).getByLabel('Time in New York').fill('12:34:56')
    await advance(other)
    await nowIs(fresh, '2026-08-14T16:34:56.000Z')
    await by.selectOption('business_days')
    await sees(form(other), 'To Mon 17 Aug 2026 12:34:56 ET.')
    await advance(other)
    await nowIs(fresh, '2026-08-17T16:34:56.000Z')
    await by.selectOption('idle')
    await advance(other)
    await nowIs(fresh, '2026-08-24T14:00:00.000Z')
    // The result is in the main area, with the daily closes folded.
    await sees(ranTasks(other), 'happened')
    await select(ranTasks(other).locator('[data-row]').filter({ hasText: 'plain' }))
    await sees(region(results(other), 'Outcome of the selected task'), 'happened')
    await sees(results(other), /^\d+ recurring tasks hidden$/)
    expect(await results(other).getByText('close of day').count()).toBe(0)
    const [result, scheduled] = await Promise.all([results(other).boundingBox(), grid.boundingBox()])
    expect(result!.x).toBe(scheduled!.x)
    expect(result!.width).toBeGreaterThan(700)
    await clickButton(other, 'Recurring: hidden')
    await sees(results(other), 'close of day')
  })

  it('a user sets, changes and clears a break condition, at which an advance ends', async (context) => {
    const sandbox = await openWindow({ tasks })
    const page = await visit(context, sandbox.gui, { at: '#/time' })
    const clock = region(page, 'Clock')
    const breakOn = async (status: string) => {
      await clock.getByLabel('Collection').selectOption('customers')
      await clock.getByLabel('Status').selectOption(status)
      await clickButton(clock, 'Set')
      await sees(clock, 'Freezes when a Customer')
      await sees(clock, status)
    }
    await breakOn('active')
    await clickButton(clock, 'Clear the break condition')
    await breakOn('identity_verified')
    await call(sandbox, 'clock.set', { break_on: { collection: 'customers', status: 'rejected' } })
    await sees(clock, 'rejected')
    const client = sandbox.client()
    const minor = { ...OLIVE, details: { ...OLIVE.details, dob: '2020-01-01' } }
    const { body } = await client.post<{ uid: string }>('/customers', minor)
    const products = await client.get<{ data: { uid: string; prerequisite_product_uids: string[] }[] }>('/products')
    const product = products.body.data.find((one) => one.prerequisite_product_uids.length === 0)!
    const onboarded = await client.post('/customer_products', { customer_uid: body.uid, product_uid: product.uid })
    expect(onboarded.status, onboarded.text).toBe(200)
    await press(page, 'h')
    await sees(results(page), 'Stopped early')
    expect(await now(sandbox)).toBe('2026-08-14T14:00:01.000Z')
    await clock.getByLabel('Collection').waitFor()
  })

  it('a user whose sandbox restarts during an advance sees the clock and the tasks of the new one', async (context) => {
    const data = createTemporaryFolder()
    const first = await openWindow({ tasks, data, seed: 'test', world: 'empty', clock: 'frozen' })
    const port = Number(new URL(first.api).port)
    scheduleTasks(first, ['take long', 1_000])
    const page = await visit(context, first.gui, { at: '#/time', lossy: true })
    await clickButton(page, '1 business day')
    await progress(page).waitFor()
    await first.close()
    await sees(page, 'Connection lost.')
    const second = await openWindow({ tasks, data, port })
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    await form(page).waitFor()
    await sees(page.getByRole('banner'), 'Frozen')
    const { tasks: due } = await call(second, 'tasks.list', {})
    const once = due.filter(({ recurring }) => !recurring).map(({ due_at }) => due_at)
    await expect.poll(() => listedTimes(page)).toEqual(once)
  })
})

describe('Snapshots', IN_BROWSER, () => {
  it('a user saves, compares, restores and deletes a snapshot, rewinds, starts over, and undoes each of them', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    const { body } = await client.post<{ uid: string }>('/customers', { email: 'a@example.test' })
    const page = await visit(context, sandbox.gui, { at: '#/snapshots' })
    const name = page.getByLabel('Save snapshot as')
    expect(await name.inputValue()).toBe('Fri 14 Aug 2026 10.00')
    await name.fill('../up')
    await sees(page, 'a name is 1 to 64 letters')
    await name.fill('before')
    await clickButton(page, 'Save')
    await sees(page, 'Saved snapshot before.')
    await page.getByRole('row').filter({ hasText: 'before' }).waitFor()
    const hostile = '<b>a</b>\u202e\u0001'
    await client.call('PUT', `/customers/${body.uid}`, { json: { email: 'b@example.test', external_uid: hostile } })
    const earlier = sandbox.store.world.seq
    await client.post('/customers', {})
    await clickButton(page, 'Compare before')
    const comparison = region(page, 'Comparison')
    await sees(comparison, '2 records differ.')
    const difference = await comparison.locator('[data-difference]').first().innerText()
    expect(difference).toContain(body.uid)
    expect(difference).toMatch(/email\s+a@example\.test → b@example\.test/)
    await sees(comparison, '1 changed, 1 added')
    await comparison.getByLabel('Filter the differences').fill('B@EXAMPLE')
    await expect.poll(() => comparison.locator('[data-difference]').count()).toBe(1)

    await page.getByRole('tab', { name: /^Snapshots/ }).click()
    await clickButton(page, 'Restore before')
    await sees(page, /^Restored before\. The clock is at .*, 2 records changed\.$/)
    expect((await customersOf(sandbox)).map(({ email }) => email)).toEqual(['a@example.test'])
    await clickButton(page, 'Undo the restore')
    await sees(page, /^Undone by commit [\d,]+: operator undid operations/)
    expect(await customersOf(sandbox)).toHaveLength(2)
    await clickButton(page, 'Delete…')
    await clickButton(page.getByRole('dialog'), 'Delete')
    await sees(page, 'No snapshots yet.')
    expect((await call(sandbox, 'snapshots.list', {})).snapshots).toEqual([])

    await goTo(page, '#/snapshots?pane=history')
    await select(rows(page).filter({ hasText: 'PUT /customers' }).last())
    await sees(region(page, 'Selected commit'), /PUT \/customers/)
    await clickButton(page, `Rewind to commit ${earlier}`)
    await sees(page, `Rewound to commit ${earlier}. The clock is at`)
    expect(await customersOf(sandbox)).toHaveLength(1)
    await row(page, 'undone:').waitFor()
    await clickButton(page, 'Undo the rewind')
    await sees(page, /^Undone by commit [\d,]+: operator undid operations/)
    expect(await customersOf(sandbox)).toHaveLength(2)

    await page.getByRole('tab', { name: 'Start over' }).click()
    await page.getByRole('radio', { name: /^empty/ }).check()
    await page.getByLabel('seed').fill('another')
    await clickButton(page, 'Start over…')
    await sees(page.getByRole('dialog'), 'stays in the history')
    await clickButton(page.getByRole('dialog'), 'Start over')
    await sees(page, /^Started over with a fresh empty world\. The clock is at/)
    expect([await customersOf(sandbox), sandbox.store.world.seed]).toEqual([[], 'another'])
    await clickButton(page, 'Undo the reset')
    await sees(page, /^Undone by commit [\d,]+: operator undid operations/)
    expect(await customersOf(sandbox)).toHaveLength(2)
    expect(sandbox.store.world.seed).toBe('test')
    await heading(page, 'Snapshots').waitFor()
  })
})
