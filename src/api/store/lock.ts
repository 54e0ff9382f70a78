import { realpathSync } from 'node:fs'
import { networkShare } from './file-system.ts'
import { readLockFile, requireFreeFile, takeLockFile } from './lock-file.ts'
import { refusal, thisOwner } from './lock-owner.ts'
import { findOwner, openLockSocket } from './lock-socket.ts'

/**
 * One process per data folder. A socket in the folder decides between the processes of one kernel, also in different containers
 * (lock-socket.ts). The file `lock` decides where there are no sockets, and between the machines of a network share (lock-file.ts).
 * Returns a function that unlocks.
 */
async function lockFolder(folder: string, report: ReportRemark): Promise<() => void> {
  const path = realpathSync(folder)
  const share = networkShare(path)
  const owner = thisOwner()
  const socket = await openLockSocket(path, owner, { isShare: share !== undefined })
  if (socket && 'other' in socket) throw refusal(folder, socket.other ?? (await readLockFile(path))?.owner, socket.path)
  try {
    const unlockFile = await takeLockFile(path, { ...owner, has_socket: socket !== undefined }, { folder, share })
    if (share)
      report(
        `The data folder ${folder} is on a network share (${share}). The lock is safe between processes of this machine only: open the folder on one machine at a time`,
      )
    return () => {
      unlockFile()
      socket?.close()
    }
  } catch (error) {
    socket?.close()
    throw error
  }
}

/** Throws a StoreError if another process has the folder open. Changes nothing in it. */
export async function requireFree(folder: string): Promise<void> {
  const path = realpathSync(folder)
  const found = await findOwner(path)
  if (found) throw refusal(folder, found.other ?? (await readLockFile(path))?.owner, found.path)
  await requireFreeFile(path, thisOwner(), { folder, share: networkShare(path) })
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
