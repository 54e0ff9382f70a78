import * as fs from 'node:fs'

/** Types that statfs(2) reports on Linux for file systems that another kernel may use at the same time. */
const NETWORK_SHARES: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9p',
  // sshfs, and the folders that a virtual machine shares with its host (virtiofs). Local ones have the same type.
  1702057286: 'FUSE',
  12805120: 'Ceph',
  1397113167: 'AFS',
  1799439955: 'AFS',
  1937076805: 'Coda',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  428016422: 'BeeGFS',
  18225520: 'GFS2',
  1952539503: 'OCFS2',
  2020557398: 'VirtualBox',
  3133910204: 'VMware',
}

type StatFs = (path: string) => { readonly type: number }

const statfsOfSystem: StatFs = (path) => fs.statfsSync(path)
let statfs = statfsOfSystem

/** For tests. Without an argument the system is asked again. */
export function replaceStatFs(other: StatFs = statfsOfSystem) {
  statfs = other
}

/** The kind of network share that holds a folder; undefined for a local disk. macOS does not tell. */
export function networkShare(folder: string): string | undefined {
  if (process.platform === 'win32') return folder.startsWith('\\\\') ? 'SMB' : undefined
  // The type is a signed number on some machines.
  if (process.platform === 'linux') return NETWORK_SHARES[statfs(folder).type >>> 0]
  return undefined
}
