import { useEffect, useState } from 'react'
import type { LedgerAccount } from '../../../api/contract/control/ledger.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'

/**
 * All accounts of a Program, in both books. They are read once; afterwards only those are asked for that a commit has
 * changed, so that thousands cost no more than a few. As of an earlier instant nothing changes.
 */

export interface AccountsRead {
  readonly accounts: readonly LedgerAccount[] | undefined
  readonly error: unknown
}

const MAX_UIDS = 10_000
const NONE: AccountsRead & { question?: string } = { accounts: undefined, error: undefined }
const WATCHED = ['synthetic_accounts', 'custodial_accounts', 'customers'] as const

export function useAccounts(program_uid: string | undefined, at: string | undefined): AccountsRead {
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  const question = `${program_uid} ${at}`
  const [read, setRead] = useState(NONE)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `everything` says that all may have changed.
  useEffect(() => {
    if (program_uid === undefined) return
    let late = false
    let known: readonly LedgerAccount[] | undefined
    let missed = false
    const ask = async (uid?: readonly string[]) => {
      const of = { program_uid, ...(uid ? { uid: [...uid] } : {}), ...(at === undefined ? {} : { at }) }
      const { accounts } = await sandbox['ledger.accounts'](of)
      if (late) return
      known = uid && known ? mergeAccounts(known, accounts) : accounts
      setRead({ accounts: known, error: undefined, question })
    }
    const failed = (error: unknown) => {
      if (!late) setRead((was) => ({ ...(was.question === question ? was : NONE), error, question }))
    }
    // What changes while the first answer is on its way may not be in it.
    ask()
      .then(() => (missed && !late ? ask() : undefined))
      .catch(failed)
    const stop = useFeed.subscribe(({ versions, changed }, before) => {
      if (at !== undefined || versions['*'] !== before.versions['*']) return
      if (WATCHED.every((name) => versions[name] === before.versions[name])) return
      if (!known) {
        missed = true
        return
      }
      const uids = new Set(changed)
      for (const { uid, customer_uid } of known) if (uids.has(customer_uid)) uids.add(uid)
      ask(uids.size > MAX_UIDS ? undefined : [...uids]).catch(failed)
    })
    return () => {
      late = true
      stop()
    }
  }, [program_uid, at, everything])

  return read.question === question ? read : NONE
}

/** Known ones change in their place; new ones come last, as they were made last. */
export function mergeAccounts(known: readonly LedgerAccount[], changed: readonly LedgerAccount[]): LedgerAccount[] {
  const latest = new Map(changed.map((account) => [account.uid, account]))
  const kept = known.map((account) => {
    const newer = latest.get(account.uid)
    latest.delete(account.uid)
    return newer ?? account
  })
  return [...kept, ...latest.values()]
}
