import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { campaign } from '../bench/torture/campaign.ts'
import { trials } from '../bench/torture/disks.ts'

/** What `npm run torture` runs, in the size of CI. */

const SEED = 'continuous'

describe('a sandbox that is killed again and again', () => {
  it('loses nothing that it answered and doubles nothing, over 30 kills', { timeout: 600_000 }, async () => {
    const { complaints, kills, answered, looked } = await campaign({ kills: 30, seed: SEED })
    expect(complaints).toEqual([])
    expect(kills).toBe(30)
    expect(Math.min(answered, looked), 'there was something to lose').toBeGreaterThan(30)
  })

  it('is found out when it does lose something', async () => {
    const { complaints } = await campaign({ kills: 20, seed: SEED, harm: loseTheLastCommits })
    expect(complaints.join('\n')).toMatch(/is there 0 times|the clock stood at/)
  })

  function loseTheLastCommits(data: string) {
    const folder = join(data, 'changes')
    const path = join(folder, readdirSync(folder).sort().at(-1)!)
    const lines = readFileSync(path, 'utf8').split('\n')
    truncateSync(path, Buffer.byteLength(`${lines.slice(0, -10).join('\n')}\n`))
  }
})

it('no disk, however bad, loses or changes what was kept', { timeout: 600_000 }, async () => {
  for (const { name, complaints } of await trials(SEED)) expect(complaints, name).toEqual([])
})
