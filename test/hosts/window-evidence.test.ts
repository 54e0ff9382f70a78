import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { call } from '../support/operator.ts'
import { IN_BROWSER, openWindow, visit } from '../support/window.ts'

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
    const undone = page.getByRole('region', { name: 'Rewind' }).getByRole('row').filter({ hasText: 'undone:' })
    await undone.first().click({ position: { x: 20, y: 10 } })
    await page.getByText(`undone by commit ${rewind}; a rewind to it brings it back`).waitFor()
    await page.getByRole('button', { name: `Rewind to commit ${after}` }).waitFor()
  })
})
