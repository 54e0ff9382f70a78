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

/** On another machine or in another container: nothing here tells whether it runs. */
export function isElsewhere({ boot_id, pid_namespace, host }: ProcessIdentity): boolean {
  const isInOtherNamespace = !!pid_namespace && !!PID_NAMESPACE && pid_namespace !== PID_NAMESPACE
  const isOfThisBoot = !!boot_id && boot_id === BOOT_ID
  return isInOtherNamespace || (!isOfThisBoot && host !== hostname())
}

/** False if this process cannot find out. */
export function hasEnded(process: ProcessIdentity): boolean {
  const isOfEarlierBoot = !!process.boot_id && !!BOOT_ID && process.boot_id !== BOOT_ID
  return !isElsewhere(process) && (isOfEarlierBoot || !isRunning(process))
}

/** Whether the process with that pid is this one: no zombie, and no later process that got the pid. For processes that are not elsewhere. */
export function isRunning({ pid, process_start }: ProcessIdentity): boolean {
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
export const isStopped = ({ pid }: ProcessIdentity): boolean => /^[Tt]/.test(readProcess(pid)?.state ?? '')

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

/** The columns of ps, such as `ppid=,command=`. Linux seldom needs it, so that its module is loaded here. */
export function askPs(pid: number, columns: string): string {
  const { stdout } = process
    .getBuiltinModule('node:child_process')
    .spawnSync('ps', ['-o', columns, '-p', String(pid)], {
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
