// The browser in which pictures of the window are taken.
import { createRequire } from 'node:module'
import { chromium as driver } from 'playwright-core'

/** On Linux the Chromium that npm installs, elsewhere the installed Chrome. */
export async function launchBrowser() {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: chromium } = await import(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
    const unwanted = ['--single-process', '--no-zygote', '--disable-web-security']
    const args = chromium.args.filter((arg) => !unwanted.includes(arg.split('=')[0]))
    return driver.launch({ executablePath: await chromium.executablePath(), args, headless: true })
  }
  return driver.launch({ channel: 'chrome', headless: true })
}

/** Opens the window of the sandbox in a new page. */
export async function openWindow(browser, sandbox, colorScheme) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(sandbox.gui)
  await page.locator('[data-api-address]').first().waitFor({ timeout: 60_000 })
  return page
}
