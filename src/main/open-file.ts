import { readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import type { ControlReply } from '../api/contract/control/client.ts'
import { isDeepLink } from '../api/contract/deep-links.ts'
import { endingOf, SCENARIOS, scenarioNameOf } from '../api/contract/file-kinds.ts'
import { cutAfterAddress, splitArguments } from './arguments.ts'
import { reasonOf } from './reasons.ts'

/** Opens a bundle or a scenario with the app, by double click or as an argument. */

const MAX_BYTES = 256 << 20

interface OpenFileContext {
  /** Calls a control method. */
  call(name: string, input: unknown): Promise<ControlReply>
  /** Returns true if the user agrees. */
  ask(question: string, button: string): Promise<boolean>
  showError(line: string): void
  /** Navigates the window. */
  go(address: string): void
}

const SecondStart = z.object({ files: z.array(z.string()), options: z.array(z.string()) })

/** The full path of a file of the command line; an address stays as it is. */
export const resolveFile = (file: string, folder = process.cwd()): string =>
  isDeepLink(file) ? file : resolve(folder, file)

/** What a second start passes to the first. */
export type SecondStart = z.infer<typeof SecondStart>

/** Some versions of Electron lose what is passed. Then its arguments are read, without its options: Chromium has changed their order. */
export function readSecondStart(given: unknown, argv: readonly string[], workingFolder: string): SecondStart {
  const { data } = SecondStart.safeParse(given)
  if (data) return data
  const { files } = splitArguments(cutAfterAddress(argv).slice(1))
  return { files: files.map((file) => resolveFile(file, workingFolder)), options: [] }
}

export async function openFile(path: string, context: OpenFileContext): Promise<void> {
  const { showError } = context
  let text: string
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) return showError(`${path} has ${Math.ceil(size / 2 ** 20)} MB, and at most 256 are read`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return showError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
  await (SCENARIOS.includes(endingOf(path)) ? openScenario : openBundle)(path, text, context)
}

async function openBundle(path: string, text: string, { call, ask, showError, go }: OpenFileContext) {
  const question = `Open ${path}? Its world replaces the current one. Undo brings the current one back.`
  if (!(await ask(question, 'Open'))) return
  const reply = await call('bundles.import', { text })
  if (reply.ok) return go('#/requests')
  showError(`${path}: ${reasonOf(reply)}`)
}

/** Saves it as an own scenario, under the name of its file. */
async function openScenario(path: string, text: string, { call, ask, showError, go }: OpenFileContext) {
  const name = scenarioNameOf(basename(path))
  const reply = await call('scenarios.read', { name })
  const { own, text: existing } = reply.ok ? (reply.value as { own: boolean; text: string }) : { own: false, text }
  const kind = own ? 'your scenario' : 'the library scenario'
  if (existing !== text && !(await ask(`Replace ${kind} ${name} with ${path}?`, 'Replace'))) return
  const saved = await call('scenarios.save', { name, text })
  if (saved.ok) return go(`#/scenarios/${encodeURIComponent(name)}`)
  showError(`${path}: ${reasonOf(saved)}`)
}
