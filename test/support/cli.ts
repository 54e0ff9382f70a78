import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { version } from '../../package.json' with { type: 'json' }
import { UnreadableRecording } from '../../src/api/files.ts'
import { StoreError } from '../../src/api/sandbox.ts'
import { check, exportBundle, importBundle, replay } from '../../src/main/file-commands.ts'
import { OptionError } from '../../src/main/options.ts'
import { runScenarios } from '../../src/main/run-command.ts'

/** The built command line as a child process, which is killed when the test ends. `npm test` builds it first. */

const CLI = join(import.meta.dirname, '../../out/main/cli.js')
const LIBRARY = join(import.meta.dirname, '../../resources/scenarios')

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

const commands = { run: runScenarios, replay, export: exportBundle, import: importBundle, check }

/**
 * A command without a process of its own, which costs a second and tells nothing more: what it says, and the exit code
 * that src/main/cli.ts makes of how it ended. That a process ends so is proved with `run`.
 */
export async function runInProcess(
  [name, ...args]: readonly string[],
  { control_key }: { control_key?: string } = {},
): Promise<Pick<ProcessResult, 'code' | 'stdout' | 'stderr'>> {
  let stdout = ''
  let stderr = ''
  const print = (line: string) => void (stdout += `${line}\n`)
  const printError = (line: string) => void (stderr += `${line}\n`)
  const terminal = { version, library: LIBRARY, control_key, print, printError }
  try {
    const code = await commands[name as keyof typeof commands](args, terminal)
    return { code, stdout, stderr }
  } catch (error) {
    const isMistake = error instanceof OptionError || error instanceof UnreadableRecording
    if (!isMistake && !(error instanceof StoreError)) throw error
    printError(error.message)
    return { code: isMistake ? 2 : 1, stdout, stderr }
  }
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
