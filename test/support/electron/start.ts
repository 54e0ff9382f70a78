import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { sharedBrowser } from '../browser.ts'
import { createTemporaryFolder } from '../folder.ts'
import { waitFor } from '../wait.ts'
import { type ElectronDouble, electronDouble, type WindowDouble } from './double.ts'

/** Starts the built main process in the double of Electron, as Electron would. */

const MAIN = fileURLToPath(new URL('../../../out/main/index.js', import.meta.url))
const { importWithElectron } = createRequire(import.meta.url)('./native.cjs') as {
  importWithElectron(url: string, electron: object): Promise<unknown>
}

/** For a start that opens no window. */
const noBrowser = undefined as unknown as Browser

/** A started app, in the double or in Electron. */
interface Started {
  readonly page: Page
  /** Clicks an item of the native menu, by the beginnings of the labels on the path to it. */
  menu(...labels: string[]): Promise<void>
  /** Sets the answers to the next dialogs: the label of a button, or a path. */
  answer(...answers: string[]): Promise<void>
  /** The texts of the dialogs so far. */
  said(): Promise<string[]>
  /** Starts the app a second time with these arguments. */
  startAgain(...args: string[]): Promise<void>
  /** After a navigation that the app prevents: the driver of a real Electron waits for it until there is another one. */
  endNavigation(): Promise<void>
  /** Does what opens a window, and returns its page. */
  nextWindow(open: () => Promise<unknown>): Promise<Page>
  /** Closes a window as a user does. */
  close(page: Page): Promise<void>
  /** Quits as a user does, and waits for the end. */
  quit(): Promise<void>
}

/** Registers what is to be done when the app is not needed any more. */
type Until = (end: () => void | Promise<void>) => void

export type MenuItem = { label?: string; submenu?: unknown; click?: () => void }

interface StartedDouble extends Started {
  readonly double: ElectronDouble
  /** The first window. */
  readonly window: WindowDouble
}

type StartOptions = Partial<Omit<Parameters<typeof electronDouble>[0], 'browser'>> & {
  /** What the system does before the app is ready. */
  readonly beforeReady?: (double: ElectronDouble) => void | Promise<void>
  /** Registers the end of the app. By default it ends with the test. */
  readonly until?: Until
}

/** Starts the built app as Electron would, in this process. */
export async function startWithoutWindow(
  args: readonly string[],
  { answers = [], until = onTestFinished, userData = createTemporaryFolder(until), ...how }: StartOptions = {},
) {
  const found = await sharedBrowser()
  const browser = 'browser' in found ? found.browser : noBrowser
  const double = electronDouble({ browser, userData, answers, ...how })
  until(async () => {
    double.quit()
    await double.end
  })
  const { argv, defaultApp, resourcesPath } = process
  // As Playwright starts Electron's own binary, with switches before the app.
  const app = how.isPackaged ? [] : ['--inspect=0', '--remote-debugging-port=0', MAIN]
  Object.assign(process, { argv: [process.execPath, ...app, ...args], defaultApp: how.isPackaged ? undefined : true })
  Object.assign(process, { resourcesPath: '/opt/Sandbank/resources' })
  until(() => void Object.assign(process, { argv, defaultApp, resourcesPath }))
  removeListenersAtEnd(until)
  await importWithElectron(pathToFileURL(MAIN).href, double.module)
  await how.beforeReady?.(double)
  double.becomeReady()
  return double
}

/** The app's own of its process, which here is that of the tests. */
function removeListenersAtEnd(until: Until) {
  for (const name of ['disconnect', 'uncaughtExceptionMonitor']) {
    const others = process.listeners(name as 'disconnect')
    until(() => {
      for (const listener of process.listeners(name as 'disconnect'))
        if (!others.includes(listener)) process.off(name, listener)
    })
  }
}

/** A world that is not saved: faster than one in a folder. */
export const EPHEMERAL = ['--ephemeral', '--port', '0', '--world', 'empty']

export const emptyWorldIn = (data: string) => ['--data', data, '--port', '0', '--world', 'empty']

/** Starts the app, and waits until its window is connected. */
export async function start(args: readonly string[] = EPHEMERAL, options: StartOptions = {}): Promise<StartedDouble> {
  const found = await sharedBrowser()
  if ('reason' in found) return expect.fail(`no browser: ${found.reason}`)
  const double = await startWithoutWindow(args, options)
  const pageOf = async (window: WindowDouble | undefined) => {
    const page = await window!.page
    page.setDefaultTimeout(20_000)
    await page.locator('[data-api-address]').first().waitFor()
    return page
  }
  await waitFor(() => expect(double.windows.length + double.exits.length).toBeGreaterThan(0))
  return {
    double,
    window: double.windows[0]!,
    page: await pageOf(double.windows[0]),
    menu: async (...labels) => {
      let items = double.menu() as MenuItem[]
      let item: MenuItem | undefined
      await expect
        .poll(() => {
          items = double.menu() as MenuItem[]
          for (const label of labels) {
            item = items?.find((one) => one.label?.replace('&', '').startsWith(label))
            items = item?.submenu as MenuItem[]
          }
          return item
        })
        .toBeDefined()
      item!.click!()
    },
    answer: async (...more) => void double.answers.push(...more),
    said: async () => double.dialogs.map(({ text }) => text),
    startAgain: async (...more) => {
      const again = await startWithoutWindow(more, { before: double })
      await again.end
      expect([again.windows, again.dialogs, again.exits], 'the second start ends at once').toEqual([[], [], []])
    },
    endNavigation: async () => {},
    nextWindow: async (open, connects = true) => {
      const { length } = double.windows
      await open()
      await expect.poll(() => double.windows.length).toBe(length + 1)
      return connects ? pageOf(double.windows[length]) : double.windows[length]!.page
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

/** One app for all tests of a `describe`, which leave its window open. */
export function shareApp(args?: readonly string[]): { readonly app: StartedDouble } {
  const ends: (() => void | Promise<void>)[] = []
  const shared = {} as { app: StartedDouble }
  beforeAll(async () => {
    shared.app = await start(args, { until: (end) => void ends.push(end) })
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return shared
}
