import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { startSandbox } from '../support/sandbox.ts'
import { built, IN_BROWSER, visit } from '../support/window.ts'

/** How much JavaScript the window loads at first, and which addresses it requests. */

const MOST_BYTES = 300_000
const assets = join(built, 'assets')

/** The scripts of the page and what they import statically. */
function firstScripts(): Set<string> {
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const waiting = [...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!)
  const found = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const text = readFileSync(join(assets, name), 'utf8')
    for (const [, other] of text.matchAll(/(?:\bimport|\bfrom)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) waiting.push(other!)
  }
  return found
}

it('the initial JavaScript has at most 300 kB gzipped, without the large parts', () => {
  const first = firstScripts()
  expect(first.size).toBeGreaterThan(0)
  const bytes = [...first].reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0)
  console.log(`The initial JavaScript: ${Math.round(bytes / 1000)} kB gzipped, ${first.size} files`)
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
  const late = readdirSync(assets).filter((name) =>
    /^(Palette|Settings|Requests|Scenarios|RecordPage)-.*\.js$/.test(name),
  )
  expect(late.length).toBeGreaterThanOrEqual(5)
  expect(late.filter((name) => first.has(name))).toEqual([])
})

it('the window requests only its own origin, and its policy allows no other', IN_BROWSER, async (context) => {
  const sandbox = await startSandbox({ window: built })
  const { origin } = new URL(sandbox.gui)
  const page = await visit(context, origin, { lossy: true })
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  // The window reloads by itself when its address gets a key.
  const answered = await page.goto(sandbox.gui)
  await page.locator('[data-api-address]').first().waitFor()
  // The code of every screen is loaded ahead, with fonts.
  await expect.poll(() => asked.some((url) => /\/Settings-.*\.js$/.test(url))).toBe(true)
  expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])
  const policy = (await fetch(origin)).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(answered === null || answered.ok()).toBe(true)
})

it(
  'a menu whose code could not be loaded says so on a click, and opens after a reload',
  IN_BROWSER,
  async (context) => {
    const sandbox = await startSandbox({ window: built })
    const page = await visit(context, sandbox.gui, { at: '#/nowhere', lossy: true })
    const lateCode = /\/assets\/screens-.*\.js$/
    await page.route(lateCode, (route) => route.abort())
    await page.reload()
    const menu = page.getByRole('button', { name: 'Switch Program' })
    await menu.click()
    await page.getByText('The menu cannot be shown.').waitFor()
    await page.unroute(lateCode)
    // The browser keeps the failure until then.
    await page.reload()
    await menu.click()
    await page.getByRole('menu').waitFor()
  },
)
