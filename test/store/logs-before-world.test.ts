import { basename, dirname } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { PERSON } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { START, startSandbox } from '../support/sandbox.ts'

const usual = { ...SAVE_AFTER }
afterEach(() => {
  replaceFiles()
  Object.assign(SAVE_AFTER, usual)
})

/** Each file that is synced and each rename, in order. */
function recordDisk() {
  const { open, sync, syncInBackground, rename } = files
  const names = new Map<number, string>()
  const steps: string[] = []
  const add = (file: number) => void steps.push(`sync ${names.get(file)}`)
  replaceFiles({
    ...files,
    open(path, flags) {
      const file = open(path, flags)
      names.set(file, basename(dirname(path)) === 'data' ? basename(path) : basename(dirname(path)))
      return file
    },
    sync(file) {
      sync(file)
      add(file)
    },
    async syncInBackground(file) {
      await syncInBackground(file)
      add(file)
    },
    rename(from, to) {
      rename(from, to)
      steps.push(`rename to ${basename(to)}`)
    },
  })
  return steps
}

// A start rebuilds missing log entries from the commits, which a new world file replaces.
it('also at closing, requests, actions, trace ids and commits are on the disk before a new world file takes the place of the commits', async () => {
  const steps = recordDisk()
  const data = `${createTemporaryFolder()}/data`
  const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'empty' })
  const { status } = await sandbox.client().post('/customers', PERSON)
  expect(status).toBe(201)
  steps.length = 0
  Object.assign(SAVE_AFTER, { commits: 1 })
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  await sandbox.close()
  expect(sandbox.told).toEqual([])
  const renamed = steps.indexOf('rename to world.jsonl')
  expect(renamed, steps.join(', ')).toBeGreaterThan(0)
  for (const name of ['changes', 'exchanges', 'acts', 'traces.jsonl'])
    expect(steps.slice(0, renamed), name).toContain(`sync ${name}`)
})
