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

  it.each<[string, unknown, 'invalidArgument' | 'missingParameter', RegExp]>([
    ['a missing list', undefined, 'missingParameter', /^faults is missing$/],
    ['no kind', [{}], 'missingParameter', /^faults\.0\.kind is missing$/],
    ['an unknown kind', [{ kind: 'fire' }], 'invalidArgument', /^faults\.0\.kind: /],
    ['an unknown method', [{ kind: 'latency', method: 'PATCH' }], 'invalidArgument', /^faults\.0\.method: /],
    [
      'an unknown field',
      [{ kind: 'latency', often: 1 }],
      'invalidArgument',
      /^faults\.0: Unrecognized key: "often"; known: method, path, kind, /,
    ],
    ['a rate over 1', [{ kind: 'latency', rate: 1.1 }], 'invalidArgument', /^faults\.0\.rate: /],
    ['times of 0', [{ kind: 'latency', times: 0 }], 'invalidArgument', /^faults\.0\.times: /],
    ['a status that is no failure', [{ kind: 'status', status: 200 }], 'invalidArgument', /^faults\.0\.status: /],
    ['a code that no error has', [{ kind: 'status', code: 6 }], 'invalidArgument', /^faults\.0\.code: a code of the/],
    ['an endless latency', [{ kind: 'latency', ms: 60_001 }], 'invalidArgument', /^faults\.0\.ms: /],
    ['an until that is not a time', [{ kind: 'latency', until: 'tomorrow' }], 'invalidArgument', /^faults\.0\.until: /],
    [
      'a path that no endpoint has',
      [{ kind: 'latency', path: '/nowhere' }],
      'invalidArgument',
      /^faults\.0\.path: no endp/,
    ],
    [
      'a path with a typing error',
      [{ kind: 'latency', path: '/customer/{uid}' }],
      'invalidArgument',
      /^faults\.0\.path: no endpoint has it; did you mean \/customers\/\{uid\}\?$/,
    ],
    [
      'a prefix of no path',
      [{ kind: 'latency', path: '/api/v1/*' }],
      'invalidArgument',
      /^faults\.0\.path: no endpoint/,
    ],
    [
      'a method that the path does not have',
      [{ kind: 'latency', path: '/pools', method: 'POST' }],
      'invalidArgument',
      /^faults\.0\.method: no endpoint of this path has it; it has GET$/,
    ],
    ['a share of 0', [{ kind: 'latency', rate: 0 }], 'invalidArgument', /^faults\.0\.rate: a share of 0/],
    [
      'an until that has passed',
      [{ kind: 'latency', until: '2020-01-01T00:00:00.000Z' }],
      'invalidArgument',
      /^faults\.0\.until: has passed: the clock shows 20/,
    ],
    ['too many', Array.from({ length: 101 }, () => ({ kind: 'latency' })), 'invalidArgument', /^faults: /],
  ])('%s is refused, and the faults stay the same', async (_name, faults, key, extra) => {
    const { refused, control } = await openOperator()
    const { faults: set } = await control['faults.set']({ faults: [{ kind: 'status', path: '/pools' }] })
    await refused(() => control['faults.set']({ faults } as never), key, extra)
    expect((await control['faults.list']({})).faults).toEqual(set)
  })
})
