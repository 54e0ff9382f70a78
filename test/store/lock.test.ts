import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { replaceStatFs } from '../../src/api/store/file-system.ts'
import { lock } from '../../src/api/store/lock.ts'
import { openLockSocket } from '../../src/api/store/lock-socket.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { buildLock, type LockResult, startLockProcess } from '../support/lock-processes.ts'
import { waitFor } from '../support/wait.ts'

const isWindows = process.platform === 'win32'
const isLinux = process.platform === 'linux'
let built = ''
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'sandbank-lock-'))
  await buildLock(built)
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

const start = (folder: string, options?: Parameters<typeof startLockProcess>[2]) =>
  startLockProcess(built, folder, options)

/** Locks in this process, for the length of the test. Returns what it reported. */
async function lockHere(folder: string): Promise<string[]> {
  const reports: string[] = []
  onTestFinished(await lock(folder, (line) => void reports.push(line)))
  return reports
}

async function refusal(folder: string): Promise<string> {
  const result = await Promise.resolve(lock(folder, () => {})).then(
    (unlock) => {
      unlock()
      return 'it was locked'
    },
    (error: Error) => `${error.name}: ${error.message}`,
  )
  return result
}

const lockFile = (folder: string) => join(folder, 'lock')
const readLock = (folder: string) => JSON.parse(readFileSync(lockFile(folder), 'utf8'))
const writeLock = (folder: string, content: unknown) => writeFileSync(lockFile(folder), JSON.stringify(content))
const sockets = (folder: string) => readdirSync(folder).filter((name) => name.includes('.sock'))
const inUse = (folder: string, who: string) =>
  `The data folder ${folder} is in use by ${who}: stop that one, or pass --data with another folder`
const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!
const thisBoot = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
const otherBoot = '00000000-0000-4000-8000-000000000000'

/** A system that does not let this user create namespaces, e.g. in a container, cannot run these tests. */
const canUnshare = isLinux && spawnSync('unshare', ['-rpfm', '--mount-proc', 'true']).status === 0
/** No path is short enough for a socket, so the lock file alone decides. */
const LONG_NAME = 'f'.repeat(120)
const withoutSockets = { env: { TMPDIR: `/${LONG_NAME}` } }
function createFolderWithoutSockets(): string {
  const folder = join(createTemporaryFolder(), LONG_NAME)
  mkdirSync(folder)
  return folder
}

