import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Program } from '../../src/api/contract/resources/programs.ts'
import { apiClient } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** The built app in a real Electron: `npm run test:electron` finds one, and names it in `ELECTRON_EXEC_PATH`. */

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** Empty if `npm run test:electron` did not start this. */
export const electron = process.env.ELECTRON_EXEC_PATH ?? ''

/** The app with what a test cannot click. */
const APP = fileURLToPath(new URL('../support/electron-app', import.meta.url))

const PAGE_WITHIN_MS = 60_000

/** A scenario file. */
export const scenario = (title: string) => `name: ${title}\nteaches: Nothing yet.\nsteps:\n  - advance: { by: PT1H }\n`

export interface Dialog {
  readonly kind: string
  readonly text: string
  readonly buttons: readonly string[]
  /** Without one it belongs to no window. */
  readonly hasParent: boolean
  /** The button of Enter. */
  readonly defaultId?: number
  /** Of a dialog for files. */
  readonly defaultPath?: string
}

/** What electron-app/main.mjs keeps. */
export type Kept = typeof globalThis & {
  desk: {
    answers: string[]
    dialogs: Dialog[]
    shown: string[]
    popups: { menu: Electron.Menu; options: Electron.PopupOptions }[]
  }
}

/** Registers what is to be done when the app is not needed any more. */
export type Until = (end: () => void | Promise<void>) => void

export interface StartOptions {
  /** The answers to dialogs in their order: the beginning of a button's label, or a path; `wait`: none. */
  readonly answers?: readonly string[]
  readonly userData?: string
  readonly env?: NodeJS.ProcessEnv
  readonly until?: Until
}

export type Started = Awaited<ReturnType<typeof start>>

/** A world that is not saved: faster than one in a folder. */
export const EPHEMERAL = ['--ephemeral', '--port', '0', '--world', 'empty', '--clock', 'frozen']

export const emptyWorldIn = (data: string) => ['--data', data, '--port', '0', '--world', 'empty']

export async function launch(args: readonly string[], options: StartOptions = {}): Promise<ElectronApplication> {
  const { answers = [], until = onTestFinished, userData = createTemporaryFolder(until), env = {} } = options
  const app = await _electron.launch({
    executablePath: electron,
    chromiumSandbox: true,
    args: [APP, `--user-data-dir=${userData}`, ...args],
    cwd: root,
    env: { ...(process.env as Record<string, string>), ...env, SANDBANK_TEST_ANSWERS: JSON.stringify(answers) },
  })
  until(() => app.close())
  return app
}

/** Starts the app, and waits until its window is connected. */
export async function start(args: readonly string[] = EPHEMERAL, options: StartOptions = {}) {
  const { until = onTestFinished, userData = createTemporaryFolder(until) } = options
  const app = await launch(args, { ...options, userData, until })
  const page = await app.firstWindow()
  page.setDefaultTimeout(PAGE_WITHIN_MS)
  await connected({ page })
  return {
    app,
    page,
    userData,
    /** Clicks an item of the native menu, by the beginnings of the labels on the path to it. */
    menu: (...labels: readonly string[]) =>
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
    /** Does what opens a window, and returns its page. */
    nextWindow: async (open: () => Promise<unknown>) => {
      const opened = app.waitForEvent('window')
      await open()
      const page = await opened
      page.setDefaultTimeout(PAGE_WITHIN_MS)
      return page
    },
    /** Closes a window as a user does. */
    close: async (which: Page) => {
      const window = await app.browserWindow(which)
      await window.evaluate((it) => it.close())
    },
    answer: (...more: readonly string[]) =>
      app.evaluate((_electron, values) => void (globalThis as Kept).desk.answers.push(...values), more),
    dialogs: () => app.evaluate(() => (globalThis as Kept).desk.dialogs),
    /** The texts of the dialogs so far. */
    said: () => app.evaluate(() => (globalThis as Kept).desk.dialogs.map(({ text }) => text)),
    shown: () => app.evaluate(() => (globalThis as Kept).desk.shown),
    /** Does what opens a context menu; returns its labels and the place below which it is shown. */
    popup: async (open: () => Promise<unknown>) => {
      const count = () => app.evaluate(() => (globalThis as Kept).desk.popups.length)
      const before = await count()
      await open()
      await expect.poll(count).toBe(before + 1)
      return app.evaluate(() => {
        const { menu, options } = (globalThis as Kept).desk.popups.at(-1)!
        const labels = menu.items.map(({ label, role, type }) => role ?? (label || type))
        return { labels, at: options.x === undefined ? null : { x: options.x, y: options.y } }
      })
    },
    /** Clicks an item of the context menu that is open. */
    choose: (label: string) =>
      app.evaluate((_electron, name) => {
        const { menu, options } = (globalThis as Kept).desk.popups.at(-1)!
        menu.items.find((one) => one.label === name)!.click()
        options.callback?.()
      }, label),
    dismiss: () => app.evaluate(() => (globalThis as Kept).desk.popups.at(-1)!.options.callback?.()),
    /** Starts the app a second time with these arguments. It passes them to the first one, and ends at once. */
    startAgain: async (...more: readonly string[]) => {
      const env = { ...process.env, ...options.env }
      const limits = { timeout: PAGE_WITHIN_MS, killSignal: 'SIGKILL' } as const
      const { status } = spawnSync(electron, [APP, `--user-data-dir=${userData}`, ...more], {
        cwd: root,
        env,
        ...limits,
      })
      expect(status, 'the second start ends').toBe(0)
    },
    /** Quits as a user does, and waits for the end. */
    quit: async () => {
      const over = new Promise<void>((resolve) => app.once('close', () => resolve()))
      await app.evaluate(({ app: it }) => it.quit())
      await over
    },
  }
}

/** Waits until the window is connected; returns the address that it shows. */
export async function connected({ page }: Pick<Started, 'page'>): Promise<string> {
  await page.locator('[data-api-address]').first().waitFor()
  return (await page.locator('[data-api-address]').first().innerText()).trim()
}

/** Sends requests with the values that Connect shows. */
export async function createClient(started: Pick<Started, 'page'>) {
  const api = await connected(started)
  const program = await started.page.evaluate(async () => {
    const reply = await window.sandbox!.call('programs.list', {})
    return (reply as unknown as { value: { programs: Program[] } }).value.programs[0]!
  })
  return { api, client: apiClient({ api, programs: () => [program] }) }
}

/** Whatever it has open, a sandbox that has ended leaves neither a lock with its socket, nor the file by which commands find it. */
export function expectCleanEnd(data: string, runtime?: string) {
  const left = [data, ...(runtime === undefined ? [] : [`${runtime}/sandbank`])]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => /^lock|\.sock$|\.json$/.test(name))
  expect(left).toEqual([])
}
