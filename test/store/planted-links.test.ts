import { linkSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Files, files, replaceFiles } from '../../src/api/store/files.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

/** Another user of the machine, who can write into the folder, puts a link where the store is about to create a file. */

const plants = { 'a symbolic link': symlinkSync, 'a hard link': linkSync }

describe.skipIf(process.platform === 'win32').each(Object.entries(plants))(
  '%s to a file of the user',
  (_name, plant) => {
    /** Plants a link just before each file is created. Returns the file, and the names of the links. */
    function plantEverywhere() {
      const victim = join(createTemporaryFolder(), 'victim')
      writeFileSync(victim, 'what the user wrote')
      const planted: string[] = []
      const disk: Files = { ...files }
      replaceFiles({
        ...disk,
        open(path, flags) {
          if (flags === 'w+') {
            rmSync(path, { force: true })
            plant(victim, path)
            planted.push(basename(path))
          }
          return disk.open(path, flags)
        },
      })
      onTestFinished(() => replaceFiles())
      return { victim, planted }
    }

    it('is replaced by each file of a data folder, whatever the sandbox does', async () => {
      const { victim, planted } = plantEverywhere()
      const data = createTemporaryFolder()
      const sandbox = await startSandbox({ data, seed: 'test', world: 'demo' })
      await sandbox.client().get('/customers')
      await call(sandbox, 'snapshots.keep', { name: 'before' })
      await call(sandbox, 'scenarios.save', { name: 'mine', text: 'name: mine' })
      for (let i = 0; i < 1_010; i++) await sandbox.client().post('/customers', {})
      const { text } = await call(sandbox, 'bundles.export', {})
      await call(sandbox, 'snapshots.restore', { name: 'before' })
      await call(sandbox, 'bundles.import', { text })
      await call(sandbox, 'world.reset', { world: 'empty' })
      await sandbox.client().get('/customers')
      await sandbox.close()
      const again = await startSandbox({ data })
      await again.close()
      expect(planted).toEqual(
        expect.arrayContaining([
          ...['world.jsonl.new', 'token-secret.new', 'before.jsonl.new-1', 'mine.yaml.new'],
          ...['replacement.new', '000000000001.jsonl'],
        ]),
      )
      expect(readFileSync(victim, 'utf8')).toBe('what the user wrote')
      const all = readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(data, name)))
      expect(all.filter((found) => found.isSymbolicLink() || (found.isFile() && found.nlink > 1))).toEqual([])
    })
  },
)
