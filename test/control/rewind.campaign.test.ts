import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect } from 'vitest'
import { SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { campaignSize } from '../support/campaign.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { inJumps, inStepsAndJumps, openFresh, recordStates, reopen, runTurbulentRounds } from '../support/history.ts'
import { it } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** Rewinds to every commit of long histories. */

/** Of the commits across restores and resets every so many are rewound to. */
const EVERY = campaignSize(5, 1)

const usual = { ...SAVE_AFTER }
afterEach(() => void Object.assign(SAVE_AFTER, usual))

describe('across restores and resets', () => {
  it.each([['in memory'], ['in a data folder, over restarts, with snapshots of the world in between']])(
    'each commit comes back: %s',
    async (where) => {
      const data = where === 'in memory' ? null : createTemporaryFolder()
      if (data) Object.assign(SAVE_AFTER, { commits: 23 })
      let session = await openFresh(data)
      const states = recordStates(session)
      await runTurbulentRounds(session)
      const end = canonical(session.sandbox.store.world)
      const seqs = [...states.keys()]
      // In a folder each rewind reads the files back to its commit, so a part of the commits must do.
      const all = data ? inJumps(seqs).filter((_, i) => i % 5 === 0) : inStepsAndJumps(seqs)
      const visited = all.filter((_, i) => i % EVERY === 0)
      for (const [i, seq] of visited.entries()) {
        if (data && i % 15 === 5) {
          await session.sandbox.close()
          session = await reopen(data)
        }
        await session.rewind(seq)
        expect(canonical(session.sandbox.store.world) === states.get(seq), `after commit ${seq}`).toBe(true)
        await session.expectBalancedLedger()
      }
      await session.rewind(seqs.at(-1)!)
      expect(canonical(session.sandbox.store.world)).toBe(end)
      if (data) expect(readdirSync(join(data, 'changes')).length, 'there were snapshots').toBeGreaterThan(3)
    },
  )
})
