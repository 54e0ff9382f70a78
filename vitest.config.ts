import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// `npm test`: two projects, the tests that run in Node and those of the window's components in jsdom. `npm run test:long` uses
// vitest.long.config.ts.
//
// The files of a worker share its modules, and in jsdom its document, because loading them costs more than most files of tests.
// A test that changes shared state (a clock, a table, a store) restores it. The projects run one after the other, so that they
// need no more than three workers.

/** The slowest files start first, so that all workers finish at about the same time. */
const SLOWEST = [
  ...['hosts/window-lists', 'hosts/window-records', 'processes.campaign', 'damages.campaign', 'hosts/window-keyboard'],
  ...['money.campaign', 'hosts/window-scenarios', 'hosts/window-connect', 'hosts/window-requests', 'simulate.campaign'],
  ...['worlds-isolation.campaign', 'webhooks/hostile.campaign', 'hosts/window-palette', 'hosts/window-worlds'],
  ...['hosts/tarball.long', 'hosts/window-walk.long', 'regular-expressions.long'],
  ...['worlds-dropped.long', 'desktop/double', 'hosts/window-webhooks', 'hosts/window-time', 'bounded-request'],
  ...['hosts/stop', 'api/payments', 'docs.campaign', 'shared-sandbox', 'determinism', 'hosts/run', 'webhooks/silent'],
]
const rank = ({ moduleId }: TestSpecification) => {
  const at = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
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

/** A fifth of the time tests wait, for a browser or another process: a third worker keeps two cores busy. */
export const WORKERS = 3

/** Tests of the long form alone: they take long, and seldom fail. */
export const LONG = 'test/**/*.long.test.ts'
export const CAMPAIGNS = 'test/**/*.campaign.test.ts'
/** In CI the long form of the campaigns follows, which is the short one and more. */
const left = process.env.SANDBANK_CAMPAIGNS === 'none' ? [LONG, CAMPAIGNS] : [LONG]

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    maxWorkers: WORKERS,
    projects: [
      { test: { ...nodeTests, name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/renderer/**', ...left] } },
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
