import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The built command line as a child process, ended when the test is over. `npm test` builds it first. */

const CLI = join(import.meta.dirname, '../../out/main/cli.js')

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

interface Called {
  /** Another copy of it. */
  cli?: string
  cwd?: string
}

export function start(args: readonly string[], env: Record<string, string> = {}, { cli = CLI, cwd }: Called = {}) {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...env }, stdio: 'pipe', cwd })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  )
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, firstLine: () => firstLine(child, ended) }
}

export const run = (args: readonly string[], env?: Record<string, string>, called?: Called) =>
  start(args, env, called).ended

function firstLine(child: ChildProcess, ended: Promise<Ended>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    void ended.then(({ code, stderr }) => reject(new Error(`It ended with ${code} before it listened: ${stderr}`)))
  })
}

export interface Line {
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
  const line = JSON.parse(await started.firstLine()) as Line
  return { ...started, line, programs: () => line.programs as never, api: line.api }
}
