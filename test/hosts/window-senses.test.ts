import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import { goTo, IN_BROWSER, openDemo, visit } from '../support/window.ts'

/** What the window does for people who want no motion, and for those who use a screen reader. In a real browser. */

interface AxNode {
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
}

/** The pictures in Chromium's accessibility tree, with the name that a screen reader says. */
async function readPictures(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] }
  await session.detach()
  const roles = ['image', 'img', 'figure', 'SvgRoot', 'Canvas', 'graphics-document', 'graphics-symbol']
  return nodes
    .filter(({ ignored, role }) => !ignored && roles.includes(role?.value ?? ''))
    .map(({ name }) => name?.value.trim() ?? '')
}

describe('a screen reader', IN_BROWSER, () => {
  it('says of each diagram what it shows, and finds no picture without a name', async (context) => {
    const sandbox = await openDemo()
    const { uid, customer } = await receiveWireToApprove(sandbox)
    await sandbox.client().post('/customers', { external_uid: 'x' })
    await sandbox.client().get('/nowhere')
    const page = await visit(context, sandbox.gui, { lossy: true })
    const diagrams: readonly (readonly [hash: string, sign: string, names: readonly RegExp[]])[] = [
      [
        '#/connect',
        '[data-pulse]',
        [/^Pulse from .+: 6 requests, 1 refused; settled .+/, /^Schedule of 12 days, Tue 24 Nov to /],
      ],
      [
        `#/transactions/${uid}`,
        '[data-path]',
        [
          /^States of Transaction: current authorization_pending; possible next pending, authorization_denied\.$/,
          /^Path of the payment\. .*current: authorization_pending, 24 Nov 2026/,
        ],
      ],
      [`#/customers/${customer}`, '[data-machine]', [/^States of .+: current active; possible next .*archival/]],
      [`#/customers/${customer}?tab=story`, '[data-lane]', []],
      ['#/accounts', '[data-plot] svg', [/: settled .+\. The arrow keys read its values\.$/]],
      [
        '#/time',
        'main h1',
        [
          /^Timeline of 14 days, Tue 24 Nov to Mon 7 Dec; banks are closed on Thu 26 Nov \(Thanksgiving\).*1 task scheduled/,
        ],
      ],
      ['#/reference/states', '[data-machine]', [/^States of .+: initiated.+The table below lists the transitions\.$/]],
      ['#/requests', 'main [data-row]', []],
      ['#/transactions', 'main [data-row]', []],
      ['#/vrns', 'main [data-row]', []],
      ['#/inject', 'main form', []],
      ['#/scenarios', 'main [role=option]', []],
      ['#/snapshots?pane=history', 'main [data-row]', []],
      ['#/worlds', 'main table', []],
      ['#/faults', 'main h1', []],
      ['#/settings', '#part-products', []],
    ]
    for (const [hash, sign, names] of diagrams) {
      await goTo(page, hash)
      await page.locator(sign).first().waitFor()
      await expect
        .poll(() => readPictures(page), { message: hash })
        .toEqual(expect.arrayContaining(names.map((name) => expect.stringMatching(name))))
      expect(
        (await readPictures(page)).filter((name) => name === ''),
        `${hash}: a picture without a name`,
      ).toEqual([])
    }
  })
})

/** Runs in the page: what moves or fades, or would on a change. */
function findMotion() {
  const seconds = (list: string) => list.split(',').map(Number.parseFloat)
  const found = new Set<string>()
  for (const animation of document.getAnimations())
    found.add(`runs: ${(animation.effect as KeyframeEffect | null)?.target?.className}`)
  for (const element of document.querySelectorAll('*'))
    for (const pseudo of [undefined, '::before', '::after'] as const) {
      const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(element, pseudo)
      const what = `${element.tagName} ${element.getAttribute('class')}`
      if (Math.max(...seconds(transitionDuration)) > 0) found.add(`fades: ${what}`)
      if (animationName !== 'none' && Math.max(...seconds(animationDuration)) > 0) found.add(`moves: ${what}`)
      if (scrollBehavior === 'smooth') found.add(`scrolls smoothly: ${what}`)
    }
  return [...found]
}

describe('a user who prefers reduced motion', IN_BROWSER, () => {
  it('sees nothing move, fade or scroll smoothly, on any screen, in menus, dialogs and during an advance', async (context) => {
    const sandbox = await openDemo()
    const { uid, customer } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { reducedMotion: 'reduce', lossy: true })
    const found: string[] = []
    const check = async (where: string) => {
      for (const what of await page.evaluate(findMotion)) found.push(`${where}: ${what}`)
    }
    await page.evaluate(() => {
      const scroll = Element.prototype.scrollIntoView
      Element.prototype.scrollIntoView = function (options) {
        if (typeof options === 'object' && options.behavior === 'smooth') throw new Error('smooth scrolling')
        scroll.call(this, options)
      }
    })
    for (const hash of [
      ...['connect', 'requests', 'customers', 'accounts', 'transactions', 'vrns', 'time', 'inject', 'scenarios'],
      ...['snapshots', 'worlds', 'webhooks', 'faults', 'reference/createTransfer', 'reference/states', 'settings'],
      ...[`transactions/${uid}`, `customers/${customer}`, `customers/${customer}?tab=story`],
    ]) {
      await goTo(page, `#/${hash}`)
      await page.locator('main h1, main h2, #reference-page').first().waitFor()
      await page.getByRole('button').first().hover()
      await check(hash)
    }
    await goTo(page, '#/transactions')
    await page.locator('main [data-row]').first().click({ button: 'right' })
    await check('a context menu')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search commands, screens and records' }).waitFor()
    await check('the palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await check('the list of shortcuts')
    await page.keyboard.press('Escape')
    // Changed cells are tinted for a moment, if motion is welcome.
    await call(sandbox, 'moves.make', { collection: 'transactions', uid, move: 'approve' })
    await call(sandbox, 'clock.advance', { by: 'PT1H' })
    await page.locator('main [data-row] [data-column=status]').filter({ hasText: 'settled' }).first().waitFor()
    await check('a changed record')
    expect(found).toEqual([])
  })
})
