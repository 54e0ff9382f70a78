import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKillPlan, createReplacementPlan } from '../bench/simulate/operations.ts'
import { type SimulationOptions, simulate } from '../bench/simulate/simulate.ts'
import { changingMethods } from '../bench/support/examples.ts'
import { Random } from '../bench/support/random.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run simulate -- --processes`. */

const KILLS = campaignSize(3, 12)
const PLANS = campaignSize(1, 3)
const REPLACEMENTS = campaignSize(3, 5)
/** In memory and on disk. */
const WORLDS = campaignSize(1, 6)
const printed: string[] = []
const all = { seed: 'continuous', processes: true, print: (line: string) => void printed.push(line) }
const killed = (more: Partial<SimulationOptions>, kills: number) =>
  simulate({ ...all, seeds: PLANS, planOf: (seed) => createKillPlan(seed, new Random(seed), kills), ...more })

describe('a sandbox that is killed again and again', () => {
  it(`loses nothing that it acknowledged and doubles nothing, over ${KILLS * PLANS} kills`, async () => {
    const called = new Set<string>()
    const atEnd: SimulationOptions['atEnd'] = async ({ examples }) => {
      for (const name of examples) called.add(name)
    }
    const { problems, counts } = await killed({ atEnd }, KILLS)
    expect(problems, printed.join('\n')).toEqual([])
    expect(counts.kills).toBeGreaterThanOrEqual(isLong ? KILLS : KILLS * PLANS)
    expect(counts.requests! + counts.actions!, 'there was something to lose').toBeGreaterThan(KILLS)
    const missed = changingMethods.filter((name) => !called.has(name))
    if (isLong) expect(missed, 'every method that changes something was called').toEqual([])
  })

  // The campaign above shows that nothing else is a problem. Which one is found first depends on the speed of the machine.
  const others = [['logged requests and operator actions', 'log']] as const
  it.each([['commits', 'changes'] as const, ...(isLong ? others : [])])(
    'is reported when it does lose %s',
    async (_name, folder) => {
      const damage = (data: string) => removeLastLines(join(data, folder))
      const { problems } = await killed({ damage, seeds: 1 }, 20)
      expect(problems).not.toEqual([])
    },
  )

  function removeLastLines(folder: string) {
    const path = join(folder, readdirSync(folder).sort().at(-1)!)
    const lines = readFileSync(path, 'utf8').split('\n')
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, -10).join('\n')}\n`))
  }
})

it(`worlds that are replaced while six clients write are those that were asked for, over ${REPLACEMENTS * WORLDS} replacements`, async () => {
  const replaced: string[] = []
  const { problems, counts } = await simulate({
    ...all,
    seeds: WORLDS,
    planOf: (seed) => createReplacementPlan(seed, new Random(seed), REPLACEMENTS),
    atEnd: async ({ replacements }) => void replaced.push(...replacements),
  })
  expect(problems, printed.join('\n')).toEqual([])
  expect(counts['requests during a replacement']).toBeGreaterThanOrEqual(REPLACEMENTS * WORLDS * 6)
  if (isLong)
    for (const part of ['above', 'below', 'reset', 'restore', 'rewind', 'import'])
      expect(replaced.join(), part).toContain(part)
})
