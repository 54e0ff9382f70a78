import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTemporaryFolder, removeTemporaryFolder } from '../system/temporary-folders.ts'
import type { LockOwner } from './lock-owner.ts'

/**
 * The lock between processes of one kernel. Each process that wants a folder listens on a socket of its own in it, then connects to
 * all others. The kernel finds a socket through its inode, so this works across pid, network and mount namespaces; a dead, zombie or
 * killed process listens on none, and a recycled pid does not matter.
 *
 * A process owns the folder after it has found no living other since it listens itself. Of two owners, the one that began to listen
 * later would have found the other, so there is one at most. Among starters the lowest name goes on, and the others step back.
 *
 * A name appears once its socket listens: it is bound under another name and renamed. So a refused connection means that the process
 * is gone, also for a moment between bind and listen. As names are never reused, a dead one can be deleted without a race.
 */

interface LockSocket {
  close(): void
}

/** The folder belongs to another process, which may not have answered. `path` is the file to delete if it does not exist any more. */
interface OtherOwner {
  readonly other: LockOwner | undefined
  readonly path?: string
}

type State = 'starting' | 'owner'
interface Peer {
  readonly name: string
  /** undefined: it is alive but did not answer, because its event loop is busy or it is another user's. */
  readonly answer?: LockOwner & { readonly state: State }
  readonly code?: string
}

/** A process that accepts a connection but answers nothing for so long counts as the owner. */
const ANSWER_WITHIN_MS = 2_000
/** Starters step back and try again for so long. */
const TRY_FOR_MS = 10_000
/** `sun_path` has 104 bytes on macOS and 108 on Linux, with a zero at the end. Node cuts longer paths without an error. */
const LONGEST_PATH = 103
const LONGEST_NAME = `lock.${'x'.repeat(8)}.${'x'.repeat(17)}.sock.new`

/** undefined if the file system has no sockets, or the folder cannot be written. */
export async function openLockSocket(
  folder: string,
  owner: LockOwner,
  { isShare }: { isShare: boolean },
): Promise<LockSocket | OtherOwner | undefined> {
  if (process.platform === 'win32') return openLockPipe(folder, owner)
  const machine = hash(owner.boot_id ?? owner.host)
  // Sockets of other machines on a network share cannot be asked, so they are left alone.
  const isPeer = (name: string) => name.startsWith(isShare ? `lock.${machine}.` : 'lock.') && /\.sock$/.test(name)
  const directory = shortPath(folder)
  if (!directory) return undefined
  try {
    for (const deadline = Date.now() + TRY_FOR_MS; ; ) {
      // The time comes first, so that a process that tries again is behind those that still try.
      const name = `lock.${machine}.${Date.now().toString(36)}${randomBytes(4).toString('hex')}.sock`
      const socket = await listen(folder, directory.path, name, owner)
      if (!socket) return undefined
      if (socket === 'removed') continue
      const first = await findPeer(folder, directory.path, name, isPeer)
      if (!first) {
        socket.state = 'owner'
        await removeUnfinished(folder, directory.path)
        return { close: socket.close }
      }
      socket.close()
      if (first.answer?.state !== 'starting' || Date.now() > deadline)
        return { other: first.answer, ...(first.code ? { path: join(folder, first.name) } : {}) }
      await wait(10 + Math.random() * 40)
    }
  } finally {
    directory.remove()
  }
}

/** The process that has the folder open, or is about to. Changes nothing in it. */
export async function findOwner(folder: string): Promise<OtherOwner | undefined> {
  if (process.platform === 'win32') {
    const { answer, code } = await readAnswer(pipePath(folder))
    return answer || code === 'timeout' ? { other: answer } : undefined
  }
  const directory = shortPath(folder)
  if (!directory) return undefined
  try {
    const names = readdirSync(folder).filter((name) => /^lock\..*\.sock$/.test(name))
    const peers = await Promise.all(names.map((name) => ask(folder, directory.path, name, () => {})))
    const peer = peers.find((one) => !!one)
    return peer && { other: peer.answer, ...(peer.code ? { path: join(folder, peer.name) } : {}) }
  } finally {
    directory.remove()
  }
}

