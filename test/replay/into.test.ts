import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ControlError } from '../../src/api/contract/control/client.ts'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { OLIVE, PERSON, type Resource, setUpCustomers } from '../support/customers.ts'
import { createCaller, expectControlError, NO_DIFFERENCE } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** Where a replay goes, what it sends, and what it calls a difference. */

type Outcome = MethodOutput<'exchanges.replay'>

const verdicts = ({ exchanges }: Outcome) => exchanges.map(({ verdict }) => verdict)
const differences = ({ exchanges }: Outcome) => exchanges.map((one) => one.differences.map(({ at }) => at))
const newest = async (call: ReturnType<typeof createCaller>, n: number) =>
  (await call('exchanges.list', { limit: n })).data.map(({ uid }) => uid).reverse()

describe('the worlds of a replay', () => {
  it('then: a copy of the world at that time; the current world does not change', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const { body } = await api.post('/customers', { email: 'a@x.test', details: { first_name: 'Ada' } })
    await api.get(`/customers/${String(body.uid)}`)
    const before = canonical(sandbox.store.world)
    const outcome = await call('exchanges.replay', { uids: await newest(call, 2) })
    expect(verdicts(outcome)).toEqual(['same', 'same'])
    expect(outcome.exchanges[0]!.replayed.body).toEqual(outcome.exchanges[0]!.recorded!.body)
    expect(canonical(sandbox.store.world)).toBe(before)
    expect((await call('exchanges.list', {})).total_count).toBe(4)
  })

  it('stays: its world is a named one with its requests, which sends nothing and stays until it is dropped', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const { body } = await api.post('/customers', { email: 'a@x.test' })
    const before = canonical(sandbox.store.world)
    const uids = await newest(call, 1)
    for (const [into, name] of [
      ['then', 'replay-1'],
      ['copy', 'replay-2'],
      [{ fresh: 'empty' }, 'replay-3'],
    ] as const) {
      expect(await call('exchanges.replay', { uids, into, stays: true })).toMatchObject({ world: name, same: 1 })
      const world = sandbox.worlds.get(name)!
      const { data } = await createCaller(world)('exchanges.list', { limit: 1 })
      expect(data).toMatchObject([{ method: 'POST', path: '/customers', status: 201 }])
      expect(world.store.world.collections.customers.size).toBe(into === 'copy' ? 2 : 1)
    }
    expect(canonical(sandbox.store.world)).toBe(before)
    expect((await call('worlds.list', {})).worlds.map(({ name, from }) => [name, from])).toEqual(
      [1, 2, 3].map((n) => [`replay-${n}`, 'replay']),
    )
    const { sentences } = await call('worlds.compare', { a: 'replay-1', b: 'replay-2' })
    expect(sentences).toMatchObject([{ says: 'Customer a@x.test is only in replay-2, initiated.' }])
    await call('worlds.drop', { name: 'replay-1' })
    expect(await call('exchanges.replay', { uids, into: 'then' })).toMatchObject({ world: null })
    expect(body.uid).toBeDefined()
  })

  it('present: all requests are sent again, with new uids and trace ids, and are in the log', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const { body } = await api.post('/customers', { email: 'a@x.test', details: { first_name: 'Ada' } })
    await api.call('PUT', `/customers/${String(body.uid)}`, { json: { details: { last_name: 'Byron' } } })
    await api.get(`/customers?uid=${String(body.uid)}&include_initiated=true`)
    const uids = await newest(call, 3)
    const outcome = await call('exchanges.replay', { uids, into: 'present' })
    expect(verdicts(outcome)).toEqual(['same', 'same', 'same'])
    expect(differences(outcome)).toEqual([[], [], []])
    const [first, second] = sandbox.store.world.collections.customers.inOrder()
    expect([first!.uid === second!.uid, second!.details.last_name]).toEqual([false, 'Byron'])
    const [, put] = (await call('exchanges.list', { limit: 3 })).data.reverse()
    expect(put!.path).toBe(`/customers/${second!.uid}`)
  })

  it('a selection is replayed in recorded order, not in the given order', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const { body } = await api.post('/customers', { email: 'a@x.test' })
    await api.get(`/customers/${String(body.uid)}`)
    const uids = await newest(call, 2)
    const outcome = await call('exchanges.replay', { uids: uids.toReversed(), into: 'present' })
    expect(outcome.exchanges.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(verdicts(outcome)).toEqual(['same', 'same'])
  })

  it('a snapshot and a fresh world: requests for missing records are refused, and reported', async () => {
    const { sandbox, api, created } = await setUpCustomers()
    const call = createCaller(sandbox)
    await call('snapshots.keep', { name: 'bare' })
    const { uid } = await created()
    await api.get(`/customers/${uid}`)
    const [made, read] = await newest(call, 2)
    const alone = await call('exchanges.replay', { uids: [read!], into: { snapshot: 'bare' } })
    expect(verdicts(alone)).toEqual(['refused'])
    expect(alone.exchanges[0]!.replayed).toMatchObject({ status: 404, body: { errors: [{ code: 4002 }] } })
    for (const into of [{ snapshot: 'bare' }, { fresh: 'empty' }] as const)
      expect(verdicts(await call('exchanges.replay', { uids: [made!, read!], into }))).toEqual(['same', 'same'])
    await call('exchanges.replay', { uids: [made!], into: { fresh: 'empty' }, keep: 'after' })
    expect((await call('snapshots.compare', { a: 'bare', b: 'after' })).records).toMatchObject([
      { collection: 'customers', what: 'created' },
    ])
  })

  it('gaps: time advances as recorded, or stays the same; an advance of the operator is repeated', async () => {
    const { sandbox, api, active } = await setUpCustomers()
    const call = createCaller(sandbox)
    const since = sandbox.store.world.seq
    const { uid } = await active()
    await call('clock.advance', { by: 'PT5H' })
    await api.get(`/customers/${uid}`)
    for (const gaps of [true, false]) {
      const outcome = await call('exchanges.replay', { since, gaps, keep: 'it' })
      expect(outcome.acts).toEqual([
        { name: 'clock.advance', refused: null },
        { name: 'clock.advance', refused: null },
      ])
      expect(new Set(verdicts(outcome))).toEqual(new Set(['same']))
    }
    const reads = await newest(call, 1)
    await call('world.rewind', { seq: since })
    const still = await call('exchanges.replay', { uids: reads, into: 'present', gaps: false })
    expect(verdicts(still)).toEqual(['refused'])
    expect((await call('clock.read', {})).now).toBe('2026-08-14T14:00:00.000Z')
    await call('exchanges.replay', { uids: reads, into: 'present', gaps: true })
    expect((await call('clock.read', {})).now).toBe('2026-08-14T19:00:02.000Z')
  })
})

