import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { call } from '../support/operator.ts'
import { goTo, IN_BROWSER, openDemo, openWindow, visit } from '../support/window.ts'

/** What a rewind leaves behind, in the built window and a real browser. */

const inspector = (page: Page) => page.getByRole('region', { name: 'Request', exact: true })
const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })

/** A world with two Customers; the second is undone. */
async function undoSecond() {
  const sandbox = await openWindow()
  const create = (body: object) =>
    call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body: JSON.stringify(body) })
  await create({ external_uid: 'first' })
  const { seq: before } = await call(sandbox, 'world.describe', {})
  const { uid } = await create({ external_uid: 'second' })
  const { seq: after } = await call(sandbox, 'world.describe', {})
  const { seq: rewind } = await call(sandbox, 'world.rewind', { seq: before })
  return { sandbox, uid, before, after, rewind }
}

describe('what a rewind undoes', IN_BROWSER, () => {
  it('stays in Requests with a mark, is found by the filter Undone, and opens as a world of its own', async (context) => {
    const { sandbox, rewind, after } = await undoSecond()
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await page.getByRole('button', { name: 'Undone 1' }).click()
    await row(page, '/customers')
      .getByRole('img', { name: `undone by a rewind, commit ${rewind}` })
      .waitFor()
    await page.getByText('1 of').first().waitFor()
    await row(page, '/customers').first().click()
    await inspector(page).getByText(`Undone by a rewind, commit ${rewind}: the current world`).waitFor()
    await inspector(page)
      .getByRole('button', { name: `New world from commit ${after}` })
      .click()
    await page.waitForURL(/worlds\//)
    await page.locator('[data-api-address]').first().waitFor()
    await page.evaluate("location.hash = '#/customers?include=initiated'")
    await page.getByText('second').first().waitFor()
  })

  it('is marked in a window that was open before, and no longer once the rewind is redone', async (context) => {
    const sandbox = await openWindow()
    await call(sandbox, 'exchanges.send', { method: 'POST', path: '/customers', body: '{"external_uid":"first"}' })
    const { seq } = await call(sandbox, 'world.describe', {})
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    await row(page, '/customers').first().waitFor()
    const rewind = await call(sandbox, 'world.rewind', { seq: seq - 1 })
    await row(page, '/customers')
      .getByRole('img', { name: /^undone by a rewind/ })
      .waitFor()
    await call(sandbox, 'world.rewind', { seq: rewind.seq - 1 })
    await page.getByRole('img', { name: /^undone/ }).waitFor({ state: 'detached' })
  })

  it('is marked in the history, with the commit that undid it', async (context) => {
    const { sandbox, after, rewind } = await undoSecond()
    const page = await visit(context, sandbox.gui, { at: '#/snapshots?pane=history' })
    const undone = page
      .getByRole('region', { name: 'History', exact: true })
      .getByRole('row')
      .filter({ hasText: 'undone:' })
    await undone.first().click({ position: { x: 20, y: 10 } })
    await page.getByText(`undone by commit ${rewind}; a rewind to it brings it back`).waitFor()
    await page.getByRole('button', { name: `Rewind to commit ${after}` }).waitFor()
  })
})

const results = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const now = async (sandbox: Parameters<typeof call>[0]) => (await call(sandbox, 'clock.read', {})).now

describe('Undo', IN_BROWSER, () => {
  it('knows from the sandbox what is undone: Redo survives leaving the screen and a reload', async (context) => {
    const sandbox = await openWindow({ clock: 'frozen' })
    const page = await visit(context, sandbox.gui, { at: '#/time' })
    const began = await now(sandbox)
    await page.getByRole('button', { name: '1 hour' }).click()
    await button(page, 'Undo the advance').click()
    await button(page, 'Redo the advance').waitFor()
    expect(await now(sandbox)).toBe(began)
    // From there one click leads to what was undone.
    await results(page).getByRole('link', { name: 'See what was undone' }).click()
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor()
    await page.getByRole('row').filter({ hasText: 'undone: operator advanced the clock' }).waitFor()

    await goTo(page, '#/customers')
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await goTo(page, '#/time')
    await button(page, 'Redo the advance').waitFor()
    await page.reload()
    await button(page, 'Redo the advance').waitFor()
    expect(await button(page, 'Undo the advance').count()).toBe(0)
    await button(page, 'Redo the advance').click()
    await button(page, 'Undo the advance').waitFor()
    expect(await now(sandbox)).not.toBe(began)
    // The two rewinds are no later changes that would be lost.
    expect(await results(page).getByText('will be undone, too').count()).toBe(0)
  })

  it('does not offer to undo an advance that another client has undone, and says what undid it', async (context) => {
    const sandbox = await openWindow({ clock: 'frozen' })
    const { seq } = await call(sandbox, 'world.describe', {})
    const page = await visit(context, sandbox.gui, { at: '#/time' })
    await page.getByRole('button', { name: '1 hour' }).click()
    await button(page, 'Undo the advance').waitFor()
    await call(sandbox, 'world.rewind', { seq })
    await button(page, 'Redo the advance').waitFor()
    await results(page).getByText(`Undone by rewinding to commit ${seq}.`).waitFor()
    await call(sandbox, 'world.reset', { world: 'empty' })
    await results(page)
      .getByText(/^Undone by a reset, commit/)
      .waitFor()
  })

  it('of saved settings survives leaving the screen and a reload', async (context) => {
    const sandbox = await openDemo({ clock: 'frozen' })
    const page = await visit(context, sandbox.gui, { at: '#/settings' })
    await button(page, 'Expire now').click()
    await button(page, 'Undo the expiry').waitFor()
    await goTo(page, '#/customers')
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await goTo(page, '#/settings')
    await button(page, 'Undo the expiry').waitFor()
    await page.reload()
    await button(page, 'Undo the expiry').click()
    await button(page, 'Redo the expiry').waitFor()
    await page.reload()
    await button(page, 'Redo the expiry').waitFor()
  })
})

describe('the advances of the clock', IN_BROWSER, () => {
  it('are shown after a reload, and in a new window, where they can be undone as well', async (context) => {
    const sandbox = await openWindow({ clock: 'frozen' })
    const began = await now(sandbox)
    const send = () => call(sandbox, 'exchanges.send', { method: 'GET', path: '/customers' })
    await send()
    await call(sandbox, 'clock.advance', { by: 'PT2H' })
    await send()
    const page = await visit(context, sandbox.gui, { at: '#/requests' })
    const order = () =>
      page
        .locator('[role=row]')
        .evaluateAll((all) => all.flatMap(({ textContent }) => /Clock advanced|\/customers/.exec(textContent) ?? []))
    const expected = ['/customers', 'Clock advanced', '/customers']
    await expect.poll(order).toEqual(expected)
    await page.reload()
    await expect.poll(order).toEqual(expected)
    await goTo(page, '#/time')
    await button(page, /^Undo the advance to/).click()
    await button(page, /^Redo the advance to/).waitFor()
    expect(await now(sandbox)).toBe(began)
    await goTo(page, '#/requests')
    await page.getByText('(undone)').first().waitFor()
  })
})
