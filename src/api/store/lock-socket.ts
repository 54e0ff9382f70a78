import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writePrivateFile } from '../system/private-files.ts'
import { identifyProcess, type ProcessIdentity } from '../system/processes.ts'
import { createTemporaryFolder, removeTemporaryFolder } from '../system/temporary-folders.ts'

/**
 * Each process that wants a folder listens on a socket of its own in it, then connects to all others. The kernel finds a socket through
 * its inode, so this works across pid, network and mount namespaces; a dead, zombie or killed process listens on none, and a recycled
 * pid does not matter.
 *
 * A process owns the folder after it has found no living other since it listens itself. Of two owners, the one that began to listen
 * later would have found the other, so there is one at most. Among starters the lowest name goes on, and the others step back.
 *
 * A name appears once its socket listens: it is bound under another name and renamed. So a refused connection means that the process
 * is gone, also for a moment between bind and listen. As names are never reused, a dead one can be deleted without a race.
 */

/** What a socket answers. */
type Answer = ProcessIdentity & { readonly state: 'starting' | 'owner' }

/** A living process with a socket. */
export interface Peer {
  /** Of its socket: `lock.<time and random>.<kernel and host>.<pid>.sock`. */
  readonly name: string
  /** undefined: it is alive but did not answer, because its event loop is busy or it is another user's. */
  readonly answer?: Answer
  /** Why it cannot be asked. */
  readonly code?: string
}

interface LockSocket {
  close(): void
  /** The socket of another machine, which does not answer here and stays. Or it is from a container before a restart. */
  readonly elsewhere: string | undefined
}

/** A process that accepts a connection but answers nothing for so long counts as the owner. */
const ANSWER_WITHIN_MS = 2_000
/** Starters step back and try again for so long. */
const TRY_FOR_MS = 10_000
/** `sun_path` has 104 bytes on macOS and 108 on Linux, with a zero at the end. Node cuts longer paths without an error. */
const LONGEST_PATH = 103
const LONGEST_NAME = `lock.${'x'.repeat(11)}.abcd.1234567.sock`

/** Returns the process that has the folder instead, or undefined if no socket can be reached there. Throws if it cannot be written. */
export async function openLockSocket(folder: string): Promise<LockSocket | Peer | undefined> {
  const self = identifyProcess(process.pid)
  if (process.platform === 'win32') return openLockPipe(folder, self)
  return withShortPath(folder, (directory) => openLockIn(directory, folder, self))
}

async function openLockIn(directory: string, folder: string, self: ProcessIdentity) {
  const elsewhere = listNames(directory, 'sock').find(isElsewhere)
  let unreached = 0
  for (const deadline = Date.now() + TRY_FOR_MS; ; ) {
    // The time comes first, so that a process that tries again is behind those that still try.
    const id = Date.now().toString(36) + randomBytes(2).toString('base64url')
    const name = `lock.${id}.${machineOf(self).join('')}.${process.pid}.sock`
    const answer: Answer = { ...self, state: 'starting' }
    const server = await listen(directory, name, answer)
    if (!server) {
      // An owner may have deleted it between bind and listen, but not every time.
      if (++unreached === 3) return undefined
      continue
    }
    const close = () => {
      // libuv deletes the path that it bound, which is the one before the rename.
      rmSync(join(folder, name), { force: true })
      server.close()
    }
    const first = await findFirst(directory, name)
    if (!first) {
      Object.assign(answer, { state: 'owner' })
      // A process that was killed between bind and listen leaves a socket under its first name.
      await askOrRemove(directory, listNames(directory, 'new'))
      return { close, elsewhere }
    }
    close()
    if (first.answer?.state !== 'starting' || Date.now() > deadline) return first
    await wait(10 + Math.random() * 40)
  }
}

/** The process that has the folder open, or is about to. Changes nothing in it. */
export async function findOwner(folder: string): Promise<Peer | undefined> {
  if (process.platform === 'win32') return ask(PIPES, pipeOf(folder))
  return withShortPath(folder, async (directory) => {
    const peers = await Promise.all(listNames(directory, 'sock').map((name) => ask(directory, name)))
    return peers.find((peer) => peer !== undefined)
  })
}

const listNames = (directory: string, ending: 'sock' | 'new') =>
  readdirSync(directory).filter((name) => name.startsWith('lock.') && name.endsWith(`.${ending}`))

/** The owner, or a starter with a lower name; undefined once no other process is left. */
async function findFirst(directory: string, own: string): Promise<Peer | undefined> {
  for (;;) {
    const others = listNames(directory, 'sock').filter((name) => name !== own)
    const peers = await askOrRemove(directory, others)
    if (peers.length === 0) return undefined
    const first = peers.find(({ answer }) => answer?.state !== 'starting') ?? peers.find(({ name }) => name < own)
    if (first) return first
    await wait(5)
  }
}

/** The beginnings of two hashes, of the kernel and of the host. */
const machineOf = ({ boot_id, host }: ProcessIdentity) => [hash(boot_id ?? host, 2), hash(host, 2)] as const