describe('values from responses are replaced in later requests', () => {
  it('in paths, queries, JSON and forms, and in generated numbers, in a world with different uids', async () => {
    const setup = await setUpPayments()
    const { sandbox, api } = setup
    const olive = await setup.customer()
    const mill = await setup.account(olive, 'ach_external')
    await setup.fund(olive, '500.00')
    const vrn = await api.post<Record<string, string>>('/virtual_reference_numbers', {
      synthetic_account_uid: olive.master,
      routing_number: '110000000',
      synchronous_registration: true,
    })
    const { virtual_reference_number, uid } = vrn.body
    await api.get(`/virtual_reference_numbers?virtual_reference_number=${virtual_reference_number}`)
    await setup.mock({
      transaction_type: 'wire',
      customer_uid: olive.uid,
      us_dollar_amount: 5,
      virtual_reference_number_uid: uid,
    })
    await api.call('POST', '/transfers', {
      form: new URLSearchParams({
        source_synthetic_account_uid: olive.master,
        destination_synthetic_account_uid: mill,
        initiating_customer_uid: olive.uid,
        usd_transfer_amount: '5.00',
        ...Object.fromEntries(Object.entries(ACH).map(([name, value]) => [`ach[${name}]`, value])),
      }).toString(),
    })
    await setup.advance({ business_days: 3 })
    await setup.list(`/transactions?customer_uid=${olive.uid}`)
    await setup.list('/synthetic_line_items')
    const { text } = await createCaller(sandbox)('bundles.export', {})
    const other = await startSandbox({ seed: 'quite another' })
    const outcome = await createCaller(other)('exchanges.replay', { text, into: 'present', gaps: true })
    expect(outcome.exchanges.flatMap((one) => one.differences)).toEqual([])
    expect(outcome.acts.map(({ refused }) => refused)).toEqual([null, null, null])
    expect(other.store.world.collections.customers.inOrder()[0]!.uid).not.toBe(olive.uid)
    expect(other.store.world.collections.virtual_reference_numbers.inOrder()[0]!.virtual_reference_number).not.toBe(
      virtual_reference_number,
    )
  })

  it('if one creation is refused now, later records still correspond to the recorded ones', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const since = sandbox.store.world.seq
    const make = async (email: string, more: object = {}) =>
      String((await api.post('/customers', { email, ...more })).body.uid)
    const first = await make('a@x.test', { customer_type: 'sole_proprietor' })
    const second = await make('b@x.test')
    await api.get(`/customers/${first}`)
    await api.get(`/customers/${second}`)
    await api.get('/customers?include_initiated=true')
    const { uid } = sandbox.programs()[0]!
    await call('snapshots.keep', { name: 'after' })
    const uids = await newest(call, 5)
    await call('world.rewind', { seq: since })
    await call('programs.update', { uid, customer_types: ['primary', 'secondary'] })
    const outcome = await call('exchanges.replay', { uids, into: 'present' })
    expect(verdicts(outcome)).toEqual(['refused', 'same', 'refused', 'same', 'differs'])
    const found = differences(outcome)[4]!
    expect(found).toContain('total_count')
    expect(found.filter((at) => at.startsWith('data[0]'))).toEqual([])
  })
})

