import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { campaign } from '../bench/torture/campaign.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run torture`. */

const SEED = 'continuous'
const KILLS = campaignSize(3, 30)

describe('a sandbox that is killed again and again', () => {
  it(`loses nothing that it acknowledged and doubles nothing, over ${KILLS} kills`, async () => {
    const { problems, counts, methods } = await campaign({ kills: KILLS, replacements: 0, seed: SEED })
    expect(problems).toEqual([])
    expect(counts.kills).toBe(KILLS)
    expect(counts.requests! + counts.actions!, 'there was something to lose').toBeGreaterThan(KILLS)
    const missed = Object.entries(methods).filter(([, { answered, interrupted }]) => answered + interrupted === 0)
    if (isLong) expect(missed, 'every method that changes something was called').toEqual([])
  })

  // The campaign above shows that nothing else is a problem. Which one is found first depends on the speed of the machine.
  const others = [['logged requests and operator actions', 'log']] as const
  it.each([['commits', 'changes'] as const, ...(isLong ? others : [])])(
    'is reported when it does lose %s',
    async (_name, folder) => {
      const damage = (data: string) => removeLastLines(join(data, folder))
      const { problems } = await campaign({ kills: 20, replacements: 0, seed: SEED, damage })
      expect(problems).not.toEqual([])
    },
  )

  function removeLastLines(folder: string) {
    const path = join(folder, readdirSync(folder).sort().at(-1)!)
    const lines = readFileSync(path, 'utf8').split('\n')
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, -10).join('\n')}\n`))
  }
})

const REPLACEMENTS = campaignSize(3, 24)

it(`worlds that are replaced while six clients write are those that were asked for, over ${REPLACEMENTS} replacements`, async () => {
  const { problems, replaced, counts } = await campaign({ kills: 0, replacements: REPLACEMENTS, seed: SEED })
  expect(problems).toEqual([])
  const names = Object.keys(replaced)
  expect(counts['requests during a replacement']).toBeGreaterThanOrEqual(REPLACEMENTS * 6)
  if (isLong)
    for (const part of ['above', 'below', 'reset', 'restore', 'rewind', 'import'])
      expect(names.join(), part).toContain(part)
})
