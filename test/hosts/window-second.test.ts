import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { call } from '../support/operator.ts'
import { goTo, IN_BROWSER, openDemo, visit } from '../support/window.ts'

/** A second window on another record or world. In a real browser it is a tab. */

const nextTab = async (page: Page, open: () => Promise<unknown>) => {
  const opened = page.context().waitForEvent('page')
  await open()
  const tab = await opened
  await tab.locator('[data-api-address], [data-sign-in]').first().waitFor()
  return tab
}
const rows = (page: Page) => page.locator('main [data-row]')
const menuItem = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
const tabCount = (page: Page) => page.context().pages().length

describe('a second window', IN_BROWSER, () => {
  it('shows another record, is signed in, and knows neither the key in its address nor the first window', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    await goTo(page, '#/transactions')
    await rows(page).first().locator('[data-column=status]').click({ button: 'right' })
    const tab = await nextTab(page, () => menuItem(page, 'Open in a new tab').click())
    await tab.locator('main [data-machine]').first().waitFor()
    expect(tab.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/transactions\/\w+$/)
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    expect(page.url(), 'the first window stays').toMatch(/#\/transactions$/)
    // It lives on its own.
    await page.close()
    await tab.reload()
    await tab.locator('main [data-machine]').first().waitFor()
  })

  it('is opened by Ctrl, Shift or the middle button on a link, as a browser does; Shift in a table marks rows', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    const faults = page.getByRole('link', { name: 'Faults' })
    for (const how of [{ modifiers: ['ControlOrMeta'] }, { modifiers: ['Shift'] }, { button: 'middle' }] as const) {
      const tab = await nextTab(page, () => faults.click(how as Parameters<typeof faults.click>[0]))
      await tab.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
      await tab.close()
    }
    expect(page.url()).toMatch(/#\/connect$/)
    await goTo(page, '#/customers')
    const name = (at: number) => rows(page).nth(at).locator('[data-column=name] a')
    await name(0).waitFor()
    const [, second] = await rows(page).locator('[data-column=name]').allInnerTexts()
    const tab = await nextTab(page, () => name(1).click({ modifiers: ['ControlOrMeta'] }))
    await tab.getByRole('heading', { name: second!.trim() }).waitFor()
    await tab.close()
    await rows(page)
      .nth(0)
      .click({ position: { x: 20, y: 10 } })
    await name(2).click({ modifiers: ['Shift'] })
    await page.getByText('3 chosen').waitFor()
    expect([tabCount(page), page.url()]).toEqual([1, expect.stringMatching(/#\/customers$/)])
  })

  it('shows another world from the context menu of its link, and each follows its own world', async (context) => {
    const sandbox = await openDemo()
    const { name } = await call(sandbox, 'worlds.create', { name: 'second', from: 'empty' })
    const page = await visit(context, sandbox.gui)
    await goTo(page, '#/worlds')
    await page.getByRole('link', { name, exact: true }).click({ button: 'right' })
    expect(await menuItem(page, /./).allInnerTexts()).toEqual(['Open in a new tab', 'Copy address'])
    const tab = await nextTab(page, () => menuItem(page, 'Open in a new tab').click())
    await tab.getByRole('button', { name: 'Back to the root world' }).waitFor()
    const [program] = (await call(sandbox.worlds.get(name)!, 'programs.list', {})).programs
    const api = sandbox.api.replace('/api/v1', `/worlds/${name}/api/v1`)
    const client = apiClient({ api, programs: () => [program!] })
    for (const it of [page, tab]) await goTo(it, '#/requests')
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await rows(tab).filter({ hasText: '/customers' }).first().waitFor()
    expect(await rows(page).count()).toBe(0)
    await goTo(page, '#/worlds')
    const again = await nextTab(page, () => page.getByRole('button', { name: `Open ${name} in a new tab` }).click())
    await again.getByRole('button', { name: 'Back to the root world' }).waitFor()
  })

  it('shows the same view from the palette; text that is no link has the menu of the browser', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    await goTo(page, '#/transactions?type=wire')
    await rows(page).first().waitFor()
    await page.locator('main [data-group]').first().click({ button: 'right' })
    await page.getByRole('heading', { name: 'Transactions' }).click({ button: 'right' })
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search commands, screens and records' }).fill('new tab')
    await page.getByRole('option', { name: /^Open this view in a new tab/ }).waitFor()
    const tab = await nextTab(page, () => page.keyboard.press('Enter'))
    await tab.getByRole('button', { name: 'type: wire' }).waitFor()
    expect(tab.url()).toBe(page.url())
  })
})
