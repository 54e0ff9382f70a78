import { type Bridge, type ControlClient, createControlClient } from '../../api/contract/control/client.ts'
import { followFeed } from './feed-connection.ts'
import { httpBridge, takeKey } from './http-bridge.ts'

/** The typed client of the sandbox, over the desktop's bridge or over HTTP. */

declare global {
  interface Window {
    /** Set by the desktop's preload script; absent in a browser. */
    readonly sandbox?: Bridge
  }
}

/** A live binding, set by `connect` before anything is rendered. */
export let sandbox: ControlClient

export function findBridge(): Bridge | undefined {
  if (window.sandbox) return window.sandbox
  const key = takeKey(window)
  return key === null ? undefined : httpBridge(key)
}

/** Returns a function that closes the connection. */
export function connect(bridge: Bridge): () => void {
  sandbox = createControlClient(bridge)
  return followFeed(bridge, sandbox)
}
