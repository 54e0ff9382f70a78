import { useEffect, useRef, useState } from 'react'
import type { LedgerCheck } from '../../api/contract/control/ledger.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'

const PAUSE_MS = 2_000
/** Of the sandbox's time, proving the books takes a small part: a large world is asked less often. */
const LOAD_DIVISOR = 20

/** What both books prove to be: asked anew when a line was written, one question at a time, and not on the way of an advance. */
export function useLedgerCheck(): LedgerCheck | 'unknown' | 'unanswered' {
  const [proof, setProof] = useState<LedgerCheck | 'unknown' | 'unanswered'>('unknown')
  const ready = useFeed((feed) => feed.connection === 'live' && feed.progress === null)
  const lines = useFeed(({ versions: v }) =>
    ['*', 'synthetic_line_items', 'custodial_line_items'].map((name) => v[name] ?? 0).join(),
  )
  const asked = useRef<string | null>(null)
  const free = useRef(0)
  useEffect(() => {
    if (!ready || asked.current === lines) return
    const timer = setTimeout(
      async () => {
        asked.current = lines
        // Until it has answered nobody asks again.
        free.current = Number.POSITIVE_INFINITY
        const begun = performance.now()
        try {
          setProof(await sandbox['ledger.check']({}))
        } catch {
          setProof('unanswered')
        }
        const now = performance.now()
        free.current = now + Math.max(PAUSE_MS, (now - begun) * LOAD_DIVISOR)
        again((n) => n + 1)
      },
      Math.max(0, Math.min(free.current - performance.now(), MAX_TIMER_MS)),
    )
    return () => clearTimeout(timer)
  })
  const [, again] = useState(0)
  return proof
}
/** A timer of infinite length would fire at once; the answer sets another one. */
const MAX_TIMER_MS = 2_000_000
