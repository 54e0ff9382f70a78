import { useCallback, useEffect, useRef, useState } from 'react'
import type { LedgerLine } from '../../../api/contract/control/ledger.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'

/**
 * The lines of one account, newest first, loaded page by page while the user scrolls. Lines never change: when the account
 * changes, only the newest lines are loaded and put before the known ones.
 */

export const PAGE = 1_000
const NEWEST = 200

interface EntriesRead {
  readonly lines: readonly LedgerLine[]
  readonly total: number | undefined
  readonly error: unknown
}

const NONE: EntriesRead & { query?: string } = { lines: [], total: undefined, error: undefined }

export function useEntries(account_uid: string, at: string | undefined): EntriesRead & { readonly more: () => void } {
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  const query = `${account_uid} ${at}`
  const [read, setRead] = useState(NONE)
  const more = useRef(() => {})

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `everything` means that any line may have changed.
  useEffect(() => {
    let isStale = false
    let isBusy = false
    let hasChanged = false
    let wantsMore = false
    let known: EntriesRead = NONE
    const show = (entries: EntriesRead) => {
      if (isStale) return
      known = entries
      setRead({ ...entries, query })
    }
    const load = async (limit: number, offset = 0) => {
      const { data, total_count } = await sandbox['ledger.lines']({
        account_uid,
        limit,
        offset,
        ...(at === undefined ? {} : { at }),
      })
      return { data, show: (lines: readonly LedgerLine[]) => show({ lines, total: total_count, error: undefined }) }
    }
    const readPage = async (offset: number) => {
      const page = await load(PAGE, offset)
      page.show(offset === 0 ? page.data : dropDuplicates([...known.lines, ...page.data]))
    }
    const readNewest = async () => {
      const page = await load(NEWEST)
      const lines = joinLines(page.data, known.lines)
      if (lines) page.show(lines)
      else await readPage(0)
    }
    /** Reads until nothing is missing: one call at a time. */
    const work = async () => {
      if (isBusy) return
      isBusy = true
      try {
        while (!isStale) {
          const isWhole = known.total !== undefined && known.lines.length >= known.total
          if (known.total === undefined) await readPage(0)
          else if (hasChanged) {
            hasChanged = false
            await readNewest()
          } else if (wantsMore && !isWhole) {
            wantsMore = false
            await readPage(known.lines.length)
          } else break
        }
      } catch (error) {
        show({ ...known, error })
      }
      isBusy = false
    }
    void work()
    more.current = () => {
      wantsMore = true
      void work()
    }
    const stop = useFeed.subscribe(({ versions, changed }, before) => {
      if (at !== undefined || versions['*'] !== before.versions['*'] || changed?.includes(account_uid) === false) return
      if (changed === before.changed) return
      hasChanged = true
      void work()
    })
    return () => {
      isStale = true
      stop()
    }
  }, [account_uid, at, everything])

  const loadMore = useCallback(() => more.current(), [])
  return { ...(read.query === query ? read : NONE), more: loadMore }
}

/** The newest lines followed by the known ones; undefined if there is a gap between them. */
export function joinLines(newest: readonly LedgerLine[], known: readonly LedgerLine[]): LedgerLine[] | undefined {
  if (known.length === 0) return newest.length < NEWEST ? [...newest] : undefined
  const until = newest.findIndex(({ uid }) => uid === known[0]!.uid)
  return until < 0 ? undefined : [...newest.slice(0, until), ...known]
}

/** Pages overlap when a line is added between two loads. */
const dropDuplicates = (lines: readonly LedgerLine[]) => [...new Map(lines.map((line) => [line.uid, line])).values()]
