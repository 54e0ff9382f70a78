import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Reply } from '../api/contract/control.ts'

/** A bundle that somebody opens with the app, by double click or as an argument: it becomes the present world. */

const ENDING = '.sandbank'
const MOST_BYTES = 256 << 20

export interface Desk {
  /** The operator's door. */
  call(name: string, input: unknown): Promise<Reply>
  /** Whether the present world may make room. */
  ask(question: string): Promise<boolean>
  complain(line: string): void
}

/** The bundles among the arguments, and the options. */
export const bundlesIn = (args: readonly string[]): { bundles: string[]; options: string[] } => ({
  bundles: args.filter(isBundle),
  options: args.filter((arg) => !isBundle(arg)),
})
const isBundle = (arg: string) => !arg.startsWith('-') && extname(arg).toLowerCase() === ENDING

export async function openBundle(path: string, { call, ask, complain }: Desk): Promise<void> {
  let text: string
  try {
    const { size } = statSync(path)
    if (size > MOST_BYTES) return complain(`${path} has ${Math.ceil(size / 2 ** 20)} MB, and at most 256 are read`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return complain(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
  const isWanted = await ask(`Open ${path}? Its world takes the place of the present one. Rewinding takes it back.`)
  if (!isWanted) return
  const reply = await call('bundles.import', { text })
  const [error] = reply.ok ? [] : reply.error.errors
  if (error) complain(`${path}: ${error.extra ?? error.detail}`)
}
