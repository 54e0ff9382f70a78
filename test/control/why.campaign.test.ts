import { expect, it } from 'vitest'
import { type CollectionName, collectionNames, rowOf } from '../../src/api/contract/collections.ts'
import type { Reason } from '../../src/api/contract/control/history.ts'
import { flattenFields } from '../../src/api/views/names.ts'
import { openBusyWorld } from '../support/busy-world.ts'
import { isLong } from '../support/campaign.ts'

type World = Awaited<ReturnType<typeof openBusyWorld>>
interface Asked {
  readonly collection: CollectionName
  readonly uid: string
  readonly field: string
  readonly value: unknown
}

/** Every field of every record; in the short form of at most two records of a collection, with and without a value. */
async function* fieldsOf({ control }: World): AsyncIterable<Asked> {
  for (const collection of collectionNames) {
    const hidden = collection === 'customers' ? { include_initiated: true } : {}
    const { data } = await control['records.list']({ collection, limit: 1000, ...hidden })
    expect(data, collection).not.toEqual([])
    const asked = new Map<string, number>()
    for (const record of data as { uid: string }[])
      for (const [field, value] of flattenFields(record)) {
        const kind = `${field} ${value === null}`
        const times = (asked.get(kind) ?? 0) + 1
        asked.set(kind, times)
        const isShown = Object.hasOwn(rowOf(collection).schema.shape, field.split('.')[0]!)
        if (isShown && (isLong || times <= 2)) yield { collection, uid: record.uid, field, value }
      }
  }
}

/** What begins without a request: the operator made the record, and no other record led to it. */
const FIRST = ['world.create', 'transactions.inject', 'webhooks.create']
/** A private value is not repeated. */
const isSecret = (field: string) => field === 'hmac_key'

function problemOf(chain: readonly Reason[], { field, value }: Asked): string | undefined {
  const [first, last] = [chain[0], chain.at(-1)]
  if (!first?.cause || !last?.cause) return 'it has no cause'
  if (last.cause.door !== 'request' && !FIRST.includes(last.cause.name)) return `it ends at ${last.cause.name}`
  if (chain.some(({ rule }) => rule === null)) return `there is no rule: ${JSON.stringify(chain)}`
  if (isSecret(field) === first.says.endsWith(` is ${JSON.stringify(value)}`)) return `it says ${first.says}`
  // The chain goes back to what scheduled a task, and from there on with what created the record.
  const order = chain.map(({ seq }) => seq!)
  return order[0] === Math.max(...order) ? undefined : `its commits are ${order.join()}`
}

it('every field of every record of a busy world has a cause, and its chain reaches the first one', async () => {
  const world = await openBusyWorld(isLong)
  const { control, changedBy } = world
  const problems: string[] = []
  for await (const asked of fieldsOf(world)) {
    const { collection, uid, field, value } = asked
    const { chain } = await control.why({ collection, uid, field })
    const problem = problemOf(chain, asked)
    if (problem) problems.push(`${collection}.${field} of ${uid}, ${JSON.stringify(value)}: ${problem}`)
    // The clock alone makes this one visible.
    const seen = field === 'statement_posted_at' ? undefined : changedBy.get(`${collection} ${uid} ${field}`)
    // An input can change without the value, such as two balances with the same sum.
    const isMissed = seen !== undefined && (field === 'total_balance' ? seen > chain[0]!.seq! : seen !== chain[0]!.seq)
    if (isMissed) problems.push(`${collection}.${field}: changed by ${seen}, explained by ${JSON.stringify(chain[0])}`)
  }
  expect(problems).toEqual([])
})

it('after a rewind the chains go on to what was before it', async () => {
  const world = await openBusyWorld()
  const { control, sandbox } = world
  await control['world.rewind']({ seq: sandbox.store.world.seq - 8 })
  const problems: string[] = []
  let rewound = 0
  for await (const asked of fieldsOf(world)) {
    const { collection, uid, field } = asked
    const { chain } = await control.why({ collection, uid, field })
    const problem = problemOf(chain, asked)
    if (problem) problems.push(`${collection}.${field} of ${uid}: ${problem}`)
    if (chain[0]?.cause?.name === 'world.rewind') rewound++
  }
  expect(problems).toEqual([])
  expect(rewound).toBeGreaterThan(0)
})