/** Returns an owner, or a starter with a lower name; undefined once no other process is left. */
async function findPeer(
  folder: string,
  directory: string,
  own: string,
  isPeer: (name: string) => boolean,
): Promise<Peer | undefined> {
  for (;;) {
    const names = readdirSync(folder).filter((name) => name !== own && isPeer(name))
    const peers = (await Promise.all(names.map((name) => ask(folder, directory, name)))).filter((peer) => !!peer)
    if (peers.length === 0) return undefined
    const first = peers.find(({ answer }) => answer?.state !== 'starting') ?? peers.find(({ name }) => name < own)
    if (first) return first
    await wait(5)
  }
}

/** Returns undefined if no process listens there, and deletes the dead socket. */
async function ask(
  folder: string,
  directory: string,
  name: string,
  deleteDead = () => rmSync(join(folder, name), { force: true }),
): Promise<Peer | undefined> {
  for (const deadline = Date.now() + ANSWER_WITHIN_MS; ; await wait(20)) {
    const { answer, code } = await readAnswer(join(directory, name))
    if (answer) return { name, answer }
    if (code && DEAD.includes(code)) {
      deleteDead()
      return undefined
    }
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
function readAnswer(path: string): Promise<{ answer: Peer['answer']; code: string | undefined }> {
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

function parseAnswer(text: string): Peer['answer'] {
  try {
    return JSON.parse(text) as Peer['answer']
  } catch {
    return undefined
  }
}

/** A process that was killed between bind and listen leaves a socket under its first name. */
async function removeUnfinished(folder: string, directory: string) {
  const names = readdirSync(folder).filter((name) => /^lock\..*\.sock\.new$/.test(name))
  await Promise.all(names.map((name) => ask(folder, directory, name)))
}

/** Returns undefined if no socket can be bound here, `removed` if the owner deleted it between bind and listen. */
async function listen(folder: string, directory: string, name: string, owner: LockOwner) {
  const self = { ...owner, state: 'starting' as State }
  const server = createLockServer(self)
  try {
    await listening(server, join(directory, `${name}.new`))
    renameSync(join(folder, `${name}.new`), join(folder, name))
  } catch (error) {
    server.close()
    rmSync(join(folder, `${name}.new`), { force: true })
    const { syscall, code } = error as NodeJS.ErrnoException
    return syscall === 'rename' && code === 'ENOENT' ? 'removed' : undefined
  }
  return Object.assign(self, {
    // libuv deletes the path that it bound, which is the one before the rename.
    close() {
      rmSync(join(folder, name), { force: true })
      server.close()
    },
  })
}

/** Sends one line to each process that connects. Does not keep this process alive. */
function createLockServer(self: object): Server {
  const server = createServer((connection) => {
    connection.on('error', () => {})
    connection
      .unref()
      .resume()
      .end(`${JSON.stringify(self)}\n`)
  })
  return server.unref()
}

const listening = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })

/** A path of the folder that is short enough for sockets: for a long one, through a symbolic link that exists during the start. */
function shortPath(folder: string): { path: string; remove(): void } | undefined {
  const isShort = (path: string) => Buffer.byteLength(join(path, LONGEST_NAME)) <= LONGEST_PATH
  if (isShort(folder)) return { path: folder, remove() {} }
  try {
    const temporary = createTemporaryFolder('lock')
    const remove = () => removeTemporaryFolder(temporary)
    const path = join(temporary, 'd')
    symlinkSync(folder, path)
    if (isShort(path)) return { path, remove }
    remove()
  } catch {}
  return undefined
}

const pipePath = (folder: string) => `\\\\.\\pipe\\sandbank-${hash(folder.toLowerCase())}`

/** Windows has no sockets in folders, but pipes: one per folder, whose name is a hash of the path. */
async function openLockPipe(folder: string, owner: LockOwner): Promise<LockSocket | OtherOwner | undefined> {
  const path = pipePath(folder)
  for (const deadline = Date.now() + TRY_FOR_MS; ; ) {
    const server = createLockServer({ ...owner, state: 'owner' satisfies State })
    try {
      await listening(server, path)
      return { close: () => void server.close() }
    } catch (error) {
      if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
      const { answer, code } = await readAnswer(path)
      // Without an answer the other process has just closed its pipe.
      if (answer || code === 'timeout' || Date.now() > deadline) return { other: answer }
      await wait(20)
    }
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
