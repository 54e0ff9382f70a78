import type { Page } from 'playwright-core'
import { describe, expect, it, type TestContext } from 'vitest'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import type { Runner } from '../../src/api/time/tasks.ts'
import { PERSON } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { scheduleTasks, takeLong } from '../support/tasks.ts'
import { built, IN_BROWSER, visit } from '../support/window.ts'

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
const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

const openWindow = (options: Partial<SandboxOptions> = {}) => startSandbox({ window: built, tasks, ...options })

async function open(context: TestContext, sandbox: TestSandbox, hash: string, how: Parameters<typeof visit>[2] = {}) {
  const page = await visit(context, sandbox.gui, { at: hash, ...how })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
const selectedTask = (page: Page) => page.getByRole('region', { name: 'Selected task' })
const results = (page: Page) => page.getByRole('region', { name: 'Result' })
const listedTimes = (page: Page) =>
  page
    .getByRole('grid', { name: 'Scheduled tasks' })
    .locator('[data-row] time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const now = async (sandbox: TestSandbox) => (await call(sandbox, 'clock.read', {})).now

describe('the scheduled tasks', IN_BROWSER, () => {
  it('match tasks.list; a task is held, released, run now, undone and reached by an advance', async (context) => {
    const sandbox = await openWindow()
    scheduleTasks(sandbox, ['plain', 3_600_000], ['fragile', 4 * DAY_MS], ['plain', 5 * DAY_MS])
    const page = await open(context, sandbox, '#/time?recurring=shown')
    const due = async () => (await call(sandbox, 'tasks.list', {})).tasks.map(({ due_at }) => due_at)
    await expect.poll(() => listedTimes(page)).toEqual(await due())
    expect((await due()).length).toBe(4)
    await button(page, 'Recurring: shown').click()
    await expect.poll(async () => (await listedTimes(page)).length).toBe(3)

    await row(page, 'plain')
      .first()
      .click({ position: { x: 20, y: 10 } })
    await selectedTask(page).getByText('A task that is plain').waitFor()
    await selectedTask(page).getByRole('button', { name: 'Hold' }).click()
    await selectedTask(page).getByText('advances skip it until').waitFor()
    expect((await call(sandbox, 'tasks.list', {})).tasks[0]).toMatchObject({ held: true })
    await selectedTask(page).getByRole('button', { name: 'Release' }).click()
    await selectedTask(page).getByText('plain is released.').waitFor()
    await selectedTask(page).getByRole('button', { name: 'Run now' }).click()
    await selectedTask(page).getByText('plain ran at 10:00:00: happened.').waitFor()
    await expect.poll(async () => (await listedTimes(page)).length).toBe(2)
    await selectedTask(page).getByRole('button', { name: 'Undo the run' }).click()
    await selectedTask(page)
      .getByText(/^Undone by rewinding/)
      .waitFor()
    await expect.poll(async () => (await listedTimes(page)).length).toBe(3)

    broken = false
    await row(page, 'fragile').click({ position: { x: 20, y: 10 } })
    await selectedTask(page).getByRole('button', { name: 'Advance to this' }).click()
    await results(page).getByText('mended').waitFor()
    expect(await now(sandbox)).toBe('2026-08-18T14:00:00.000Z')
    await row(page, 'Wed 19 Aug')
      .getByRole('button', { name: /^Advance to this/ })
      .click()
    await expect.poll(() => now(sandbox)).toBe('2026-08-19T04:00:00.000Z')
    await results(page).getByRole('combobox').selectOption({ index: 1 })
    await results(page).getByText('mended').waitFor()
  })

  it('show failed tasks first with their error; a failed task is run again', async (context) => {
    broken = true
    const sandbox = await openWindow()
    scheduleTasks(sandbox, ['plain', DAY_MS], ['fragile', 1_000])
    await call(sandbox, 'clock.advance', { by: 'PT1M' })
    const page = await open(context, sandbox, '#/time')
    await page.getByText('Failed', { exact: true }).waitFor()
    const first = page.locator('[data-row]').first()
    expect(await first.innerText()).toContain('the bank is on fire')
    await first.getByRole('button', { name: 'Run again' }).click()
    await selectedTask(page)
      .getByText(/fragile ran at .*: failed: the bank is on fire/)
      .waitFor()
    broken = false
    await first.getByRole('button', { name: 'Run again' }).click()
    await selectedTask(page)
      .getByText(/fragile ran at .*: mended/)
      .waitFor()
    await expect.poll(() => page.getByText('Failed', { exact: true }).count()).toBe(0)
  })
})

describe('an advance', IN_BROWSER, () => {
  it('is previewed, shows its progress, is canceled, and is undone', async (context) => {
    const sandbox = await openWindow()
    scheduleTasks(sandbox, ['take long', 1_000], ['plain', 3 * DAY_MS])
    const before = await now(sandbox)
    const page = await open(context, sandbox, '#/time')
    const form = page.getByRole('form', { name: 'Advance the clock' })
    await form.getByLabel('Duration', { exact: true }).fill('soon')
    await form.getByText('"soon" is no amount of time').waitFor()
    await page.keyboard.press('Enter')
    await form.getByLabel('Duration', { exact: true }).fill('36 hours')
    await form.getByText(/^To Sat 15 Aug 2026 22:00:00 ET/).waitFor()
    await form.getByLabel('Duration', { exact: true }).fill('P2D')
    await form.getByText('2 tasks will run, 1 of them recurring. Tasks can schedule more tasks.').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 due, not reached by this advance').waitFor()
    expect(await now(sandbox), 'the clock has not moved').toBe(before)
    await form.getByRole('button', { name: 'Advance', exact: true }).click()
    const progress = page.getByRole('region', { name: 'Advance in progress' })
    await progress.getByRole('progressbar').waitFor()
    await page.getByRole('region', { name: 'Running tasks' }).getByText('take long').nth(1).waitFor()
    await progress.getByRole('button', { name: 'Cancel' }).click()
    await results(page).getByText('Canceled before its end.').waitFor()
    const reached = await now(sandbox)
    expect(reached > before && reached < later(before, 2 * DAY_MS)).toBe(true)
    await results(page).getByRole('button', { name: 'Undo the advance' }).click()
    await results(page)
      .getByText(/^Undone by rewinding to commit/)
      .waitFor()
    expect(await now(sandbox)).toBe(before)
    await results(page).getByRole('button', { name: 'Redo the advance' }).click()
    await expect.poll(() => now(sandbox)).toBe(reached)
  })

  it('goes to a date and time in New York, by business days, and until idle', async (context) => {
    const sandbox = await openWindow()
    scheduleTasks(sandbox, ['plain', 10 * DAY_MS])
    const page = await open(context, sandbox, '#/time')
    const form = page.getByRole('form', { name: 'Advance the clock' })
    const go = () => form.getByRole('button', { name: 'Advance', exact: true }).click()
    await form.getByLabel('Advance by').selectOption('moment')
    await form.getByLabel('Date in New York').fill('2026-08-13')
    await form.getByText('time does not go back').waitFor()
    await form.getByLabel('Date in New York').fill('2026-08-14')
    await form.getByLabel('Time in New York').fill('12:34:56')
    await go()
    await expect.poll(() => now(sandbox)).toBe('2026-08-14T16:34:56.000Z')
    await form.getByLabel('Advance by').selectOption('business_days')
    await form.getByText('To Mon 17 Aug 2026 12:34:56 ET.').waitFor()
    await go()
    await expect.poll(() => now(sandbox)).toBe('2026-08-17T16:34:56.000Z')
    await form.getByLabel('Advance by').selectOption('idle')
    await go()
    await expect.poll(() => now(sandbox)).toBe('2026-08-24T14:00:00.000Z')
    // The result shows the task that ran.
    await results(page).getByRole('region', { name: 'Tasks that ran' }).getByText('happened').waitFor()
  })

  it('ends when the break condition is met; the condition is shown and cleared', async (context) => {
    const sandbox = await openWindow()
    const page = await open(context, sandbox, '#/time')
    const clock = page.getByRole('region', { name: 'Clock', exact: true })
    await clock.getByLabel('Collection').selectOption('customers')
    await clock.getByLabel('Status').selectOption('active')
    await clock.getByRole('button', { name: 'Set' }).click()
    await clock.getByText('Freezes when a Customer').waitFor()
    await clock.getByRole('button', { name: 'Clear the break condition' }).click()
    await clock.getByLabel('Collection').selectOption('customers')
    await clock.getByLabel('Status').selectOption('identity_verified')
    await clock.getByRole('button', { name: 'Set' }).click()
    await clock.getByText('identity_verified').waitFor()
    await call(sandbox, 'clock.set', { break_on: { collection: 'customers', status: 'rejected' } })
    await clock.getByText('rejected').waitFor()
    const minor = { ...PERSON, dob: '2020-01-01' }
    const client = sandbox.client()
    const { body } = await client.post<{ uid: string }>('/customers', { email: 'ada@example.test', details: minor })
    const products = await client.get<{ data: { uid: string; prerequisite_product_uids: string[] }[] }>('/products')
    const product = products.body.data.find((one) => one.prerequisite_product_uids.length === 0)!
    const onboarded = await client.post('/customer_products', { customer_uid: body.uid, product_uid: product.uid })
    expect(onboarded.status, onboarded.text).toBe(200)
    await page.keyboard.press('h')
    await results(page).getByText('Stopped early').waitFor()
    expect(await now(sandbox)).toBe('2026-08-14T14:00:01.000Z')
    await clock.getByLabel('Collection').waitFor()
  })

  it('ends when the sandbox restarts; the window reconnects and shows the clock and the tasks', async (context) => {
    const data = createTemporaryFolder()
    const first = await openWindow({ data, seed: 'test', world: 'empty', clock: 'frozen' })
    const port = Number(new URL(first.api).port)
    scheduleTasks(first, ['take long', 1_000])
    const page = await open(context, first, '#/time', { lossy: true })
    await button(page, '1 business day').click()
    await page.getByRole('region', { name: 'Advance in progress' }).waitFor()
    await first.close()
    await page.getByText('Connection lost.').waitFor()
    const second = await openWindow({ data, port })
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    await page.getByRole('form', { name: 'Advance the clock' }).waitFor()
    await page.getByRole('banner').getByText('Frozen', { exact: true }).waitFor()
    const { tasks: due } = await call(second, 'tasks.list', {})
    await expect
      .poll(() => listedTimes(page))
      .toEqual(due.filter(({ recurring }) => !recurring).map(({ due_at }) => due_at))
  })

  it('has its result in the main area, with the daily closes folded, below one strip of days', async (context) => {
    const sandbox = await openWindow()
    scheduleTasks(sandbox, ['plain', 1_000], ['plain', 9 * DAY_MS])
    const page = await open(context, sandbox, '#/connect', { viewport: { width: 1440, height: 900 } })
    const strip = page.getByRole('region', { name: 'Scheduled' }).first()
    await strip.waitFor()
    await page.evaluate(() => void (location.hash = '#/time'))
    const grid = page.getByRole('grid', { name: 'Scheduled tasks' })
    await grid.waitFor()
    await expect.poll(() => page.getByRole('img', { name: /^Timeline of/ }).count()).toBe(1)
    await expect.poll(() => page.locator('[data-doubled]').isVisible()).toBe(false)
    await expect.poll(async () => (await listedTimes(page)).length).toBe(2)
    await page.getByLabel('Duration', { exact: true }).fill('P7D')
    await page
      .getByRole('form', { name: 'Advance the clock' })
      .getByRole('button', { name: 'Advance', exact: true })
      .click()
    await results(page).getByText('happened').waitFor()
    await results(page)
      .getByText(/^\d+ recurring tasks hidden$/)
      .waitFor()
    expect(await results(page).getByText('close of day').count()).toBe(0)
    const [result, scheduled] = await Promise.all([results(page).boundingBox(), grid.boundingBox()])
    expect(result!.x).toBe(scheduled!.x)
    expect(result!.width).toBeGreaterThan(700)
    await button(page, 'Recurring: hidden').click()
    await results(page).getByText('close of day').first().waitFor()
  })
})

describe('snapshots', IN_BROWSER, () => {
  it('are saved under a valid name, compared, restored and deleted; a restore is undone', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    const hostile = '<b>a</b>\u202e\u0001'
    const { body } = await client.post<{ uid: string }>('/customers', { email: 'a@example.test' })
    const page = await open(context, sandbox, '#/snapshots')
    const name = page.getByLabel('Save snapshot as')
    expect(await name.inputValue()).toBe('Fri 14 Aug 2026 10.00')
    await name.fill('../up')
    await page.getByText('a name is 1 to 64 letters').waitFor()
    await name.fill('before')
    await button(page, 'Save').click()
    await page.getByText('Saved snapshot before.').waitFor()
    await page.getByRole('row').filter({ hasText: 'before' }).waitFor()
    await client.call('PUT', `/customers/${body.uid}`, { json: { email: 'b@example.test', external_uid: hostile } })
    await client.post('/customers', {})

    await button(page, 'Compare before').click()
    const comparison = page.getByRole('region', { name: 'Comparison' })
    await comparison.getByText('2 records differ.').waitFor()
    const difference = await comparison.locator('[data-difference]').first().innerText()
    expect(difference).toContain(body.uid)
    expect(difference).toMatch(/email\s+a@example\.test → b@example\.test/)
    await comparison.getByText('1 changed, 1 added').waitFor()
    await comparison.getByLabel('Filter the differences').fill('B@EXAMPLE')
    await expect.poll(() => comparison.locator('[data-difference]').count()).toBe(1)

    await page.getByRole('tab', { name: /^Snapshots/ }).click()
    await button(page, 'Restore before').click()
    await page.getByText(/^Restored before\. The clock is at .*, 2 records changed\.$/).waitFor()
    const emails = async () =>
      (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).data.map(
        ({ email }) => email,
      )
    expect(await emails()).toEqual(['a@example.test'])
    await button(page, 'Undo the restore').click()
    await page.getByText(/^Undone by rewinding/).waitFor()
    expect((await emails()).length).toBe(2)

    await button(page, 'Delete…').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No snapshots yet.').waitFor()
    expect((await call(sandbox, 'snapshots.list', {})).snapshots).toEqual([])
  })

  it('a rewind goes to any earlier commit, a reset starts over, and both are undone', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    await client.post('/customers', { external_uid: 'one' })
    const earlier = sandbox.store.world.seq
    await client.post('/customers', { external_uid: 'two' })
    const countCustomers = async () =>
      (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).total_count
    const page = await open(context, sandbox, '#/snapshots?pane=history')
    await page
      .locator('[data-row]')
      .nth(1)
      .click({ position: { x: 20, y: 10 } })
    await page.getByRole('region', { name: 'Selected commit' }).getByText('request POST /customers').waitFor()
    await button(page, `Rewind to commit ${earlier}`).click()
    await page.getByText(`Rewound to commit ${earlier}. The clock is at`).waitFor()
    expect(await countCustomers()).toBe(1)
    await row(page, 'undone:').first().waitFor()
    await button(page, 'Undo the rewind').click()
    await page.getByText(/^Undone by rewinding/).waitFor()
    expect(await countCustomers()).toBe(2)

    await page.getByRole('tab', { name: 'Start over' }).click()
    await page.getByRole('radio', { name: /^empty/ }).check()
    await page.getByLabel('seed').fill('another')
    await button(page, 'Start over…').click()
    await page.getByRole('dialog').getByText('stays in the history').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Start over', exact: true }).click()
    await page.getByText(/^Started over with a fresh empty world\. The clock is at/).waitFor()
    expect(await countCustomers()).toBe(0)
    expect(sandbox.store.world.seed).toBe('another')
    await button(page, 'Undo the reset').click()
    await page.getByText(/^Undone by rewinding/).waitFor()
    expect(await countCustomers()).toBe(2)
    expect(sandbox.store.world.seed).toBe('test')
  })
})

