// npm run looks [-- word…]: every state of every screen as pictures, in both themes at 1280×800 and 1440×900, to be looked
// at by eyes. They go into a folder of the system's for temporary files, whose path is printed; words choose the states
// whose names hold one of them. A state that is not reached is named, and so is text that is cut without being told whole
// elsewhere, and whatever is wider than its place.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groups } from './states.mjs'
import { launched, opened, serving } from './window.mjs'

const SIZES = [
  [1280, 800],
  [1440, 900],
]
const THEMES = ['light', 'dark']

const words = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'sandbank-looks-'))
let taken = 0
const wrong = []
const misfit = new Map()
const firstOf = (error) => error.message.split('\n').slice(0, 2).join(' ')
const browser = await launched()
try {
  for (const { world, name: group = world, flags = [], prepare, states } of groups) {
    const wanted = states.filter(
      ([name]) => words.length === 0 || words.some((word) => `${group}/${name}`.includes(word)),
    )
    if (wanted.length === 0) continue
    mkdirSync(join(folder, group))
    const line = await serving(world, ...flags)
    try {
      const facts = (await prepare?.(line)) ?? {}
      const page = await opened(browser, line, 'light')
      page.setDefaultTimeout(20_000)
      for (const [name, where, ...acts] of wanted) await look(page, { line, facts, group, name, where, acts })
      await page.context().close()
    } finally {
      line.stop()
    }
  }
} finally {
  await browser.close()
}
console.log(`${taken} pictures in ${folder}`)
for (const [said, places] of misfit)
  console.log(`${said}, in ${places[0]}${places.length > 1 ? ` and ${places.length - 1} more` : ''}`)
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0

async function look(page, { line, facts, group, name, where, acts }) {
  try {
    const hash = typeof where === 'string' ? where : where(facts)
    // A state begins from a window that knows nothing, as after a start.
    await page.evaluate((to) => {
      history.replaceState(null, '', to)
    }, hash)
    await page.setViewportSize({ width: SIZES[0][0], height: SIZES[0][1] })
    await page.reload()
    await page.locator('[data-api-address]').first().waitFor()
    await page.waitForTimeout(500)
    for (const act of acts) await act(page, line, facts)
  } catch (error) {
    wrong.push(`${group}/${name} was not reached: ${firstOf(error)}`)
  }
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    for (const theme of THEMES) await picture(page, theme, `${group}/${name}-${width}-${theme}.png`)
    for (const said of await page.evaluate(misfits)) {
      if (!misfit.has(said)) misfit.set(said, [])
      misfit.get(said).push(`${group}/${name} at ${width}`)
    }
  }
}

async function picture(page, colorScheme, path) {
  try {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(150)
    await page.screenshot({ path: join(folder, path), animations: 'disabled', caret: 'hide', timeout: 60_000 })
    taken++
  } catch (error) {
    wrong.push(`${path} was not taken: ${firstOf(error)}`)
  }
}

/** Runs in the page: what is cut and not told whole by a title, and what sticks out of what does not scroll. */
function misfits() {
  const found = new Set()
  for (const element of document.querySelectorAll('body *')) {
    const { overflowX, textOverflow } = getComputedStyle(element)
    const over = element.scrollWidth - element.clientWidth
    if (element.clientWidth === 0 || over <= 1 || overflowX === 'auto' || overflowX === 'scroll') continue
    const told = element.closest('[title]') ?? element.querySelector('[title]')
    if (textOverflow === 'ellipsis' && !told) found.add(`cut by ${over} px: "${element.textContent.slice(0, 60)}"`)
    else if (overflowX === 'visible' && element.getBoundingClientRect().right > innerWidth + 1)
      found.add(`outside the window: ${element.className || element.tagName} "${element.textContent.slice(0, 40)}"`)
  }
  return [...found]
}
