import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Runner } from '../../src/api/time/tasks.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { scheduleTasks, takeLong } from '../support/tasks.ts'
import {
  button,
  clickButton,
  findAccessibilityErrors,
  focusIsOn,
  goTo,
  heading,
  IN_BROWSER,
  openWindow,
  press,
  region,
  sees,
  select,
  visit,
} from '../support/window.ts'

/** The line of time and the undo at the clock, in the built window and a real browser. */

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

const line = (page: Page) => region(page, 'Line of time')
const slider = (page: Page) => page.getByRole('slider', { name: 'Point in time' })
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })
const task = (page: Page) => region(page, 'Selected task')
const rowOf = (page: Page, text: string | RegExp) => line(page).locator('[data-row]').filter({ hasText: text }).first()
const menu = (page: Page) => page.getByRole('dialog')
const listedTimes = (page: Page) =>
  line(page)
    .locator('[data-row] time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
const now = async (sandbox: TestSandbox) => (await call(sandbox, 'clock.read', {})).now
const nowIs = (sandbox: TestSandbox, instant: string) => expect.poll(() => now(sandbox)).toBe(instant)
const customersOf = async (sandbox: TestSandbox) =>
  (await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })).data
/** Clicks at a share of the width. */
async function clickLine(page: Page, share: number) {
  const { width, height } = (await slider(page).boundingBox())!
  await slider(page).click({ position: { x: width * share, y: height - 12 } })
}
const says = (page: Page) => slider(page).getAttribute('aria-valuetext')

