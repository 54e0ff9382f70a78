import { describe, expect, it } from 'vitest'
import { runInScratch } from '../../src/api/scenarios/library.ts'
import { startReceiver } from '../support/receiver.ts'
import { CUSTOMER, failures, open, passes, plans, run } from './support.ts'

/** Scenarios that expect events of webhooks. */

const KEEP = '  - operator: { call: webhooks.create, input: { url: null } }\n'
const wire = (
  variable = 'wire',
) => `  - inject: { transaction_type: wire, customer_uid: $customer, us_dollar_amount: 10.5 }
    capture: { ${variable}: uid }
`
const of = (...steps: string[]) => `name: A\nsteps:\n${steps.join('')}`
const expectEvents = (...entries: string[]) =>
  `  - expect:\n      events:\n${entries.map((one) => `        - ${one}\n`).join('')}`
/** A wire that settled, and its events. */
const settled = [KEEP, CUSTOMER, wire(), '  - advance: idle\n']

/** The last step of a scenario that fails. */
async function fails(...steps: string[]) {
  const [result] = await run(of(...steps))
  expect(result!.ok, 'it must fail').toBe(false)
  const step = result!.steps.at(-1)!
  expect(step.kind).toBe('expect')
  return { ...step, failures: failures(result!) }
}

describe('an expected event', () => {
  it('is found by its name and a part of its details, with variables and matchers', async () => {
    const { steps } = await passes(
      of(
        ...settled,
        expectEvents(
          '{ event: transactions.created, details: { transaction_uid: $wire, transfer_uid: null, us_dollar_amount: { at_least: "10.50" } } }',
          '{ event: transactions.status_change, details: { transaction_uid: $wire, old_status: pending, new_status: settled } }',
          '{ event: customers, details: { new_status: { one_of: [queued, active] } } }',
        ),
      ),
    )
    const { title, checks } = steps.at(-1)!
    expect(title).toBe('expect event transactions.created, event transactions.status_change, event customers')
    expect(checks.map(({ what }) => what)).toContain('transactions.status_change new_status')
  })

  it('is taken by one expectation, so that the next one finds the next event', () =>
    passes(
      of(
        ...settled,
        wire('other'),
        expectEvents('{ event: transactions.created, details: { transaction_uid: { is: uid } } }'),
        expectEvents('{ event: transactions.created, details: { transaction_uid: $other } }'),
        expectEvents('{ event: transactions.created, times: 0 }'),
      ),
    ))

  it('that an earlier expectation has taken is missing, with the reason', async () => {
    const created = expectEvents('{ event: transactions.created }')
    const { trouble } = await fails(...settled, created, created)
    expect(trouble).toMatch(
      /^transactions\.created did not come; an earlier expectation has taken one: put the expectation with more details first, or count them with times; other events that came, nearest first: transactions\.status_change of transactions\/\w{16}, /,
    )
  })

  it('is missing with the details of the nearest event, and the others that came, nearest first', async () => {
    const { failures, trouble, checks } = await fails(
      ...settled,
      expectEvents('{ event: transactions.status_change, details: { transaction_uid: $wire, new_status: failed } }'),
    )
    expect(failures).toEqual([trouble, ['transactions.status_change new_status', 'failed', 'settled']])
    expect(trouble!.replaceAll(/[\w-]{16}/g, 'UID')).toMatch(
      /^transactions\.status_change with these details did not come; other events that came, nearest first: transactions\.status_change of transactions\/UID \(transaction_uid: "UID", new_status: "settled"\), transactions\.created of transactions\/UID, .* and \d more$/,
    )
    const lines = of(...settled).split('\n').length
    expect(checks.find(({ ok }) => !ok)!.place, 'the line of the detail').toMatchObject({ line: lines + 2 })
  })

  it('is missing without another event', async () => {
    const { failures } = await fails(KEEP, expectEvents('{ event: transfers.created, details: { transfer_uid: a } }'))
    expect(failures).toEqual([
      'transfers.created with these details did not come, nor did another event; if its time has not come yet, advance the clock before',
      ['event transfers.created', { transfer_uid: 'a' }, undefined],
    ])
  })

  it('of another Program is not found', async () => {
    const program = 'given: { programs: [{ name: Second }] }\n'
    const text = of(KEEP, CUSTOMER, `${expectEvents('{ event: customers }')}    as: Second\n`)
    const [result] = await run(text.replace('steps:', `${program}steps:`))
    expect(failures(result!)[0]).toMatch(/^no webhook keeps events/)
  })

  it('whose name is a variable with another value fails, with the names that are known', async () => {
    const [result] = await run(
      of(KEEP, expectEvents('{ event: $name }')).replace('steps:', 'examples: [{ name: a }]\nsteps:'),
    )
    expect(failures(result!)[0]).toMatch(/^there is no event "a"; one of transfers, .*customers\.unlock is expected$/)
  })
})

