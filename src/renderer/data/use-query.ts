import { useEffect, useRef, useState } from 'react'
import type { MethodInput, MethodName, MethodOutput } from '../../api/contract/control.ts'
import { useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

export interface Query<T> {
  /** Stays what it was until there is something newer for the same question. */
  readonly data: T | undefined
  readonly error: unknown
  /** True once an answer has taken long enough to be worth saying so. */
  readonly slow: boolean
}

const SLOW_MS = 150
/** One question at a time, and of the sandbox's time at most half, however much goes on. */
const PART = 1

/** Asks, and asks again when one of the watched collections changes. */
export function useQuery<N extends MethodName>(
  name: N,
  input: MethodInput<N> | null,
  watched: readonly string[] = [],
): Query<MethodOutput<N>> {
  const question = input === null ? null : JSON.stringify([name, input])
  const version = useFeed(({ versions }) => ['*', ...watched].map((key) => versions[key] ?? 0).join())
  const [answer, setAnswer] = useState<Query<MethodOutput<N>> & { question: string | null }>({ ...NONE, question })

  const asker = useRef<(() => void) | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `question` says what `input` says.
  useEffect(() => {
    if (question === null || input === null) return
    const ask = sandbox[name] as (input: unknown) => Promise<MethodOutput<N>>
    let over = false
    let busy = false
    let again = false
    let slow: ReturnType<typeof setTimeout> | undefined
    let pause: ReturnType<typeof setTimeout> | undefined
    const settle = (told: Partial<Query<MethodOutput<N>>>) => {
      clearTimeout(slow)
      if (!over) setAnswer((was) => ({ ...(was.question === question ? was : NONE), ...told, slow: false, question }))
    }
    const begin = async () => {
      again = busy
      if (busy) return
      busy = true
      const begun = performance.now()
      slow = setTimeout(
        () =>
          setAnswer((was) => (was.question === question ? { ...was, slow: true } : { ...NONE, question, slow: true })),
        SLOW_MS,
      )
      await ask(input).then(
        (data) => settle({ data, error: undefined }),
        (error: unknown) => settle({ error }),
      )
      if (over) return
      pause = setTimeout(
        () => {
          busy = false
          if (again) void begin()
        },
        (performance.now() - begun) * PART,
      )
    }
    asker.current = () => void begin()
    void begin()
    return () => {
      over = true
      asker.current = undefined
      clearTimeout(slow)
      clearTimeout(pause)
    }
  }, [question])

  const asked = useRef(version)
  useEffect(() => {
    if (asked.current === version) return
    asked.current = version
    asker.current?.()
  }, [version])

  return answer.question === question ? answer : NONE
}

const NONE = { data: undefined, error: undefined, slow: false }
