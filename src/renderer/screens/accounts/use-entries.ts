import { useCallback, useEffect, useRef, useState } from 'react'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'

/**
 * The lines of one account, the newest first: a page at a time, as far as somebody scrolls. A line is never edited, so
 * when the account moves only the newest are asked for, and set before those that are known.
 */

export const PAGE = 1_000
const NEWEST = 200

export interface EntriesRead {
  readonly lines: readonly LedgerLine[]
  readonly total: number | undefined
  readonly error: unknown
}

const NONE: EntriesRead & { question?: string } = { lines: [], total: undefined, error: undefined }

export function useEntries(account_uid: string, at: string | undefined): EntriesRead & { readonly more: () => void } {
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  const question = `${account_uid} ${at}`
  const [read, setRead] = useState(NONE)
  const more = useRef(() => {})

  // biome-ignore lint/correctness/useExhaustiveDependencies: `everything` says that all may have changed.
  useEffect(() => {
    let late = false
    let busy = false
    let known: EntriesRead = NONE
    const tell = (told: EntriesRead) => {
      if (late) return
      known = told
      setRead({ ...told, question })
    }
    const ask = (limit: number, offset = 0) =>
      sandbox['ledger.lines']({ account_uid, limit, offset, ...(at === undefined ? {} : { at }) })
    const readPage = async (offset: number) => {
      const { data, total_count } = await ask(PAGE, offset)
      const lines = offset === 0 ? data : dropDuplicates([...known.lines, ...data])
      tell({ lines, total: total_count, error: undefined })
    }
    const readNewest = async () => {
      const { data, total_count } = await ask(NEWEST)
      const lines = joinLines(data, known.lines)
      if (lines) tell({ lines, total: total_count, error: undefined })
      else await readPage(0)
    }
    /** One at a time; what is asked for meanwhile is asked for again by scrolling, or by the next commit. */
    const alone = async (work: () => Promise<void>) => {
      if (busy) return
      busy = true
      try {
        await work()
      } catch (error) {
        tell({ ...known, error })
      }
      busy = false
    }
    let missed = false
    const follow = async () => {
      if (busy) {
        missed = true
        return
      }
      await alone(readNewest)
      if (missed && !late) {
        missed = false
        await follow()
      }
    }
    void alone(() => readPage(0)).then(() => (missed ? follow() : undefined))
    more.current = () => {
      if (known.total !== undefined && known.lines.length < known.total) void alone(() => readPage(known.lines.length))
    }
    const stop = useFeed.subscribe(({ versions, changed }, before) => {
      if (at !== undefined || versions['*'] !== before.versions['*'] || !changed.includes(account_uid)) return
      if (changed !== before.changed) void follow()
    })
    return () => {
      late = true
      stop()
    }
  }, [account_uid, at, everything])

  const ask = useCallback(() => more.current(), [])
  return { ...(read.question === question ? read : NONE), more: ask }
}

/** The newest before the known ones; undefined when there is a gap between them. */
export function joinLines(newest: readonly LedgerLine[], known: readonly LedgerLine[]): LedgerLine[] | undefined {
  if (known.length === 0) return newest.length < NEWEST ? [...newest] : undefined
  const until = newest.findIndex(({ uid }) => uid === known[0]!.uid)
  return until < 0 ? undefined : [...newest.slice(0, until), ...known]
}

/** Pages overlap when a line arrives between them. */
const dropDuplicates = (lines: readonly LedgerLine[]) => [...new Map(lines.map((line) => [line.uid, line])).values()]
