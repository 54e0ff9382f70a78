import { defineConfig } from 'vitest/config'
import { CAMPAIGNS, LONG, nodeTests, SlowestFirst, WORKERS } from './vitest.config.ts'

// `npm run test:long`: the campaigns in their long form, and what `npm test` leaves out.

export default defineConfig({
  test: {
    ...nodeTests,
    name: 'long',
    include: [CAMPAIGNS, LONG],
    env: { SANDBANK_CAMPAIGNS: 'long' },
    sequence: { sequencer: SlowestFirst },
    maxWorkers: WORKERS,
    testTimeout: 600_000,
  },
})
