import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../src/main/command-line.ts'
import { parseInput } from '../../src/main/commands/parse.ts'
import { commands } from '../../src/main/commands/table.ts'
import { createTemporaryFolder } from './folder.ts'

/**
 * Commands in this process, and the built command line as a child process. A child process costs a second: it is for tests of signals, exit
 * codes and files that outlive it. `npm test` builds it first.
 */

const FOLDER = join(import.meta.dirname, '../../out/main')
export const CLI = join(FOLDER, 'cli.js')

/** The values of the options of `sandbank serve`. */
export const parseServe = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  parseInput('serve', commands.serve, args, env).values

// ── In this process ──────────────────────────────────────────────────────────────────────────────────────────────────

/** A command with what it has printed so far. `end` is what a signal does. */
export function startInProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}, { isTerminal = false } = {}) {
  const printed: string[] = []
  const errors: string[] = []
  let close: () => Promise<0 | 1> = async () => 0
  let closing: Promise<0 | 1> | undefined
  const end = () => (closing ??= close())
  const host = { folder: FOLDER, onEnd: (given: typeof close) => void (close = given), end: () => void end() }
  const print = (line: string) => void printed.push(line)
  const printError = (line: string) => void errors.push(line)
  const code = runCommandLine(args, host, { env, isTerminal, print, printError })
  onTestFinished(async () => void (await end()))
  return { printed, errors, code, end }
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

export async function runInProcess(
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<Pick<ProcessResult, 'code' | 'stdout' | 'stderr'>> {
  const { printed, errors, code } = startInProcess(args, env)
  return { code: (await code) ?? null, stdout: textOf(printed), stderr: textOf(errors) }
}

/** `sandbank serve` on a free port, by default with a world in memory, and the commands that find it by its runtime file. */
export async function serveInProcess(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, isTerminal = false) {
  const surroundings = { XDG_RUNTIME_DIR: createTemporaryFolder(), HOME: createTemporaryFolder(), ...env }
  const all = ['serve', '--port', '0', ...args]
  if (!args.includes('--data')) all.push('--ephemeral')
  if (!isTerminal) all.push('--json')
  const { printed, errors, code, end } = startInProcess(all, surroundings, { isTerminal })
  if ((await code) !== undefined) throw new Error(`serve ended with ${await code}: ${errors.join('\n')}`)
  const line = (isTerminal ? {} : JSON.parse(printed[0]!)) as ServeOutput
  return {
    /** With --json. */
    line,
    api: line.api,
    programs: () => line.programs as never,
    printed,
    env: surroundings,
    end,
    run: (...command: readonly string[]) => runInProcess(command, surroundings),
  }
}

// ── As a child process ───────────────────────────────────────────────────────────────────────────────────────────────

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

/** It is killed when the test ends. */
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
