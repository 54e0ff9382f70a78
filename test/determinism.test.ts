import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation, Plan } from '../bench/simulate/operations.ts'
import { Run } from '../bench/simulate/run.ts'
import { moneyPlanOf } from '../bench/simulate/simulate.ts'
import { enterSimulation, SimulatedHost } from '../bench/simulate/simulated-host.ts'

/** The same seed, start and requests give the same world, byte for byte. Trace ids and tokens differ each time. */

/** SANDBANK_RUNS makes more runs, in proportion; see money.campaign.test.ts. */
const TIMES = Math.max(1, Math.ceil(Number(process.env.SANDBANK_RUNS ?? 200) / 200))
const LONG = { timeout: 300_000 * TIMES }
const SELDOM = { compareEvery: 1_000 }

/** Each record at the end of a plan, and the clock. */
async function rowsAfter(plan: Plan, host = new SimulatedHost(plan)): Promise<string[]> {
  const rows: string[] = []
  const problem = await new Run(plan, host).execute(async () => {
    rows.push(`clock ${host.now}`, `all ${host.image()}`)
    for (const [name, records] of host.records())
      rows.push(...records.map((record) => `${name} ${JSON.stringify(record)}`))
  })
  expect(problem).toBeUndefined()
  return rows
}

/** Advances to the same instants in many steps, most of them short, some of a millisecond. */
class HostInSteps extends SimulatedHost {
  steps = 0

  override async call(name: string, input: { readonly to?: string }) {
    const fired: unknown[] = []
    const call = async (to: string | undefined) => {
      const reply = (await super.call(name, to === undefined ? input : { to })) as {
        ok: boolean
        value: { fired?: unknown[] }
      }
      if (name !== 'clock.advance') return reply
      expect(reply).toMatchObject({ ok: true })
      fired.push(...reply.value.fired!)
      return { ...reply, value: { ...reply.value, fired } }
    }
    const end = name === 'clock.advance' && input.to !== undefined ? Date.parse(input.to) : this.now
    for (let left = this.random.between(1, 12); left > 0 && this.now < end; left--) {
      const length = this.random.chance(0.2) ? 1 : Math.round((end - this.now) * this.random.next() ** 4)
      this.steps++
      await call(new Date(this.now + length).toISOString())
    }
    return call(undefined)
  }
}

describe('any history of requests, decisions and advances', () => {
  const plansOf = (count: number): Plan[] =>
    Array.from({ length: count * TIMES }, (_, n) => ({ ...moneyPlanOf(`same-${n}`), ...SELDOM }))
  beforeAll(() => enterSimulation())

  it('gives the same world twice, to the last uid', LONG, async () => {
    for (const plan of plansOf(8)) {
      const rows = await rowsAfter(plan)
      expect(await rowsAfter(plan)).toEqual(rows)
      expect(rows.filter((row) => row.startsWith('transactions ')).length).toBeGreaterThan(3)
    }
  })

  it('gives the same world with one long advance and with many short ones', LONG, async () => {
    let steps = 0
    for (const plan of plansOf(12)) {
      const host = new HostInSteps(plan)
      expect(await rowsAfter(plan, host)).toEqual(await rowsAfter(plan))
      steps += host.steps
    }
    expect(steps).toBeGreaterThan(100)
  })

  it('gives the same world with restarts', LONG, async () => {
    for (const plan of plansOf(3)) {
      const operations = plan.operations.flatMap((one, i): Operation[] =>
        i % 15 === 14 ? [one, { kind: 'restart', id: 1_000 + i }] : [one],
      )
      expect(await rowsAfter({ ...plan, operations })).toEqual(await rowsAfter(plan))
    }
  })
})
