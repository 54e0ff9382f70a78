import { expect, it } from 'vitest'
import { MAIN_WORLD, PRELOAD_WORLD, preloadWorld } from '../support/electron/worlds.ts'
import { IN_BROWSER, newContext } from '../support/window.ts'

/** The bridge of the double between the page and the preload script, by the rules of Electron's contextBridge. */

const PRELOAD = `
  const { contextBridge, ipcRenderer } = require('electron')
  class Account {
    uid = 'a'
    close() {}
  }
  globalThis.privateName = 1
  contextBridge.exposeInMainWorld('api', {
    data: { list: [1, { deep: true }] },
    symbol: Symbol('x'),
    account: () => new Account(),
    later: async (value) => ({ value, next: () => value + 1 }),
    fails: () => { throw new TypeError('it failed') },
    rejects: async () => { throw new Error('it failed later') },
    hear: (listener) => listener({ at: new Date(5), counts: new Map([[1, 2]]) }),
    weak: () => new WeakMap(),
    same: (value) => value,
    now: () => Date.now(),
    keepsChange: (value) => { value.changed = true },
    invoke: (value) => ipcRenderer.invoke('channel', value),
  })
`

it('the preload script of the double shares no object with the page', IN_BROWSER, async (context) => {
  const own = await newContext(context, {})
  await own.addInitScript(MAIN_WORLD)
  const page = await own.newPage()
  const session = await own.newCDPSession(page)
  await session.send('Page.enable')
  const script = { source: preloadWorld(PRELOAD), worldName: PRELOAD_WORLD }
  await session.send('Page.addScriptToEvaluateOnNewDocument', script)
  // A main process that refuses every call.
  await session.send('Runtime.enable')
  await session.send('Runtime.addBinding', { name: '__ipc', executionContextName: PRELOAD_WORLD })
  session.on('Runtime.bindingCalled', ({ payload, executionContextId: contextId }) => {
    const { id } = JSON.parse(payload) as { id: number }
    const expression = `__reply(${id}, { failure: 'Error: refused' })`
    void session.send('Runtime.evaluate', { contextId, expression })
  })
  await page.goto('data:text/html,<p>page')
  const found = await page.evaluate(async () => {
    type Api = Record<string, (...args: unknown[]) => never> & { data: { list: [number, object] } }
    const { api } = window as unknown as { api: Api }
    const errorOf = (work: () => unknown) => {
      try {
        return { value: work() }
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : 'an error of the other world'
      }
    }
    const account = api.account!() as { uid: string; close?: unknown }
    const { value, next } = (await api.later!(1)) as { value: number; next(): number }
    const heard: unknown[] = []
    api.hear!(({ at, counts }: { at: unknown; counts: Map<number, number> }) => {
      heard.push(at instanceof Date, counts instanceof Map && counts.get(1))
    })
    const given: { changed?: boolean } = {}
    api.keepsChange!(given)
    Date.now = () => 1
    const names = Object.getOwnPropertyNames(window)
    return {
      isFrozen: [api, api.data, api.data.list[1]].map((it) => Object.isFrozen(it)),
      symbol: String(api.symbol),
      account: [account.uid, typeof account.close, Object.getPrototypeOf(account) === Object.prototype],
      later: [value, next()],
      heard,
      changed: given.changed,
      now: Number(api.now!()) > 1,
      fails: errorOf(() => api.fails!()),
      rejects: await (api.rejects!() as Promise<unknown>).catch((error) => String(error)),
      weak: errorOf(() => api.weak!()),
      generator: errorOf(() => api.same!((function* () {})())),
      element: errorOf(() => api.same!(document.body)),
      construct: errorOf(() => new (api.account as unknown as new () => object)()),
      invoke: await (api.invoke!(() => {}) as Promise<unknown>).catch((error) => String(error)),
      refused: await (api.invoke!(1) as Promise<unknown>).catch((error) => String(error)),
      private: names.filter((name) => ['privateName', 'require', '__ipc', '__reply', '__hear'].includes(name)),
    }
  })
  expect(found).toEqual({
    isFrozen: [true, true, true],
    symbol: 'undefined',
    account: ['a', 'undefined', true],
    later: [1, 2],
    heard: [true, 2],
    changed: undefined,
    now: true,
    fails: 'Error: it failed',
    rejects: 'Error: it failed later',
    weak: expect.stringContaining('could not be cloned'),
    generator: expect.stringContaining('could not be cloned'),
    element: expect.stringContaining('not doubled'),
    construct: expect.stringContaining('not a constructor'),
    invoke: 'Error: An object could not be cloned.',
    refused: "Error: Error invoking remote method 'channel': Error: refused",
    private: [],
  })
})
