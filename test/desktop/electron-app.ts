import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import type { Started, Until } from './journeys.ts'

/** Starts the app in a real Electron, with its native dialogs answered from a list. */

export interface StartedElectron extends Started {
  readonly app: ElectronApplication
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** Empty if `npm run test:electron` did not start this. */
export const electron = process.env.ELECTRON_EXEC_PATH ?? ''

/** As a user starts it, with a profile of its own. */
export async function start(args: readonly string[], until: Until = onTestFinished): Promise<StartedElectron> {
  const userData = createTemporaryFolder(until)
  const launch = (more: readonly string[]) =>
    _electron.launch({
      executablePath: electron,
      chromiumSandbox: true,
      args: [root, `--user-data-dir=${userData}`, ...more],
      cwd: root,
    })
  const app = await launch(args)
  until(() => app.close())
  await stubDialogs(app)
  const page = await app.firstWindow()
  const quit = async () => {
    const over = new Promise<void>((resolve) => app.once('close', () => resolve()))
    await app.evaluate(({ app: it }) => it.quit())
    await over
  }
  return {
    app,
    page,
    quit,
    menu: (...labels) =>
      app.evaluate(({ Menu }, path) => {
        let items = Menu.getApplicationMenu()?.items ?? []
        let item = items[0]
        for (const label of path) {
          item = items.find((one) => one.label.replace('&', '').startsWith(label))
          items = item?.submenu?.items ?? []
        }
        if (!item) throw new Error(`There is no ${path.join(' > ')} in the menu`)
        item.click()
      }, labels),
    endNavigation: async () => void (await page.reload()),
    nextWindow: async (open) => {
      const opened = app.waitForEvent('window')
      await open()
      return opened
    },
    close: async (which) => {
      const window = await app.browserWindow(which)
      await window.evaluate((it) => it.close())
    },
    answer: (...more) =>
      app.evaluate((_electron, values) => void (globalThis as Stubbed).answers!.push(...values), more),
    said: () => app.evaluate(() => (globalThis as Stubbed).dialogs!),
    // The second instance passes its arguments to the first one and ends at once.
    startAgain: async (...more) => void (await launch(more).catch(() => undefined)),
  }
}

/** What a dialog for files was asked with. */
interface Asked {
  readonly title: string
  readonly defaultPath: string
  readonly hasParent: boolean
}

type Stubbed = typeof globalThis & { answers?: string[]; dialogs?: string[]; asked?: Asked[] }

/** The dialogs for files and folders so far. */
export const askedIn = ({ app }: StartedElectron) => app.evaluate(() => (globalThis as Stubbed).asked!)

/** Native dialogs cannot be clicked by a test: they are answered from a list, as in the double. */
const stubDialogs = (app: ElectronApplication) =>
  app.evaluate(({ dialog }) => {
    const stubbed = globalThis as Stubbed
    stubbed.answers = []
    stubbed.dialogs = []
    stubbed.asked = []
    const message = (...args: unknown[]) => {
      const { message: text, detail, buttons = [] } = args.at(-1) as Electron.MessageBoxOptions
      stubbed.dialogs!.push([text, detail].filter(Boolean).join('\n'))
      const answer = stubbed.answers!.shift() ?? ''
      return Promise.resolve({ response: buttons.findIndex((one) => one.startsWith(answer)), checkboxChecked: false })
    }
    const path = (args: unknown[]) => {
      const { title = '', defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions
      stubbed.asked!.push({ title, defaultPath, hasParent: args.length === 2 && args[0] !== undefined })
      return stubbed.answers!.shift()
    }
    const open = (...args: unknown[]) => {
      const chosen = path(args)
      return Promise.resolve({ canceled: chosen === undefined, filePaths: chosen === undefined ? [] : [chosen] })
    }
    const save = (...args: unknown[]) => {
      const chosen = path(args)
      return Promise.resolve({ canceled: chosen === undefined, filePath: chosen ?? '' })
    }
    Object.assign(dialog, { showMessageBox: message, showOpenDialog: open, showSaveDialog: save })
  })
