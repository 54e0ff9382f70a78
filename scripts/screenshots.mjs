// npm run screenshots: pictures of the main screens into docs/images, from the demo world of one seed and one start with a
// frozen clock, so that two runs show the same. Whatever screen is added to the table is taken; a screen that does not come
// up is named, and the others are taken all the same. What the README shows must be there.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { launched, lived, opened, serving } from './window.mjs'

const images = join(root, 'docs', 'images')
const MOST_BYTES = 1_500_000

/** Where to go, what to do there, and what must be seen before the picture is taken. `world` is what the demo world holds. */
const pictures = [
  { name: 'connect', to: () => '#/connect', sees: 'What your app needs', themes: ['light'] },
  { name: 'requests', to: ({ refused }) => `#/requests/${refused}`, sees: 'Request', themes: ['light'] },
  { name: 'customer', to: ({ customer }) => `#/customers/${customer}`, sees: 'Quayside Bakery', themes: ['light'] },
  {
    name: 'payment',
    to: ({ payment }) => `#/transactions/${payment}`,
    sees: 'us_dollar_amount',
    themes: ['light'],
  },
  { name: 'ledger', to: () => '#/accounts', sees: 'As a table', themes: ['light'] },
  { name: 'time', to: () => '#/time', sees: 'Time', themes: ['light'] },
  {
    name: 'palette',
    to: () => '#/customers',
    sees: 'Quayside Bakery',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('adv')
      await page.getByRole('option', { name: /Search requests/ }).waitFor()
    },
    themes: ['light'],
  },
]

const line = await serving('demo', '--pace', 'real')
let failed = 0
try {
  const world = await lived(line)
  mkdirSync(images, { recursive: true })
  const browser = await launched()
  try {
    for (const theme of ['light', 'dark']) {
      const page = await opened(browser, line, theme)
      for (const { name, to, sees, act } of pictures.filter((picture) => picture.themes.includes(theme))) {
        const path = join(images, `${name}-${theme}.png`)
        try {
          await page.evaluate((hash) => void (location.hash = hash), to(world))
          await page.getByText(sees).first().waitFor()
          await act?.(page)
          await page.evaluate(() => document.fonts.ready)
          // No hand is on the keyboard: no ring says where it is.
          if (!act) await page.evaluate(() => document.activeElement?.blur())
          // What comes by itself within a breath of it is part of the picture.
          await page.waitForTimeout(1_500)
          await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
          console.log(`${name}-${theme}.png, ${Math.round(statSync(path).size / 1000)} kB`)
          if (act) await page.keyboard.press('Escape')
        } catch (error) {
          failed++
          console.error(`${name}-${theme}: "${sees}" was not seen (${String(error.message).split('\n')[0]})`)
        }
      }
      await page.context().close()
    }
  } finally {
    await browser.close()
  }
  const all = pictures.flatMap(({ name, themes }) => themes.map((theme) => join(images, `${name}-${theme}.png`)))
  const bytes = all.filter(existsSync).reduce((sum, path) => sum + statSync(path).size, 0)
  console.log(`${Math.round(bytes / 1000)} kB in all`)
  if (bytes > MOST_BYTES) {
    failed++
    console.error(`That is more than ${MOST_BYTES / 1000} kB: take fewer themes`)
  }
  for (const [, path] of readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((docs\/images\/[^)]+)\)/g))
    if (!existsSync(join(root, path))) {
      failed++
      console.error(`The README shows ${path}, which is not there`)
    }
} finally {
  line.stop()
}
process.exitCode = failed > 0 ? 1 : 0
