import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver } from 'playwright-core'

/** Chromium for tests: that of the package @sparticuz/chromium, or an installed one. */

/** Arguments of the package for serverless machines: they disable isolation, or emulate a graphics card. */
const UNWANTED = [
  ...['--single-process', '--no-zygote', '--disable-web-security'],
  ...['--ignore-gpu-blocklist', '--in-process-gpu', '--use-gl', '--use-angle', '--enable-unsafe-swiftshader'],
]

const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
]

/** Some tests emit signals in their own process, at which Playwright would close the browser and end the process. */
const IGNORE_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

export type BrowserOrReason = { readonly browser: Browser } | { readonly reason: string }

let shared: Promise<BrowserOrReason> | undefined

/** One browser for all test files of a worker. It ends with the worker; one that has crashed is replaced. */
export async function sharedBrowser(): Promise<BrowserOrReason> {
  const found = await (shared ??= launchBrowser())
  if ('reason' in found || found.browser.isConnected()) return found
  return (shared = launchBrowser())
}

/** Launches a browser, which the caller closes. */
export async function launchBrowser(): Promise<BrowserOrReason> {
  const reasons: string[] = []
  for (const { name, executablePath, args } of await candidates()) {
    try {
      const all = { executablePath, args: [...args, '--disable-gpu'], headless: true, ...IGNORE_SIGNALS }
      return { browser: await driver.launch(all) }
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    }
  }
  return { reason: reasons.length > 0 ? reasons.join('; ') : 'there is no Chromium on this machine' }
}

async function candidates() {
  const found: { name: string; executablePath: string; args: readonly string[] }[] = []
  if (process.platform === 'linux' && process.arch === 'x64') {
    const args = chromium.args.filter((arg) => !UNWANTED.includes(arg.split('=')[0]!))
    found.push({ name: '@sparticuz/chromium', executablePath: await chromium.executablePath(), args })
  }
  for (const path of INSTALLED)
    if (existsSync(path)) found.push({ name: path, executablePath: path, args: ['--no-sandbox'] })
  return found
}
