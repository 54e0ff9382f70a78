import { describe, expect, it } from 'vitest'
import type { Host } from '../bench/simulate/host.ts'
import { moneyKinds } from '../bench/simulate/operations.ts'
import { moneyPlanOf, simulate } from '../bench/simulate/simulate.ts'
import type { CustomerMap } from '../src/api/contract/control/customer-map.ts'
import { campaignSize } from './support/campaign.ts'
import { expectGroupedMap, expectMapOfBooks } from './support/customer-map.ts'
import { type Step, simulateSteps } from './support/simulate-steps.ts'

/**
 * Random sequences of requests, advances and operator decisions over several Customers. The simulation compares every response with its
 * model, and after each operation every balance, line item and state. `npm run simulate -- --money` makes more runs.
 */
const RUNS = Number(process.env.SANDBANK_RUNS ?? campaignSize(25, 80))
const LENGTH = 60
const LONGEST_MS = 300_000 + RUNS * 5_000

/** The flows on the map of each Customer add up to the balances of its accounts. */
async function checkMaps(host: Host) {
  const read = async (name: string, input: object) => {
    const reply = await host.call(name, input)
    expect(reply).toMatchObject({ ok: true })
    return reply!.value
  }
  const { data } = await read('records.list', { collection: 'customers', limit: 100 })
  for (const { uid } of data) {
    const readMap = (limit: number): Promise<CustomerMap> => read('customers.map', { customer_uid: uid, limit })
    const own = { collection: 'synthetic_accounts', customer_uid: [uid], liability: true, limit: 100 }
    const whole = await readMap(100)
    expectMapOfBooks(whole, (await read('records.list', own)).data)
    expectGroupedMap(whole, await readMap(1))
  }
  const { tasks } = await read('tasks.list', {})
  expect(tasks.filter(({ failed }: { failed: unknown }) => failed)).toEqual([])
}

const FUNDED: readonly Step[] = [
  { kind: 'create customer', person: 'approved' },
  { kind: 'onboard', customer: 0 },
  { kind: 'advance', seconds: 2 },
  { kind: 'receive', type: 'wire', customer: 0, cents: 125_050, account: null, vrn: null },
  { kind: 'advance', seconds: 2 },
  { kind: 'set pace', pace: 'real' },
  { kind: 'open account', customer: 0, category: 'ach_external', force: 'return' },
]
/** Pays the whole balance to the account whose number forces a return, and settles it. */
const PAY_RETURNED: readonly Step[] = [
  { kind: 'transfer', customer: 0, from: 22, to: 1, cents: 0, beyond: 0, sameDay: false },
  { kind: 'advance days', businessDays: 1 },
  { kind: 'settle now', payment: 0 },
]
const ARCHIVE: readonly Step[] = [
  { kind: 'archive customer', customer: 0 },
  { kind: 'advance days', businessDays: 10 },
]
const FASTER: Step = { kind: 'set pace', pace: 'fast' }

describe('the books and balances', () => {
  it.each<[string, readonly Step[]]>([
    [
      'rails-facts 8.2: "Changing pace affects only tasks scheduled afterwards", and time never goes back',
      [...PAY_RETURNED, FASTER, { kind: 'advance days', businessDays: 5 }],
    ],
    [
      '4.5: "Status becomes archived only with a $0 balance", also when payments are returned afterwards',
      [...PAY_RETURNED, ...ARCHIVE],
    ],
    [
      '4.5: "Status becomes archived only with a $0 balance", also when payments are returned at the earlier pace',
      [...PAY_RETURNED, FASTER, ...ARCHIVE],
    ],
  ])('%s', async (_, steps) => {
    expect(await simulateSteps('write', 'money', [...FUNDED, ...steps], 1)).toBeUndefined()
  })

  const LATE: Step = { kind: 'open account', customer: 0, category: 'ach_external', force: 'late return' }
  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'payments come back after their Customer is archived',
      [...FUNDED.slice(0, -1), LATE, ...PAY_RETURNED, ...ARCHIVE, ...ARCHIVE],
      ['wire settled', 'ach settled', 'ach_return settled', 'other settled'],
    ],
    [
      'a wire is canceled, which waits only while the networks are closed',
      [
        ...FUNDED,
        { kind: 'open account', customer: 0, category: 'wire_external', force: 'none' },
        { kind: 'advance', seconds: 12 * 3600 },
        { kind: 'transfer', customer: 0, from: 21, to: 2, cents: 5_000, sameDay: false },
        { kind: 'cancel', transfer: 1 },
      ],
      ['wire settled', 'wire canceled'],
    ],
  ])('equal the model when %s', async (_, steps, expected) => {
    const operations = steps.map((step, id) => ({ ...step, id }))
    const found: string[] = []
    const { problems } = await simulate({
      seeds: 1,
      seed: 'one',
      planOf: (seed) => ({ seed, durability: 'write', compareEvery: 1, operations }),
      print: (line) => void found.push(line),
      atEnd: async ({ state }) => void found.push(...state.payments.map(({ type, status }) => `${type} ${status}`)),
    })
    expect(found).toEqual(expected)
    expect(problems).toEqual([])
  })

  it(
    `equal the model of the simulation after any ${LENGTH} requests, advances and decisions`,
    async () => {
      const seen = new Set<string>()
      const printed: string[] = []
      const { problems } = await simulate({
        seeds: RUNS,
        seed: 'money',
        planOf: (seed) => moneyPlanOf(seed, LENGTH),
        print: (line) => void printed.push(line),
        atEnd: async ({ state, accepted }, host) => {
          for (const { rail, status, type, force, returnedBy } of state.payments) {
            seen.add(`${rail} ${status}`).add(type)
            if (returnedBy !== null) seen.add(`${type} returned by ${force}`)
          }
          for (const kind of accepted) seen.add(kind)
          await checkMaps(host)
        },
      })
      expect(problems.length, printed.join('\n')).toBe(0)
      const rails = ['ach', 'wire', 'instant'].flatMap((rail) => [`${rail} settled`, `${rail} failed`])
      const others = ['book settled', 'ach canceled', 'ach authorization_denied', 'wire authorization_denied', 'other']
      const returns = ['ach_return', 'initiated_ach_return', 'initiated_ach_reversal', 'initiated_wire_return']
      const refused = 'initiated_ach_reversal returned by refuse reversal'
      expect([...moneyKinds, ...rails, ...others, ...returns, refused].filter((one) => !seen.has(one))).toEqual([])
    },
    LONGEST_MS,
  )
})
