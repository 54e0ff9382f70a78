import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import { lock, requireFree } from '../../src/api/store/lock.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { buildLock, type LockResult, startLockProcess } from '../support/lock-processes.ts'
import { it } from '../support/sandbox.ts'
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

const sockets = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('lock'))
const inUse = (folder: string, who: string, otherwise = ', or pass --data with another folder') =>
  `The data folder ${folder} is in use by ${who}: stop that one${otherwise}`

/** A system that does not let this user create namespaces, e.g. in a container, cannot run these tests. */
const canUnshare = isLinux && spawnSync('unshare', ['-rpfm', '--mount-proc', 'true']).status === 0
function createLongFolder(): string {
  const folder = join(createTemporaryFolder(), 'f'.repeat(120))
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
  it('a second process is refused with the process id of the first, until that one unlocks', async ({ folder }) => {
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

  it('a second lock within one process is refused, too', async ({ folder }) => {
    await lockHere(folder)
    expect(await refusal(folder)).toBe(`StoreError: ${inUse(folder, `process ${process.pid}`)}`)
  })

  it('of 8 starts within one process at once, exactly one gets the folder', async ({ folder }) => {
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => lock(folder, () => {})))
    const [first, ...others] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    expect(others).toEqual([])
    first!()
    expect(readdirSync(folder), 'nothing is left').toEqual([])
  })

  it('the folder is the same under another name', async ({ folder }) => {
    await lockHere(folder)
    expect(await refusal(join(folder, '..', folder.split('/').at(-1)!))).toContain('is in use by')
  })

  it('the lock does not keep a process alive', async ({ folder }) => {
    const child = start(folder)
    await child.lock()
    child.child.stdin.end()
    await child.ended
    expect(await refusal(folder)).toBe('it was locked')
  })

  /** In every second round the winner is killed, so the next race is for a stale lock. */
  it('of 8 processes that start at once, exactly one gets the folder, in each of 4 rounds', async ({ folder }) => {
    let processes = Array.from({ length: 8 }, () => start(folder))
    for (let round = 0; round < 4; round++) {
      const results = await Promise.all(processes.map((process) => process.lock()))
      const winners = results.flatMap(({ isLocked }, index) => (isLocked ? [processes[index]!] : []))
      expect(winners, `round ${round}: ${JSON.stringify(results)}`).toHaveLength(1)
      const [winner] = winners
      for (const { isLocked, message } of results) if (!isLocked) expect(message).toMatch(/is in use by process \d+:/)
      if (round % 2 === 0) await winner!.unlock()
      else {
        await winner!.kill()
        processes = [...processes.filter((process) => process !== winner), start(folder)]
      }
    }
  })
})

