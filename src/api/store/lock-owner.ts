import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { StoreError } from './store-error.ts'

/** The process that has a data folder open, as its socket and its lock file describe it. null: this system does not tell. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** Changes with each start of the machine. All containers of a machine have the same one. */
  readonly boot_id: string | null
  readonly pid_namespace: string | null
  /** When the process began, in ticks since the start of the machine: with the pid it identifies a process. */
  readonly process_start: string | null
  /** When it locked the folder. */
  readonly started_at: string
}

/** The lock file of the first versions had the pid only. */
export type StoredOwner = Pick<LockOwner, 'pid'> & Partial<LockOwner>

const BOOT_ID = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const PID_NAMESPACE = readOrNull(() => readlinkSync('/proc/self/ns/pid'))

export const thisProcess = (): LockOwner => ({
  pid: process.pid,
  host: hostname(),
  boot_id: BOOT_ID,
  pid_namespace: PID_NAMESPACE,
  process_start: readProcess(process.pid)?.start ?? null,
  started_at: new Date(Date.now()).toISOString(),
})

/** Without a boot id on both sides, the host names decide. */
export function isOfOtherMachine({ boot_id, host }: StoredOwner): boolean {
  if (boot_id && BOOT_ID) return boot_id !== BOOT_ID
  return host !== undefined && host !== hostname()
}

/** The machine was restarted since, so no process of that time is left. Only known with boot ids. */
export const isOfEarlierBoot = ({ boot_id }: StoredOwner): boolean => !!boot_id && !!BOOT_ID && boot_id !== BOOT_ID

/** Its pid means nothing here, so only its socket tells whether it is alive. */
export const isInOtherNamespace = ({ pid_namespace }: StoredOwner): boolean =>
  !!pid_namespace && !!PID_NAMESPACE && pid_namespace !== PID_NAMESPACE

/** Whether the process with that pid is this owner: no zombie, and no later process with a recycled pid. */
export function isRunning({ pid, process_start }: StoredOwner): boolean {
  // A lock without a start time and with our pid is of an earlier container: there the sandbox often has pid 1.
  if (pid === process.pid && !process_start) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const found = readProcess(pid)
  if (!found) return true
  return !'ZX'.includes(found.state) && (!process_start || process_start === found.start)
}

/** See proc(5). The second field is the name in brackets, which may have blanks and brackets, too. */
function readProcess(pid: number): { state: string; start: string } | undefined {
  const text = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const [state, ...rest] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return state && rest[18] ? { state, start: rest[18] } : undefined
}

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

function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
