// A setup file of Vitest: notes which planted sites each test file reaches, and whether while it is loaded or while its tests run.
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'

const { testPath } = expect.getState()
process.env.SANDBANK_REACHED = join(process.env.SANDBANK_REACHED_FOLDER, encodeURIComponent(testPath))
await import('../../src/planted.mjs')
globalThis.sandbankReached.clear()
globalThis.sandbankReached.phase = 'load'
beforeAll(() => {
  globalThis.sandbankReached.phase = 'run'
})
