import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { campaign } from '../bench/torture/campaign.ts'
import { ALL_DAMAGE, runDiskTests } from '../bench/torture/disks.ts'
import { methodNames, methods } from '../src/api/contract/control/methods.ts'
import { campaignSize, isLong } from './support/campaign.ts'

/** The campaign of `npm run torture`. */

const SEED = 'continuous'
const KILLS = campaignSize(8, 30)

/** Control methods that change something, beyond those that count as actions of the operator. */
const OTHER_CHANGES = [
  ...['exchanges.send', 'exchanges.replay', 'bundles.import', 'snapshots.keep', 'snapshots.delete'],
  ...['scenarios.save', 'scenarios.delete', 'scenarios.run', 'scenarios.step', 'scenarios.pause'],
  ...['clock.cancel', 'work.cancel'],
]

describe('a sandbox that is killed again and again', () => {
  it(`loses nothing that it acknowledged and doubles nothing, over ${KILLS} kills`, async () => {
    const {
      problems,
      kills,
      acknowledged,
      checked,
      logged,
      worldFiles,
      methods: called,
    } = await campaign({
      ...{ kills: KILLS, seed: SEED },
    })
    expect(problems).toEqual([])
    expect(kills).toBe(KILLS)
    expect(Math.min(acknowledged, checked, logged), 'there was something to lose').toBeGreaterThan(KILLS)
    expect(worldFiles, 'the world file was rewritten under load').toBeGreaterThan(0)
    const changing = methodNames.filter((name) => 'isAction' in methods[name] || OTHER_CHANGES.includes(name))
    // Which methods are called between the kills depends on the machine; a run of 1,000 kills reaches all of them.
    if (isLong) expect(changing.filter((name) => called.has(name)).length).toBeGreaterThan(changing.length * 0.6)
  })

  it.each([
    ['commits', 'changes', /changes are lost|is there 0 times|the clock was|refused with 404/],
    ['logged requests', 'exchanges', /logged 0 times|the request log/i],
  ])('is reported when it does lose %s', async (_name, folder, expected) => {
    const damage = (data: string) => removeLastLines(join(data, folder))
    const { problems } = await campaign({ kills: 20, seed: SEED, damage })
    expect(problems.join('\n')).toMatch(expected)
  })

  function removeLastLines(folder: string) {
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
