import { type Bridge, type ControlClient, createControlClient } from '../../api/contract/control.ts'
import { listen } from './feed.ts'
import { httpBridge, takeKey } from './http-bridge.ts'

/** The one way to the core: the same typed client, over the desktop's bridge or over HTTP. */

declare global {
  interface Window {
    /** Exposed by the desktop's preload; a browser has none. */
    readonly sandbox?: Bridge
  }
}

/** A live binding: it is there once `open` was called, which happens before anything is drawn. */
export let sandbox: ControlClient

export function findBridge(): Bridge | undefined {
  if (window.sandbox) return window.sandbox
  const key = takeKey(window)
  return key === null ? undefined : httpBridge(key)
}

/** Returns what stops listening. */
export function connect(bridge: Bridge): () => void {
  sandbox = createControlClient(bridge)
  return listen(bridge, sandbox)
}