describe('the line of time', IN_BROWSER, () => {
  it('a user unfolds it, steps through it by keys, zooms, and goes back and forth in time from a point', async (context) => {
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['plain', DAY_MS], ['plain', 3 * DAY_MS])
    await sandbox.client().post('/customers', { email: 'a@example.test' })
    await call(sandbox, 'snapshots.keep', { name: 'before' })
    await call(sandbox, 'clock.advance', { by: 'P2D' })
    const page = await visit(context, sandbox.gui, { at: '#/customers', lossy: true })
    await sees(line(page), '1 due')
    expect((await line(page).boundingBox())!.height).toBe(44)
    expect(await findAccessibilityErrors(page, 'folded')).toEqual([])
    await press(page, 'g', 't')
    await focusIsOn(slider(page))
    expect((await line(page).boundingBox())!.height).toBe(320)
    expect(await line(page).locator('[data-flag]').count()).toBe(1)
    expect(await line(page).locator('[data-task]').count()).toBeGreaterThan(0)

    // By operation, then the tasks; elsewhere the keys do the same if nothing else takes them.
    await press(page, 'ArrowLeft')
    await expect.poll(() => says(page)).toBe('Sun 16 Aug 10:00: advance to 2026-08-16 10:00 ET, 2 tasks')
    await press(page, 'ArrowLeft')
    await expect.poll(() => says(page)).toBe('Fri 14 Aug 10:00: request POST /customers, 1 customer')
    await press(page, 'ArrowRight')
    await expect.poll(() => says(page)).toMatch(/^Sun 16 Aug 10:00: advance/)
    await page.locator('main').focus()
    await press(page, 'ArrowRight')
    await focusIsOn(slider(page))
    await press(page, 'ArrowRight')
    await expect.poll(() => says(page)).toMatch(/^Mon 17 Aug (?:10:00: plain|20:00: close of day)/)
    await press(page, '-', '-', '+', 'Shift+ArrowLeft')
    await button(line(page), 'Back to now').waitFor()
    await press(page, 'Home')
    await button(line(page), 'Back to now').waitFor({ state: 'detached' })
    await clickButton(line(page), 'Days')
    expect(await findAccessibilityErrors(page, 'unfolded')).toEqual([])

    // A point to come: the clock goes there.
    await clickLine(page, 0.7)
    await sees(menu(page), /tasks? will run/)
    expect(await findAccessibilityErrors(page, 'a point')).toEqual([])
    await clickButton(menu(page), 'Advance to here')
    await expect.poll(async () => Date.parse(await now(sandbox))).toBeGreaterThan(Date.parse('2026-08-18T00:00:00Z'))
    await press(page, 'Escape')
    await button(page, /^Undo advance to 2026-08-/).waitFor()

    // A point that is past: the world goes back, or a copy of it is opened or compared.
    await slider(page).focus()
    for (let step = 0; step < 8 && !(await says(page))?.includes('POST /customers'); step++) {
      const before = await says(page)
      await press(page, 'ArrowLeft')
      await expect.poll(() => says(page)).not.toBe(before)
    }
    await press(page, 'Enter')
    await clickButton(menu(page), 'Compare with now')
    await heading(page, 'Compare').waitFor()
    await slider(page).focus()
    await press(page, 'Enter')
    await clickButton(menu(page), 'Rewind to here')
    await nowIs(sandbox, '2026-08-14T14:00:00.000Z')
    await press(page, 'Escape')
    await press(page, 'Enter')
    await clickButton(menu(page), 'Look')
    await sees(page, /^The root world as of commit \d+: nothing here can be changed\.$/)
    expect(page.url()).toContain('/worlds/look-2/')
    expect(await button(page, 'Run').count()).toBe(0)
    expect(await findAccessibilityErrors(page, 'a look')).toEqual([])
    await page.locator('main').focus()
    await press(page, 'Shift+.')
    await sees(page, /it cannot be changed/)
    await clickButton(page, 'Leave')
    await button(page, 'Run').waitFor()
    expect(page.url()).not.toContain('/worlds/')
    expect(sandbox.worlds.get('look-2')).toBeUndefined()
    expect((await call(sandbox, 'worlds.list', {})).worlds).toEqual([])
  })

  it('a user sees the weeks with holidays and tasks, and advances over days by a drag or by keys', async (context) => {
    const sandbox = await openWindow({ tasks })
    // Friday 14 August, 10:00 in New York.
    scheduleTasks(sandbox, ['plain', DAY_MS], ['plain', 4 * DAY_MS], ['plain', 4 * DAY_MS])
    const page = await visit(context, sandbox.gui, { at: '#/faults', viewport: { width: 1280, height: 800 } })
    const day = (name: RegExp) => page.getByRole('gridcell', { name })
    await press(page, 'g', 'm')
    await focusIsOn(day(/^Fri 14 Aug/).getByRole('button'))
    expect(await line(page).getByRole('gridcell').count()).toBe(35)
    expect(
      await day(/^Sat 15 Aug, banks closed, 1 task: plain$/)
        .locator('[data-chip]')
        .count(),
    ).toBe(1)
    expect(await findAccessibilityErrors(page, 'the month')).toEqual([])

    // Keys: the marked days say what would run; Escape leaves the time as it is.
    await press(page, 'Shift+ArrowRight')
    await sees(line(page), /^Advance to Sat 15 Aug 10:00: \d tasks? will run$/)
    await press(page, 'Escape', 'Enter')
    await sees(menu(page), 'plain: A task that is plain')
    expect(await findAccessibilityErrors(page, 'a day of the month')).toEqual([])
    await press(page, 'Escape')
    await menu(page).waitFor({ state: 'detached' })
    await focusIsOn(day(/^Sat 15 Aug/).getByRole('button'))
    expect(await now(sandbox)).toBe('2026-08-14T14:00:00.000Z')
    await press(page, 'Shift+ArrowRight', 'Enter')
    await nowIs(sandbox, '2026-08-16T14:00:00.000Z')
    await day(/^Sat 15 Aug, banks closed: \d tasks?/).waitFor()

    // The mouse: a drag that ends outside of the days changes nothing.
    await day(/^Mon 17 Aug/).hover()
    await page.mouse.down()
    await day(/^Wed 19 Aug/).hover()
    await sees(line(page), /^Advance to Wed 19 Aug 10:00: \d tasks will run$/)
    await page.mouse.move(700, 600)
    await page.mouse.up()
    await day(/^Wed 19 Aug/).hover()
    expect(await now(sandbox)).toBe('2026-08-16T14:00:00.000Z')
    await day(/^Mon 17 Aug/).hover()
    await page.mouse.down()
    await day(/^Wed 19 Aug/).hover()
    await page.mouse.up()
    await nowIs(sandbox, '2026-08-19T14:00:00.000Z')
    await button(page, /^Undo advance of 3 business days/).waitFor()

    // A day that is over is a point: the world goes back to its end.
    await day(/^Sat 15 Aug/).click()
    await clickButton(menu(page), 'Rewind to here')
    await expect.poll(async () => Date.parse(await now(sandbox))).toBeLessThan(Date.parse('2026-08-16T04:00:00Z'))
    await press(page, 'Escape')
    await menu(page).waitFor({ state: 'detached' })
    await focusIsOn(day(/^Sat 15 Aug/).getByRole('button'))
    await press(page, 'PageDown')
    await button(line(page), 'Back to now').waitFor()
    await day(/^Mon 7 Sep, Labor Day:/).waitFor()
  })

  it('a user drags it, folds it by a double click, and finds its height after a reload', async (context) => {
    const sandbox = await openWindow()
    const page = await visit(context, sandbox.gui, { at: '#/faults' })
    const height = async () => (await line(page).boundingBox())!.height
    const edge = page.getByRole('separator', { name: 'Height of the line of time' })
    const { x, y, width } = (await edge.boundingBox())!
    await page.mouse.move(x + width / 2, y + 4)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + 220, { steps: 4 })
    await page.mouse.up()
    await expect.poll(height).toBeGreaterThan(220)
    const dragged = await height()
    await page.reload()
    await expect.poll(height).toBe(dragged)
    await edge.press('ArrowUp')
    await expect.poll(height).toBe(dragged - 16)
    await edge.dblclick()
    await expect.poll(height).toBe(44)
  })

  it('a user holds, releases, runs and reaches scheduled tasks, and runs failed ones again', async (context) => {
    broken = true
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['plain', 3_600_000], ['fragile', 4 * DAY_MS], ['plain', 5 * DAY_MS])
    const page = await visit(context, sandbox.gui)
    await button(line(page), /^3 due/).click()
    const due = (await call(sandbox, 'tasks.list', {})).tasks.map(({ due_at }) => due_at)
    expect(due.length).toBe(4)
    await clickButton(line(page), '1 recurring: hidden')
    await expect.poll(() => listedTimes(page)).toEqual(due)
    await clickButton(line(page), '1 recurring: shown')
    const countIs = (count: number) => expect.poll(async () => (await listedTimes(page)).length).toBe(count)
    await countIs(3)
    await select(rowOf(page, 'plain'))
    await sees(task(page), 'A task that is plain')
    await clickButton(task(page), 'Hold')
    await sees(page, 'plain is held: advances skip it.')
    expect((await call(sandbox, 'tasks.list', {})).tasks[0]).toMatchObject({ held: true })
    await clickButton(task(page), 'Release')
    await sees(page, 'plain is released.')
    await clickButton(task(page), 'Run now')
    await sees(page, 'plain ran at 10:00:00: happened.')
    await countIs(2)
    await clickButton(page, /^Undo action: ran a task \(1 task\)$/)
    await countIs(3)

    // A failed task comes first, with its error, and is run again.
    await select(rowOf(page, 'fragile'))
    await clickButton(task(page), 'Advance to this')
    await nowIs(sandbox, '2026-08-18T14:00:00.000Z')
    await sees(line(page), 'Failed, not retried by itself')
    const first = line(page).locator('[data-row]').first()
    await expect.poll(() => first.innerText()).toContain('the bank is on fire')
    expect(await findAccessibilityErrors(page, 'a failed task')).toEqual([])
    await clickButton(first, 'Run again')
    await sees(page, /fragile ran at .*: failed: the bank is on fire/)
    broken = false
    await clickButton(first, 'Run again')
    await sees(page, /fragile ran at .*: mended/)
    await expect.poll(() => page.getByText('Failed, not retried').count()).toBe(0)
    await line(page)
      .getByRole('row')
      .filter({ hasText: 'Wed 19 Aug' })
      .getByRole('button', { name: /^Advance to this/ })
      .click()
    await nowIs(sandbox, '2026-08-19T04:00:00.000Z')
  })

  it('a user saves, compares, restores and deletes a snapshot, rewinds, starts over, and undoes each of them', async (context) => {
    const sandbox = await openWindow()
    const client = sandbox.client()
    const { body } = await client.post<{ uid: string }>('/customers', { email: 'a@example.test' })
    const page = await visit(context, sandbox.gui, { at: '#/customers' })
    await press(page, 'g', 'n')
    const name = page.getByLabel('Save snapshot as')
    await expect.poll(() => name.inputValue()).toBe('Fri 14 Aug 2026 10.00')
    await name.fill('../up')
    await sees(page, 'a name is 1 to 64 letters')
    await name.fill('before')
    await clickButton(line(page), 'Save')
    await sees(page, 'Saved snapshot before.')
    await page.getByRole('row').filter({ hasText: 'before' }).waitFor()
    expect(await findAccessibilityErrors(page, 'snapshots')).toEqual([])
    const hostile = '<b>a</b>\u202e\u0001'
    await client.call('PUT', `/customers/${body.uid}`, { json: { email: 'b@example.test', external_uid: hostile } })
    const earlier = sandbox.store.world.seq
    await client.post('/customers', {})
    await clickButton(page, 'Compare before')
    const comparison = region(page, 'Comparison')
    await sees(comparison, 'Customer b@example.test: external_uid, email changed.')
    expect(await comparison.locator('[data-difference]').count()).toBe(2)
    expect(await comparison.getByRole('row', { name: /^email/ }).innerText()).toMatch(
      /a@example\.test\s+b@example\.test/,
    )

    await clickButton(page, 'Restore before')
    await sees(page, /^Restored before\. The clock is at .*, 2 records changed\.$/)
    expect((await customersOf(sandbox)).map(({ email }) => email)).toEqual(['a@example.test'])
    await clickButton(page, /^Undo action: restored a snapshot/)
    await expect.poll(() => customersOf(sandbox)).toHaveLength(2)
    await goTo(page, '#/customers')
    await clickButton(page, 'Delete…')
    await clickButton(page.getByRole('dialog'), 'Delete')
    await sees(page, 'No snapshots yet.')
    expect((await call(sandbox, 'snapshots.list', {})).snapshots).toEqual([])

    await tab(page, /^Operations/).click()
    await select(rowOf(page, 'PUT /customers'))
    await sees(region(page, 'Selected commit'), /PUT \/customers/)
    expect(await findAccessibilityErrors(page, 'operations')).toEqual([])
    await clickButton(page, `Rewind to commit ${earlier}`)
    await expect.poll(() => customersOf(sandbox)).toHaveLength(1)
    await rowOf(page, 'undone:').waitFor()
    await button(page, /^Undo action: rewound the world/).waitFor()
    await page.locator('main').focus()
    await press(page, 'u')
    await expect.poll(() => customersOf(sandbox)).toHaveLength(2)

    await tab(page, /^Worlds/).click()
    await clickButton(line(page), 'Start over…')
    const dialog = page.getByRole('dialog')
    await sees(dialog, 'stays in the history')
    await dialog.getByRole('radio', { name: /^empty/ }).check()
    await dialog.getByLabel('seed').fill('another')
    await clickButton(dialog, 'Start over')
    await sees(page, /^Started over with a fresh empty world\. The clock is at/)
    expect([await customersOf(sandbox), sandbox.store.world.seed]).toEqual([[], 'another'])
    await clickButton(page, /^Undo action: reset the world/)
    await expect.poll(() => customersOf(sandbox)).toHaveLength(2)
    expect(sandbox.store.world.seed).toBe('test')
  })
})

