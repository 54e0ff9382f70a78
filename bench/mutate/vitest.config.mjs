// Settings of the test runs of a mutation run. SANDBANK_TEST_PLAN is a JSON file: `{ files, record, workers }`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { nodeTests } from '../../vitest.config.ts'
import { FirstFailure } from './reporter.mjs'

const root = join(import.meta.dirname, '../..')
const plan = JSON.parse(readFileSync(process.env.SANDBANK_TEST_PLAN, 'utf8'))
const files = plan.files.map(({ file }) => file)

class AsPlanned extends BaseSequencer {
  async sort(specifications) {
    const place = ({ moduleId }) => files.findIndex((file) => moduleId.endsWith(`/${file}`))
    return specifications.toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  root,
  test: {
    ...nodeTests,
    include: files,
    sequence: { sequencer: AsPlanned },
    maxWorkers: plan.workers,
    setupFiles: plan.record ? [join(import.meta.dirname, 'record-setup.mjs')] : [],
    reporters: [new FirstFailure(plan)],
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, '.modules') },
  },
})
