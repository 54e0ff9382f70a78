import type { Bridge, ControlReply, Notice } from '../../api/contract/control.ts'

/**
 * The bridge of a browser. The key comes in the fragment of the address, which no server is ever sent, and stays in
 * `sessionStorage`: cookies ignore ports and would reach the integrator's own app.
 */

const STORAGE_KEY = 'sandbank.key'
const FRAGMENT = /^#key=([^&/?]+)/

type Page = Pick<Window, 'location' | 'history' | 'sessionStorage'>

/** Reads the key once and takes it out of the address, so that an address that is copied or shown opens no door. */
export function takeKey({ location, history, sessionStorage }: Page): string | null {
  const given = FRAGMENT.exec(location.hash)?.[1]
  if (given !== undefined) {
    sessionStorage.setItem(STORAGE_KEY, decoded(given))
    history.replaceState(null, '', `${location.pathname}${location.search}#/connect`)
  }
  return sessionStorage.getItem(STORAGE_KEY)
}

/** For a key that was typed in. */
export function saveKey({ sessionStorage }: Pick<Window, 'sessionStorage'>, key: string) {
  sessionStorage.setItem(STORAGE_KEY, key)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const RETRY_MS = [250, 500, 1_000, 2_000]
/** The server speaks every 15 s; a stream that is silent for longer than this is dead. */
const SILENCE_MS = 40_000

export function httpBridge(key: string, request: typeof fetch = (...args) => fetch(...args)): Bridge {
  return {
    async call(name, input): Promise<ControlReply> {
      const response = await request(`/control/${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-control-key': headerSafe(key) },
        body: JSON.stringify(input ?? {}),
      })
      const value: unknown = await response.json()
      return response.ok ? { ok: true, value } : { ok: false, error: value as never }
    },

    subscribe(onNotice, connected = () => {}) {
      const over = new AbortController()
      void stream(key, request, over.signal, onNotice, connected)
      return () => over.abort()
    },
  }
}

/** Reads the stream for as long as somebody listens; a stream that ends is opened again. */
async function stream(
  key: string,
  request: typeof fetch,
  over: AbortSignal,
  onNotice: (notice: Notice) => void,
  connected: (is: boolean) => void,
) {
  for (let failures = 0; !over.aborted; failures++) {
    const silent = new AbortController()
    let watch: ReturnType<typeof setTimeout> | undefined
    try {
      const response = await request('/control/notices', {
        headers: { 'x-control-key': headerSafe(key) },
        signal: AbortSignal.any([over, silent.signal]),
      })
      // This key opens nothing, now or later.
      if (response.status === 401 || response.status === 403) return connected(false)
      if (!response.ok || !response.body) throw new Error(`The stream of notices answered ${response.status}`)
      connected(true)
      failures = 0
      const events = sseReader((data) => onNotice(JSON.parse(data) as Notice))
      for await (const text of chunks(response.body)) {
        clearTimeout(watch)
        watch = setTimeout(() => silent.abort(), SILENCE_MS)
        events(text)
      }
    } catch {
      // Whatever ended the stream, the remedy is the same: say so, and try again.
    }
    clearTimeout(watch)
    if (over.aborted) return
    connected(false)
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!, over)
  }
}

async function* chunks(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** Takes text as it comes, cut anywhere, and gives the data of each whole event. Comments are heartbeats. */
export function sseReader(onData: (data: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const events = (rest + text).split('\n\n')
    rest = events.pop()!
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
      if (data.length > 0) onData(data.join('\n'))
    }
  }
}

/** A header cannot hold every character; what it cannot hold cannot be the key either, and must not throw. */
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