describe('a process that ended leaves no lock', () => {
  it('a killed process', async ({ folder }) => {
    const first = start(folder)
    await first.lock()
    const left = sockets(folder)
    await first.kill()
    expect(sockets(folder), 'it could not clean up').toEqual(left)
    expect(await lockHere(folder), 'nothing is reported').toEqual([])
    for (const name of left) expect(sockets(folder), 'the dead socket is deleted').not.toContain(name)
  })

  it.runIf(isLinux)('a zombie', async () => {
    const folder = createTemporaryFolder()
    const pid = await createZombie(folder)
    expect(sockets(folder)).toEqual([expect.stringContaining(`.${pid}.sock`)])
    await lockHere(folder)
    expect(sockets(folder)).toEqual([expect.stringContaining(`.${process.pid}.sock`)])
  })

  it('a killed process whose pid is that of another process now', async ({ folder }) => {
    const first = start(folder)
    await first.lock()
    const [name = ''] = sockets(folder)
    await first.kill()
    renameSync(join(folder, name), join(folder, name.replace(String(first.child.pid), String(process.ppid))))
    await requireFree(folder)
    await lockHere(folder)
    expect(sockets(folder)).toEqual([expect.stringContaining(`.${process.pid}.sock`)])
  })

  it('a process that was killed between bind and listen', async ({ folder }) => {
    const first = start(folder)
    await first.lock()
    const [name = ''] = sockets(folder)
    renameSync(join(folder, name), join(folder, name.replace(/sock$/, 'new')))
    await first.kill()
    await lockHere(folder)
    expect(sockets(folder)).toHaveLength(1)
  })

  it('a copied folder opens, also with its sockets, or with files in place of the sockets', async ({ folder }) => {
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
})

describe('a process that is alive keeps its lock', () => {
  it('also if it does not answer, because it is busy', async ({ folder }) => {
    const first = start(folder)
    await first.lock()
    await first.block()
    expect(await refusal(folder)).toBe(
      `StoreError: ${inUse(folder, `process ${first.child.pid}, which does not answer`)}`,
    )
  })

  it.runIf(isLinux)('also if it has too many open files to accept a connection', async () => {
    const folder = createTemporaryFolder()
    const first = start(folder, { wrap: ['prlimit', '--nofile=40:40'] })
    await first.lock()
    await first.openFiles()
    expect(await refusal(folder)).toContain(inUse(folder, `process ${first.child.pid}, which does not answer`))
    expect(sockets(folder), 'its socket is not deleted').toHaveLength(1)
  })

  it.runIf(isLinux && process.getuid?.() === 0)(
    'also if it belongs to another user, and names what to delete',
    async () => {
      const folder = createTemporaryFolder()
      await lockHere(folder)
      const [name = ''] = sockets(folder)
      for (const open of [folder, built]) chmodSync(open, 0o777)
      chmodSync(join(folder, name), 0o600)
      const asNobody = start(folder, { wrap: ['setpriv', '--reuid=65534', '--clear-groups'] })
      expect(await asNobody.lock()).toMatchObject({
        message: `${inUse(folder, `process ${process.pid}, which does not answer`)}; if that process does not use it, delete ${join(folder, name)}`,
      })
    },
  )

  it.runIf(!isWindows)('in a folder whose path is longer than a socket may have', async () => {
    const folder = createLongFolder()
    const temporary = createTemporaryFolder()
    const options = { env: { TMPDIR: temporary } }
    const [first, second] = [start(folder, options), start(folder, options)]
    const { pid } = await first.lock()
    expect((await second.lock()).message).toBe(inUse(folder, `process ${pid}`))
    expect(readdirSync(temporary), 'no link is left').toEqual([])
    await first.kill()
    expect(await second.lock()).toMatchObject({ isLocked: true })
  })

  it('for a check, which changes nothing', async ({ folder }) => {
    await lockHere(folder)
    const before = readdirSync(folder)
    await expect(requireFree(folder)).rejects.toThrow(inUse(folder, `process ${process.pid}`, ''))
    expect(readdirSync(folder)).toEqual(before)
  })

  it.runIf(canUnshare)('in another pid namespace, where both have the pid 1', async () => {
    const folder = createTemporaryFolder()
    const wrap = ['unshare', '-rpf', '--kill-child', '--mount-proc']
    const [first, second] = [start(folder, { wrap }), start(folder, { wrap })]
    expect(await first.lock()).toEqual({ pid: 1, isLocked: true })
    expect(await second.lock()).toMatchObject({
      message: inUse(folder, `process 1 of another container (${hostname()})`),
    })
    expect(await refusal(folder), 'outside of both').toContain('process 1 of another container')
    await first.unlock()
    expect(await second.lock()).toEqual({ pid: 1, isLocked: true })
  })
})

describe.runIf(!isWindows)('where sockets cannot be used', () => {
  const remark = (folder: string) =>
    `The data folder ${folder} opens without a lock, as no socket can be used in it: nothing keeps a second process away, so open it with one at a time`

  async function opensWithRemark(folder: string) {
    expect(await lockHere(folder)).toEqual([remark(folder)])
    expect(readdirSync(folder), 'nothing is left').toEqual([])
  }

  it.runIf(canUnshare)('a folder opens and says so if its file system has no sockets', async () => {
    const folder = createTemporaryFolder()
    const script = `mount -t mqueue none "${folder}" && exec "$@"`
    const child = start(folder, { wrap: ['unshare', '-rmi', 'sh', '-c', script, 'sh'] })
    expect(await child.lock()).toMatchObject({ isLocked: true, remarks: [remark(folder)] })
  })

  it('a folder opens and says so if its file system has sockets that no process can connect to', async () => {
    const elsewhere = createTemporaryFolder()
    const { listen } = Server.prototype
    const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, path) {
      writeFileSync(String(path), '')
      return listen.call(this, join(elsewhere, basename(String(path))))
    })
    onTestFinished(() => spy.mockRestore())
    await opensWithRemark(createTemporaryFolder())
  })

  it('a folder opens and says so if no path of it is short enough', async () => {
    vi.stubEnv('TMPDIR', createLongFolder())
    onTestFinished(() => void vi.unstubAllEnvs())
    await opensWithRemark(createLongFolder())
  })
})

describe.runIf(!isWindows)('on a network share', () => {
  /** The socket of a process that was killed, under the name that another machine or another start of this one gives it. */
  async function leaveSocket(folder: string, rename: (machine: string) => string) {
    const first = start(folder)
    await first.lock()
    const [name = ''] = sockets(folder)
    await first.kill()
    const parts = name.split('.')
    parts[2] = rename(parts[2]!)
    renameSync(join(folder, name), join(folder, parts.join('.')))
  }

  it('a start after another machine, which did not close the folder, says what the lock cannot do, and leaves its socket until it is deleted', async () => {
    const folder = createTemporaryFolder()
    await leaveSocket(folder, () => '~~~~')
    const reports: unknown[] = []
    const [other = ''] = sockets(folder)
    const unlock = await lock(folder, (...remark) => void reports.push(remark))
    expect(reports).toEqual([
      [
        `The data folder ${folder} was open on another machine, which did not close it: if it is still open there, close one of the two, as the lock keeps only processes of one machine apart; else delete ${join(folder, other)}`,
        'after crash',
      ],
    ])
    expect(sockets(folder)).toContain(other)
    unlock()
    expect(sockets(folder)).toEqual([other])
    rmSync(join(folder, other))
    expect(await lockHere(folder)).toEqual([])
  })

  it.each([
    ['this machine before its restart', (machine: string) => `~~${machine.slice(2)}`],
    ['a container of this machine', (machine: string) => `${machine.slice(0, 2)}~~`],
  ])('a start after %s says nothing', async (_name, rename) => {
    const folder = createTemporaryFolder()
    await leaveSocket(folder, rename)
    expect(await lockHere(folder)).toEqual([])
    expect(sockets(folder)).toHaveLength(1)
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
