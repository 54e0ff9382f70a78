import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { campaign } from '../bench/torture/campaign.ts'
import { ALL_DAMAGE, runDiskTests } from '../bench/torture/disks.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run torture`. */

const SEED = 'continuous'
const KILLS = campaignSize(8, 30)

describe('a sandbox that is killed again and again', () => {
  it(`loses nothing that it acknowledged and doubles nothing, over ${KILLS} kills`, async () => {
    const { problems, kills, acknowledged, checked } = await campaign({ kills: KILLS, seed: SEED })
    expect(problems).toEqual([])
    expect(kills).toBe(KILLS)
    expect(Math.min(acknowledged, checked), 'there was something to lose').toBeGreaterThan(KILLS)
  })

  it('is reported when it does lose something', async () => {
    const { problems } = await campaign({ kills: 20, seed: SEED, damage: removeLastCommits })
    expect(problems.join('\n')).toMatch(/is there 0 times|the clock was/)
  })

  function removeLastCommits(data: string) {
    const folder = join(data, 'changes')
    const path = join(folder, readdirSync(folder).sort().at(-1)!)
    const lines = readFileSync(path, 'utf8').split('\n')
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, -10).join('\n')}\n`))
  }
})

it('no disk error loses or changes what was stored', async () => {
  for (const { name, problems } of await runDiskTests(
    SEED,
    isLong ? ALL_DAMAGE : { cutEvery: 10, starts: 1, brokenLines: 5 },
  ))
    expect(problems, name).toEqual([])
})
