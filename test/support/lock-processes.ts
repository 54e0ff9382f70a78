import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { onTestFinished } from 'vitest'

/** Processes that do nothing but lock and unlock a data folder. */

const root = join(import.meta.dirname, '../..')

const SCRIPT = `
import { openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { lock } from './lock.mjs'
const [folder] = process.argv.slice(2)
let unlock
const commands = {
  async lock() {
    try {
      const remarks = []
      unlock = await lock(folder, (line) => remarks.push(line))
      return { isLocked: true, ...(remarks.length > 0 ? { remarks } : {}) }
    } catch (error) {
      return { isLocked: false, name: error.name, message: error.message }
    }
  },
  unlock: () => unlock(),
  // Busy, as during a long job: the event loop answers nothing.
  block: () => setImmediate(() => { for (const end = Date.now() + 4_000; Date.now() < end; ); }),
  openFiles: () => { try { for (;;) openSync(folder) } catch {} },
}
for await (const command of createInterface({ input: process.stdin })) {
  const result = await commands[command]()
  console.log(JSON.stringify({ pid: process.pid, ...result }))
}
`

export interface LockResult {
  /** As the process sees it: in a namespace of its own it is another one than outside. */
  readonly pid: number
  readonly isLocked: boolean
  readonly name?: string
  readonly message?: string
  readonly remarks?: readonly string[]
}

/** Builds the lock for plain Node, into a folder. */
export async function buildLock(folder: string) {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(root, 'src/api/store/lock.ts'),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'lock.mjs' } },
    },
  })
  writeFileSync(join(folder, 'process.mjs'), SCRIPT)
}

/** `wrap`: a command that starts the process. It is killed when the test ends. */
export function startLockProcess(
  built: string,
  folder: string,
  { wrap = [], env = {} }: { wrap?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
) {
  const [command = '', ...args] = [...wrap, process.execPath, join(built, 'process.mjs'), folder]
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const call = async (name: 'lock' | 'unlock' | 'block' | 'openFiles') => {
    child.stdin.write(`${name}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`The process ended before it answered to ${name}`)
    return JSON.parse(value) as LockResult
  }
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  onTestFinished(kill)
  return {
    child,
    kill,
    ended,
    lock: () => call('lock'),
    unlock: () => call('unlock'),
    block: () => call('block'),
    openFiles: () => call('openFiles'),
  }
}
