import { describe, expect, it } from 'vitest'
import { button, goTo, IN_BROWSER, openDemo, rows, sees, visit } from '../support/window.ts'

/** What a browser and the desktop app print. */

describe('a page on paper', IN_BROWSER, () => {
  it('is light and has no controls; what scrolls on the screen is printed in its whole length', async (context) => {
    const { gui, store } = await openDemo()
    const page = await visit(context, gui!, { colorScheme: 'dark' })
    const { uid } = store.world.collections.transactions.inOrder()[3]!
    await goTo(page, `#/transactions/${uid}`)
    await sees(page, 'What happened')
    await sees(page, 'us_dollar_amount')
    await page.emulateMedia({ media: 'print' })
    const colour = (selector: string) => page.locator(selector).evaluate((it) => getComputedStyle(it).backgroundColor)
    expect(await colour('main')).toBe('rgb(255, 255, 255)')
    for (const hidden of [page.getByRole('navigation'), page.getByRole('contentinfo'), button(page, 'Copy JSON')])
      expect(await hidden.filter({ visible: true }).count()).toBe(0)
    // On the screen it is a button, which says why.
    await page.locator('main').getByText('settled', { exact: true }).first().waitFor()
    const scrolling = await page.evaluate(() =>
      [...document.querySelectorAll('html, body, main, main *')]
        .filter((it) => /auto|scroll/.test(getComputedStyle(it).overflowY) && it.scrollHeight > it.clientHeight + 1)
        .map((it) => it.outerHTML.slice(0, 200)),
    )
    expect(scrolling).toEqual([])
  })

  it('has all rows of a long list, of which the screen draws the visible ones', async (context) => {
    const sandbox = await openDemo()
    for (let i = 0; i < 120; i++) await sandbox.client().post('/customers', {})
    const page = await visit(context, sandbox.gui!)
    await goTo(page, '#/requests')
    await rows(page).first().waitFor()
    const all = Number(await page.getByRole('grid', { name: 'Requests' }).getAttribute('aria-rowcount')) - 1
    expect(all).toBeGreaterThan(100)
    expect(await rows(page).count()).toBeLessThan(100)
    await page.evaluate(() => {
      const count = () => document.querySelectorAll('main [role=rowgroup] > *').length
      // After the window's own listener.
      addEventListener('beforeprint', () => Object.assign(globalThis, { printed: count() }))
    })
    await page.pdf()
    expect(await page.evaluate(() => (globalThis as { printed?: number }).printed)).toBe(all)
    await expect.poll(() => rows(page).count()).toBeLessThan(100)
  })
})
