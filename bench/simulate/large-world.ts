import { Random } from '../support/random.ts'
import type { Body } from './calls.ts'
import { findListProblem, readWhole } from './lists.ts'
import { enterSimulation, SimulatedHost } from './simulated-host.ts'

/** A world of many records, built once, whose lists are compared for many combinations of filters. */

export interface LargeWorldOptions {
  readonly records: number
  readonly queries: number
  readonly seed: string
}

/** A payment that has settled is so many records, with its entries in both books. */
const RECORDS_OF_A_PAYMENT = 6
const ADVANCE_EVERY = 500
const TYPES = ['ach', 'wire', 'instant_payment']

export async function checkLargeWorld({ records, queries, seed }: LargeWorldOptions): Promise<string[]> {
  const leaveSimulation = enterSimulation()
  const host = new SimulatedHost({ seed, durability: 'write', operations: [] })
  const leave = host.enter()
  const random = new Random(seed)
  let traces = 0
  const request = async (method: string, path: string, body?: object): Promise<Body> => {
    const response = await host.request(method, path, `large-${++traces}`, body)
    if (!response || response.status >= 300)
      throw new Error(`${method} ${path} was answered with ${response?.status}: ${JSON.stringify(response?.body)}`)
    return response.body
  }
  try {
    await host.start(true)
    await host.call('world.reset', { world: 'demo' })
    const { data } = await request('GET', '/customers?status=active')
    const payments = Math.ceil(records / RECORDS_OF_A_PAYMENT)
    for (let n = 1; n <= payments; n++) {
      const { uid } = random.pick(data as Body[])
      const body = { transaction_type: random.pick(TYPES), customer_uid: uid, us_dollar_amount: random.between(1, 99) }
      await request('POST', '/sandbox/mock_transactions', body)
      if (n % ADVANCE_EVERY === 0) await host.call('clock.advance', { by: 'P1D' })
    }
    const read = (path: string) => request('GET', path)
    const whole = await readWhole(read)
    const problems: string[] = []
    for (let n = 0; n < queries && problems.length === 0; n++) {
      const problem = await findListProblem(random, read, whole)
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  } finally {
    await host.kill('kill')
    leave()
    leaveSimulation()
  }
}
