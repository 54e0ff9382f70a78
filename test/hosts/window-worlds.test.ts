import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import { findAccessibilityErrors, goTo, IN_BROWSER, openDemo, visit } from '../support/window.ts'

/** Worlds in the built window and a real browser: switch, fork, branch and compare. */

const switcher = (page: Page) => page.getByRole('button', { name: /^Switch world\./ })
const side = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).hash

describe('worlds in the window', IN_BROWSER, () => {
  it('approve in one and deny in the other, advance both, and see the differences', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}`, lossy: true })
    await page.getByRole('button', { name: 'Branch and compare' }).waitFor()
    expect(await switcher(page).count(), 'no switcher with the root world alone').toBe(0)

    await page.getByRole('button', { name: 'Branch and compare' }).click()
    await side(page, 'branch-1-a').getByRole('button', { name: 'Approve' }).click()
    await side(page, 'branch-1-a').getByText('pending', { exact: true }).first().waitFor()
    // By keyboard.
    const deny = side(page, 'branch-1-b')
    await deny.getByRole('button', { name: 'Deny…' }).focus()
    await page.keyboard.press('Enter')
    await deny
      .getByRole('form', { name: 'Deny' })
      .getByLabel(/^denied_reason/)
      .selectOption({ index: 1 })
    await deny.getByRole('form', { name: 'Deny' }).getByRole('button', { name: 'Deny', exact: true }).focus()
    await page.keyboard.press('Enter')
    await deny.getByText('authorization_denied', { exact: true }).first().waitFor()
    await page.getByLabel('Advance both by').fill('2 business days')
    await page.keyboard.press('Enter')
    await page.getByText(/^branch-1-b: \d+ tasks? ran$/).waitFor()
    await side(page, 'branch-1-a').getByText('settled', { exact: true }).first().waitFor()

    // It is in the address: a reload shows the same.
    await page.reload()
    const row = page.locator('[data-difference]').filter({ hasText: uid })
    await expect.poll(() => row.first().innerText()).toMatch(/status\s+settled\s+authorization_denied/)
    expect(await findAccessibilityErrors(page, 'compare')).toEqual([])
    const status = async (name: string | null) => {
      const world = name === null ? sandbox : sandbox.worlds.get(name)!
      return (await call(world, 'records.get', { collection: 'transactions', uid })).status
    }
    expect([await status(null), await status('branch-1-a'), await status('branch-1-b')]).toEqual([
      ...['authorization_pending', 'settled', 'authorization_denied'],
    ])

    // A link into one of them, and back.
    await row.first().getByRole('link', { name: 'in branch-1-b' }).click()
    await page.getByRole('button', { name: 'Back to the root world' }).waitFor()
    expect(path(page)).toBe(`/worlds/branch-1-b/#/transactions/${uid}`)
    await page.getByText('Final state: authorization_denied').waitFor()
    await page.getByRole('button', { name: 'Back to the root world' }).click()
    await page.getByText('waiting for the Client’s decision').waitFor()
    expect(path(page)).toBe(`/#/transactions/${uid}`)
  })

  it('a new world from a commit is opened at the same place; the switcher and the palette lead on, and a drop leads back', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const before = sandbox.store.world.seq - 1
    const page = await visit(context, sandbox.gui, { at: '#/snapshots?pane=history', lossy: true })
    await page
      .locator('[data-row]')
      .nth(1)
      .click({ position: { x: 20, y: 10 } })
    await page.getByRole('button', { name: `New world from commit ${before}` }).click()
    await switcher(page).waitFor()
    expect(path(page)).toBe('/worlds/world-1/#/snapshots?pane=history')
    expect(await switcher(page).innerText()).toContain('world-1')
    const one = sandbox.worlds.get('world-1')!
    expect(one.store.world.seq).toBe(before)

    // The record does not exist there: its list is shown. What happens there arrives, what happens elsewhere does not.
    await page.getByRole('button', { name: 'Back to the root world' }).click()
    await page.getByText('Select a commit').waitFor()
    await goTo(page, `#/transactions/${uid}`)
    await page.getByText('waiting for the Client’s decision').waitFor()
    await switcher(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: /^world-1/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Back to the root world' }).waitFor()
    expect(path(page)).toBe('/worlds/world-1/#/transactions')
    const commit = page.getByRole('contentinfo').getByText(/^commit/)
    await expect.poll(() => commit.innerText()).toBe(`commit ${before}`)
    await sandbox.client().post('/customers', { email: 'main@example.test' })
    await apiClient(one).post('/customers', { email: 'one@example.test' })
    await expect.poll(() => commit.innerText()).toBe(`commit ${one.store.world.seq}`)
    expect(one.store.world.seq).toBe(before + 1)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search commands/ }).fill('open the root')
    await expect.poll(() => page.getByRole('option').first().innerText()).toContain('Open the root world')
    await page.keyboard.press('Enter')
    await expect.poll(() => path(page)).toBe('/#/transactions')
    await page.goBack()
    await page.getByRole('button', { name: 'Back to the root world' }).waitFor()

    await sandbox.worlds.drop('world-1')
    await page.getByRole('heading', { name: 'There is no world “world-1”' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'There is no world “world-1”' }).waitFor()
    expect(await findAccessibilityErrors(page, 'gone')).toEqual([])
    await page.getByRole('button', { name: 'See all worlds' }).click()
    await page.getByText('There is only the root world.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('checkout')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'checkout' }).waitFor()
    expect(await findAccessibilityErrors(page, 'worlds')).toEqual([])
  })
})
