import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import type { Started } from '../../desktop/journeys.ts'
import { launchBrowser } from '../browser.ts'
import { freshFolder } from '../folder.ts'
import { type ElectronDouble, electronDouble } from './double.ts'

/** Starts the built main process in the double of Electron, as Electron would. */

const MAIN = fileURLToPath(new URL('../../../out/main/index.js', import.meta.url))

let browser: Browser | undefined
let reason = ''
/** Called once by each file. */
export function withDouble() {
  beforeAll(async () => {
    const launched = await launchBrowser()
    if ('browser' in launched) browser = launched.browser
    else reason = launched.reason
  }, 30_000)
  afterAll(async () => {
    await browser?.close()
    browser = undefined
  })
}

/** For what opens no window. */
export const noBrowser = undefined as unknown as Browser

export type Labelled = { label?: string; submenu?: unknown; click?: () => void }

export interface InDouble extends Started {
  readonly double: ElectronDouble
}

type Beginning = Partial<Omit<Parameters<typeof electronDouble>[0], 'browser'>>

/** Starts the built app as Electron would, in this process. */
export async function begin(
  args: readonly string[],
  { answers = [], userData = freshFolder(), before }: Beginning = {},
) {
  const double = electronDouble({ browser: browser ?? noBrowser, userData, answers, before })
  onTestFinished(async () => {
    double.quit()
    await double.end
  })
  vi.resetModules()
  vi.doMock('electron', () => double.module)
  const argv = process.argv
  process.argv = [process.execPath, MAIN, ...args]
  onTestFinished(() => void (process.argv = argv))
  await import(/* @vite-ignore */ `${pathToFileURL(MAIN)}?${Math.random()}`)
  return double
}

export async function start(args: readonly string[], options: Beginning = {}): Promise<InDouble> {
  if (!browser) return expect.fail(`no browser: ${reason}`)
  const double = await begin(args, options)
  await expect.poll(() => double.windows.length + double.exits.length).toBeGreaterThan(0)
  const page = await double.windows[0]!.page
  page.setDefaultTimeout(20_000)
  return {
    double,
    page,
    menu: async (...labels) => {
      let items = double.menu() as Labelled[]
      let item: Labelled | undefined
      await expect
        .poll(() => {
          items = double.menu() as Labelled[]
          for (const label of labels) {
            item = items?.find((one) => one.label?.startsWith(label))
            items = item?.submenu as Labelled[]
          }
          return item
        })
        .toBeDefined()
      item!.click!()
    },
    answer: async (...more) => void double.answers.push(...more),
    said: async () => double.dialogs.map(({ text }) => text),
    startAgain: async (...more) => void (await begin(more, { before: double })),
    quit: async () => {
      double.quit()
      await double.end
    },
  }
}
