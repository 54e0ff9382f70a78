import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endChild, startChild } from './child-process.ts'
import { createControl } from './control.ts'
import { parseOptions } from './options.ts'
import type { SandboxOptions } from './sandbox-options.ts'
import { openHere } from './start.ts'
import { connectWorld, type World, type WorldAddress } from './world.ts'
import { createWorlds, type Worlds } from './worlds.ts'

/** The library: `import { startSandbox } from 'sandbank'`. */

export type { ApiResponse, Client, RequestOptions } from './client.ts'
export type { AdvanceResult, WorldClock } from './clock.ts'
export type * from './contract.ts'
export { SandbankError } from './errors.ts'
export type { NextOptions, WebhookEvent, WorldEvents } from './events.ts'
export type { SandboxOptions } from './sandbox-options.ts'
export type { ProgramKey } from './sign-token.ts'
export { type ReceivedWebhook, type VerifiedWebhook, verifyWebhook, WebhookError } from './webhooks.ts'
export type { TryResult, World, WorldAddress } from './world.ts'
export type { NamedWorld, Worlds } from './worlds.ts'

export interface StartOptions extends SandboxOptions {
  /** Runs it in a child process, which ends when this process is gone. Default: in this process */
  readonly child?: boolean | undefined
}

/** A sandbox: its root world, and further worlds. */
export interface Sandbox extends World {
  readonly worlds: Worlds
  /** Closes it. A connected sandbox goes on. */
  close(): Promise<void>
}

const entry = fileURLToPath(import.meta.url)

/** Starts a sandbox on a free port of 127.0.0.1, in memory unless `data` is given. */
export async function startSandbox(given: StartOptions = {}): Promise<Sandbox> {
  const { child: inChild = false, ...options } = parseOptions(given)
  if (!inChild) {
    const { close, ...address } = await openHere(options, join(dirname(entry), '..'))
    return toSandbox(address, close)
  }
  const { child, address } = await startChild(join(dirname(entry), 'child.js'), { sandbox: options })
  return toSandbox(address, () => endChild(child))
}

/** Connects to a sandbox that runs, such as one of `sandbank serve`. */
export async function connectSandbox({ url, control_key }: { url: string; control_key: string }): Promise<Sandbox> {
  if (!URL.canParse(url))
    throw new TypeError(`connectSandbox: url: found ${url}, expected an address such as http://127.0.0.1:4010`)
  const { origin } = new URL(url)
  const control = `${origin}/control`
  const { programs } = await createControl({ control, control_key }).programs.list()
  const address = { api: `${origin}/api/v1`, gui: `${origin}/#key=${control_key}`, control, control_key, programs }
  return toSandbox(address, async () => {})
}

function toSandbox(address: WorldAddress, close: () => Promise<void>): Sandbox {
  const world = connectWorld('', address)
  return { ...world, worlds: createWorlds(world), close }
}
