import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// `npm test`: two projects, the tests that run in Node and those of the window's components in jsdom. `npm run test:long` uses
// vitest.long.config.ts.
//
// The files of a worker share its modules, and in jsdom its document, because loading them costs more than most files of tests.
// A test that changes shared state (a clock, a table, a store) restores it. The projects run one after the other, so that they
// need no more than two workers.

/** The slowest files start first, so that both workers finish at about the same time. */
const SLOWEST = [
  ...['hosts/window-lists', 'torture.campaign', 'damages.campaign', 'desktop/double', 'hosts/window-scenarios'],
  ...['hosts/window-records', 'hosts/window-keyboard', 'hosts/window-connect', 'hosts/window-requests'],
  ...['hosts/window-time', 'hosts/stop', 'hosts/run', 'hosts/window-palette', 'docs.campaign', 'control/rewind'],
  ...['money.campaign', 'api/payments', 'architecture'],
]
const rank = ({ moduleId }: TestSpecification) => {
  const at = SLOWEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return at < 0 ? SLOWEST.length : at
}

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Settings of every test that runs in Node. The timeouts are generous: they only end what hangs, also on a busy machine. */
export const nodeTests = {
  environment: 'node',
  // Sandboxes that tests start are not found by the commands of whoever runs the tests.
  env: { XDG_RUNTIME_DIR: join(import.meta.dirname, 'out', 'runtime') },
  isolate: false,
  // With processes in the place of threads, a worker sometimes did not report the end of a file, and the run never ended.
  pool: 'threads',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: 'test/support/property-seed.ts',
} as const

/** Tests of the long form alone: they take long, and seldom fail. */
export const LONG = 'test/**/*.long.test.ts'

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    // By default Vitest leaves one core unused.
    maxWorkers: 2,
    projects: [
      { test: { ...nodeTests, name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/renderer/**', LONG] } },
      {
        test: {
          ...nodeTests,
          name: 'renderer',
          environment: 'jsdom',
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
