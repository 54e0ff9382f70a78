// npm run looks [-- word …]: takes pictures of every state of every screen, in two sizes and both themes, for a visual check. Words
// choose the states whose name (group/state) contains one of them. With --reach no pictures are taken: it only checks that every
// state can be reached. Also reports text that is cut off without a title, and elements wider than the window.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser, openWindow } from './looks/browser.mjs'
import { startSandbox } from './looks/sandbox.mjs'
import { groups } from './looks/states.mjs'

const SIZES = [
  [1280, 800],
  [1440, 900],
]
const THEMES = ['light', 'dark']

const takesPictures = !process.argv.includes('--reach')
const words = process.argv.slice(2).filter((word) => word !== '--reach')
const folder = mkdtempSync(join(tmpdir(), 'sandbank-looks-'))
let reached = 0
let taken = 0
const errors = []
/** Where each overflow was found. */
const overflows = new Map()

const browser = await launchBrowser()
try {
  for (const group of groups) {
    const states = group.states.filter(([name]) => isWanted(`${group.name}/${name}`))
    if (states.length > 0) await visitGroup(group, states)
  }
} finally {
  await browser.close()
}
console.log(`${reached} states reached, ${taken} pictures in ${folder}`)
for (const [text, places] of overflows)
  console.log(`${text}, in ${places[0]}${places.length > 1 ? ` and ${places.length - 1} more` : ''}`)
for (const error of errors) console.error(error)
process.exitCode = errors.length > 0 ? 1 : 0

function isWanted(name) {
  return words.length === 0 || words.some((word) => name.includes(word))
}

async function visitGroup({ name, world, flags = [], prepare }, states) {
  mkdirSync(join(folder, name))
  const sandbox = await startSandbox(world, ...flags)
  try {
    const uids = (await prepare?.(sandbox)) ?? {}
    const page = await openWindow(browser, sandbox, 'light')
    page.setDefaultTimeout(20_000)
    for (const state of states) {
      await reach(page, sandbox, uids, name, state)
      if (takesPictures) await takePictures(page, `${name}/${state[0]}`)
    }
    await page.context().close()
  } finally {
    sandbox.stop()
  }
}

/** Opens the state in a reloaded window, so that no earlier state affects it. */
async function reach(page, sandbox, uids, group, [name, place, ...actions]) {
  try {
    const hash = place.replaceAll(/\$(\w+)/g, (_, uid) => uids[uid])
    await page.evaluate((text) => history.replaceState(null, '', text), hash)
    await page.setViewportSize({ width: SIZES[0][0], height: SIZES[0][1] })
    await page.reload()
    await page.locator('[data-api-address]').first().waitFor()
    await page.waitForTimeout(500)
    for (const action of actions) await action(page, sandbox, uids)
    reached++
  } catch (error) {
    errors.push(`${group}/${name} was not reached: ${firstLinesOf(error)}`)
  }
}

async function takePictures(page, name) {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    for (const theme of THEMES) await takePicture(page, theme, `${name}-${width}-${theme}.png`)
    for (const text of await page.evaluate(findOverflows)) {
      if (!overflows.has(text)) overflows.set(text, [])
      overflows.get(text).push(`${name} at ${width}`)
    }
  }
}

async function takePicture(page, colorScheme, path) {
  try {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(150)
    await page.screenshot({ path: join(folder, path), animations: 'disabled', caret: 'hide', timeout: 60_000 })
    taken++
  } catch (error) {
    errors.push(`${path} was not taken: ${firstLinesOf(error)}`)
  }
}

function firstLinesOf(error) {
  return error.message.split('\n').slice(0, 2).join(' ')
}

/** Runs in the page. Finds text that is cut off and has no title, and elements wider than the window. */
function findOverflows() {
  const found = new Set()
  for (const element of document.querySelectorAll('body *')) {
    const { overflowX, textOverflow } = getComputedStyle(element)
    const excess = element.scrollWidth - element.clientWidth
    if (element.clientWidth === 0 || excess <= 1 || overflowX === 'auto' || overflowX === 'scroll') continue
    const hasTitle = element.closest('[title]') ?? element.querySelector('[title]')
    if (textOverflow === 'ellipsis' && !hasTitle)
      found.add(`cut off by ${excess} px: "${element.textContent.slice(0, 60)}"`)
    else if (overflowX === 'visible' && element.getBoundingClientRect().right > innerWidth + 1)
      found.add(`outside the window: ${element.className || element.tagName} "${element.textContent.slice(0, 40)}"`)
  }
  return [...found]
}
