import { cleanup, configure, render } from '@testing-library/react'
import { beforeAll, onTestFinished } from 'vitest'
import type { Bridge, ControlReply } from '../../src/api/contract/control/client.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { App } from '../../src/renderer/App.tsx'
import { useMessages } from '../../src/renderer/data/messages.ts'
import { listenToHash } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { loadAllScreens } from '../../src/renderer/screens.tsx'

// A busy machine renders slowly.
configure({ asyncUtilTimeout: 30_000, defaultHidden: true })

// Screens are lazy-loaded; the tests should not wait for that.
beforeAll(loadAllScreens)

/**
 * A bridge that answers each method from `replies`, records the calls, and sends notices for the sandbox. The reply of one world is
 * `NAME method`.
 */
export function fakeBridge(answers: Readonly<Record<string, unknown>> = {}) {
  // The tests of a worker share them.
  useMessages.setState({ result: '', failure: null })
  const listeners = new Set<(notices: readonly Notice[]) => void>()
  const calls: { name: string; input: unknown; world?: string | null | undefined }[] = []
  const replies: Record<string, unknown> = { ...defaultReplies, ...answers }
  /** The operations that calls begin, by the method. */
  const operations: Record<string, number> = {}
  const bridge: Bridge = {
    call: (name, input, world) => {
      calls.push({ name, input, world })
      const reply = replies[`${world} ${name}`] ?? replies[name]
      const value: unknown = typeof reply === 'function' ? reply(input) : reply
      return Promise.resolve<ControlReply>(
        value instanceof Refused
          ? { ok: false, error: value.body }
          : { ok: true, value: structuredClone(value), operation: operations[name] },
      )
    },
    subscribe: (listener, connected) => {
      listeners.add(listener)
      connected?.(true)
      return () => listeners.delete(listener)
    },
  }
  return {
    bridge,
    calls,
    replies,
    operations,
    notify: (...notices: Notice[]) => listeners.forEach((listener) => void listener(notices)),
  }
}

// jsdom has no layout.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.scrollIntoView ??= () => {}
Element.prototype.scrollTo ??= () => {}

/** Shows the window at an address, over a fake sandbox. */
export function showApp(address: string, answers: Readonly<Record<string, unknown>> = {}) {
  history.replaceState(null, '', address)
  const fake = fakeBridge(answers)
  const closing = [listenToHash(), connect(fake.bridge)]
  onTestFinished(() => {
    cleanup()
    for (const close of closing) close()
    history.replaceState(null, '', '/')
  })
  render(<App hasKey />)
  return fake
}

export class Refused {
  readonly body
  constructor(status: number, code: number, title: string) {
    const occurred_at = '2026-11-20T14:04:18.000Z'
    this.body = { status, errors: [{ code, title, detail: 'A detail.', occurred_at }] }
  }
}

export const program = {
  uid: 'Hb7QmXk2Tz9LrVw4',
  client_uid: 'nP4wYc8RtKd6JsEa',
  name: 'Harbor Payments',
  hmac_key: 'a key',
  allowlist: ['127.0.0.0/8'],
  drawn_settings: [],
}

const page = { total_count: 0, count: 0, limit: 100, offset: 0, data: [] }

const defaultReplies = {
  'world.describe': {
    name: null,
    version: '0.0.0',
    api: 'http://127.0.0.1:4010/api/v1',
    data: null,
    seed: 'test',
    start: '2026-11-20T14:04:18.000Z',
    resets_to: ['demo', 'empty', 'hosted'],
    seq: 1,
    allow: [],
    opened_at: '2026-11-20T14:04:18.000Z',
    log_length: 10_000,
  },
  'clock.read': {
    now: '2026-11-20T14:04:18.000Z',
    mode: 'frozen',
    pace: 'fast',
    paces: ['fast', 'real'],
    next: null,
    due: 0,
  },
  'tasks.list': { tasks: [] },
  'programs.list': { programs: [program] },
  'exchanges.list': page,
  'faults.list': { faults: [] },
  'scenarios.list': { scenarios: [], current: null },
  'world.commits': { commits: [], more: false },
  'records.list': page,
  'worlds.list': { worlds: [] },
  'ledger.check': { balanced: true, checked: {}, problems: [] },
}

export const exchange = (uid: string, more: object = {}) => ({
  uid,
  at: '2026-11-20T14:04:18.000Z',
  program_uid: program.uid,
  caller: '127.0.0.1',
  endpoint: 'listCustomers',
  method: 'GET',
  path: '/customers',
  trace_id: `trace-${uid}`,
  status: 200,
  code: null,
  ms: 1.2,
  did: 'read 0 of 0',
  hints: 0,
  seq_before: 1,
  seq_after: 1,
  ...more,
})
