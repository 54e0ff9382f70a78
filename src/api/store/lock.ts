import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { identifyProcess } from '../system/processes.ts'
import { findOwner, openLockSocket, type Peer } from './lock-socket.ts'
import { StoreError } from './store-error.ts'

/**
 * One process per data folder. A socket in the folder decides between the processes of one kernel, also in different containers.
 * Returns a function that unlocks.
 */
async function lockFolder(folder: string, report: ReportRemark): Promise<() => void> {
  const path = realpathSync(folder)
  const lock = await openLockSocket(path)
  if (!lock) {
    report(
      `The data folder ${folder} opens without a lock, as no socket can be used in it: nothing keeps a second process away, so open it with one at a time`,
    )
    return () => {}
  }
  if ('name' in lock) throw refusal(folder, path, lock)
  if (lock.elsewhere !== undefined)
    report(
      `The data folder ${folder} was open on another machine, which did not close it: if it is still open there, close one of the two, as the lock keeps only processes of one machine apart; else delete ${join(path, lock.elsewhere)}`,
      'after crash',
    )
  return lock.close
}

/** Throws a StoreError if another process has the folder open. Changes nothing in it. `otherwise`: what else helps than to stop it. */
export async function requireFree(folder: string, otherwise = ''): Promise<void> {
  const path = realpathSync(folder)
  const owner = await findOwner(path)
  if (owner) throw refusal(folder, path, owner, otherwise)
}

function refusal(
  folder: string,
  path: string,
  peer: Peer,
  otherwise = ', or pass --data with another folder',
): StoreError {
  const hint = peer.code ? `; if that process does not use it, delete ${join(path, peer.name)}` : ''
  return new StoreError(`The data folder ${folder} is in use by ${describe(peer)}: stop that one${otherwise}${hint}`)
}

function describe({ answer, name }: Peer): string {
  if (answer) {
    const isHere = answer.pid_namespace === identifyProcess(process.pid).pid_namespace
    return `process ${answer.pid}${isHere ? '' : ` of another container (${answer.host})`}`
  }
  const [, pid] = /\.(\d+)\.sock$/.exec(name) ?? []
  return pid === undefined ? 'a process that does not answer' : `process ${pid}, which does not answer`
}

/** Gets remarks on a data folder; `after crash` if the process that had it before did not close it. */
export type ReportRemark = (line: string, about?: 'after crash') => void

type Lock = (folder: string, report: ReportRemark) => Promise<() => void> | (() => void)

/** The lock in use. */
export let lock: Lock = lockFolder

/** For simulations, whose data folders are not on a disk. Without an argument the lock of the system is used again. */
export function replaceLock(other: Lock = lockFolder) {
  lock = other
}