describe('which differences are reported', () => {
  /** Sends it again after the world was changed. */
  async function replayAfter(
    change: (setup: Awaited<ReturnType<typeof setUpCustomers>>, customer: Resource) => Promise<unknown>,
    path = '',
  ) {
    const setup = await setUpCustomers()
    const customer = await setup.active()
    await setup.created({ first_name: 'Zoe', last_name: 'Quill' })
    await setup.api.get(path.replace('{uid}', customer.uid!) || `/customers/${customer.uid}`)
    const call = createCaller(setup.sandbox)
    const uids = await newest(call, 1)
    await change(setup, customer)
    const { exchanges } = await call('exchanges.replay', { uids, into: 'present' })
    return exchanges[0]!
  }

  it('none if only the time differs', async () => {
    expect(await replayAfter(({ advance }) => advance({ by: 'PT3H' }))).toMatchObject({
      verdict: 'same',
      differences: [],
    })
  })

  it('a changed field, with both values', async () => {
    const one = await replayAfter(({ sandbox }, { uid }) =>
      sandbox.call('moves.make', {
        collection: 'customers',
        uid,
        move: 'lock',
        inputs: { lock_reason: 'Somebody called' },
      }),
    )
    expect(one.verdict).toBe('differs')
    expect(one.differences).toContainEqual({ at: 'lock_reason', recorded: null, replayed: 'Somebody called' })
    expect(one.differences.map(({ at }) => at).sort()).toEqual(['lock_reason', 'locked_at'])
  })

  it('an additional item of a list, but not the items that it shifted', async () => {
    const one = await replayAfter(({ created }) => created(), '/customers?include_initiated=true')
    expect(one.differences.map(({ at, recorded }) => [at, recorded])).toEqual([
      ['total_count', 2],
      ['count', 2],
      ['data[2]', '(absent)'],
    ])
  })

  it('the status, and a new refusal', async () => {
    const one = await replayAfter(async ({ sandbox, api }) => {
      const { uid } = sandbox.programs()[0]!
      expect((await sandbox.call('programs.update', { uid, strict: true })).ok).toBe(true)
      await api.get('/pools')
    }, '/customers?adress=1')
    expect(one).toMatchObject({ verdict: 'refused', recorded: { status: 200 }, replayed: { status: 400 } })
    expect(one.differences[0]).toEqual({ at: 'status', recorded: 200, replayed: 400 })
    expect(one.differences.map(({ at }) => at)).toContain('errors')
  })

  it('the order of a list', async () => {
    const setup = await setUpCustomers()
    await setup.created({ first_name: 'Ada', last_name: 'Byron' })
    const { uid } = await setup.created({ first_name: 'Bea', last_name: 'Quill' })
    await setup.api.get('/customers?include_initiated=true&sort=last_name_asc')
    const call = createCaller(setup.sandbox)
    const uids = await newest(call, 1)
    await setup.api.call('PUT', `/customers/${uid}`, { json: { details: { last_name: 'Abel' } } })
    const { exchanges } = await call('exchanges.replay', { uids, into: 'present' })
    expect(exchanges[0]!.differences.map(({ at }) => at)).toEqual(['data[1].details.last_name', 'data, the order'])
  })
})

