import { useEffect, useState } from 'react'
import type { MethodInput, MethodName, MethodOutput } from '../api/contract/control.ts'
import { sandbox } from './sandbox.ts'
import { useFeed } from './stores/feed.ts'

export interface Answer<T> {
  /** Stays what it was until there is something newer for the same question. */
  readonly data: T | undefined
  readonly error: unknown
  /** True once an answer has taken long enough to be worth saying so. */
  readonly slow: boolean
}

const SLOW_MS = 150

/** Asks, and asks again when one of the watched collections changes. */
export function useQuery<N extends MethodName>(
  name: N,
  input: MethodInput<N> | null,
  watched: readonly string[] = [],
): Answer<MethodOutput<N>> {
  const question = input === null ? null : JSON.stringify([name, input])
  const version = useFeed(({ versions }) => ['*', ...watched].map((key) => versions[key] ?? 0).join())
  const [answer, setAnswer] = useState<Answer<MethodOutput<N>> & { question: string | null }>({ ...NONE, question })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `question` says what `input` says, and `version` asks again.
  useEffect(() => {
    if (question === null || input === null) return
    let late = false
    const slow = setTimeout(
      () =>
        setAnswer((was) => (was.question === question ? { ...was, slow: true } : { ...NONE, question, slow: true })),
      SLOW_MS,
    )
    const settle = (told: Partial<Answer<MethodOutput<N>>>) => {
      clearTimeout(slow)
      if (!late) setAnswer((was) => ({ ...(was.question === question ? was : NONE), ...told, slow: false, question }))
    }
    const ask = sandbox[name] as (input: unknown) => Promise<MethodOutput<N>>
    ask(input).then(
      (data) => settle({ data, error: undefined }),
      (error: unknown) => settle({ error }),
    )
    return () => {
      late = true
      clearTimeout(slow)
    }
  }, [question, version])

  return answer.question === question ? answer : NONE
}

const NONE = { data: undefined, error: undefined, slow: false }
