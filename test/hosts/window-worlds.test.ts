import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import {
  button,
  clickButton,
  findAccessibilityErrors,
  goTo,
  heading,
  IN_BROWSER,
  link,
  openDemo,
  paletteField,
  press,
  region,
  rows,
  runCommand,
  sees,
  select,
  visit,
} from '../support/window.ts'

/** Worlds in the built window and a real browser, and a second window, which is a tab there. */

const switcher = (page: Page) => page.getByRole('button', { name: /^Switch world\./ })
const back = (page: Page) => button(page, 'Back to the root world')
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).hash

describe('worlds in the window', IN_BROWSER, () => {
  it('a user approves in one world and denies in the other, advances both, and sees the differences', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}`, lossy: true })
    await button(page, 'Branch and compare').waitFor()
    expect(await switcher(page).count(), 'no switcher with the root world alone').toBe(0)
    await clickButton(page, 'Branch and compare')
    const [approved, denied] = [region(page, 'branch-1-a'), region(page, 'branch-1-b')]
    await clickButton(approved, 'Approve')
    await approved.getByText('pending', { exact: true }).first().waitFor()
    // By keyboard.
    await button(denied, 'Deny…').focus()
    await press(page, 'Enter')
    // A reason is chosen already, so this takes one more click.
    await button(denied.getByRole('form', { name: 'Deny' }), 'Deny').focus()
    await press(page, 'Enter')
    await denied.getByText('authorization_denied', { exact: true }).first().waitFor()
    await page.getByLabel('Advance both by').fill('2 business days')
    await press(page, 'Enter')
    await sees(page, /^branch-1-b: \d+ tasks? ran$/)
    await approved.getByText('settled', { exact: true }).first().waitFor()

    // It is in the address: a reload shows the same.
    await page.reload()
    await sees(
      page,
      /^.+ \+18,450\.00 in branch-1-a; the wire of 18,450\.00 .+ settled in branch-1-a, was denied in branch-1-b\.$/,
    )
    const balance = page.locator('[data-balance]').first()
    expect(await balance.innerText()).toMatch(/\tsettled\t317,589\.75\t299,139\.75\t\u221218,450\.00$/)
    const row = page.locator('[data-difference]').filter({ hasText: uid }).first()
    expect(await row.innerText()).toMatch(/settled\s+authorization_denied$/)
    expect(await findAccessibilityErrors(page, 'compare')).toEqual([])
    const statuses = [sandbox, ...['a', 'b'].map((name) => sandbox.worlds.get(`branch-1-${name}`)!)].map(
      async (world) => (await call(world, 'records.get', { collection: 'transactions', uid })).status,
    )
    expect(await Promise.all(statuses)).toEqual(['authorization_pending', 'settled', 'authorization_denied'])

    // One that does not exist is named, and the other one stays.
    const compared = page.url()
    await goTo(page, `#/compare?a=branch-1-b&b=gone&about=transactions/${uid}`)
    await sees(page, 'There is no world “gone”.')
    await denied.getByText('authorization_denied', { exact: true }).first().waitFor()
    expect(await page.getByText('The worlds could not be compared.').count()).toBe(0)
    await page.goto(compared)

    // A link into one of them, and back.
    await row.getByRole('link', { name: 'in branch-1-b' }).click()
    await back(page).waitFor()
    expect(path(page)).toBe(`/worlds/branch-1-b/#/transactions/${uid}`)
    await page.locator('[data-standing]').getByText('authorization_denied').waitFor()
    await back(page).click()
    await sees(page, 'waiting for the Client’s decision')
    expect(path(page)).toBe(`/#/transactions/${uid}`)
  })

  it('a user opens a new world from a commit at the same place, switches between worlds, and is told when one is dropped', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const before = sandbox.store.world.seq - 1
    const page = await visit(context, sandbox.gui, { at: '#/payments?line=operations', lossy: true })
    await select(page.locator('[data-line] [data-row]').nth(1))
    await clickButton(page, `New world from commit ${before}`)
    await switcher(page).waitFor()
    expect(path(page)).toBe('/worlds/world-1/#/payments')
    expect(await switcher(page).innerText()).toContain('world-1')
    await expect.poll(() => page.title()).toContain('Sandbank · world-1 · ')
    const one = sandbox.worlds.get('world-1')!
    expect(one.store.world.seq).toBe(before)

    // The record does not exist there: its list is shown. What happens there arrives, what happens elsewhere does not.
    await back(page).click()
    await switcher(page).waitFor()
    await goTo(page, `#/transactions/${uid}`)
    await sees(page, 'waiting for the Client’s decision')
    await switcher(page).focus()
    await press(page, 'Enter')
    await page.getByRole('menuitemradio', { name: /^world-1/ }).waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await back(page).waitFor()
    expect(path(page)).toBe('/worlds/world-1/#/transactions')
    const commit = page.getByRole('contentinfo').getByText(/^commit/)
    await expect.poll(() => commit.innerText()).toBe(`commit ${before}`)
    await sandbox.client().post('/customers', { email: 'main@example.test' })
    await apiClient(one).post('/customers', { email: 'one@example.test' })
    await expect.poll(() => commit.innerText()).toBe(`commit ${one.store.world.seq}`)
    expect(one.store.world.seq).toBe(before + 1)
    await runCommand(page, 'open the root', 'Open the root world')
    await expect.poll(() => path(page)).toBe('/#/transactions')
    await page.goBack()
    await back(page).waitFor()

    // It is dropped, by another client and from the list of worlds.
    await sandbox.worlds.drop('world-1')
    const gone = heading(page, 'There is no world “world-1”')
    await gone.waitFor()
    await page.reload()
    await gone.waitFor()
    await button(page, 'Open the root world').waitFor()
    expect(await findAccessibilityErrors(page, 'gone')).toEqual([])
    await clickButton(page, 'See all worlds')
    await sees(page, 'There is only the root world.')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('No')
    await sees(page, '“No” cannot be a name: a name is 1 to 63 lower-case')
    await name.fill('checkout')
    await press(page, 'Enter')
    const row = page.getByRole('row').filter({ hasText: 'checkout' })
    await row.waitFor()
    await expect.poll(() => row.innerText()).toContain('copy of the root world')
    await page.getByRole('rowheader', { name: /^root world.*shown here/ }).waitFor()
    await name.fill('checkout')
    await sees(page, 'There is a world “checkout” already')
    expect(await findAccessibilityErrors(page, 'worlds')).toEqual([])
    await button(row, /^Drop…/).click()
    await sees(page.getByRole('dialog'), /commits, its clock, request log, faults and snapshots are lost/)
    await clickButton(page.getByRole('dialog'), 'Drop')
    await sees(page, 'Dropped checkout.')
    expect(sandbox.worlds.get('checkout')).toBeUndefined()
    await goTo(page, '#/compare')
    await sees(page, /^There is only the root world\. Create another one/)
  })
})