describe('by keyboard alone', IN_BROWSER, () => {
  it('a task is held, the clock is advanced and the advance undone, and a snapshot is saved and restored', async (context) => {
    const sandbox = await openWindow()
    scheduleTasks(sandbox, ['plain', 1_000], ['plain', 3_600_000])
    const page = await visit(context, sandbox.gui)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )
    const tabTo = async (words: string, key = 'Tab') => {
      for (let i = 0; i < 40 && !(await focused()).includes(words); i++) await press(key)
      expect(await focused()).toContain(words)
    }
    await press('g', 't')
    await expect.poll(focused).toBe('Scheduled tasks')
    await press('ArrowDown', 'Enter')
    await expect.poll(focused).toBe('Run now')
    await tabTo('Hold')
    await press('Enter')
    await selectedTask(page).getByText('advances skip it until').waitFor()
    await press('n')
    await expect.poll(() => now(sandbox)).toBe('2026-08-14T15:00:00.000Z')
    await results(page).getByText('to next task', { exact: true }).waitFor()
    await press('h')
    await expect.poll(() => now(sandbox)).toBe('2026-08-14T16:00:00.000Z')
    await results(page).getByText('1 hour', { exact: true }).waitFor()
    await press('b')
    await expect.poll(() => now(sandbox)).toBe('2026-08-17T16:00:00.000Z')
    await results(page).getByText('1 business day', { exact: true }).waitFor()
    // The result is above the tasks.
    await tabTo('Undo', 'Shift+Tab')
    await press('Enter')
    await expect.poll(() => now(sandbox)).toBe('2026-08-14T16:00:00.000Z')

    await press('?')
    await page.getByRole('dialog').getByText('on Time: advance to the next task').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press('g', 'n')
    await page.getByLabel('Save snapshot as').waitFor()
    await press('b')
    while (!(await page.evaluate(() => document.activeElement?.matches('[aria-label="Save a snapshot"] input'))))
      await press('Tab')
    await press('Enter')
    await page.getByText(/^Saved snapshot/).waitFor()
    await tabTo('Restore')
    await press('Enter')
    await page.getByText(/^Restored .* The clock is at /).waitFor()
    expect(await now(sandbox), 'b advances the clock on the Time screen only').toBe('2026-08-14T16:00:00.000Z')
  })
})
