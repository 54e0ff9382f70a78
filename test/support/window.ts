import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished, type TestContext } from 'vitest'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { sharedBrowser } from './browser.ts'
import { startSandbox, type TestSandbox } from './sandbox.ts'

/** The built window in a real browser: one browser for all files of a worker, a context and a page for each test. */

export const built = fileURLToPath(new URL('../../out/renderer', import.meta.url))
const library = fileURLToPath(new URL('../../resources/scenarios', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WAIT_MS = 30_000

/**
 * For `describe`: a busy machine can show a page between two steps that a test does not expect. A test that fails is tried once more in a
 * new page, and the run names it at its end (scripts/report-second-tries.mjs).
 */
export const IN_BROWSER = { retry: 1 }

interface VisitOptions extends BrowserContextOptions {
  /** The place to open, for example `#/customers`. Without it the window opens at Connect. */
  readonly at?: string
  /** The network fails in this test: the browser's messages about it are no errors. */
  readonly lossy?: boolean
}

/** Opens the window at its address, which holds the key. A message on the page's error console fails the test. */
export async function visit(context: TestContext, gui: string, options: VisitOptions = {}): Promise<Page> {
  const { at, lossy, ...contextOptions } = options
  const own = await newContext(context, { viewport: { width: 1280, height: 800 }, ...contextOptions })
  const page = await own.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const errors: string[] = []
  page.on('pageerror', (error) => void errors.push(error.message))
  page.on('console', (message) => {
    if (
      message.type() === 'error' &&
      !(lossy && /^Failed to load|^TypeError: Failed to fetch dynamically imported/.test(message.text()))
    )
      errors.push(message.text())
  })
  onTestFinished(() => expect(errors).toEqual([]))
  await page.goto(at === undefined ? gui : await signedInAt(own, gui, at))
  // From here on the window, or the sign-in screen, reacts to keys.
  await page.locator('[data-api-address], [data-sign-in]').first().waitFor()
  return page
}

/** Stores the key as the window does when it is opened with it, so that the window can open at any place. */
async function signedInAt(own: BrowserContext, gui: string, at: string): Promise<string> {
  const { origin, hash } = new URL(gui)
  const key = decodeURIComponent(hash.replace('#key=', ''))
  await own.addInitScript((value) => {
    if (location.protocol === 'http:') sessionStorage.setItem('sandbank.key', value)
  }, key)
  return `${origin}/${at}`
}

// ── Steps of a user, and what he sees ────────────────────────────────────────────────────────────────────────────────

type Within = Page | Locator
type Name = string | RegExp

/** Goes to another place of a window that is open. */
export const goTo = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash)

export const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Waits until the text is visible. */
export const sees = (within: Within, text: Name) => within.getByText(text).filter({ visible: true }).first().waitFor()

export const button = (within: Within, name: Name) => within.getByRole('button', { name, exact: true })
export const link = (within: Within, name: Name) => within.getByRole('link', { name, exact: true })
export const region = (within: Within, name: Name) => within.getByRole('region', { name, exact: true })
export const heading = (within: Within, name: Name) => within.getByRole('heading', { name, exact: true })
export const menuItem = (page: Page, name: Name) => page.getByRole('menuitem', { name, exact: true })
/** The pane of a request. */
export const request = (page: Page) => region(page, 'Request')
export const clickButton = (within: Within, name: Name) => button(within, name).click()

/** The rows of the lists on the screen, and the first one with this text. */
export const rows = (page: Page) => page.locator('main [data-row]')
export const row = (page: Page, text: Name) => rows(page).filter({ hasText: text }).first()
export const header = (page: Page, name: Name) => page.getByRole('columnheader', { name })
/** Waits until the line below a list says this. */
export const footerSays = (page: Page, text: Name) => sees(page.locator('main [data-footer]'), text)
/** The uid that each row shows. */
export const uidsOf = (page: Page) => rows(page).locator('[data-uid] bdi').allInnerTexts()
/** Clicks on a row beside its links. */
export const select = (target: Locator, modifiers: ('Shift' | 'Control')[] = []) =>
  target.click({ position: { x: 20, y: 10 }, modifiers })

/** Chooses a value of the filter above a list. */
export async function chooseFilter(page: Page, filter: Name, value: Name) {
  await page.getByRole('button', { name: filter }).first().click()
  await page.getByRole('menuitemcheckbox', { name: value }).click()
  await page.keyboard.press('Escape')
}

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)
export const focusIsOn = (target: Locator) =>
  expect.poll(() => isFocused(target), { message: `${target} has the focus` }).toBe(true)
export const focusedRole = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName)
export const addressHas = (page: Page, part: Name) => expect.poll(() => page.url()).toMatch(part)

/** Returns whether the focus has a visible outline: on the element, or on the frame around a field. */
const isFocusVisible = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element?.matches(':focus-visible')) return false
    const framed = [element, element.closest('[data-field], [data-editor]')]
    return framed.some((drawn) => drawn !== null && getComputedStyle(drawn).outlineStyle !== 'none')
  })