describe('the number of events', () => {
  it('counts those that no earlier expectation has taken, and takes them', () =>
    passes(
      of(
        ...settled,
        wire('other'),
        expectEvents(
          '{ event: transactions.status_change, times: 1 }',
          '{ event: transactions.created, times: { at_least: 2 } }',
          '{ event: transactions, times: 0 }',
        ),
      ),
    ))

  it('that differs is told with the events', async () => {
    const { failures, trouble } = await fails(
      ...settled,
      expectEvents('{ event: transactions.created, details: { transaction_uid: $wire }, times: 0 }'),
    )
    expect(failures).toEqual([trouble, ['number of transactions.created', 0, 1]])
    expect(trouble).toMatch(
      /^1 such event came: transactions\.created of transactions\/\w{16} \(transaction_uid: "\w{16}"\)$/,
    )
  })

  it('that is too small is told with the nearest event', async () => {
    const { failures, trouble } = await fails(
      ...settled,
      expectEvents('{ event: transactions.created, details: { type: ach }, times: 2 }'),
    )
    expect(failures).toEqual([
      trouble,
      ['number of transactions.created', 2, 0],
      ['transactions.created type', 'ach', 'wire'],
    ])
  })

  it('is in the title of the step', async () => {
    const [plan] = plans(
      of(
        KEEP,
        expectEvents(
          '{ event: transfers, times: 0 }',
          '{ event: transfers, times: 2 }',
          '{ event: transfers, times: { at_most: 2 } }',
        ).replace('events:', 'ledger: balanced\n      events:'),
      ),
    )
    const { steps } = await runInScratch(plan!, open)
    expect(steps.at(-1)!.title).toBe('expect no event transfers, 2 events transfers, events transfers, ledger')
  })
})

describe('the order of events', () => {
  const created = '{ event: transactions.created, in_order: true }'
  const change = 'event: transactions.status_change'

  it('counts only with in_order', () =>
    passes(of(...settled, wire('other'), expectEvents(`{ ${change} }`, '{ event: transactions.created }', created))))

  it('is that of the entries with in_order', async () => {
    await passes(of(...settled, expectEvents(created, `{ ${change}, in_order: true, times: 1 }`)))
    const { trouble } = await fails(...settled, expectEvents(`{ ${change} }`, created))
    expect(trouble).toBe(
      'transactions.created came before the events of the expectation above it: change their order, or leave out in_order',
    )
  })
})

describe('an event that nothing keeps', () => {
  it.each<[name: string, input: string | undefined, trouble: RegExp]>([
    [
      'without a webhook',
      undefined,
      /^no webhook keeps events: add the step operator: \{ call: webhooks\.create, input: \{ url: null \} \} before what causes them$/,
    ],
    [
      'with a webhook for other topics',
      '{ url: null, topics: [transfers, customers.lock] }',
      /^the webhooks keep no events transactions, only transfers, customers\.lock: add transactions to the topics of webhooks\.create$/,
    ],
  ])('%s fails with what to do, also if none is expected', async (_name, input, expected) => {
    const before = input === undefined ? '' : KEEP.replace('{ url: null }', input)
    for (const times of ['', ', times: 0']) {
      const { trouble, checks } = await fails(before, CUSTOMER, wire(), expectEvents(`{ event: transactions${times} }`))
      expect(trouble).toMatch(expected)
      expect(checks.map(({ ok }) => ok)).toEqual([false])
    }
  })
})

