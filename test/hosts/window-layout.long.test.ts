import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { receiveWireToApprove } from '../support/demo.ts'
import { goTo, IN_BROWSER, openDemo, scrollWidth, visit } from '../support/window.ts'

/** Every screen at several sizes of the window, in a real browser. */

const SIZES = [
  [320, 640],
  [768, 1024],
  [1010, 800],
  [1280, 800],
  [1310, 900],
  [3840, 2160],
] as const

it('nothing is wider than the window, from 320 to 3840 pixels', IN_BROWSER, async (context) => {
  const sandbox = await openDemo()
  const { uid, customer, account } = await receiveWireToApprove(sandbox)
  const page = await visit(context, sandbox.gui, { lossy: true })
  /** Where the window goes, and what is there when it has arrived. */
  const places: readonly (readonly [hash: string, sign: string | ((page: Page) => ReturnType<Page['locator']>)])[] = [
    ['#/connect', (it) => it.getByText('Next, from this window')],
    ['#/requests', (it) => it.getByText('following the newest')],
    ['#/requests/x2', '[data-stages]'],
    ['#/requests?replay=own', (it) => it.getByText('The world at that time')],
    ['#/requests?replay=import', (it) => it.getByText('Choose a file…')],
    ['#/customers', 'main [data-row]'],
    [`#/customers/${customer}`, '[data-machine]'],
    [`#/customers/${customer}?tab=story`, '[data-lane] i'],
    [`#/customers/${customer}?tab=map`, '[data-map] [data-flow]'],
    [`#/customers/${customer}?tab=payments`, '[role=tabpanel] [data-row]'],
    ['#/accounts', '[data-plot] canvas'],
    [`#/synthetic_accounts/${account}`, 'main table [data-right]'],
    ['#/transactions', 'main [data-row]'],
    [`#/transactions/${uid}`, 'section[aria-label="Operator decisions"] button'],
    ['#/transfers', 'main [data-row]'],
    ['#/transfers/nobody', '[data-notice]'],
    ['#/returns', 'main [data-row]'],
    ['#/combined_transfers', 'main [data-row]'],
    ['#/vrns', 'main [data-row]'],
    ['#/time', 'main h1'],
    ['#/inject', 'main form [data-form-row]'],
    ['#/scenarios', (it) => it.getByText('A scenario is a test you can read')],
    ['#/scenarios?record=0', (it) => it.getByText('Save scenario…')],
    ['#/snapshots', 'main h1'],
    ['#/snapshots?pane=compare', 'main h1'],
    ['#/snapshots?pane=history', 'main h1'],
    ['#/snapshots?pane=reset', 'main h1'],
    ['#/worlds', 'main h1'],
    ['#/worlds?pane=compare', 'main h1'],
    ['#/faults', (it) => it.getByText('No active faults')],
    ['#/reference/createTransfer', '#reference-page table'],
    ['#/reference/codes', '#reference-page table'],
    ['#/settings', '#part-products summary'],
  ]
  for (const [hash, sign] of places) {
    await goTo(page, hash)
    await (typeof sign === 'string' ? page.locator(sign) : sign(page)).first().waitFor()
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => scrollWidth(page), { message: `${hash} at ${width} pixels` }).toBeLessThanOrEqual(width)
      if (!/inject|reference/.test(hash)) continue
      // Forms and pages of text are not scrolled sideways within the screen either.
      const hidden = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
      expect(hidden, `inside ${hash} at ${width} pixels`).toBe(0)
    }
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => scrollWidth(page), { message: 'the palette' }).toBeLessThanOrEqual(320)
})
