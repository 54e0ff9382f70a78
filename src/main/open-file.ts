import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import type { ControlReply } from '../api/contract/control.ts'
import { BUNDLE, endingOf, SCENARIOS, scenarioNameOf } from '../api/contract/desktop.ts'

/** A file that somebody opens with the app, by double click or as an argument: a bundle or a scenario. */

const MOST_BYTES = 256 << 20

export interface Desk {
  /** The operator's door. */
  call(name: string, input: unknown): Promise<ControlReply>
  /** Whether it may be done. */
  ask(question: string, button: string): Promise<boolean>
  complain(line: string): void
  /** Leads the window somewhere. */
  go(address: string): void
}

/** What a second start says to the first. */
export const HandedOver = z.object({ files: z.array(z.string()) })
export type HandedOver = z.infer<typeof HandedOver>

/** The files among the arguments, and the options with their values; what is Chromium's own is not ours to judge. */
export function filesIn(args: readonly string[]): { files: string[]; options: string[] } {
  const isFile = (arg: string, at: number) =>
    !arg.startsWith('-') && [BUNDLE, ...SCENARIOS].includes(endingOf(arg)) && !takesValue(args[at - 1])
  return { files: args.filter(isFile), options: args.filter((arg, at) => !isFile(arg, at) && !CHROMIUM.test(arg)) }
}
/** An AppImage passes the first where there are no user namespaces; those who run tests, the last. */
const CHROMIUM =
  /^--(no-sandbox|(disable|enable)-(gpu|features|logging)|ozone-platform|force-device-scale-factor|lang|user-data-dir|remote-debugging-port|inspect)(-[\w-]+)?(=|$)/
const takesValue = (before = '') => before.startsWith('--') && !before.includes('=') && !ALONE.includes(before)
const ALONE = ['--ephemeral', '--json', '--open', '--help']

export async function openFile(path: string, desk: Desk): Promise<void> {
  const { complain } = desk
  let text: string
  try {
    const { size } = statSync(path)
    if (size > MOST_BYTES) return complain(`${path} has ${Math.ceil(size / 2 ** 20)} MB, and at most 256 are read`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return complain(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
  await (SCENARIOS.includes(endingOf(path)) ? openScenario : openBundle)(path, text, desk)
}

async function openBundle(path: string, text: string, { call, ask, complain, go }: Desk) {
  const question = `Open ${path}? Its world takes the place of the present one. Rewinding takes it back.`
  if (!(await ask(question, 'Open'))) return
  const reply = await call('bundles.import', { text })
  if (reply.ok) return go('#/requests')
  complain(`${path}: ${reasonOf(reply)}`)
}

/** It becomes one of the operator's own, under the name of its file. */
async function openScenario(path: string, text: string, { call, ask, complain, go }: Desk) {
  const name = scenarioNameOf(basename(path))
  const there = await call('scenarios.read', { name })
  const { own, text: other } = there.ok ? (there.value as { own: boolean; text: string }) : { own: false, text }
  const whose = own ? 'your scenario' : 'the scenario of the library'
  if (other !== text && !(await ask(`Replace ${whose} ${name} with the one of ${path}?`, 'Replace'))) return
  const reply = await call('scenarios.save', { name, text })
  if (reply.ok) return go(`#/scenarios/${encodeURIComponent(name)}`)
  complain(`${path}: ${reasonOf(reply)}`)
}

function reasonOf(reply: ControlReply): string {
  const [error] = reply.ok ? [] : reply.error.errors
  return error?.extra ?? error?.detail ?? 'it was refused'
}
