import { cpSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { START, startSandbox } from '../support/sandbox.ts'

afterEach(() => replaceFiles())

it('an action that cannot be logged has been executed, and the operator reads why it is not in the log', async () => {
  const { open, write } = files
  const actions = new Set<number>()
  let isFull = false
  replaceFiles({
    ...files,
    open(path, flags) {
      const file = open(path, flags)
      if (basename(dirname(path)) === 'log') actions.add(file)
      else actions.delete(file)
      return file
    },
    write(file, ...args) {
      if (isFull && actions.has(file))
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      return write(file, ...args)
    },
  })
  const data = createTemporaryFolder()
  const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'empty' })
  isFull = true
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  isFull = false
  expect(sandbox.store.clock.now()).toBe(START + 3_600_000)
  expect(sandbox.told.join('\n')).toMatch(/Internal error: .*no space left/)

  const [{ uid } = { uid: '' }] = sandbox.programs()
  await call(sandbox, 'programs.update', { uid, authorization_hours: 24 })
  await call(sandbox, 'clock.set', { pace: 'real' })
  // As a crash leaves it: a close would write the world file, and the commits would no longer be read.
  const copy = createTemporaryFolder()
  cpSync(data, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock') })
  const again = await startSandbox({ data: copy })
  const { text } = await call(again, 'bundles.export', {})
  const names = [...text.matchAll(/^\{"act":.*?"name":"([\w.]+)"/gm)].map(([, name]) => name)
  expect(names, 'the next start adds it, before the newer ones, also one that changed nothing').toEqual([
    'clock.advance',
    'programs.update',
    'clock.set',
  ])
})