function isElsewhere(name: string): boolean {
  const [kernel, host] = machineOf(identifyProcess(process.pid))
  const machine = name.split('.')[2] ?? ''
  return !machine.startsWith(kernel) && !machine.endsWith(host)
}

/** The living ones. Deletes the sockets of the others, but not those of another machine: its processes still need them. */
async function askOrRemove(directory: string, names: readonly string[]): Promise<Peer[]> {
  const peers = await Promise.all(names.map((name) => ask(directory, name)))
  for (const [index, name] of names.entries())
    if (!peers[index] && !isElsewhere(name)) rmSync(join(directory, name), { force: true })
  return peers.filter((peer) => peer !== undefined)
}

/** Returns undefined if no process listens there. */
async function ask(directory: string, name: string): Promise<Peer | undefined> {
  for (const deadline = Date.now() + ANSWER_WITHIN_MS; ; await wait(20)) {
    const { answer, code } = await readAnswer(join(directory, name))
    if (answer) return { name, answer }
    if (code && DEAD.includes(code)) return undefined
    // A connection that closes without an answer: the process ends, or has too many open files to accept it.
    const isClosed = code === undefined || CLOSED.includes(code)
    if (!isClosed) return BUSY.includes(code) ? { name } : { name, code }
    if (Date.now() > deadline) return { name }
  }
}

/** ENOTSOCK: a copy of the folder has a file in place of the socket. */
const DEAD = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']
const CLOSED = ['ECONNRESET', 'EPIPE']
/** EAGAIN: so many connections wait already that the kernel accepts no more. */
const BUSY = ['timeout', 'EAGAIN']

/** Connects to the socket of a process, which sends one line. */
function readAnswer(path: string): Promise<{ answer: Answer | undefined; code: string | undefined }> {
  return new Promise((resolve) => {
    let text = ''
    let code: string | undefined
    const connection = connect(path)
    const giveUp = () => {
      code ??= 'timeout'
      connection.destroy()
    }
    // If this process was busy itself, an answer may have come: it is read before setImmediate runs.
    const timer = setTimeout(() => setImmediate(giveUp), ANSWER_WITHIN_MS)
    connection.setEncoding('utf8')
    connection.on('data', (chunk: string) => (text += chunk))
    connection.on('error', (error: NodeJS.ErrnoException) => (code = error.code))
    connection.on('close', () => {
      clearTimeout(timer)
      resolve({ answer: parseAnswer(text), code })
    })
  })
}

function parseAnswer(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return undefined
  }
}

/** Returns undefined if the socket cannot be reached. Some file systems let it be bound, but let no process connect. */
async function listen(directory: string, name: string, answer: Answer): Promise<Server | undefined> {
  const unfinished = join(directory, name.replace(/sock$/, 'new'))
  const server = createLockServer(answer)
  try {
    await once(server.listen(unfinished), 'listening')
    renameSync(unfinished, join(directory, name))
    if ((await askOrRemove(directory, [name])).length > 0) return server
    server.close()
  } catch {
    server.close()
    // Throws if the folder cannot be written. If it can, only sockets cannot be used.
    writePrivateFile(unfinished, '')
    rmSync(unfinished)
  }
  return undefined
}

/** Sends one line to each process that connects. Does not keep this process alive. */
const createLockServer = (answer: Answer) =>
  createServer((connection) => {
    connection.on('error', () => {}).unref()
    connection.resume().end(`${JSON.stringify(answer)}\n`)
  }).unref()

/** `run` gets a path of the folder that is short enough for sockets: a symbolic link for a long one. undefined if there is none. */
async function withShortPath<T>(folder: string, run: (directory: string) => Promise<T>): Promise<T | undefined> {
  const isShort = (path: string) => Buffer.byteLength(join(path, LONGEST_NAME)) <= LONGEST_PATH
  if (isShort(folder)) return run(folder)
  // With this name it is short enough in the folder for temporary files of macOS.
  const temporary = createTemporaryFolder('l')
  try {
    const link = join(temporary, 'd')
    symlinkSync(folder, link)
    return isShort(link) ? await run(link) : undefined
  } finally {
    removeTemporaryFolder(temporary)
  }
}

const PIPES = '\\\\.\\pipe'
const pipeOf = (folder: string) => `sandbank-${hash(folder.toLowerCase(), 8)}`

/** Windows has no sockets in folders, but pipes: one per folder, whose name is a hash of the path. */
async function openLockPipe(folder: string, self: ProcessIdentity): Promise<LockSocket | Peer | undefined> {
  const name = pipeOf(folder)
  for (const deadline = Date.now() + TRY_FOR_MS; ; await wait(20)) {
    const server = createLockServer({ ...self, state: 'owner' })
    try {
      await once(server.listen(`${PIPES}\\${name}`), 'listening')
      return { close: () => void server.close(), elsewhere: undefined }
    } catch (error) {
      if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
      const peer = await ask(PIPES, name)
      // Without one, the other process has just closed its pipe.
      if (peer || Date.now() > deadline) return peer ?? { name }
    }
  }
}

const hash = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length)
