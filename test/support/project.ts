import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTemporaryFolder } from './folder.ts'

/** Projects that use Sandbank as a package, in temporary folders. */

export const root = join(import.meta.dirname, '../..')

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface CommandOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Gets the process, which lives longer than the test otherwise. */
  readonly onStart?: (kill: () => void) => void
}

/** The variables of this test run, of npm and of Vitest are not for the commands of another project. */
export const plainEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VITEST|VITE_|NODE_ENV$|TEST$|NODE_OPTIONS$|SANDBANK_)/.test(name),
    ),
  )

export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(command, args, { cwd, env: { ...plainEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** A folder with the examples and with links to packages, as `npm install` makes them of `file:` dependencies. */
export function createLinkedProject(packages: Readonly<Record<string, string>>): string {
  const folder = createTemporaryFolder()
  cpSync(join(root, 'examples'), folder, { recursive: true })
  for (const [name, path] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(path, link, 'junction')
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return folder
}
