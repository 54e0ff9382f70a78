import { describe, expect, it } from 'vitest'
import type { SandboxClient } from '../../src/api/replay/client.ts'
import { PlanRun } from '../../src/api/scenarios/run.ts'
import { CUSTOMER, failures, passes, plans, run, troubles } from './support.ts'

const wire = (steps: string, given = '{}') => `name: A
given: ${given}
steps:
${CUSTOMER}  - inject: { transaction_type: wire, customer_uid: $customer, us_dollar_amount: 10.5 }
    capture: { wire: uid }
${steps}`

describe('advance until a record reaches a status', () => {
  it('runs task after task, and stops when it has the status', async () => {
    const { steps } = await passes(
      wire(
        `
  - advance: { until: { transactions/$wire: settled, customers/$customer: { one_of: [active, archived] } } }
    expect: { body: { ran: { at_least: 1 }, to: { is: time } } }
    capture: { settled: to }
  - expect: { records: { transactions/$wire: { settled_at: $settled } }, clock: { now: $settled } }
  - advance: { until: { transactions/$wire: settled } }
    expect: { body: { ran: 0, from: $settled, to: $settled } }
`,
        '{ pace: real, start: "2026-11-23T15:00:00Z" }',
      ),
    )
    expect(steps[5]!.title).toMatch(/^advance until transactions\/\w{16} is settled, customers\/\w{16} is \{"one_of"/)
  })

  it('fails with the status that was reached when nothing is scheduled any more', async () => {
    const [result] = await run(wire('  - advance: { until: { transactions/$wire: failed } }\n'))
    const { checks } = result!.steps.at(-1)!
    expect(failures(result!)).toEqual([
      expect.stringMatching(/^the status was not reached after \d+ tasks; nothing is scheduled any more$/),
      [expect.stringMatching(/^state of transactions\//), 'failed', 'settled'],
    ])
    expect(checks[0]!.place).toMatchObject({ line: 15, column: 25 })
  })

  /** A sandbox whose transfer is always pending, with a task that is always scheduled. */
  const neverSettles = (stopped_by: string): SandboxClient => {
    const now = '2026-11-23T15:00:00.000Z'
    const values: Readonly<Record<string, unknown>> = {
      'records.get': { status: 'pending' },
      'clock.read': { now, due: 2, next: { at: '2026-11-24T15:00:00.000Z', what: 'it settles' } },
      'clock.advance': { from: now, to: now, ran: 1, fired: [{ at: now, task: 'a' }], stopped_by },
    }
    const value = async () => ''
    const call = async (name: string) => ({ ok: true as const, value: values[name] })
    return { api: '', programs: async () => [], token: value, refreshToken: value, call }
  }

  it.each<[name: string, stoppedBy: string, trouble: string]>([
    [
      'fails with what is still scheduled when the limit is reached',
      'goal',
      'the status was not reached after 1000 tasks; 2 tasks are still scheduled, the next at 2026-11-24T15:00:00.000Z: it settles',
    ],
    ['fails when it is canceled', 'cancel', 'cancel stopped the clock before the status was reached'],
    ['fails at a break', 'break_on', 'break_on stopped the clock before the status was reached'],
  ])('%s', async (_name, stoppedBy, trouble) => {
    const [plan] = plans('name: A\nsteps:\n  - advance: { until: { transfers/a: settled } }\n')
    const result = await new PlanRun(plan!, neverSettles(stoppedBy)).runUntil()
    expect(failures(result)).toEqual([trouble, ['state of transfers/a', 'settled', 'pending']])
  })

  it('fails at once if the record does not exist', async () => {
    const [result] = await run(wire('  - advance: { until: { transactions/nobody: settled } }\n'))
    expect(failures(result!)[0]).toBe('there is no record transactions/nobody')
  })

  it.each<[name: string, step: string, trouble: string | RegExp]>([
    [
      'no record',
      '{ until: {} }',
      /^3:23: steps\[0\]\.advance\.until: records with their statuses are expected, as in .*; found \{\}$/,
    ],
    ['an unknown collection', '{ until: { unicorns/a: settled } }', /there is no collection "unicorns"/],
    [
      'a matcher that cannot be',
      '{ until: { transfers/a: { one_of: settled } } }',
      /^3:\d+: steps\[0\]\.advance\.until\.transfers\/a\.one_of: a list of values is expected$/,
    ],
  ])('%s is refused when the file is read', (_name, step, trouble) => {
    expect(troubles(`name: A\nsteps:\n  - advance: ${step}\n`)).toEqual([expect.stringMatching(trouble)])
  })
})
