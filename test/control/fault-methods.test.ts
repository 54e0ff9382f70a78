import { describe, expect, it } from 'vitest'
import { openOperator } from '../support/operator-sandbox.ts'
import { expectUnchanged } from '../support/world.ts'

describe('faults', () => {
  it('faults.set replaces the faults; faults.list counts how often each was applied; faults.clear removes them', async () => {
    const { sandbox, control, api } = await openOperator()
    const fault = { kind: 'status', path: '/customers', status: 503 } as const
    const set = await expectUnchanged(sandbox, () =>
      control['faults.set']({ faults: [fault, { kind: 'latency', ms: 0 }] }),
    )
    expect(set.faults).toEqual([
      { ...fault, met: 0 },
      { kind: 'latency', ms: 0, met: 0 },
    ])
    expect((await api.get('/customers')).status).toBe(503)
    expect((await control['faults.list']({})).faults.map(({ met }) => met)).toEqual([1, 1])
    expect(await control['faults.set']({ faults: [fault] })).toEqual({ faults: [{ ...fault, met: 0 }] })
    expect(await expectUnchanged(sandbox, () => control['faults.clear']({}))).toEqual({ faults: [] })
    expect(await control['faults.list']({})).toEqual({ faults: [] })
    expect((await api.get('/customers')).status).toBe(200)
  })

  const latency = (more: object) => [{ kind: 'latency', ...more }]
  it.each<[string, unknown, RegExp]>([
    ['a missing list', undefined, /^faults is missing$/],
    ['no kind', [{}], /^faults\.0\.kind is missing$/],
    ['an unknown kind', [{ kind: 'fire' }], /^faults\.0\.kind: /],
    ['an unknown method', latency({ method: 'PATCH' }), /^faults\.0\.method: /],
    ['an unknown field', latency({ often: 1 }), /^faults\.0: Unrecognized key: "often"; known: method, path, kind, /],
    ['a rate over 1', latency({ rate: 1.1 }), /^faults\.0\.rate: /],
    ['times of 0', latency({ times: 0 }), /^faults\.0\.times: /],
    ['a status that is no failure', [{ kind: 'status', status: 200 }], /^faults\.0\.status: /],
    ['a code that no error has', [{ kind: 'status', code: 6 }], /^faults\.0\.code: a code of the/],
    ['an endless latency', latency({ ms: 60_001 }), /^faults\.0\.ms: /],
    ['an until that is not a time', latency({ until: 'tomorrow' }), /^faults\.0\.until: /],
    ['a path that no endpoint has', latency({ path: '/nowhere' }), /^faults\.0\.path: no endp/],
    [
      'a path with a typing error',
      latency({ path: '/customer/{uid}' }),
      /^faults\.0\.path: no endpoint has it; did you mean \/customers\/\{uid\}\?$/,
    ],
    ['a prefix of no path', latency({ path: '/api/v1/*' }), /^faults\.0\.path: no endpoint/],
    [
      'a method that the path does not have',
      latency({ path: '/pools', method: 'POST' }),
      /^faults\.0\.method: no endpoint of this path has it; it has GET$/,
    ],
    ['a share of 0', latency({ rate: 0 }), /^faults\.0\.rate: a share of 0/],
    [
      'an until that has passed',
      latency({ until: '2020-01-01T00:00:00.000Z' }),
      /^faults\.0\.until: has passed: the clock shows 20/,
    ],
    ['too many', Array.from({ length: 101 }, () => ({ kind: 'latency' })), /^faults: /],
  ])('%s is refused, and the faults stay the same', async (_name, faults, extra) => {
    const { refused, control } = await openOperator()
    const { faults: set } = await control['faults.set']({ faults: [{ kind: 'status', path: '/pools' }] })
    const key = extra.source.endsWith('is missing$') ? 'missingParameter' : 'invalidArgument'
    await refused(() => control['faults.set']({ faults } as never), key, extra)
    expect((await control['faults.list']({})).faults).toEqual(set)
  })
})
