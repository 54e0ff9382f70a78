import { useEffect, useRef, useState } from 'react'
import { type Bridge, type ControlClient, createControlClient } from '../../api/contract/control/client.ts'
import type { MethodInput, MethodName, MethodOutput } from '../../api/contract/control/methods.ts'
import { useFeed } from './feed.ts'
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

interface Query<T> {
  /** Kept until there is a newer answer to the same question. */
  readonly data: T | undefined
  readonly error: unknown
  /** True when the answer takes long enough to show a placeholder. */
  readonly slow: boolean
}

const SLOW_MS = 150
const UPDATE_MS = 250

interface QueryOptions {
  /** Another world than the one that this window shows; null is the root world. */
  readonly world?: string | null
  /** It is called again when this changes. */
  readonly beat?: number
  /** At most once in so many milliseconds. */
  readonly every_ms?: number
  /** No call begins until this is false. */
  readonly waits?: boolean
  /** The pause after a call is so many times as long as the call. */
  readonly pauses?: number
  /** For a question about more of the same: until it is answered, the answer to the question before it stays. */
  readonly keeps?: boolean
}

/**
 * Calls a control method, and calls it again when one of the watched collections changes: one call at a time, and by default at most four
 * times a second and half of the sandbox's time, however often they change.
 */
export function useQuery<N extends MethodName>(
  name: N,
  input: MethodInput<N> | null,
  watched: readonly string[] = [],
  { world, beat = 0, every_ms = UPDATE_MS, pauses = 1, waits = false, keeps = false }: QueryOptions = {},
): Query<MethodOutput<N>> {
  const question = input === null ? null : JSON.stringify([name, input, world])
  const version = useFeed(({ versions }) => [beat, ...['*', ...watched].map((key) => versions[key] ?? 0)].join())
  const [answer, setAnswer] = useState<Query<MethodOutput<N>> & { question: string | null }>({ ...NONE, question })

  const isWaiting = useRef(waits)
  isWaiting.current = waits
  const queried = useRef<string | null>(version)
  const refetch = useRef<(() => void) | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `question` contains `input` and `world`.
  useEffect(() => {
    if (question === null || input === null) return
    const client = world === undefined ? sandbox : sandboxOf(world)
    const call = client[name] as (input: unknown) => Promise<MethodOutput<N>>
    let isOver = false
    let busy = false
    let again = false
    let slow: ReturnType<typeof setTimeout> | undefined
    let pause: ReturnType<typeof setTimeout> | undefined
    const update = (to: Partial<Query<MethodOutput<N>>>) =>
      setAnswer((was) => ({ ...(was.question === question || keeps ? was : NONE), ...to, question }))
    const settle = (to: Partial<Query<MethodOutput<N>>>) => {
      clearTimeout(slow)
      if (!isOver) update({ ...to, slow: false })
    }
    const begin = async () => {
      again = busy
      if (busy) return
      if (isWaiting.current) {
        queried.current = null
        return
      }
      busy = true
      const begun = performance.now()
      slow = setTimeout(() => update({ slow: true }), SLOW_MS)
      await call(input).then(
        (data) => settle({ data, error: undefined }),
        (error: unknown) => settle({ error }),
      )
      if (isOver) return
      pause = setTimeout(
        () => {
          busy = false
          if (again) void begin()
        },
        Math.max((performance.now() - begun) * pauses, every_ms),
      )
    }
    refetch.current = () => void begin()
    void begin()
    return () => {
      isOver = true
      refetch.current = undefined
      clearTimeout(slow)
      clearTimeout(pause)
    }
  }, [question])

  useEffect(() => {
    if (waits || queried.current === version) return
    queried.current = version
    refetch.current?.()
  }, [version, waits])

  return answer.question === question || keeps ? answer : NONE
}

const NONE = { data: undefined, error: undefined, slow: false }

interface Outcome<T> {
  readonly isBusy: boolean
  /** What the last run answered. */
  readonly result: T | undefined
  /** Why the last run failed. */
  readonly error: unknown
}

interface Action<A extends readonly unknown[], T> extends Outcome<T> {
  /** Does nothing while a run is under way. */
  readonly run: (...given: A) => Promise<void>
  /** Forgets the last result and error. */
  readonly reset: () => void
}

const NOT_DONE = { isBusy: false, result: undefined, error: undefined }

/** What a button or a form does: one run at a time, with its result or its error. */
export function useAction<A extends readonly unknown[], T>(work: (...given: A) => Promise<T>): Action<A, T> {
  const [outcome, setOutcome] = useState<Outcome<T>>(NOT_DONE)
  const isBusy = useRef(false)
  const run = async (...given: A) => {
    if (isBusy.current) return
    isBusy.current = true
    setOutcome({ ...NOT_DONE, isBusy: true })
    try {
      const result = await work(...given)
      setOutcome({ ...NOT_DONE, result })
    } catch (error) {
      setOutcome({ ...NOT_DONE, error })
    } finally {
      isBusy.current = false
    }
  }
  return { ...outcome, run, reset: () => setOutcome(NOT_DONE) }
}

/** Of a form that is sent by its button and, from any field, by Ctrl+Enter. A part of the form may have handled the key already. */
export const sendingForm = (run: () => unknown) => ({
  onSubmit: submitting(run),
  onKeyDown: (event: React.KeyboardEvent) => {
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run()
  },
})

/** For `onSubmit` of a form. */
export const submitting = (run: () => unknown) => (event: React.SyntheticEvent) => {
  event.preventDefault()
  void run()
}
