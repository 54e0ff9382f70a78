import { defineConfig } from 'vitest/config'
import { nodeTests, SlowestFirst } from './vitest.config.ts'

// `npm run test:long`: the campaigns in their long form.

export default defineConfig({
  test: {
    ...nodeTests,
    name: 'long',
    include: ['test/**/*.campaign.test.ts'],
    env: { SANDBANK_CAMPAIGNS: 'long' },
    sequence: { sequencer: SlowestFirst },
    maxWorkers: 2,
    testTimeout: 900_000,
  },
})
