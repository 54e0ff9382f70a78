import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Files, files, replaceFiles } from '../../src/api/store/files.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'

describe('a data folder', () => {
  /** The files that are open, by their number. */
  const open = new Map<number, string>()
  let refuseWrite: (path: string) => boolean

  beforeEach(() => {
    open.clear()
    refuseWrite = () => false
    const disk = { ...files }
    const counting: Files = {
      ...disk,
      open(path, flags) {
        const file = disk.open(path, flags)
        open.set(file, path)
        return file
      },
      close(file) {
        open.delete(file)
        disk.close(file)
      },
      write(file, ...rest) {
        if (refuseWrite(open.get(file)!)) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
        return disk.write(file, ...rest)
      },
    }
    replaceFiles(counting)
    onTestFinished(() => replaceFiles())
  })

  it('has no open files after it is closed, also when the start has read several segments', async () => {
    const data = createTemporaryFolder()
    const world = join(data, 'world.jsonl')
    const run = async () => {
      const sandbox = await startSandbox({ data, durability: 'fsync' })
      const { body } = await sandbox.client().post<{ uid: string }>('/customers', {})
      await sandbox.close()
      expect([...open.values()]).toEqual([])
      return body.uid
    }
    await run()
    const old = join(createTemporaryFolder(), 'world.jsonl')
    copyFileSync(world, old)
    const uids = [await run(), await run()]
    copyFileSync(old, world)
    const sandbox = await startSandbox({ data, durability: 'fsync' })
    for (const uid of uids) expect((await sandbox.client().get(`/customers/${uid}`)).status).toBe(200)
    await sandbox.close()
    expect([...open.values()]).toEqual([])
  })

  it('has no open files after a start that the full disk refuses', async () => {
    refuseWrite = (path) => path.includes('changes')
    await expect(startSandbox({ data: createTemporaryFolder() })).rejects.toThrow(/ENOSPC/)
    expect([...open.values()]).toEqual([])
  })

  it('can be read by its owner only', async () => {
    const data = join(createTemporaryFolder(), 'data')
    const sandbox = await startSandbox({ data })
    await sandbox.client().post('/customers', {})
    await sandbox.close()
    for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]) {
      const { mode } = statSync(join(data, name))
      expect([name, mode & 0o077]).toEqual([name, 0])
    }
  })
})
