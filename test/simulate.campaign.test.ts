import { expect, it } from 'vitest'
import { simulate } from '../bench/simulate/simulate.ts'
import { campaignSize } from './support/campaign.ts'

/** The campaign of `npm run simulate`. */

const SEEDS = campaignSize(8, 100)

it(`${SEEDS} seeds: every response, and the world after every crash, is that of the model`, async () => {
  const printed: string[] = []
  const { problems, counts } = await simulate({
    seeds: SEEDS,
    seed: 'continuous',
    print: (line) => void printed.push(line),
  })
  expect(problems.length, printed.join('\n')).toBe(0)
  for (const name of ['kills', 'power losses', 'faults', 'flips'] as const)
    expect(counts[name], `there were ${name}`).toBeGreaterThan(SEEDS / 6)
})
