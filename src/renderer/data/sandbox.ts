import { type Bridge, type ControlClient, createControlClient } from '../../api/contract/control/client.ts'
import { followFeed } from './feed-connection.ts'
import { httpBridge, takeKey } from './http-bridge.ts'
import { shownWorld } from './world-address.ts'

/** The typed client of the sandbox, over the desktop's bridge or over HTTP. */

declare global {
  interface Window {
    /** Set by the desktop's preload script; absent in a browser. */
    readonly sandbox?: Bridge
  }
}

/** Of the world that this window shows. A live binding, set by `connect` before anything is rendered. */
export let sandbox: ControlClient

/** Of another world of the sandbox; null is the root world. */
export let sandboxOf: (world: string | null) => ControlClient

export function findBridge(): Bridge | undefined {
  if (window.sandbox) return window.sandbox
  const key = takeKey(window)
  return key === null ? undefined : httpBridge(key, undefined, shownWorld())
}

/** Returns a function that closes the connection. */
export function connect(bridge: Bridge): () => void {
  sandbox = createControlClient(bridge)
  const clients = new Map<string | null, ControlClient>()
  sandboxOf = (world) => {
    const client = clients.get(world) ?? createControlClient(bridge, world)
    clients.set(world, client)
    return client
  }
  return followFeed(bridge, sandbox)
}
