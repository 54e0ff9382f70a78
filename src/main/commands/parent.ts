import { fstatSync, readFileSync } from 'node:fs'
import { askPs, identifyProcess, isRunning, type ProcessIdentity, readProcess } from '../../api/system/processes.ts'

/**
 * A server that another program started ends when that program is gone. A program is gone when
 *
 * - it was connected by a pipe to stdin that closes after the server listens, or by an IPC channel that closes at any time;
 * - the process that started the server has ended. A shell does not count: it may exit after `serve &`. Nor does a program that
 *   gave the server a process group of its own (`setsid`, `detached: true`), or the first process of the system.
 *
 * npm and npx stand between: the program that started them counts, too (on Linux, where other processes can be read).
 */
interface ParentWatch {
  /** Call it once the server listens. */
  onEnd(end: () => void): void
}

const POLL_MS = 500

export function watchParent(): ParentWatch {
  const links = findLinks()
  let hasEnded = false
  let isListening = false
  let isGone = false
  let end = () => {}
  const finish = () => {
    if (hasEnded || !isListening) return
    hasEnded = true
    end()
  }
  if (isPipe()) {
    // A pipe that was closed from the beginning says nothing.
    process.stdin.once('end', finish).once('error', finish).resume()
    ;(process.stdin as { unref?: () => void }).unref?.()
  }
  process.once('disconnect', () => {
    isGone = true
    finish()
  })
  return {
    onEnd(work) {
      end = work
      isListening = true
      if (isGone) finish()
      if (links.length === 0) return
      setInterval(() => {
        if (links.some(isBroken)) finish()
      }, POLL_MS).unref()
    },
  }
}

function isPipe(): boolean {
  try {
    const stdin = fstatSync(0)
    return stdin.isFIFO() || stdin.isSocket()
  } catch {
    return false
  }
}

// ── Processes ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The process `pid` was started by `parent`, which is a program. */
interface Link {
  readonly pid: number
  readonly parent: ProcessIdentity
}

function isBroken({ pid, parent }: Link): boolean {
  if (process.platform === 'win32') return !isRunning(parent)
  const current = pid === process.pid ? process.ppid : readNear(pid)?.parent
  return current !== undefined && current !== parent.pid
}

interface ProcessWithCommand {
  readonly parent: number
  readonly group: number
  readonly command: string
}

const SHELL = /^-?(?:(?:ba|da|z|k|c|tc|a|fi|po|mk|rba)?sh|busybox|pwsh|powershell|cmd|nu|xonsh|elvish|login)(?:\.exe)?$/
const PACKAGE_RUNNER = /^(?:npm|npx|pnpm|pnpx|yarn|bunx?)\b|[\\/](?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?:\s|$)/
const MOST_ANCESTORS = 8

/** From this process up, through npm and the shells that npm starts, to the program that began. */
function findLinks(): Link[] {
  const first: Link = { pid: process.pid, parent: identifyProcess(process.ppid) }
  if (process.platform === 'win32') return process.ppid > 1 ? [first] : []
  if (readNear(process.pid)?.group === process.pid) return []
  const links: Link[] = []
  let link = first
  for (let at = 0; at < MOST_ANCESTORS && link.parent.pid > 1; at++) {
    const info = readNear(link.parent.pid)
    if (!info) break
    const isShell = SHELL.test(nameOf(info))
    const above = readNear(info.parent)
    if (!isShell) links.push(link)
    const isBetween = isShell ? above !== undefined && isPackageRunner(above) : isPackageRunner(info)
    if (!isBetween) break
    link = { pid: link.parent.pid, parent: identifyProcess(info.parent) }
  }
  return links
}

const nameOf = ({ command }: ProcessWithCommand) => command.split(' ')[0]!.replace(/^.*[\\/]/, '')
const isPackageRunner = ({ command }: ProcessWithCommand) => PACKAGE_RUNNER.test(command)

/** undefined if it has ended, or cannot be read: without /proc only this process and its parent are, as each costs a run of ps. */
function readNear(pid: number): ProcessWithCommand | undefined {
  const isLinux = process.platform === 'linux'
  if (!isLinux && pid !== process.pid && pid !== process.ppid) return undefined
  try {
    const command = isLinux
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : askPs(pid, 'command=')
    const found = readProcess(pid)
    return found && { parent: found.parent, group: found.group, command: command.trim() }
  } catch {
    return undefined
  }
}
