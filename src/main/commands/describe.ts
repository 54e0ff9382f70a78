import { existsSync, readFileSync } from 'node:fs'
import type { Description, PreparedDescription } from '../../api/contract/control/describe.ts'
import { findPrepared, toKey } from '../../api/contract/describe/key.ts'
import { appPaths } from '../app-paths.ts'
import { type CommandError, type Input, OptionError, type Run, type Terminal } from './command.ts'
import { describeCommands } from './help.ts'
import { commands } from './table.ts'

/** `sandbank describe` and `sandbank map`, and the help of `call METHOD PATH` and `control METHOD`. */

export const describe: Run = async (input, terminal) => {
  const found = await describeName(input.words.join(' '), input, terminal)
  terminal.print(input.values.json ? JSON.stringify(found) : format(found))
  return 0
}

export const map: Run = async ({ values }, terminal) => {
  const { description: found } = (await readPrepared<PreparedDescription>('', terminal))!
  const lines = found.map!.flatMap(({ kind, names }) => [
    `${kind}s (${names.length})`,
    ...names.map(({ name, summary }) => `  ${name}  ${summary}`),
  ])
  terminal.print(values.json ? JSON.stringify(found) : lines.join('\n'))
  return 0
}

export const describeInText = async (name: string, input: Input, terminal: Terminal): Promise<string> =>
  format(await describeName(name, input, terminal))

const ALL_NAMES = 'sandbank map lists every name'

const format = ({ name, text, see }: Description) =>
  [text, ...(name === '' ? [`${ALL_NAMES}.`] : []), ...(see.length > 0 ? [`See also: ${see.join(', ')}`] : [])].join(
    '\n',
  )

/** Without a sandbox the example is of a world that does not run. */
async function describeName(name: string, input: Input, terminal: Terminal): Promise<Description> {
  const { description, in_world } = (await readPrepared<PreparedDescription>(toKey(name), terminal)) ?? {}
  if (description && !in_world) return description
  return (await describeInWorld(name, input, terminal)) ?? description ?? (await describeUnprepared(name))
}

/** undefined if no sandbox runs, if its key is not known here, or if it does not know the name. */
async function describeInWorld(name: string, input: Input, terminal: Terminal): Promise<Description | undefined> {
  const { callControl, findSandbox, newestSandbox } = await import('./running.ts')
  const isChosen = input.values.url !== undefined || input.values.world !== undefined
  try {
    const sandbox = isChosen ? await findSandbox(input, { ...terminal, printError: () => {} }) : newestSandbox(terminal)
    return sandbox?.control_key === undefined ? undefined : await callControl(sandbox, 'describe', { name })
  } catch (error) {
    if (!isChosen || (error as Partial<CommandError>).status === 404) return undefined
    throw error
  }
}

/** What the file of the build has under a key. */
export async function readPrepared<T>(key: string, { host }: Terminal): Promise<T | undefined> {
  const path = appPaths(host.folder).descriptions
  return findPrepared<T>(existsSync(path) ? readFileSync(path, 'latin1') : (await createReference()).prepare(), key)
}

/** A field, a path with a uid, or an unknown name. */
async function describeUnprepared(name: string): Promise<Description> {
  try {
    return (await createReference()).describe(name)
  } catch (error) {
    const { extra } = error as { readonly extra?: string }
    throw extra === undefined ? error : new OptionError(`describe: ${extra}`)
  }
}

const createReference = async () =>
  (await import('../../api/contract/describe/describe.ts')).createReference(describeCommands(commands), ALL_NAMES)
