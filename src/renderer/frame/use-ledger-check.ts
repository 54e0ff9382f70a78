import { useEffect, useRef, useState } from 'react'
import type { LedgerCheck } from '../../api/contract/control/ledger.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'

const PAUSE_MS = 2_000
/** The pause after a check is this many times its duration, so that checks of a large world take little of its time. */
const LOAD_DIVISOR = 20

/** The ledger check, repeated when a line item was written. One check at a time, and none during an advance. */
export function useLedgerCheck(): LedgerCheck | 'unknown' | 'unanswered' {
  const [check, setCheck] = useState<LedgerCheck | 'unknown' | 'unanswered'>('unknown')
  const ready = useFeed((feed) => feed.connection === 'live' && feed.progress === null)
  const lines = useFeed(({ versions: v }) =>
    ['*', 'synthetic_line_items', 'custodial_line_items'].map((name) => v[name] ?? 0).join(),
  )
  const checked = useRef<string | null>(null)
  const nextAt = useRef(0)
  useEffect(() => {
    if (!ready || checked.current === lines) return
    const timer = setTimeout(
      async () => {
        checked.current = lines
        // No second check before this one has answered.
        nextAt.current = Number.POSITIVE_INFINITY
        const startedAt = performance.now()
        try {
          setCheck(await sandbox['ledger.check']({}))
        } catch {
          setCheck('unanswered')
        }
        const now = performance.now()
        nextAt.current = now + Math.max(PAUSE_MS, (now - startedAt) * LOAD_DIVISOR)
        rerender((n) => n + 1)
      },
      Math.max(0, Math.min(nextAt.current - performance.now(), MAX_TIMER_MS)),
    )
    return () => clearTimeout(timer)
  })
  const [, rerender] = useState(0)
  return check
}
/** A timer of infinite length fires at once; the answer of the running check starts another timer. */
const MAX_TIMER_MS = 2_000_000
