import { type ChildProcess, fork } from 'node:child_process'
import type { StartOptions } from '../../api/contract/library.ts'
import type { ProcessIdentity } from '../../api/system/processes.ts'
import type { WorldAddress } from './world.ts'

/** Starts a sandbox in a child process. */

/** The first message to the child. */
export interface ChildOptions {
  readonly sandbox: StartOptions
  /** The child ends with this process. Default: with the one that started it */
  readonly owner?: number | undefined
  /** Removed when the child ends. */
  readonly file?: string | undefined
}

export interface ChildAddress extends WorldAddress {
  readonly process: ProcessIdentity
}

export type ChildAnswer = { readonly address: ChildAddress } | { readonly error: string }

/** Options of a debugger or of a test runner are not for the sandbox. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, NODE_CHANNEL_FD: ___, ...env } = process.env
  return env
}

/** Resolves when the sandbox listens. `program` is the file of child.ts. */
export async function startChild(
  program: string,
  options: ChildOptions,
): Promise<{ child: ChildProcess; address: ChildAddress }> {
  const isShared = options.owner !== undefined
  const child = fork(program, [], {
    execArgv: [],
    env: childEnvironment(),
    detached: isShared,
    stdio: ['ignore', 'ignore', isShared ? 'ignore' : 'inherit', 'ipc'],
  })
  child.send(options)
  const answer = await new Promise<ChildAnswer>((resolve) => {
    child.once('message', (message) => resolve(message as ChildAnswer))
    child.once('error', (error) =>
      resolve({ error: `The process of the sandbox could not be started: ${error.message}` }),
    )
    child.once('exit', (code, signal) =>
      resolve({ error: `The process of the sandbox ended with ${signal ?? code} before it listened` }),
    )
  })
  if ('error' in answer) throw new Error(answer.error)
  child.unref()
  child.channel?.unref()
  return { child, address: answer.address }
}

/** Ends the sandbox, and waits until its process is gone. */
export function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  child.ref()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    if (child.connected) child.disconnect()
    else child.kill()
  })
}
