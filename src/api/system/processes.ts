import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Which process something belongs to, and whether that process still runs. */

/** A pid alone may be that of a later process, or of one on another machine or in another container. null: this system does not tell. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Changes with each start of the machine. All containers of a machine have the same one. */
  readonly boot_id: string | null
  readonly pid_namespace: string | null
  /** When the process began: on Linux in ticks since the start of the machine. With the pid it identifies a process. */
  readonly process_start: string | null
}

/** As a file has it, which may lack fields. */
export type StoredProcess = Pick<ProcessIdentity, 'pid'> & Partial<ProcessIdentity>

const BOOT_ID = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const PID_NAMESPACE = readOrNull(() => readlinkSync('/proc/self/ns/pid'))

/** Of a process of this machine and this container. */
export const identifyProcess = (pid: number): ProcessIdentity => ({
  pid,
  host: hostname(),
  boot_id: BOOT_ID,
  pid_namespace: PID_NAMESPACE,
  process_start: readProcess(pid)?.start ?? null,
})

/** Without a boot id on both sides, the host names decide. */
export function isOfOtherMachine({ boot_id, host }: Partial<ProcessIdentity>): boolean {
  if (boot_id && BOOT_ID) return boot_id !== BOOT_ID
  return host !== undefined && host !== hostname()
}

/** The machine was restarted since, so no process of that time is left. Only known with boot ids. */
export const isOfEarlierBoot = ({ boot_id }: Partial<ProcessIdentity>): boolean =>
  !!boot_id && !!BOOT_ID && boot_id !== BOOT_ID

/** Its pid means nothing here. */
export const isInOtherNamespace = ({ pid_namespace }: Partial<ProcessIdentity>): boolean =>
  !!pid_namespace && !!PID_NAMESPACE && pid_namespace !== PID_NAMESPACE

/** On another machine or in another container: nothing here tells whether it runs. */
export function isElsewhere(process: ProcessIdentity): boolean {
  const isOfThisBoot = !!process.boot_id && process.boot_id === BOOT_ID
  return isInOtherNamespace(process) || (!isOfThisBoot && process.host !== hostname())
}

/** False if this process cannot find out. */
export const hasEnded = (process: ProcessIdentity): boolean =>
  !isElsewhere(process) && (isOfEarlierBoot(process) || !isRunning(process))

/** Whether the process with that pid is this one: no zombie, and no later process that got the pid. For processes that are not elsewhere. */
export function isRunning({ pid, process_start }: StoredProcess): boolean {
  // Without a start time, our own pid is that of an earlier container: there the sandbox often has pid 1.
  if (pid === process.pid && !process_start) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const found = readProcess(pid)
  if (!found) return true
  return !/^[ZX]/.test(found.state) && (!process_start || process_start === found.start)
}

/** Stopped by a signal, as with Ctrl-Z: it answers when it continues. */
export const isStopped = ({ pid }: StoredProcess): boolean => /^[Tt]/.test(readProcess(pid)?.state ?? '')

interface ProcessInfo {
  readonly parent: number
  readonly group: number
  readonly state: string
  readonly start: string
}

/** undefined if it has ended, or cannot be read. */
export function readProcess(pid: number): ProcessInfo | undefined {
  if (process.platform === 'win32') return undefined
  if (process.platform !== 'linux') return parsePs(askPs(pid, 'ppid=,pgid=,state=,lstart='))
  // See proc(5). The second field is the name in brackets, which may have blanks and brackets, too.
  const text = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const [state, parent, group, ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return state && rest[16] ? { state, parent: Number(parent), group: Number(group), start: rest[16] } : undefined
}

/** The columns of ps, such as `ppid=,command=`. */
export function askPs(pid: number, columns: string): string {
  const { stdout } = spawnSync('ps', ['-o', columns, '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  })
  return stdout ?? ''
}

export function parsePs(text: string): ProcessInfo | undefined {
  const [, parent, group, state, start] = /^(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(text.trim()) ?? []
  return start === undefined ? undefined : { parent: Number(parent), group: Number(group), state: state!, start }
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
