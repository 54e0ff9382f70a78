import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ask, findUntrue, readFuture } from '../bench/simulate/future.ts'
import { moneyPlanOf, simulate } from '../bench/simulate/simulate.ts'
import type { Advance } from '../src/api/contract/control/clock.ts'
import { sendMixedRequests } from './support/mixed-requests.ts'
import { startSandbox } from './support/sandbox.ts'

/** `npm run simulate` compares in every world of its own, also between crashes, rewinds, restores and imports. */
describe('every sentence about the future comes true', () => {
  it('in random worlds', async () => {
    const printed: string[] = []
    const { problems } = await simulate({
      seeds: 3,
      seed: 'future',
      planOf: (seed) => ({ ...moneyPlanOf(seed, 50), compareEvery: 100 }),
      print: (line) => void printed.push(line),
    })
    expect(problems.length, printed.join('\n')).toBe(0)
  })

  it('in a busy life with faults, held tasks, decisions and both paces; after a rewind the same is said, and comes true again', async () => {
    const sandbox = await startSandbox({ seed: 'life' })
    onTestFinished(() => sandbox.close())
    const ask: Ask = async (name, input) => {
      const reply = await sandbox.call(name, input)
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply.error)}`)
      return reply.value as never
    }
    const untrue: string[] = []
    let advances = 0
    const advance = async (input: object) => {
      const future = await readFuture(ask, input)
      const reply = await sandbox.call('clock.advance', input)
      if (reply.ok) untrue.push(...(await findUntrue(ask, future, reply.value as Advance)))
      return { future, reply }
    }
    await sendMixedRequests(
      {
        api: sandbox.api,
        programs: sandbox.programs,
        async call(name, input) {
          if (name !== 'clock.advance') return sandbox.call(name, input)
          const { seq } = sandbox.store.world
          const first = await advance(input as object)
          if (++advances % 5 !== 0) return first.reply
          await ask('world.rewind', { seq })
          const again = await advance(input as object)
          expect(again.future.tasks).toEqual(first.future.tasks)
          return again.reply
        },
      },
      { seed: 7, requests: 200 },
    )
    expect(untrue).toEqual([])
    expect(advances).toBeGreaterThan(15)
  })
})
