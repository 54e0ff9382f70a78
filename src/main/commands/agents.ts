import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appPaths } from '../app-paths.ts'
import { CommandError, type Run } from './command.ts'

/** `sandbank agents`: what a coding agent of a project that uses Sandbank should know. The text is in `resources/agents.md`. */

const BEGIN = '<!-- sandbank agents -->'
const END = '<!-- end of sandbank agents -->'

export const agents: Run = async ({ values }, { host, print }) => {
  const text = readFileSync(appPaths(host.folder).agents, 'utf8').trimEnd()
  if (!values.write) {
    print(text)
    return 0
  }
  const file = join(process.cwd(), 'AGENTS.md')
  const before = readOrEmpty(file)
  const after = insert(before, text)
  if (after !== before) write(file, after)
  print(after === before ? `${file} is up to date` : `Written to ${file}`)
  return 0
}

/** Replaces what is between the marks; without them it comes at the end. */
export function insert(file: string, text: string): string {
  const part = `${BEGIN}\n${text}\n${END}\n`
  const [from, to] = [file.indexOf(BEGIN), file.indexOf(END)]
  if (from >= 0 && to > from) return file.slice(0, from) + part + file.slice(to + END.length).replace(/^\r?\n/, '')
  if (from >= 0 || to >= 0)
    throw new CommandError(`AGENTS.md has only one of the marks ${BEGIN} and ${END}: remove it, or add the other`)
  return file.trim() === '' ? part : `${file.trimEnd()}\n\n${part}`
}

function write(file: string, text: string) {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
