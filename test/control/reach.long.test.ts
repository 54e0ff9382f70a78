import { expect } from 'vitest'
import { allGoals } from '../../src/api/contract/reach.ts'
import { it } from '../support/sandbox.ts'

/** 100 % of the states, events and errors: reached from the empty world, or in the list of what cannot be reached. */
it.for(allGoals())(
  '$goal is reached, or listed with a reason',
  { timeout: 60_000 },
  async ({ goal, unreached }, { sandbox }) => {
    const reply = await sandbox.call('reach', { goal, apply: true })
    if (unreached !== undefined)
      expect(reply).toMatchObject({ ok: false, error: { errors: [{ extra: expect.stringContaining(unreached) }] } })
    else expect(reply).toMatchObject({ ok: true, value: { applied: true } })
  },
)
