import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { shareDemo } from '../support/sandbox.ts'
import { built, goTo, IN_BROWSER, visit } from '../support/window.ts'

/** Panes that are resized and folded, and stay so. In a real browser. */

const sandbox = await shareDemo({ start: Date.parse('2026-11-24T16:21:02Z'), window: built })
let customer: string
beforeAll(async () => {
  const { data } = await call(sandbox, 'records.list', { collection: 'customers' })
  customer = String(data.find(({ external_uid }) => external_uid === 'demo-business-1')!.uid)
  await call(sandbox, 'clock.advance', { by: 'P2D' })
})

const separator = (page: Page, name: string) => page.getByRole('separator', { name })
const sizeOf = async (page: Page, name: string) => Number(await separator(page, name).getAttribute('aria-valuenow'))

/** The size of the pane itself: of the neighbor that the separator sizes. */
const measure = (page: Page, name: string) =>
  separator(page, name).evaluate((line) => {
    const pane = line.dataset.sizes === 'before' ? line.previousElementSibling! : line.nextElementSibling!
    const { width, height } = pane.getBoundingClientRect()
    return Math.round(line.getAttribute('aria-orientation') === 'horizontal' ? height : width)
  })

describe('a splitter', IN_BROWSER, () => {
  it('of every screen resizes a pane by key and pointer, keeps its size over a reload, and resets it', async (context) => {
    const splitters = [
      ['#/accounts', 'Width of the list', 'ArrowRight'],
      ['#/scenarios', 'Width of the list', 'ArrowRight'],
      ['#/inject', 'Width of the list', 'ArrowRight'],
      ['#/inject', 'Width of the body', 'ArrowLeft'],
      ['#/time', 'Width of the clock settings', 'ArrowLeft'],
      ['#/time', 'Height of the result', 'ArrowDown'],
      ['#/snapshots?pane=history', 'Height of the selected commit', 'ArrowUp'],
      ['#/reference', 'Width of the list', 'ArrowRight'],
      ['#/faults', 'Width of the form', 'ArrowLeft'],
      ['#/settings', 'Width of the list', 'ArrowRight'],
      [`#/customers/${customer}`, 'Width of the right pane', 'ArrowLeft'],
      [`#/customers/${customer}`, 'Width of the fields', 'ArrowRight'],
      [`#/customers/${customer}?tab=story`, 'Width of the details', 'ArrowLeft'],
    ] as const
    const page = await visit(context, sandbox.gui, { viewport: { width: 1440, height: 900 } })
    const before: number[] = []
    for (const [hash, name, grow] of splitters) {
      await goTo(page, hash)
      await separator(page, name).waitFor()
      const was = await measure(page, name)
      before.push(was)
      await expect.poll(() => sizeOf(page, name), { message: hash }).toBe(was)
      await separator(page, name).press(grow)
      await expect.poll(() => measure(page, name), { message: hash }).toBe(was + 16)
      await expect.poll(() => sizeOf(page, name), { message: hash }).toBe(was + 16)
      const { x, y, width, height } = (await separator(page, name).boundingBox())!
      const by = grow === 'ArrowLeft' || grow === 'ArrowUp' ? -40 : 40
      const [toX, toY] = width > height ? [0, by] : [by, 0]
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2 + toX, y + height / 2 + toY, { steps: 2 })
      await page.mouse.up()
      await expect.poll(() => measure(page, name), { message: hash }).toBe(was + 56)
    }
    await page.reload()
    for (const [at, [hash, name]] of splitters.entries()) {
      await goTo(page, hash)
      await separator(page, name).waitFor()
      await expect.poll(() => measure(page, name), { message: hash }).toBe(before[at]! + 56)
      await separator(page, name).dblclick()
      await expect.poll(() => measure(page, name), { message: hash }).toBe(before[at])
    }
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.size.')))).toEqual([])
  })

  it('leaves both panes a minimum, whatever the size of the window', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/scenarios', viewport: { width: 1440, height: 900 } })
    const name = 'Width of the list'
    await separator(page, name).press('End')
    const widest = await separator(page, name).getAttribute('aria-valuemax')
    await expect.poll(() => sizeOf(page, name)).toBeLessThanOrEqual(Number(widest))
    await page.setViewportSize({ width: 1024, height: 800 })
    await expect.poll(() => sizeOf(page, name)).toBeLessThanOrEqual((1024 - 184) * 0.6 + 1)
    await separator(page, name).press('Home')
    await expect.poll(() => sizeOf(page, name)).toBe(240)
    await page.setViewportSize({ width: 1000, height: 800 })
    expect(await separator(page, name).isVisible(), 'panes below each other have none').toBe(false)
  })
})

describe('a folded part', IN_BROWSER, () => {
  it('stays folded or unfolded over a reload', async (context) => {
    const page = await visit(context, sandbox.gui, { at: '#/reference/createTransfer' })
    const tryIt = page.locator('details').filter({ hasText: 'Try it' })
    // The browser reports a change after the click.
    const remembered = (name: string) =>
      page.evaluate((key) => localStorage.getItem(key), `sandbank.layout.open.${name}`)
    await tryIt.getByText('Try it').click()
    await expect.poll(() => remembered('try-it')).toBe('false')
    await page.reload()
    await tryIt.waitFor()
    expect(await tryIt.getAttribute('open')).toBe(null)
    await goTo(page, '#/reference/createCustomer')
    await tryIt.waitFor()
    expect(await tryIt.getAttribute('open'), 'on each page of the reference').toBe(null)
    await tryIt.getByText('Try it').click()

    await goTo(page, `#/customers/${customer}`)
    const decisions = page.getByRole('region', { name: 'Operator decisions' }).locator('details').first()
    await decisions.locator('summary').click()
    await expect.poll(() => remembered('unavailable-decisions')).toBe('true')
    await page.reload()
    await expect.poll(() => decisions.getAttribute('open')).toBe('')
  })
})