/** Presses Tab until the target has the focus, and checks that the focus is visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.waitFor()
  // Finding it by its role after each press would take longer than the press.
  const element = await target.elementHandle()
  const isOver = () => element!.evaluate((it) => it === document.activeElement || !it.isConnected)
  for (let i = 0; i < 200 && !(await isOver()); i++) await page.keyboard.press(key)
  await focusIsOn(target)
  expect(await isFocusVisible(page), `the focus on ${target} is visible`).toBe(true)
}

/** The file that the window saves during the act. */
export async function download(page: Page, act: () => Promise<unknown>) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

/** Allows the page to use the clipboard, and returns how to read it. */
export async function allowClipboard(page: Page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return () => page.evaluate(() => navigator.clipboard.readText())
}

export const paletteField = (page: Page) => page.getByRole('combobox', { name: 'Search commands, screens and records' })
export const selectedCommand = (page: Page) => page.getByRole('dialog').locator('[role=option][aria-selected=true]')
/** Types into the palette without waiting until it is visible, as an experienced user does. */
export async function typeCommand(page: Page, text: string, title = '') {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  await expect.poll(() => paletteField(page).inputValue()).toBe(text)
  await expect.poll(() => selectedCommand(page).innerText()).toContain(title)
}
/** Types into the palette, and runs the first command. */
export async function runCommand(page: Page, text: string, title = '') {
  await typeCommand(page, text, title)
  await page.keyboard.press('Enter')
  await paletteField(page).waitFor({ state: 'detached' })
}

// ── The browser ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A browser context of the test. Without a browser on this machine the test is skipped. */
export async function newContext(context: TestContext, options: BrowserContextOptions): Promise<BrowserContext> {
  if (!existsSync(join(built, 'index.html'))) throw new Error(`There is no built window in ${built}: npm run build`)
  const found = await sharedBrowser()
  if ('reason' in found) return context.skip(`There is no browser to test in: ${found.reason}`)
  const own = await found.browser.newContext(options)
  onTestFinished(() => own.close())
  return own
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Menus open at the end of the page, outside of its landmarks. */
const OUTSIDE = { region: { enabled: false } }
/** The rules about colors: a theme changes nothing else. */
const COLORS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const THEMES = [['light', WCAG] as const, ['dark', COLORS] as const]

/** Longer than any color fades. */
const FADE_MS = 200

/** Violations of WCAG A and AA, and of good practice, that axe finds: all rules in the light theme, only those about colors in the dark one. */
export async function findAccessibilityErrors(page: Page, where: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found: string[] = []
  for (const [colorScheme, runOnly] of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // A color on its way to that of the other theme would be measured.
    await page.waitForTimeout(FADE_MS)
    const options = JSON.stringify({ runOnly, rules: OUTSIDE, resultTypes: ['violations'] })
    const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults
    for (const { id, nodes } of violations)
      found.push(`${where}, ${colorScheme}: ${id} at ${nodes.map((n) => n.target).join(' | ')}`)
  }
  return found
}

export const scrollWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Texts of which a part is outside of its box, where one cannot scroll to it. */
export const findCutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0 || text.parentElement!.closest('.unseen, pre, textarea')) continue
      for (let box = text.parentElement; box; box = box.parentElement) {
        const { overflowX, textOverflow, display, paddingLeft, paddingRight } = getComputedStyle(box)
        if (overflowX === 'auto' || overflowX === 'scroll') break
        if (overflowX === 'visible' || display === 'inline' || display === 'contents') continue
        // Dots take the place of what would be in the padding; other text is only cut at the edge.
        const [before, after] =
          textOverflow === 'ellipsis' ? [paddingLeft, paddingRight].map(Number.parseFloat) : [0, 0]
        const edges = box.getBoundingClientRect()
        if (left < edges.left + before! - 0.5 || right > edges.right - after! + 0.5) found.add(text.textContent!.trim())
      }
    }
    return [...found]
  })

/** Texts in which two figures have different widths. */
export const findUnevenFigures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const content = text.textContent!
      const [one, other] = [content.indexOf('1'), content.search(/[02-9]/)]
      if (one < 0 || other < 0) continue
      const widthAt = (at: number) => {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return range.getBoundingClientRect().width
      }
      if (Math.abs(widthAt(one) - widthAt(other)) > 0.2) found.add(content)
    }
    return [...found]
  })

/** A sandbox that serves the built window and has the scenario library. */
export const openWindow = (options: Partial<SandboxOptions> = {}): Promise<TestSandbox> =>
  startSandbox({ window: built, library, ...options })

/** The same with the demo world. */
export const openDemo = (options: Partial<SandboxOptions> = {}) =>
  openWindow({ world: 'demo', start: Date.parse('2026-11-24T16:21:02Z'), ...options })

/** Drops a file on the window with events, because the driver cannot drag files. */
export const dropOn = (page: Page, name: string, text: string, type: 'dragover' | 'drop' = 'drop') =>
  page.evaluate(
    ([file, content, event]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content!], file!))
      const options = { dataTransfer, bubbles: true, cancelable: true }
      // A browser opens a dropped file as a page if no listener prevents it.
      return !document.querySelector('main')!.dispatchEvent(new DragEvent(event!, options))
    },
    [name, text, type],
  )
