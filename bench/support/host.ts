import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** The built command line as a child process: what a user runs, and nothing of ours inside it. */

export const root = join(import.meta.dirname, '../..')
const CLI = join(root, 'out/main/cli.js')

/** What `serve --json` prints once it listens. */
export interface Line {
  readonly api: string
  readonly control: string
  readonly control_key: string
  readonly programs: readonly { readonly uid: string; readonly hmac_key: string }[]
  readonly pid: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Host {
  readonly child: ChildProcess
  /** Rejects when it ends before it listens. */
  readonly line: Promise<Line>
  readonly ended: Promise<Ended>
  kill(): Promise<Ended>
  /** Ends it as an operating system does. */
  stop(): Promise<Ended>
}

/** `node`: options of Node itself, as for a module that stands before the sandbox. */
export function serve(
  args: readonly string[],
  { node = [], env = {} }: { node?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Host {
  const child = spawn(process.execPath, [...node, CLI, 'serve', '--port', '0', '--json', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, stdout, stderr })
    }),
  )
  const line = new Promise<Line>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      if (stdout.includes('\n')) resolve(JSON.parse(stdout.slice(0, stdout.indexOf('\n'))) as Line)
    })
    void ended.then(({ code, signal }) =>
      reject(new Error(`It ended with ${code ?? signal} before it listened: ${stderr}`)),
    )
  })
  line.catch(() => {}) // Whoever waits for it hears of it.
  child.stderr.on('data', (chunk) => (stderr += chunk))
  children.add(child)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { child, line, ended, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

const children = new Set<ChildProcess>()
/** Nothing of a run outlives it. */
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
