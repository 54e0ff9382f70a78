import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Clock } from '../../src/api/store/clock.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { type Files, files, replaceFiles } from '../../src/api/store/files.ts'
import { Store } from '../../src/api/store/store.ts'
import { emptyWorld } from '../../src/api/store/world.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'
import { CAUSE, program } from '../support/world.ts'

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
    const saved = join(data, 'world.jsonl')
    const old = join(createTemporaryFolder(), 'world.jsonl')
    const { begin, file } = await openDataFolder(data, 'fsync')
    const world = emptyWorld('test', '2026-08-14T14:00:00.000Z')
    const store = new Store(world, new Clock(world, () => 0), file)
    begin(world)
    for (const name of ['A', 'B', 'C']) {
      store.operate(CAUSE, (tx) => tx.programs.put(program(name)))
      await file.save()
      if (name === 'A') copyFileSync(saved, old)
    }
    await file.close()
    expect([...open.values()]).toEqual([])
    copyFileSync(old, saved)
    const again = await openDataFolder(data, 'fsync')
    expect(again.world?.collections.programs.size).toBe(3)
    await again.file.close()
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
