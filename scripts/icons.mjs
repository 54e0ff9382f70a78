// node scripts/icons.mjs: draws resources/icon.svg as resources/icon.png, for the installers of macOS and Windows, and in each size of Linux
// as resources/icons/<size>x<size>.png. Run it after a change of the drawing.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from './looks/browser.mjs'
import { root } from './prepare.mjs'

/** The index of the theme hicolor ends at 512. */
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512]
const OTHERS = 1024

const resources = join(root, 'resources')
const drawing = readFileSync(join(resources, 'icon.svg'), 'utf8')
mkdirSync(join(resources, 'icons'), { recursive: true })
const browser = await launchBrowser()
try {
  const page = await browser.newPage()
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`)
  for (const size of [...LINUX, OTHERS]) {
    await page.setViewportSize({ width: size, height: size })
    const name = size === OTHERS ? 'icon.png' : `icons/${size}x${size}.png`
    await page.screenshot({ path: join(resources, name), omitBackground: true })
  }
} finally {
  await browser.close()
}
