import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import type { Started, Until } from './journeys.ts'

/** Starts the app in a real Electron: `npm run test:electron` finds one, and names it in `ELECTRON_EXEC_PATH`. */

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const electron = process.env.ELECTRON_EXEC_PATH

interface StartedApp extends Started {
  readonly app: ElectronApplication
}

export async function startApp(args: readonly string[], until: Until = onTestFinished): Promise<StartedApp> {
  const userData = createTemporaryFolder(until)
  const app = await _electron.launch({
    executablePath: electron!,
    chromiumSandbox: true,
    args: [root, `--user-data-dir=${userData}`, ...args],
    cwd: root,
  })
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
          item = items.find((one) => one.label.startsWith(label))
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
    // The second instance passes its arguments to the first one and ends at once: too early for the driver.
    startAgain: async (...more) => {
      const again = spawn(electron!, [root, `--user-data-dir=${userData}`, ...more], { cwd: root, stdio: 'ignore' })
      await once(again, 'exit')
    },
  }
}

type Stubbed = typeof globalThis & { answers?: string[]; dialogs?: string[] }

/** Native dialogs cannot be clicked by a test: they are answered from a list, as in the double. */
const stubDialogs = (app: ElectronApplication) =>
  app.evaluate(({ dialog }) => {
    const stubbed = globalThis as Stubbed
    stubbed.answers = []
    stubbed.dialogs = []
    const message = (...args: unknown[]) => {
      const { message: text, detail, buttons = [] } = args.at(-1) as Electron.MessageBoxOptions
      stubbed.dialogs!.push([text, detail].filter(Boolean).join('\n'))
      const answer = stubbed.answers!.shift() ?? ''
      return Promise.resolve({ response: buttons.findIndex((one) => one.startsWith(answer)), checkboxChecked: false })
    }
    const open = () => {
      const path = stubbed.answers!.shift()
      return Promise.resolve({ canceled: path === undefined, filePaths: path === undefined ? [] : [path] })
    }
    const save = () => {
      const filePath = stubbed.answers!.shift() ?? 'Cancel'
      return Promise.resolve({ canceled: filePath === 'Cancel', filePath: filePath === 'Cancel' ? '' : filePath })
    }
    Object.assign(dialog, { showMessageBox: message, showOpenDialog: open, showSaveDialog: save })
  })
