import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, type TestContext } from 'vitest'
import { launchBrowser } from './browser.ts'

/** The built window in a real browser: one browser for a file of tests, a page of its own for each test. */

export const built = fileURLToPath(new URL('../../out/renderer', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const WAIT_MS = 30_000

let browser: Browser | undefined
let reason = ''

/** Called once by each file. */
export function withBrowser() {
  beforeAll(async () => {
    if (!existsSync(join(built, 'index.html'))) throw new Error(`There is no built window in ${built}: npm run build`)
    const launched = await launchBrowser()
    if ('browser' in launched) browser = launched.browser
    else console.warn(`The window is not tested in a browser: ${(reason = launched.reason)}`)
  })
  afterAll(() => browser?.close())
}

/** What the page logs as an error fails the test, unless the test expects the network to fail. */
export async function visit(
  context: TestContext,
  address: string,
  how: BrowserContextOptions & { lossy?: boolean } = {},
): Promise<Page> {
  if (!browser) context.skip(reason)
  const { lossy, ...options } = how
  const own = await browser!.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => own.close())
  const page = await own.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => void faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !(lossy && message.text().startsWith('Failed to load')))
      faults.push(message.text())
  })
  onTestFinished(() => expect(faults).toEqual([]))
  await page.goto(address)
  // Keys are heard from when the window, or what stands in its place, is drawn.
  await page.locator('.status .mono, .door').first().waitFor()
  return page
}

export const goTo = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash)

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules that see colours: all that a theme changes. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What axe finds against WCAG A and AA, in words: everything in the light theme, the colours in the dark one as well. */
export async function breaches(page: Page, where: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found: string[] = []
  for (const [colorScheme, runOnly] of [['light', WCAG] as const, ['dark', COLOURS] as const]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
    const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults
    for (const { id, nodes } of violations)
      found.push(`${where}, ${colorScheme}: ${id} at ${nodes.map((n) => n.target).join(' | ')}`)
  }
  return found
}
