import { defineConfig } from 'vitest/config'
import { LONG, nodeTests, SlowestFirst } from './vitest.config.ts'

// `npm run test:long`: the campaigns in their long form, and what `npm test` leaves out.

export default defineConfig({
  test: {
    ...nodeTests,
    name: 'long',
    include: ['test/**/*.campaign.test.ts', LONG],
    env: { SANDBANK_CAMPAIGNS: 'long' },
    sequence: { sequencer: SlowestFirst },
    maxWorkers: 2,
    testTimeout: 600_000,
  },
})
