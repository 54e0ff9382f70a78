import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Started } from '../../desktop/journeys.ts'
import { sharedBrowser } from '../browser.ts'
import { createTemporaryFolder } from '../folder.ts'
import { type ElectronDouble, electronDouble } from './double.ts'

/** Starts the built main process in the double of Electron, as Electron would. */

const MAIN = fileURLToPath(new URL('../../../out/main/index.js', import.meta.url))
const { importWithElectron } = createRequire(import.meta.url)('./native.cjs') as {
  importWithElectron(url: string, electron: object): Promise<unknown>
}

/** For a start that opens no window. */
export const noBrowser = undefined as unknown as Browser

export type MenuItem = { label?: string; submenu?: unknown; click?: () => void }

export interface StartedDouble extends Started {
  readonly double: ElectronDouble
}

type StartOptions = Partial<Omit<Parameters<typeof electronDouble>[0], 'browser'>> & {
  /** What the system does before the app is ready. */
  readonly beforeReady?: (double: ElectronDouble) => void | Promise<void>
}

/** Starts the built app as Electron would, in this process. */
export async function startWithoutWindow(
  args: readonly string[],
  { answers = [], userData = createTemporaryFolder(), ...how }: StartOptions = {},
) {
  const found = await sharedBrowser()
  const browser = 'browser' in found ? found.browser : noBrowser
  const double = electronDouble({ browser, userData, answers, ...how })
  onTestFinished(async () => {
    double.quit()
    await double.end
  })
  const { argv, defaultApp, resourcesPath } = process
  // As Playwright starts Electron's own binary, with switches before the app.
  const app = how.isPackaged ? [] : ['--inspect=0', '--remote-debugging-port=0', MAIN]
  Object.assign(process, { argv: [process.execPath, ...app, ...args], defaultApp: how.isPackaged ? undefined : true })
  Object.assign(process, { resourcesPath: '/opt/Sandbank/resources' })
  onTestFinished(() => void Object.assign(process, { argv, defaultApp, resourcesPath }))
  await importWithElectron(pathToFileURL(MAIN).href, double.module)
  await how.beforeReady?.(double)
  double.becomeReady()
  return double
}

export async function start(args: readonly string[], options: StartOptions = {}): Promise<StartedDouble> {
  const found = await sharedBrowser()
  if ('reason' in found) return expect.fail(`no browser: ${found.reason}`)
  const double = await startWithoutWindow(args, options)
  await expect.poll(() => double.windows.length + double.exits.length).toBeGreaterThan(0)
  const page = await double.windows[0]!.page
  page.setDefaultTimeout(20_000)
  return {
    double,
    page,
    menu: async (...labels) => {
      let items = double.menu() as MenuItem[]
      let item: MenuItem | undefined
      await expect
        .poll(() => {
          items = double.menu() as MenuItem[]
          for (const label of labels) {
            item = items?.find((one) => one.label?.startsWith(label))
            items = item?.submenu as MenuItem[]
          }
          return item
        })
        .toBeDefined()
      item!.click!()
    },
    answer: async (...more) => void double.answers.push(...more),
    said: async () => double.dialogs.map(({ text }) => text),
    startAgain: async (...more) => void (await startWithoutWindow(more, { before: double })),
    nextWindow: async (open) => {
      const { length } = double.windows
      await open()
      await expect.poll(() => double.windows.length).toBe(length + 1)
      const opened = await double.windows[length]!.page
      opened.setDefaultTimeout(20_000)
      return opened
    },
    close: async (which) => {
      for (const window of double.windows) if ((await window.page) === which) await window.close()
    },
    quit: async () => {
      double.quit()
      await double.end
    },
  }
}
