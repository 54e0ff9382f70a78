import { useEffect, useState } from 'react'
import type { LedgerAccount } from '../../../api/contract/control/ledger.ts'
import { useFeed } from '../../data/feed.ts'
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
    let missed = false
    const load = async (uid?: readonly string[]) => {
      const input = { program_uid, ...(uid ? { uid: [...uid] } : {}), ...(at === undefined ? {} : { at }) }
      const { accounts } = await sandbox['ledger.accounts'](input)
      if (isStale) return
      known = uid && known ? mergeAccounts(known, accounts) : accounts
      setRead({ accounts: known, error: undefined, query })
    }
    const showError = (error: unknown) => {
      if (!isStale) setRead((was) => ({ ...(was.query === query ? was : NONE), error, query }))
    }
    // The first answer may lack a change that was made while it was on its way.
    load()
      .then(() => (missed && !isStale ? load() : undefined))
      .catch(showError)
    const stop = useFeed.subscribe(({ versions, changed }, before) => {
      if (at !== undefined || versions['*'] !== before.versions['*']) return
      if (WATCHED.every((name) => versions[name] === before.versions[name])) return
      if (!known) {
        missed = true
        return
      }
      if (changed === null) return void load().catch(showError)
      const uids = new Set(changed)
      for (const { uid, customer_uid } of known) if (uids.has(customer_uid)) uids.add(uid)
      load(uids.size > MAX_UIDS ? undefined : [...uids]).catch(showError)
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
