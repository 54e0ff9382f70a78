import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'

/** The built command line as a child process, as a user runs it. */

export const root = join(import.meta.dirname, '../..')
export const CLI = join(root, 'out/main/cli.js')

/** What `serve --json` prints once it listens. */
export interface ServeOutput {
  readonly api: string
  readonly control: string
  readonly control_key: string
  readonly programs: readonly { readonly uid: string; readonly hmac_key: string }[]
  readonly pid: number
}

export interface ProcessResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A process that prints a line of JSON once it listens. */
export interface ServerProcess<Output> {
  readonly child: ChildProcess
  /** Rejects when it ends before it listens. */
  readonly output: Promise<Output>
  readonly ended: Promise<ProcessResult>
  kill(): Promise<ProcessResult>
  /** Stops it with SIGTERM. */
  stop(): Promise<ProcessResult>
}
export type SandboxProcess = ServerProcess<ServeOutput>

interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** It can exchange messages with this process. */
  readonly hasChannel?: boolean
}

/** `node`: options of Node itself, for example to load a module before the sandbox. */
export const serve = (
  args: readonly string[],
  { node = [], env = {}, hasChannel = false }: ServerOptions & { readonly node?: readonly string[] } = {},
): SandboxProcess =>
  startServer([process.execPath, ...node, CLI, 'serve', '--port', '0', '--json', ...args], {
    // Commands outside do not find the sandboxes of a campaign.
    env: { XDG_RUNTIME_DIR: join(root, 'out', 'runtime'), ...env },
    hasChannel,
  })

export function startServer<Output>(
  [command = '', ...args]: readonly string[],
  { env = {}, hasChannel = false }: ServerOptions = {},
): ServerProcess<Output> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  })
  let stdout = ''
  let stderr = ''
  const ended = new Promise<ProcessResult>((resolve) =>
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, stdout, stderr })
    }),
  )
  const output = new Promise<Output>((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      stdout += chunk
      if (stdout.includes('\n')) resolve(JSON.parse(stdout.slice(0, stdout.indexOf('\n'))) as Output)
    })
    void ended.then(({ code, signal }) =>
      reject(new Error(`The process ended with ${code ?? signal} before it listened: ${stderr}`)),
    )
  })
  output.catch(() => {}) // It is handled where it is awaited.
  child.stderr!.on('data', (chunk) => (stderr += chunk))
  children.add(child)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { child, output, ended, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/** Another command of the built command line. */
export const runCommand = (args: readonly string[]): Promise<Omit<ProcessResult, 'signal'>> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })

const children = new Set<ChildProcess>()
// No child process outlives this one.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
