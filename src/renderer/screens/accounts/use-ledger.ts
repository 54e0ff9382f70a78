import { useCallback, useEffect, useRef, useState } from 'react'
import type { LedgerAccount, LedgerLine } from '../../../api/contract/control/ledger.ts'
import { useFeed } from '../../data/feed.ts'
import { runPaced } from '../../data/run-paced.ts'
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

/**
 * All accounts of a Program in both books. They are read once; then a commit reloads only the accounts that it changed,
 * so that thousands cost no more than a few. Past balances (`at`) never change.
 */

interface AccountsRead {
  readonly accounts: readonly LedgerAccount[] | undefined
  readonly error: unknown
}

const MAX_UIDS = 10_000
const NO_ACCOUNTS: AccountsRead & { query?: string } = { accounts: undefined, error: undefined }
const WATCHED = ['synthetic_accounts', 'custodial_accounts', 'customers'] as const

export function useAccounts(program_uid: string | undefined, at: string | undefined): AccountsRead {
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  const query = `${program_uid} ${at}`
  const [read, setRead] = useState(NO_ACCOUNTS)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `everything` means that any account may have changed.
  useEffect(() => {
    if (program_uid === undefined) return
    let isStale = false
    let known: readonly LedgerAccount[] | undefined
    /** What changed since the last reading; undefined is everything. */
    let missed: Set<string> | undefined
    const load = runPaced(async () => {
      if (isStale) return
      for (const { uid, customer_uid } of known ?? []) if (missed?.has(customer_uid)) missed.add(uid)
      const uid = known && missed && missed.size <= MAX_UIDS ? [...missed] : undefined
      missed = new Set()
      const input = { program_uid, ...(uid ? { uid } : {}), ...(at === undefined ? {} : { at }) }
      try {
        const { accounts } = await sandbox['ledger.accounts'](input)
        if (isStale) return
        known = uid && known ? mergeAccounts(known, accounts) : accounts
        setRead({ accounts: known, error: undefined, query })
      } catch (error) {
        missed = undefined
        if (!isStale) setRead((was) => ({ ...(was.query === query ? was : NO_ACCOUNTS), error, query }))
      }
    }, 1)
    void load()
    const stop = useFeed.subscribe(({ versions, changed }, before) => {
      if (at !== undefined || versions['*'] !== before.versions['*']) return
      if (WATCHED.every((name) => versions[name] === before.versions[name])) return
      if (changed === null) missed = undefined
      for (const uid of changed ?? []) missed?.add(uid)
      void load()
    })
    return () => {
      isStale = true
      stop()
    }
  }, [program_uid, at, everything])

  return read.query === query ? read : NO_ACCOUNTS
}

/** Replaces changed accounts in place and appends new ones, which were created last. */
export function mergeAccounts(known: readonly LedgerAccount[], changed: readonly LedgerAccount[]): LedgerAccount[] {
  const latest = new Map(changed.map((account) => [account.uid, account]))
  const updated = known.map((account) => {
    const newer = latest.get(account.uid)
    latest.delete(account.uid)
    return newer ?? account
  })
  return [...updated, ...latest.values()]
}
