import { hostname } from 'node:os'
import {
  identifyProcess,
  isInOtherNamespace,
  isOfEarlierBoot,
  type ProcessIdentity,
  type StoredProcess,
} from '../system/processes.ts'
import { StoreError } from './store-error.ts'

/** The process that has a data folder open, as its socket and its lock file describe it. */
export interface LockOwner extends ProcessIdentity {
  /** When it locked the folder. */
  readonly started_at: string
}

/** The lock file of the first versions had the pid only. */
export type StoredOwner = StoredProcess & Partial<LockOwner>

export const thisOwner = (): LockOwner => ({
  ...identifyProcess(process.pid),
  started_at: new Date(Date.now()).toISOString(),
})

/** The text for the user. `file`: what to delete if the owner does not exist any more, which this process cannot find out. */
export function refusal(folder: string, owner: StoredOwner | undefined, file?: string): StoreError {
  const start = `The data folder ${folder} is in use by ${owner ? describe(owner) : 'a process that does not answer'}`
  const hint = file ? `; if that process does not use it, delete ${file}` : ''
  return new StoreError(`${start}: stop that one, or pass --data with another folder${hint}`)
}

function describe(owner: StoredOwner): string {
  const { pid, host } = owner
  if (host !== undefined && host !== hostname()) return `process ${pid} on ${host}`
  if (isOfEarlierBoot(owner)) return `process ${pid} of another machine, or of this one before it was restarted`
  return isInOtherNamespace(owner) ? `process ${pid} of another container` : `process ${pid}`
}
