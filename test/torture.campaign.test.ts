import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { campaign } from '../bench/torture/campaign.ts'
import { ALL_DAMAGE, trials } from '../bench/torture/disks.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run torture`. */

const SEED = 'continuous'
const KILLS = campaignSize(8, 30)

describe('a sandbox that is killed again and again', () => {
  it(`loses nothing that it acknowledged and doubles nothing, over ${KILLS} kills`, async () => {
    const { complaints, kills, answered, looked } = await campaign({ kills: KILLS, seed: SEED })
    expect(complaints).toEqual([])
    expect(kills).toBe(KILLS)
    expect(Math.min(answered, looked), 'there was something to lose').toBeGreaterThan(KILLS)
  })

  it('is reported when it does lose something', async () => {
    const { complaints } = await campaign({ kills: 20, seed: SEED, harm: removeLastCommits })
    expect(complaints.join('\n')).toMatch(/is there 0 times|the clock stood at/)
  })

  function removeLastCommits(data: string) {
    const folder = join(data, 'changes')
    const path = join(folder, readdirSync(folder).sort().at(-1)!)
    const lines = readFileSync(path, 'utf8').split('\n')
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, -10).join('\n')}\n`))
  }
})

it('no disk error loses or changes what was stored', async () => {
  for (const { name, complaints } of await trials(
    SEED,
    isLong ? ALL_DAMAGE : { cutEvery: 10, starts: 1, brokenLines: 5 },
  ))
    expect(complaints, name).toEqual([])
})
