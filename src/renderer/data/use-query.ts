import { useEffect, useRef, useState } from 'react'
import type { MethodInput, MethodName, MethodOutput } from '../../api/contract/control/methods.ts'
import { useFeed } from './feed.ts'
import { sandbox, sandboxOf } from './sandbox.ts'

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