describe('trace ids and tokens', () => {
  it('a repeated trace id stays repeated, also if its first use is not selected; a missing one stays missing', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const twice = { headers: { 'x-trace-id': 'twice' } }
    await api.get('/pools', twice)
    await api.get('/pools', twice)
    await api.get('/pools', { headers: { 'x-trace-id': undefined } })
    await api.get('/pools', { headers: { 'x-trace-id': ' ' } })
    const uids = await newest(call, 4)
    for (const [asked, statuses] of [
      [uids, [200, 409, 400, 400]],
      [uids.slice(1), [409, 400, 400]],
    ] as const)
      for (const into of ['then', 'present'] as const) {
        const outcome = await call('exchanges.replay', { uids: [...asked], into })
        expect(outcome.exchanges.map(({ replayed }) => replayed.status)).toEqual(statuses)
        expect(new Set(verdicts(outcome))).toEqual(new Set(['same']))
      }
  })

  it('a missing, an invalid and an expired token are refused again; a sign-in gives the same result', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const since = sandbox.store.world.seq
    const old = await api.signIn()
    await api.send('GET', '/pools')
    await api.send('GET', '/pools', { headers: { authorization: 'auth-nobody' } })
    await api.send('POST', '/auth')
    await api.send('POST', '/auth', { headers: { authorization: 'x.y.z' } })
    await call('clock.advance', { by: 'PT9H' })
    await call('tokens.expire', { uid: api.program.uid })
    expect((await api.send('GET', '/pools', { headers: { authorization: old } })).status).toBe(401)
    await api.get('/pools')
    await api.send('POST', '/customers', { raw: 'x'.repeat(1_048_577), headers: { authorization: await api.signIn() } })
    await api.send('POST', '/customers', {
      raw: 'neither JSON',
      headers: { authorization: await api.signIn(), 'content-type': 'text/plain' },
    })
    const outcome = await call('exchanges.replay', { since })
    expect(outcome.exchanges.flatMap((one) => one.differences)).toEqual([])
    const statuses = outcome.exchanges.map(({ replayed }) => replayed.status)
    expect(new Set(statuses)).toEqual(new Set([200, 201, 401, 413, 415]))
  })

  it('a packed body is sent unpacked, as the log has it', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await api.call('POST', '/customers', { raw: gzipSync('{"email":"packed@x.test"}'), headers })
    const packed = { raw: gzipSync('{}'), headers: { ...headers, 'content-encoding': 'zstd' } }
    expect((await api.call('POST', '/customers', packed)).status).toBe(415)
    const uids = await newest(call, 2)
    expect((await call('exchanges.get', { uid: uids[0]! })).request.body).toBe('{"email":"packed@x.test"}')
    const outcome = await call('exchanges.replay', { uids, into: 'then' })
    expect(outcome.exchanges.map(({ replayed }) => replayed.status)).toEqual([201, 415])
    expect(verdicts(outcome)).toEqual(['same', 'same'])
  })

  it('a sealed number is sent in clear text, and appears in no report', async () => {
    const { sandbox, api } = await setUpCustomers()
    const call = createCaller(sandbox)
    await api.post('/customers', { email: 'o@x.test', details: { ...PERSON, ssn: '512-04-8823' } })
    await api.call('POST', '/customers', { form: 'email=o%40x.test&details[ssn]=512-04-8824' })
    const uids = await newest(call, 2)
    const outcome = await call('exchanges.replay', { uids, into: 'present' })
    expect(verdicts(outcome)).toEqual(['same', 'same'])
    const sealed = sandbox.store.world.collections.customers.inOrder().map(({ ssn }) => ssn)
    expect(sealed.slice(2)).toEqual(sealed.slice(0, 2))
    expect(new Set(sealed).size).toBe(2)
    const log = await Promise.all((await newest(call, 4)).map((uid) => call('exchanges.get', { uid })))
    for (const text of [JSON.stringify(outcome), JSON.stringify(log)]) expect(text).not.toMatch(/512-?04-?88/)
  })
})

it('a replay is refused without a source, with two sources, or with unknown exchanges', async () => {
  const { sandbox, api } = await setUpCustomers()
  const call = createCaller(sandbox)
  await api.get('/pools')
  const [uid] = await newest(call, 1)
  const har = JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'x', version: '1' },
      entries: [
        {
          startedDateTime: '2026-08-14T14:00:00.000Z',
          time: 1,
          request: {
            method: 'GET',
            url: 'https://api.example.com/api/v1/pools',
            httpVersion: 'HTTP/1.1',
            headers: [],
            queryString: [],
            cookies: [],
            headersSize: -1,
            bodySize: 0,
          },
          response: {
            status: 200,
            statusText: 'OK',
            headers: [],
            content: { size: 2, mimeType: 'application/json', text: '{}' },
          },
        },
      ],
    },
  })
  const refused = async (input: object, extra: RegExp) => {
    const before = canonical(sandbox.store.world)
    const error = await call('exchanges.replay', input as never).then(
      () => expect.unreachable('it was not refused'),
      (thrown: unknown) => thrown as ControlError,
    )
    expect([error.body.status, error.message]).toEqual([expect.any(Number), expect.stringMatching(extra)])
    expect(canonical(sandbox.store.world)).toBe(before)
  }
  await refused({}, /exactly one of uids, since and text/)
  await refused({ uids: [uid], since: 0 }, /exactly one of uids, since and text/)
  await refused({ uids: [uid, 'x999'] }, /there is no exchange x999/)
  await refused({ since: sandbox.store.world.seq + 1 }, /there is no commit/)
  await refused({ uids: [uid], into: { snapshot: 'nowhere' } }, /there is no snapshot "nowhere"/)
  await refused({ uids: [uid], into: 'elsewhere' }, /^into: /)
  await refused({ text: har, into: 'then' }, /there is no world in it/)
  await refused({ text: 'hello' }, /./)
  await call('world.reset', { world: 'empty' })
  await api.get('/pools')
  await refused({ since: 0 }, /the record of the present world begins after commit \d+/)
})

