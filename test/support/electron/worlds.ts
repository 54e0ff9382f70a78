/**
 * The two JavaScript worlds of a page: that of the page itself, and that of the preload script, which shares only the document with it.
 * Between them is Electron's contextBridge, by its rules (docs/api/context-bridge.md of Electron): functions and promises become
 * proxies, errors keep their message, other values are copied without their prototype, what cannot be cloned is refused, and what is
 * exposed is frozen. Differences: DOM elements and circular objects, which Electron passes, are refused.
 */

export const PRELOAD_WORLD = 'preload'

/** Connects the world to the other one. The text of an event's detail is cloned between worlds by Chromium itself. */
const CONNECT = `(mine, other) => {
  const functions = new Map()
  const promises = new Map()
  const replies = new Map()
  let last = 0
  const tell = (what, detail) => window.dispatchEvent(new CustomEvent('bridge-' + other + '-' + what, { detail }))
  const listen = (what, listener) =>
    window.addEventListener('bridge-' + mine + '-' + what, (event) => {
      event.stopImmediatePropagation()
      listener(event.detail)
    })
  const messageOf = (error) => (error instanceof Error ? error.message : String(error))

  const encode = (value, depth = 0) => {
    if (depth >= 1000)
      throw new TypeError('Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.')
    if (typeof value === 'symbol') return { kind: 'value' }
    if (typeof value === 'function') {
      functions.set(++last, value)
      return { kind: 'function', id: last }
    }
    if (Object(value) !== value) return { kind: 'value', value }
    if (value instanceof Promise) {
      const id = ++last
      const settle = (work) => {
        try {
          tell('settle', { id, ...work() })
        } catch (error) {
          tell('settle', { id, error: messageOf(error) })
        }
      }
      value.then((it) => settle(() => ({ value: encode(it) })), (error) => settle(() => ({ error: messageOf(error) })))
      return { kind: 'promise', id }
    }
    if (value instanceof Error) return { kind: 'error', message: value.message }
    if (Array.isArray(value)) return { kind: 'array', items: value.map((it) => encode(it, depth + 1)) }
    if (value instanceof Node || value instanceof Window) throw new Error('DOM objects over the bridge are not doubled')
    if (Object.prototype.toString.call(value) === '[object Object]')
      return { kind: 'object', entries: Object.entries(value).map(([key, it]) => [key, encode(it, depth + 1)]) }
    return { kind: 'value', value: structuredClone(value) }
  }
  const decode = (it) => {
    if (it.kind === 'function') return (...args) => call(it.id, args)
    if (it.kind === 'promise') return new Promise((resolve, reject) => promises.set(it.id, { resolve, reject }))
    if (it.kind === 'error') return new Error(it.message)
    if (it.kind === 'array') return it.items.map(decode)
    if (it.kind === 'object') return Object.fromEntries(it.entries.map(([key, one]) => [key, decode(one)]))
    return it.value
  }
  const call = (id, args) => {
    const turn = ++last
    tell('call', { id, turn, args: args.map((arg) => encode(arg)) })
    const reply = replies.get(turn)
    replies.delete(turn)
    if (!reply) throw new Error('The other world does not answer')
    if (reply.error !== undefined) throw new Error(reply.error)
    return decode(reply.value)
  }
  listen('call', ({ id, turn, args }) => {
    let reply
    try {
      reply = { value: encode(functions.get(id)(...args.map(decode))) }
    } catch (error) {
      reply = { error: messageOf(error) }
    }
    tell('reply', { turn, ...reply })
  })
  listen('reply', ({ turn, ...reply }) => replies.set(turn, reply))
  listen('settle', ({ id, value, error }) => {
    const { resolve, reject } = promises.get(id)
    promises.delete(id)
    if (error === undefined) resolve(decode(value))
    else reject(new Error(error))
  })
  return { functions, call }
}`

/** Runs in the page's own world, before anything of the page. Function 0 exposes an API of the preload script. */
export const MAIN_WORLD = `(() => {
  if (window !== window.top) return
  const { functions } = (${CONNECT})('main', 'preload')
  const open = window.__open
  window.open = (url) => { void open(new URL(String(url), location.href).href); return null }
  const menu = window.__menu
  window.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return
    const link = event.target.closest('a[href]')
    const isEditable = event.target.matches('input, textarea')
    const linkURL = link ? link.href.replace('https://sandbank.app.invalid', 'app://sandbank') : ''
    void menu({ isEditable, linkURL, selectionText: String(getSelection()), editFlags: { canCopy: true, canPaste: true } })
  })
  const freeze = (value) => {
    if (Object(value) === value) Object.values(Object.freeze(value)).forEach(freeze)
    return value
  }
  functions.set(0, (name, api) => {
    if (name in window) throw new Error('Cannot bind an API on top of an existing property on the window object')
    Object.defineProperty(window, name, { value: freeze(api), enumerable: true })
  })
})()`

/** Runs in a world of its own: the preload script, with what a sandboxed one may require. */
export const preloadWorld = (preload: string) => `(() => {
  if (window !== window.top) return
  const { call } = (${CONNECT})('preload', 'main')
  const pack = ${pack.toString()}
  const unpack = ${unpack.toString()}
  const ipc = globalThis.__ipc
  const waiting = new Map()
  const listeners = new Map()
  const of = (channel) => listeners.get(channel) ?? []
  let last = 0
  globalThis.__reply = (id, reply) => {
    waiting.get(id)(reply)
    waiting.delete(id)
  }
  globalThis.__hear = (channel, args) => { for (const listener of of(channel)) listener({}, ...unpack(args)) }
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => call(0, [name, api]) },
    ipcRenderer: {
      invoke: async (channel, ...args) => {
        const id = ++last
        const payload = JSON.stringify({ id, channel, args: pack(args) })
        const { value, failure } = await new Promise((resolve) => {
          waiting.set(id, resolve)
          ipc(payload)
        })
        if (failure !== undefined) throw new Error("Error invoking remote method '" + channel + "': " + failure)
        return unpack(value)
      },
      on: (channel, listener) => void listeners.set(channel, [...of(channel), listener]),
      off: (channel, listener) => void listeners.set(channel, of(channel).filter((it) => it !== listener)),
    },
  }
  const require = (name) => {
    if (name !== 'electron') throw new Error('A sandboxed preload may not require ' + name)
    return electron
  }
  ;((require, module, exports) => {
${preload}
  })(require, { exports: {} }, {})
})()`

/** A value of IPC as JSON. Electron clones it: functions and symbols are refused. Values that JSON lacks and the app never sends, too. */
export function pack(value: unknown): unknown {
  if (value === undefined) return { $undefined: true }
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error('An object could not be cloned.')
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    throw new Error(`${String(value)} over IPC is not doubled`)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => pack(item))
  if (Object.prototype.toString.call(value) !== '[object Object]')
    throw new Error(`${Object.prototype.toString.call(value)} over IPC is not doubled`)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]))
}

export function unpack(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => unpack(item))
  if ('$undefined' in value) return undefined
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]))
}
