import { useEffect, useState } from 'react'
import { simulatedNow, useFeed } from './feed.ts'

/** Simulated time, in steps of the given size. It moves while the clock runs, and with each notice. */
export function useNow(stepMs = 1_000): number {
  const at = useFeed((feed) => Math.floor(simulatedNow(feed) / stepMs))
  const [, tick] = useState(0)
  const ticks = useFeed((feed) => feed.clock?.mode === 'running' && feed.connection === 'live' && !feed.progress)
  useEffect(() => {
    if (!ticks) return
    const timer = setTimeout(() => tick((n) => n + 1), (at + 1) * stepMs - simulatedNow(useFeed.getState()) + 1)
    return () => clearTimeout(timer)
  })
  return at * stepMs
}

/** Real time in seconds. */
export function useRealSeconds(wanted = true): number {
  const [second, setSecond] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    if (!wanted) return
    const timer = setInterval(() => setSecond(Math.floor(Date.now() / 1000)), 1_000)
    return () => clearInterval(timer)
  }, [wanted])
  return second
}
