import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../src/main/command-line.ts'
import { parseInput } from '../../src/main/commands/parse.ts'
import { commands } from '../../src/main/commands/table.ts'

/** The built command line as a child process, which is killed when the test ends. `npm test` builds it first. */

const CLI = join(import.meta.dirname, '../../out/main/cli.js')
const FOLDER = join(import.meta.dirname, '../../out/main')

export interface ProcessResult {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

interface StartOptions {
  /** Another copy of the command line. */
  cli?: string
  cwd?: string
}

export function start(
  args: readonly string[],
  env: Record<string, string> = {},
  { cli = CLI, cwd }: StartOptions = {},
) {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...env }, stdio: 'pipe', cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<ProcessResult>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  )
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, firstLine: () => firstLine(child, ended) }
}

export const run = (args: readonly string[], env?: Record<string, string>, options?: StartOptions) =>
  start(args, env, options).ended

/** The values of the options of `sandbank serve`. */
export const parseServe = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  parseInput('serve', commands.serve, args, env)?.values ?? {}

/** A command without a process of its own, which costs a second and tells nothing more. That a process ends so is proved with `run`. */
export async function runInProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Pick<ProcessResult, 'code' | 'stdout' | 'stderr'>> {
  let stdout = ''
  let stderr = ''
  const print = (line: string) => void (stdout += `${line}\n`)
  const printError = (line: string) => void (stderr += `${line}\n`)
  const host = { folder: FOLDER, onEnd: () => {}, end: () => {} }
  const code = await runCommandLine(args, host, { env, print, printError })
  return { code: code ?? null, stdout, stderr }
}

function firstLine(child: ChildProcess, ended: Promise<ProcessResult>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    void ended.then(({ code, stderr }) => reject(new Error(`It ended with ${code} before it listened: ${stderr}`)))
  })
}

export interface ServeOutput {
  api: string
  gui: string
  control: string
  control_key: string
  programs: { uid: string; name: string; hmac_key: string }[]
  data: string | null
  pid: number
}

/** `sandbank serve --json` on a free port, once it listens. */
export async function serve(args: readonly string[], env?: Record<string, string>) {
  const started = start(['serve', '--port', '0', '--json', ...args], env)
  const line = JSON.parse(await started.firstLine()) as ServeOutput
  return { ...started, line, programs: () => line.programs as never, api: line.api }
}
