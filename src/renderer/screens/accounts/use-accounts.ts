import { useEffect, useState } from 'react'
import type { LedgerAccount } from '../../../api/contract/control/ledger.ts'
import { useFeed } from '../../data/feed.ts'
import { runPaced } from '../../data/run-paced.ts'
import { sandbox } from '../../data/sandbox.ts'

/**
 * All accounts of a Program in both books. They are read once; then a commit reloads only the accounts that it changed,
 * so that thousands cost no more than a few. Past balances (`at`) never change.
 */

interface AccountsRead {
  readonly accounts: readonly LedgerAccount[] | undefined
  readonly error: unknown
}

const MAX_UIDS = 10_000
const NONE: AccountsRead & { query?: string } = { accounts: undefined, error: undefined }
const WATCHED = ['synthetic_accounts', 'custodial_accounts', 'customers'] as const

export function useAccounts(program_uid: string | undefined, at: string | undefined): AccountsRead {
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  const query = `${program_uid} ${at}`
  const [read, setRead] = useState(NONE)

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
        if (!isStale) setRead((was) => ({ ...(was.query === query ? was : NONE), error, query }))
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

  return read.query === query ? read : NONE
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