/** A child whose parent never reaps it: killed, it stays in the table of processes. */
async function createZombie(folder: string) {
  const parent = spawn(
    'sh',
    ['-c', `"${process.execPath}" "${join(built, 'process.mjs')}" "${folder}" <&3 & echo $!; exec sleep 60`],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  )
  onTestFinished(() => void parent.kill('SIGKILL'))
  let text = ''
  parent.stdout!.on('data', (chunk) => (text += chunk))
  ;(parent.stdio[3] as NodeJS.WritableStream).write('lock\n')
  await waitFor(() => expect(text.split('\n').length).toBeGreaterThan(2))
  const pid = Number(text.split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '))
  return pid
}

describe('one process per data folder', () => {
  it('a second process is refused with the process id of the first, until that one unlocks', async () => {
    const folder = createTemporaryFolder()
    const [first, second] = [start(folder), start(folder)]
    const { pid } = await first.lock()
    expect(await second.lock()).toEqual({
      pid: second.child.pid,
      isLocked: false,
      name: 'StoreError',
      message: inUse(folder, `process ${pid}`),
    })
    await first.unlock()
    expect(readdirSync(folder), 'nothing is left').toEqual([])
    expect(await second.lock()).toMatchObject({ isLocked: true })
  })

  it('machines without a boot id are told apart by their names', async () => {
    const folder = createTemporaryFolder()
    const owner = { pid: 1, boot_id: null, pid_namespace: null, process_start: null, started_at: '' }
    for (const host of ['one', 'two', 'one']) {
      const socket = await openLockSocket(folder, { ...owner, host }, { isShare: true })
      if (socket && 'close' in socket) onTestFinished(socket.close)
    }
    const machines = sockets(folder).map((name) => name.split('.')[1])
    expect([machines.length, new Set(machines).size], 'the third one is refused').toEqual([2, 2])
  })

  it('a second lock within one process is refused, too', async () => {
    const folder = createTemporaryFolder()
    await lockHere(folder)
    expect(await refusal(folder)).toBe(`StoreError: ${inUse(folder, `process ${process.pid}`)}`)
  })

  it('the folder is the same under another name', async () => {
    const folder = createTemporaryFolder()
    await lockHere(folder)
    expect(await refusal(join(folder, '..', folder.split('/').at(-1)!))).toContain('is in use by')
  })

  it('the lock does not keep a process alive', async () => {
    const folder = createTemporaryFolder()
    const child = start(folder)
    await child.lock()
    child.child.stdin.end()
    await child.ended
    expect(await refusal(folder)).toBe('it was locked')
  })

  it('of 8 processes that start at once, exactly one gets the folder, in each of 4 rounds', async () => {
    await race(createTemporaryFolder(), 8, {})
  })

  it.runIf(isLinux)('the same without sockets', async () => {
    await race(createFolderWithoutSockets(), 8, withoutSockets)
  })

  /** In every second round the winner is killed, so the next race is for a stale lock. */
  async function race(folder: string, count: number, options: Parameters<typeof start>[1]) {
    let processes = Array.from({ length: count }, () => start(folder, options))
    for (let round = 0; round < 4; round++) {
      const results = await Promise.all(processes.map((process) => process.lock()))
      const winners = results.flatMap(({ isLocked }, index) => (isLocked ? [processes[index]!] : []))
      expect(winners, `round ${round}: ${JSON.stringify(results)}`).toHaveLength(1)
      const [winner] = winners
      for (const { isLocked, message } of results)
        if (!isLocked) expect(message).toMatch(/is in use by process \d+:|Another process is taking over/)
      if (round % 2 === 0) await winner!.unlock()
      else {
        await winner!.kill()
        processes = [...processes.filter((process) => process !== winner), start(folder, options)]
      }
    }
  }
})

describe('a process that ended leaves no lock', () => {
  it('a killed process', async () => {
    const folder = createTemporaryFolder()
    const first = start(folder)
    await first.lock()
    const left = sockets(folder)
    await first.kill()
    expect(existsSync(lockFile(folder)), 'it could not clean up').toBe(true)
    await lockHere(folder)
    expect(readLock(folder).pid).toBe(process.pid)
    for (const name of left) expect(sockets(folder), 'the dead socket is deleted').not.toContain(name)
  })

  it.runIf(isLinux)('a zombie', async () => {
    const folder = createTemporaryFolder()
    const pid = await createZombie(folder)
    expect(readLock(folder).pid).toBe(pid)
    await lockHere(folder)
    expect(readLock(folder).pid).toBe(process.pid)
  })

  it.each([
    ['a process with a recycled pid', () => ({ pid: process.ppid })],
    ['process 1, which always runs', () => ({ pid: 1 })],
    ['a process with the pid of this one', () => ({ pid: process.pid })],
  ])('%s', async (_name, owner) => {
    const folder = createTemporaryFolder()
    const complete = {
      host: hostname(),
      pid_namespace: null,
      process_start: '1',
      started_at: '2026-11-01T00:00:00.000Z',
    }
    writeLock(folder, { ...owner(), ...complete, boot_id: isLinux ? thisBoot() : null, has_socket: true })
    await lockHere(folder)
    expect(readLock(folder).started_at).not.toBe(complete.started_at)
  })

  it('a process that was killed between bind and listen', async () => {
    const folder = createTemporaryFolder()
    const first = start(folder)
    await first.lock()
    const [name = ''] = sockets(folder)
    execFileSync('mv', [join(folder, name), join(folder, `${name}.new`)])
    await first.kill()
    await lockHere(folder)
    expect(sockets(folder)).toHaveLength(1)
  })

  it('a copied folder opens, also with its lock file and its sockets, or with files in place of the sockets', async () => {
    const folder = createTemporaryFolder()
    const first = start(folder)
    await first.lock()
    const copies = createTemporaryFolder()
    execFileSync('cp', ['-r', folder, join(copies, 'a')])
    cpSync(folder, join(copies, 'b'), { recursive: true, filter: (path) => !path.endsWith('.sock') })
    for (const name of sockets(folder)) writeFileSync(join(copies, 'b', name), '')
    for (const copy of ['a', 'b']) {
      await lockHere(join(copies, copy))
      expect(sockets(join(copies, copy))).toHaveLength(1)
    }
    expect(await refusal(folder), 'the original is still locked').toContain(`process ${first.child.pid}`)
  })

  it.each([['empty'], ['{"pid":'], ['null'], ['[]']])('a lock file with the content %s is replaced', async (text) => {
    const folder = createTemporaryFolder()
    writeFileSync(lockFile(folder), text === 'empty' ? '' : text)
    await lockHere(folder)
    expect(readLock(folder).pid).toBe(process.pid)
  })
})

describe('a process that is alive keeps its lock', () => {
  it('also if it does not answer, because it is busy', async () => {
    const folder = createTemporaryFolder()
    const first = start(folder)
    await first.lock()
    await first.block()
    expect(await refusal(folder)).toContain(inUse(folder, `process ${first.child.pid}`))
  })

  it.runIf(isLinux)('also if it has too many open files to accept a connection', async () => {
    const folder = createTemporaryFolder()
    const first = start(folder, { wrap: ['prlimit', '--nofile=40:40'] })
    await first.lock()
    await first.openFiles()
    expect(await refusal(folder)).toContain(inUse(folder, `process ${first.child.pid}`))
    expect(sockets(folder), 'its socket is not deleted').toHaveLength(1)
  })

  it('also if its lock file was deleted', async () => {
    const folder = createTemporaryFolder()
    await lockHere(folder)
    rmSync(lockFile(folder))
    expect(await refusal(folder)).toContain(inUse(folder, `process ${process.pid}`))
  })

  it.runIf(!isWindows)('in a folder whose path is longer than a socket may have', async () => {
    const folder = createFolderWithoutSockets()
    const temporary = createTemporaryFolder()
    const options = { env: { TMPDIR: temporary } }
    const [first, second] = [start(folder, options), start(folder, options)]
    const { pid } = await first.lock()
    expect(readLock(folder).has_socket).toBe(true)
    expect((await second.lock()).message).toBe(inUse(folder, `process ${pid}`))
    expect(readdirSync(temporary), 'no link is left').toEqual([])
    await first.kill()
    expect(await second.lock()).toMatchObject({ isLocked: true })
  })

  it.runIf(canUnshare)('in another pid namespace, where both have the pid 1', async () => {
    const folder = createTemporaryFolder()
    const wrap = ['unshare', '-rpf', '--kill-child', '--mount-proc']
    const [first, second] = [start(folder, { wrap }), start(folder, { wrap })]
    expect(await first.lock()).toEqual({ pid: 1, isLocked: true })
    expect(await second.lock()).toMatchObject({ message: inUse(folder, 'process 1 of another container') })
    expect(await refusal(folder), 'outside of both').toContain('process 1 of another container')
    await first.unlock()
    expect(await second.lock()).toEqual({ pid: 1, isLocked: true })
  })
})

describe.runIf(isLinux)('on a file system without sockets the lock file decides', () => {
  it('a second process is refused, and a killed one or a zombie leaves no lock', async () => {
    const folder = createFolderWithoutSockets()
    const [first, second] = [start(folder, withoutSockets), start(folder, withoutSockets)]
    const { pid } = await first.lock()
    expect(readLock(folder)).toMatchObject({ pid, has_socket: false })
    expect((await second.lock()).message).toBe(
      `${inUse(folder, `process ${pid}`)}; if that process does not use it, delete ${lockFile(folder)}`,
    )
    expect(await refusal(folder), 'a process that can use sockets').toContain(`in use by process ${pid}`)
    await first.kill()
    expect(await second.lock()).toMatchObject({ isLocked: true })
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  const ownerWithoutSocket = () => ({
    pid: process.ppid,
    host: hostname(),
    boot_id: thisBoot(),
    pid_namespace: null,
    process_start: startOf(process.ppid),
    started_at: '2026-11-01T00:00:00.000Z',
    has_socket: false,
  })

  it.each([
    ['a recycled pid is another process', () => ({ process_start: '1' }), 'it was locked'],
    ['a restart of the machine ended its processes', () => ({ boot_id: otherBoot }), 'it was locked'],
    [
      'a process of another container cannot be found, so its lock counts',
      () => ({ pid_namespace: 'pid:[1]' }),
      'delete',
    ],
    ['the process still runs', () => ({}), `in use by process ${process.ppid}:`],
  ])('%s', async (_name, fields, expected) => {
    const folder = createTemporaryFolder()
    writeLock(folder, { ...ownerWithoutSocket(), ...fields() })
    const text = await refusal(folder)
    expect(text).toContain(expected)
    if (expected === 'delete') expect(text).toContain(`if that process does not use it, delete ${lockFile(folder)}`)
  })
})

describe('the lock file of the first versions, which has the pid only', () => {
  it('is refused while that process lives, and names the file to delete', async () => {
    const folder = createTemporaryFolder()
    writeLock(folder, { pid: process.ppid })
    expect(await refusal(folder)).toBe(
      `StoreError: ${inUse(folder, `process ${process.ppid}`)}; if that process does not use it, delete ${lockFile(folder)}`,
    )
    expect(readLock(folder), 'it is not changed').toEqual({ pid: process.ppid })
    expect(sockets(folder)).toEqual([])
  })

  const owners: Record<string, () => Promise<number>> = {
    'a process that ended': async () => 2 ** 22 + 1,
    'this process': async () => process.pid,
    ...(isLinux ? { 'a zombie': () => createZombie(createTemporaryFolder()) } : {}),
  }
  it.each(Object.keys(owners))('of %s is replaced', async (name) => {
    const folder = createTemporaryFolder()
    writeLock(folder, { pid: await owners[name]!() })
    await lockHere(folder)
    expect(readLock(folder)).toMatchObject({ pid: process.pid, has_socket: true })
  })
})

describe.runIf(isLinux)('on a network share', () => {
  function createShare(type = 0x6969): string {
    replaceStatFs(() => ({ type }))
    onTestFinished(() => replaceStatFs())
    return createTemporaryFolder()
  }
  const owner = {
    pid: 7,
    host: 'other-machine',
    boot_id: otherBoot,
    pid_namespace: null,
    process_start: '1',
    has_socket: true,
  }

  it.each([
    ['NFS', 0x6969],
    ['CIFS', 0xff534d42],
    ['CIFS', 0xff534d42 | 0],
    ['FUSE', 0x65735546],
  ])('%s (%d): the start says what the lock cannot do there', async (kind, type) => {
    const folder = createShare(type)
    expect(await lockHere(folder)).toEqual([
      `The data folder ${folder} is on a network share (${kind}). The lock is safe between processes of this machine only: open the folder on one machine at a time`,
    ])
    expect(await refusal(folder)).toContain(inUse(folder, `process ${process.pid}`))
  })

  it('the lock of another machine is refused, names the file to delete, and its socket is left alone', async () => {
    const folder = createShare()
    writeLock(folder, owner)
    writeFileSync(join(folder, 'lock.12345678.a.sock'), '')
    const before = readdirSync(folder)
    expect(await refusal(folder)).toBe(
      `StoreError: ${inUse(folder, 'process 7 on other-machine')}; if that process does not use it, delete ${lockFile(folder)}`,
    )
    expect(readdirSync(folder)).toEqual(before)
    rmSync(lockFile(folder))
    await lockHere(folder)
  })

  it('a lock of this machine from before its restart cannot be told from one of another machine with its name', async () => {
    const folder = createShare()
    writeLock(folder, { ...owner, host: hostname() })
    expect(await refusal(folder)).toContain('process 7 of another machine, or of this one before it was restarted')
  })

  it('a killed process of this machine leaves no lock', async () => {
    const folder = createShare()
    writeLock(folder, { ...owner, host: hostname(), boot_id: thisBoot() })
    await lockHere(folder)
    expect(readLock(folder).pid).toBe(process.pid)
  })

  it('on a local disk, a lock of another machine came with a copy of the folder, or is from before a restart', async () => {
    const folder = createTemporaryFolder()
    writeLock(folder, owner)
    expect(await lockHere(folder), 'nothing is reported').toEqual([])
  })
})

describe('a folder that cannot be written', () => {
  it.runIf(isLinux && process.getuid?.() !== 0)('is refused without a lock', async () => {
    const folder = createTemporaryFolder()
    chmodSync(folder, 0o500)
    expect(await refusal(folder)).toContain('EACCES')
  })

  it.runIf(canUnshare)('is refused on a read-only file system, too', async () => {
    const folder = createTemporaryFolder()
    const script = `mount --bind "${folder}" "${folder}" && mount -o remount,ro,bind "${folder}" && exec "$@"`
    const result: LockResult = await start(folder, { wrap: ['unshare', '-rm', 'sh', '-c', script, 'sh'] }).lock()
    expect(result).toMatchObject({ isLocked: false, message: expect.stringContaining('EROFS') })
    expect(readdirSync(folder)).toEqual([])
  })
})
