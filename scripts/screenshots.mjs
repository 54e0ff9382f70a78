// npm run screenshots: takes pictures of the main screens into docs/images. The demo world has a fixed seed, a fixed start and a frozen
// clock, so two runs give the same pictures. Fails when a screen does not open, or when the README shows a picture that does not exist.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser, openWindow } from './looks/browser.mjs'
import { createTraffic, startSandbox } from './looks/sandbox.mjs'
import { root } from './prepare.mjs'

const images = join(root, 'docs', 'images')
const MOST_BYTES = 1_500_000

/** `place` gets the uids of createTraffic(); the picture is taken when `text` is visible and `act` is done. */
const pictures = [
  { name: 'requests', place: ({ refused }) => `#/requests/${refused}`, text: 'Request' },
  { name: 'customer', place: ({ customer }) => `#/customers/${customer}`, text: 'Quayside Bakery' },
  { name: 'payment', place: ({ payment }) => `#/transactions/${payment}`, text: 'us_dollar_amount' },
  { name: 'ledger', place: () => '#/accounts', text: 'Table' },
  { name: 'time', place: () => '#/accounts?line=line', text: 'Requests' },
  {
    name: 'palette',
    place: () => '#/customers',
    text: 'Quayside Bakery',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('adv')
      await page.getByRole('option', { name: /Search requests/ }).waitFor()
    },
  },
]
const pathOf = ({ name }) => join(images, `${name}-light.png`)

const errors = []
const sandbox = await startSandbox('demo', '--pace', 'real')
try {
  const uids = await createTraffic(sandbox)
  mkdirSync(images, { recursive: true })
  const browser = await launchBrowser()
  try {
    const page = await openWindow(browser, sandbox, 'light')
    for (const picture of pictures) await takePicture(page, picture, uids)
  } finally {
    await browser.close()
  }
} finally {
  sandbox.stop()
}
checkSize()
checkReadme()
for (const error of errors) console.error(error)
process.exitCode = errors.length > 0 ? 1 : 0

async function takePicture(page, picture, uids) {
  const { name, place, text, act } = picture
  try {
    await page.evaluate((hash) => void (location.hash = hash), place(uids))
    await page.getByText(text).first().waitFor()
    await act?.(page)
    await page.evaluate(() => document.fonts.ready)
    // Without a focus ring.
    if (!act) await page.evaluate(() => document.activeElement?.blur())
    // Some parts of a screen load after its text.
    await page.waitForTimeout(1_500)
    await page.screenshot({ path: pathOf(picture), animations: 'disabled', caret: 'hide' })
    console.log(`${name}: ${Math.round(statSync(pathOf(picture)).size / 1000)} kB`)
    if (act) await page.keyboard.press('Escape')
  } catch (error) {
    errors.push(`${name}: "${text}" did not appear (${String(error.message).split('\n')[0]})`)
  }
}

function checkSize() {
  const bytes = pictures
    .map(pathOf)
    .filter(existsSync)
    .reduce((sum, path) => sum + statSync(path).size, 0)
  console.log(`${Math.round(bytes / 1000)} kB in total`)
  if (bytes > MOST_BYTES) errors.push(`The pictures have more than ${MOST_BYTES / 1000} kB in total: remove one`)
}

function checkReadme() {
  for (const [, path] of readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((docs\/images\/[^)]+)\)/g))
    if (!existsSync(join(root, path))) errors.push(`The README shows ${path}, which does not exist`)
}
