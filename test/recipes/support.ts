import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '../support/folder.ts'

/** The recipes for other languages, as a user has them: in a project with the package in node_modules. */

export const ROOT = join(import.meta.dirname, '../..')

/** A project with these files, and with those of an example. */
export function createProject(files: Readonly<Record<string, string>>, example?: string): string {
  const folder = createTemporaryFolder()
  if (example) cpSync(join(ROOT, 'examples', example), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/sandbank'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

export interface Ended {
  readonly code: number | null
  readonly text: string
}

/** Both outputs together. Variables of the test run that name another sandbox are left out. */
export function runIn(cwd: string, [command = '', ...args]: readonly string[], env: Record<string, string> = {}) {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBANK_')))
  const variables = { ...own, HOME: cwd, XDG_CONFIG_HOME: cwd, PYTHONDONTWRITEBYTECODE: '1', ...env }
  const child = spawn(command, args, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, text })))
}

const isInstalled = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

export const hasPytest = isInstalled('python3', '-m', 'pytest', '--version')
if (!hasPytest) console.info('The pytest plugin is not tested: python3 with pytest is not installed.')

/** The shells that read the recipe, in this order. */
export const shells = ['dash', 'bash', 'zsh'].map((shell) => ({
  shell,
  installed: process.platform !== 'win32' && isInstalled(shell, '-c', 'true') && isInstalled('curl', '--version'),
}))
for (const { shell, installed } of shells)
  if (!installed) console.info(`The recipe for shells is not tested with ${shell}: it or curl is not installed.`)
