import { createParser } from 'eventsource-parser'
import { type Bridge, type ControlReply, OPERATION_HEADER } from '../../api/contract/control/client.ts'
import type { Notice } from '../../api/contract/control/notices.ts'

/**
 * The connection from a browser. The key comes in the fragment of the address, which browsers never send to a server,
 * and is kept in `sessionStorage`: cookies ignore ports and would reach the integrator's own app.
 */

const STORAGE_KEY = 'sandbank.key'
const FRAGMENT = /^#key=([^&/?]+)/

type Page = Pick<Window, 'location' | 'history' | 'sessionStorage'>

/** Reads the key and removes it from the address, so that a copied or shown address does not contain it. */
export function takeKey({ location, history, sessionStorage }: Page): string | null {
  const key = FRAGMENT.exec(location.hash)?.[1]
  if (key !== undefined) {
    sessionStorage.setItem(STORAGE_KEY, decodeKey(key))
    history.replaceState(null, '', `${location.pathname}${location.search}#/now`)
  }
  return sessionStorage.getItem(STORAGE_KEY)
}

/** An address with another key that is opened in a tab which shows the window changes only the fragment. */
export function listenToKey() {
  window.addEventListener('hashchange', () => {
    if (FRAGMENT.test(location.hash)) location.reload()
  })
}

/** For a key that the user typed. */
export function saveKey({ sessionStorage }: Pick<Window, 'sessionStorage'>, key: string) {
  sessionStorage.setItem(STORAGE_KEY, key)
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const RETRY_MS = [250, 500, 1_000, 2_000]
/** The server sends something every 15 s; a stream that is silent for longer than this is dead. */
const SILENCE_MS = 40_000

/** `own`: the world that it follows; null is the root world. */
export function httpBridge(
  key: string,
  request: typeof fetch = (...args) => fetch(...args),
  own: string | null = null,
): Bridge {
  return {
    async call(name, input, world = own): Promise<ControlReply> {
      const response = await request(`${controlOf(world)}/${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-control-key': headerSafe(key) },
        body: JSON.stringify(input ?? {}),
      })
      const value: unknown = await response.json()
      const operation = Number(response.headers.get(OPERATION_HEADER)) || undefined
      return response.ok ? { ok: true, value, operation } : { ok: false, error: value as never }
    },

    subscribe(onNotices, connected = () => {}) {
      const over = new AbortController()
      void stream({ key, request, world: own, over: over.signal, onNotices, connected })
      return () => over.abort()
    },
  }
}

const controlOf = (world: string | null) => `${world === null ? '' : `/worlds/${encodeURIComponent(world)}`}/control`

interface StreamOptions {
  readonly key: string
  readonly request: typeof fetch
  readonly world: string | null
  /** Aborted when the subscription ends. */
  readonly over: AbortSignal
  readonly onNotices: (notices: readonly Notice[]) => void
  readonly connected: (is: boolean) => void
}

/** Reads the stream until the subscription ends; a stream that breaks is opened again. */
async function stream({ key, request, world, over, onNotices, connected }: StreamOptions) {
  const address = `${controlOf(world)}/notices?batches=true`
  for (let failures = 0; !over.aborted; failures++) {
    const silent = new AbortController()
    let silence: ReturnType<typeof setTimeout> | undefined
    try {
      const response = await request(address, {
        headers: { 'x-control-key': headerSafe(key) },
        signal: AbortSignal.any([over, silent.signal]),
      })
      // The key is wrong: there is no point in trying again.
      if (response.status === 401 || response.status === 403) return connected(false)
      // The world was dropped.
      if (response.status === 404 && world !== null) return connected(false)
      if (!response.ok || !response.body) throw new Error(`GET ${address} answered ${response.status}`)
      connected(true)
      failures = 0
      const parser = createParser({ onEvent: ({ data }) => onNotices(JSON.parse(data) as Notice[]) })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(() => silent.abort(), SILENCE_MS)
        parser.feed(chunk.value)
      }
    } catch {
      // Whatever ended the stream: report it, and try again.
    }
    clearTimeout(silence)
    if (over.aborted) return
    connected(false)
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!, over)
  }
}

/** A header cannot contain every character; fetch would throw, and such a text cannot be the key anyway. */
const headerSafe = (key: string) => key.replace(/[^\x21-\x7e]/g, '?')

const pause = (ms: number, over: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    over.addEventListener('abort', end, { once: true })
  })