describe('a second window', IN_BROWSER, () => {
  const menuItem = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
  const nextTab = async (page: Page, open: () => Promise<unknown>) => {
    const opened = page.context().waitForEvent('page')
    await open()
    const tab = await opened
    await tab.locator('[data-api-address], [data-sign-in]').first().waitFor()
    return tab
  }

  it('a user creates a hosted world, sees that it is one, and cannot choose the pace that it does not have', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui, { at: '#/?line=worlds', lossy: true })
    await page.getByLabel('New world from').selectOption('a fresh world that behaves as the hosted sandbox')
    await clickButton(page, 'Create and open')
    await page.getByRole('contentinfo').getByText('hosted', { exact: true }).waitFor()
    await clickButton(page, 'Custom…')
    const real = button(region(page, 'Clock'), 'real')
    await real.waitFor()
    expect(await real.getAttribute('aria-disabled')).toBe('true')
    await sees(region(page, 'Clock'), 'The hosted sandbox has none: payments take seconds.')
    await press(page, 'Escape')
    await goTo(page, '#/now?line=worlds')
    await page.getByRole('cell', { name: 'fresh hosted' }).waitFor()
    await clickButton(page, 'Start over…')
    await page.getByRole('radio', { name: /^hosted/ }).waitFor()
    expect(await page.getByRole('radio', { name: /^(?:demo|empty)/ }).count()).toBe(0)
  })

  it('a user opens records, views and screens in other tabs, each on its own and without the key in its address', async (context) => {
    const sandbox = await openDemo()
    const page = await visit(context, sandbox.gui)
    const faults = page.getByRole('link', { name: 'Faults' })
    for (const how of [{ modifiers: ['ControlOrMeta'] }, { modifiers: ['Shift'] }, { button: 'middle' }] as const) {
      const tab = await nextTab(page, () => faults.click(how as Parameters<typeof faults.click>[0]))
      await heading(tab, 'Faults').waitFor()
      await tab.close()
    }
    expect(page.url()).toMatch(/#\/now$/)
    // Shift in a table marks rows.
    await goTo(page, '#/customers')
    const name = (at: number) => rows(page).nth(at).locator('[data-column=name] a')
    await name(0).waitFor()
    const second = await nextTab(page, () => name(1).click({ modifiers: ['ControlOrMeta'] }))
    await heading(second, (await name(1).innerText()).trim()).waitFor()
    await second.close()
    await select(rows(page).nth(0))
    await name(2).click({ modifiers: ['Shift'] })
    await sees(page, '3 chosen')
    expect([page.context().pages().length, page.url()]).toEqual([1, expect.stringMatching(/#\/customers$/)])

    // The same view from the palette; text that is no link has the menu of the browser.
    await goTo(page, '#/transactions?type=wire')
    await rows(page).first().waitFor()
    await page.locator('main [data-group]').first().click({ button: 'right' })
    await heading(page, 'Transactions').click({ button: 'right' })
    expect(await page.getByRole('menu').count()).toBe(0)
    const view = await nextTab(page, () => runCommand(page, 'new tab', 'Open this view in a new tab'))
    await button(view, 'type: wire').waitFor()
    expect(view.url()).toBe(page.url())
    await view.close()

    await goTo(page, '#/transactions')
    await rows(page).first().locator('[data-column=status]').click({ button: 'right' })
    const tab = await nextTab(page, () => menuItem(page, 'Open in a new tab').click())
    await tab.locator('main [data-standing]').first().waitFor()
    expect(tab.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/transactions\/\w+$/)
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    expect(page.url(), 'the first window stays').toMatch(/#\/transactions$/)

    // Another world, from the menu of its link. Each follows its own.
    const world = await call(sandbox, 'worlds.create', { name: 'second', from: 'empty' })
    await goTo(page, '#/now?line=worlds')
    await link(page, world.name).last().click({ button: 'right' })
    expect(await menuItem(page, /./).allInnerTexts()).toEqual(['Open in a new tab', 'Copy address'])
    const other = await nextTab(page, () => menuItem(page, 'Open in a new tab').click())
    await back(other).waitFor()
    const [program] = (await call(sandbox.worlds.get('second')!, 'programs.list', {})).programs
    const client = apiClient({ api: world.api, programs: () => [program!] })
    for (const it of [page, other]) await goTo(it, '#/requests')
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await rows(other).filter({ hasText: '/customers' }).first().waitFor()
    expect(await rows(page).count()).toBe(0)
    await goTo(page, '#/requests?line=worlds')
    const again = await nextTab(page, () => clickButton(page, 'Open second in a new tab'))
    await back(again).waitFor()

    // A tab lives without the one that opened it.
    await page.close()
    await tab.reload()
    await tab.locator('main [data-standing]').first().waitFor()
    expect(await paletteField(tab).count()).toBe(0)
  })
})
