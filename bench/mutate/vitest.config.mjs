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

const isOfWindow = (file) => file.startsWith('test/renderer/')
const setupFiles = plan.record ? [join(import.meta.dirname, 'record-setup.mjs')] : []
/** As in the project's own configuration, except that a project without files is an error. */
const project = (name, include, settings) =>
  include.length === 0 ? [] : [{ test: { ...nodeTests, setupFiles, ...settings, name, include } }]

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: AsPlanned },
    maxWorkers: plan.workers,
    projects: [
      ...project(
        'node',
        files.filter((file) => !isOfWindow(file)),
        {},
      ),
      ...project('renderer', files.filter(isOfWindow), { environment: 'jsdom', sequence: { groupOrder: 1 } }),
    ],
    reporters: [new FirstFailure(plan)],
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, '.modules') },
  },
})