describe('a delivered event', () => {
  const subscribe = (url: string, more = '') =>
    KEEP.replace('{ url: null }', `{ url: "${url}", confirm: false, retry_seconds: [60]${more} }`)
  const lock = '  - decide: { record: customers/$customer, move: lock, inputs: { lock_reason: Lost phone } }\n'
  const locked = (delivered: boolean) => expectEvents(`{ event: customers.lock, delivered: ${delivered} }`)

  it('is one that its receiver has accepted; the step waits for what is being sent', async () => {
    const receiver = await startReceiver((_event, response) => {
      setTimeout(() => response.writeHead(204).end(), 100)
    })
    await passes(of(CUSTOMER, subscribe(receiver.url), lock, locked(true)))
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/customers'])
  })

  it('is not one that its receiver refuses, before and after its last attempt', async () => {
    const receiver = await startReceiver((_event, response) => void response.writeHead(500).end())
    const steps = [CUSTOMER, subscribe(receiver.url), lock]
    await passes(of(...steps, locked(false)))
    const waiting = await fails(...steps, locked(true))
    expect(waiting.failures).toEqual([waiting.trouble, ['delivered customers.lock', true, 'waiting']])
    expect(waiting.trouble).toMatch(
      /^customers\.lock of customers\/\w{16} waits for its next attempt \(attempt 1: status 500\): advance the clock to 2026-11-23T15:01:02\.000Z$/,
    )
    const failed = await fails(...steps, '  - advance: idle\n', locked(true))
    expect(failed.trouble).toMatch(
      /was not delivered, and no attempt is left \(attempt 2: status 500\): check the receiver$/,
    )
  })

  it('is not one that no webhook with an address was for', async () => {
    const { trouble } = await fails(CUSTOMER, KEEP, lock, locked(true))
    expect(trouble).toMatch(
      /^customers\.lock of customers\/\w{16} was sent nowhere: give webhooks\.create the url of a receiver$/,
    )
    await passes(of(CUSTOMER, KEEP, lock, locked(false)))
  })

  it('is told if it was not expected', async () => {
    const receiver = await startReceiver()
    const { trouble, failures } = await fails(CUSTOMER, subscribe(receiver.url), lock, locked(false))
    expect(failures).toEqual([trouble, ['delivered customers.lock', false, 'delivered']])
    expect(trouble).toMatch(/^customers\.lock of customers\/\w{16} was delivered \(attempt 1: status 204\)$/)
  })
})

describe('the events of a run', () => {
  it('are those of the scenario that it begins with, too, and stay after a restart', () =>
    passes(
      `name: A\ngiven: { scenario: before }\nsteps:\n  - restart: true\n${expectEvents('{ event: customers, details: { new_status: active }, times: 1 }')}`,
      { before: of(KEEP, CUSTOMER) },
    ))

  it('begin anew after a reset, where equal events have equal uids', () => {
    const steps = [KEEP, CUSTOMER, expectEvents('{ event: customers, details: { new_status: active }, times: 1 }')]
    const reset =
      '  - operator: { call: world.reset, input: { world: empty, seed: sandbank, start: "2026-11-23T15:00:00.000Z" } }\n'
    return passes(of(...steps, reset, ...steps))
  })
})

it('the key of a webhook is in no part of a report', async () => {
  const [result] = await run(
    of(
      KEEP.replace('null', 'null, hmac_key: a-key-that-both-sides-know'),
      '    capture: { key: hmac_key, hook: uid }\n',
      '  - operator: { call: webhooks.update, input: { uid: $hook, hmac_key: the-next-key-that-both-know } }\n',
      '  - operator: { call: programs.update, input: { uid: $program, name: "$key" } }\n',
      '  - operator: { call: webhooks.delete, input: { uid: $hook } }\n',
      expectEvents('{ event: customers, details: { external_uid: $key } }'),
    ),
  )
  expect(result!.left).toBe(0)
  expect(JSON.stringify(result)).not.toMatch(/both-sides|next-key/)
})