describe('the clock', IN_BROWSER, () => {
  it('a user previews an advance, cancels it, reads what it did, undoes and redoes it, on any screen', async (context) => {
    const sandbox = await openWindow({ tasks })
    scheduleTasks(sandbox, ['take long', 1_000], ['plain', 3 * DAY_MS])
    const before = await now(sandbox)
    const page = await visit(context, sandbox.gui, { at: '#/webhooks', viewport: { width: 1440, height: 900 } })
    await clickButton(page, 'Custom…')
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('A duration or a time in New York')
    await field.fill('soon')
    await sees(dialog, /"soon" is no amount of time/)
    await field.fill('36 hours')
    await sees(dialog, /^To Sat 15 Aug 2026 22:00:00 ET/)
    await field.fill('P2D')
    await sees(dialog, '2 tasks will run, 1 of them recurring. Tasks can schedule more tasks.')
    expect(await now(sandbox), 'the clock has not moved').toBe(before)
    await clickButton(dialog, 'Advance')
    await page.getByRole('progressbar').waitFor()
    await expect.poll(() => page.getByRole('banner').innerText()).toMatch(/[1-9] of \d+ tasks/)
    await clickButton(page, 'Cancel')
    await sees(page, /^Canceled before its end\. Clock is at/)
    const reached = await now(sandbox)
    expect(Date.parse(reached) - Date.parse(before)).toBeGreaterThan(0)
    expect(Date.parse(reached) - Date.parse(before)).toBeLessThan(2 * DAY_MS)
    const undo = button(page, /^Undo advance .*\(\d+ tasks?/)
    await undo.click()
    await nowIs(sandbox, before)
    await button(page, /^Redo advance/).click()
    await nowIs(sandbox, reached)
    await undo.waitFor()
    await page.locator('main').focus()
    await press(page, 'u')
    await nowIs(sandbox, before)
    await button(page, /^Redo advance/).waitFor()
    await press(page, 'Shift+U')
    await nowIs(sandbox, reached)
  })

  it('a user sets, changes and clears a break condition, at which an advance ends', async (context) => {
    const sandbox = await openWindow({ tasks })
    const page = await visit(context, sandbox.gui, { at: '#/faults' })
    const clock = region(page, 'Clock')
    const breakOn = async (status: string) => {
      await clock.getByLabel('Collection').selectOption('customers')
      await clock.getByLabel('Status').selectOption(status)
      await clickButton(clock, 'Set')
      await sees(clock, 'Freezes when a Customer')
      await sees(clock, status)
    }
    await clickButton(page, 'Custom…')
    await breakOn('active')
    expect(await findAccessibilityErrors(page, 'the clock')).toEqual([])
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
    await press(page, 'Escape')
    await clickButton(page, '1 hour')
    await sees(page, /^Stopped early: the clock froze on its break condition/)
    expect(await now(sandbox)).toBe('2026-08-14T14:00:01.000Z')
  })

  it('a user whose sandbox restarts during an advance sees the clock and the tasks of the new one', async (context) => {
    const data = createTemporaryFolder()
    const first = await openWindow({ tasks, data, seed: 'test', world: 'empty', clock: 'frozen' })
    const port = Number(new URL(first.api).port)
    scheduleTasks(first, ['take long', 1_000])
    const page = await visit(context, first.gui, { lossy: true })
    await button(line(page), /^1 due/).click()
    await clickButton(page, '1 business day')
    await page.getByRole('progressbar').waitFor()
    await first.close()
    await sees(page, 'Connection lost.')
    const second = await openWindow({ tasks, data, port })
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    await sees(page.getByRole('banner'), 'Frozen')
    const { tasks: due } = await call(second, 'tasks.list', {})
    const once = due.filter(({ recurring }) => !recurring).map(({ due_at }) => due_at)
    await expect.poll(() => listedTimes(page)).toEqual(once)
    await goTo(page, '#/faults')
    await heading(page, 'Faults').waitFor()
  })
})