it("everything since a commit, with the operator's actions, in the recorded order", async () => {
  const { sandbox, api, active } = await setUpCustomers()
  const call = createCaller(sandbox)
  await active()
  const since = sandbox.store.world.seq
  const { uid } = await active({ ...OLIVE.details, last_name: 'Smith' })
  await call('moves.make', { collection: 'customers', uid: uid!, move: 'approve' })
  await api.get(`/customers/${uid}`)
  await call('clock.set', { pace: 'real' })
  await call('faults.set', { faults: [{ path: '/pools', kind: 'status', status: 503, times: 1 }] })
  await api.get('/pools')
  const outcome = await call('exchanges.replay', { since, keep: 'again' })
  expect(new Set(verdicts(outcome))).toEqual(new Set(['same']))
  expect(outcome.acts).toEqual(
    ['clock.advance', 'moves.make', 'clock.set', 'faults.set'].map((name) => ({ name, refused: null })),
  )
  expect(await call('snapshots.compare', { b: 'again' })).toMatchObject(NO_DIFFERENCE)
  expectControlError(
    await call('exchanges.replay', { since: since + 1_000 }).catch((error: unknown) => error),
    'invalidArgument',
  )
})

describe('what a file must not do', () => {
  it('advance over too many years', async () => {
    const { sandbox } = await setUpCustomers()
    const line = (at: string) => ({
      startedDateTime: at,
      request: { method: 'GET', url: 'https://a.test/api/v1/customers', headers: [], httpVersion: 'HTTP/1.1' },
      response: { status: 200, headers: [], content: { size: 2, mimeType: 'application/json', text: '{}' } },
    })
    const entries = [line('2026-08-14T14:00:00.000Z'), line('2826-08-14T14:00:00.000Z')]
    const text = JSON.stringify({ log: { version: '1.2', creator: { name: 'a', version: '1' }, entries } })
    const reply = await sandbox.call('exchanges.replay', { text, gaps: true })
    expect(reply).toMatchObject({
      ok: false,
      error: { errors: [{ extra: expect.stringMatching(/^The record goes from 2026-.* to 2826-.*at most 20 years/) }] },
    })
  })

  it('call other control methods than a record contains, or open the sandbox to a network', async () => {
    const { sandbox } = await setUpCustomers()
    const call = createCaller(sandbox)
    const [program] = sandbox.programs()
    await call('programs.update', { uid: program!.uid, name: 'Renamed', allowlist: ['10.0.0.0/8', '127.0.0.0/8'] })
    await call('clock.advance', { by: 'PT1S' })
    const { text } = await call('bundles.export', {})
    const planted = text.replace('"name":"clock.advance","input"', '"name":"snapshots.keep","input"')
    expect(planted).not.toBe(text)
    const other = await startSandbox({ seed: 'another' })
    const before = other.programs()[0]!.allowlist
    const outcome = await createCaller(other)('exchanges.replay', { text: planted, into: 'present' })
    expect(outcome.acts).toEqual([
      { name: 'programs.update', refused: null },
      { name: 'snapshots.keep', refused: 'this is no method that changes the world' },
    ])
    expect(other.programs()[0]).toMatchObject({ name: 'Renamed', allowlist: before })
  })

  it('contain an invalid header or method', async () => {
    const { sandbox } = await setUpCustomers()
    const text = `curl 'https://a.test/api/v1/customers' -H 'x-name: Zoë €'\ncurl -X 'GE T' 'https://a.test/api/v1/customers'`
    const outcome = await createCaller(sandbox)('exchanges.replay', { text })
    expect(outcome.exchanges.map(({ method, replayed }) => [method, replayed.status])).toEqual([['GET', 401]])
    expect(outcome.unusable).toEqual([{ at: 'line 2', why: '"GE T" is not an HTTP method' }])
  })
})
