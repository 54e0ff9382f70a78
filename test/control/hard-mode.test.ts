import { describe, expect, it } from 'vitest'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
import { drawnSettings, drawnValues, type Program } from '../../src/api/contract/resources/programs.ts'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import { hintsOf, lastExchange } from '../api/support.ts'
import { controlOf } from '../support/bridges.ts'
import { type ApiResponse, apiClient } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { openFresh } from '../support/history.ts'
import { openOperator, PROGRAM } from '../support/operator-sandbox.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

/** The settings that vary what the platform leaves open, and hard_mode, which draws them by a seed. */

const codeOf = ({ body }: ApiResponse<unknown>) => (body as ErrorBody).errors[0]!.code
const drawnOf = (program: Program) => Object.fromEntries(drawnSettings.map((name) => [name, program[name]]))
const defaults = Object.fromEntries(drawnSettings.map((name) => [name, defaultSettings[name]]))

async function openHard(settings: object = {}) {
  const opened = await openOperator()
  const update = (changes: object) => opened.control['programs.update']({ uid: PROGRAM, ...changes })
  await update(settings)
  return { ...opened, update, pass: async () => (await lastExchange(opened.sandbox)).refusal?.pass }
}

/** The first seed that draws this value. */
async function seedFor(wanted: Partial<Record<(typeof drawnSettings)[number], unknown>>) {
  const { update } = await openHard()
  for (let n = 0; n < 200; n++) {
    const program = await update({ hard_mode: `seed-${n}` })
    if (Object.entries(wanted).every(([name, value]) => program[name as 'strict'] === value)) return `seed-${n}`
  }
  throw new Error('No seed draws it')
}

describe('settings that vary an assumption', () => {
  it.each(['409', '400', '422'] as const)(
    'repeated_trace_id %s: a repeated trace id has this status, and code 1012',
    async (status) => {
      const { api, pass } = await openHard({ repeated_trace_id: status })
      const send = () => api.get('/customers', { headers: { 'x-trace-id': 'same' } })
      expect((await send()).status).toBe(200)
      const refused = await send()
      expect([refused.status, codeOf(refused), (refused.body as unknown as ErrorBody).status]).toEqual([
        Number(status),
        1012,
        Number(status),
      ])
      expect(await pass()).toMatch(/The Program setting repeated_trace_id decides it\.$/)
    },
  )

  it('accepts_bearer off: a token behind Bearer is refused with 1004 for /auth and for requests, the prefix custom is not', async () => {
    const { sandbox, api, pass } = await openHard({ accepts_bearer: false })
    const send = (method: string, path: string, authorization: string) =>
      api.send(method, path, { headers: { authorization } })
    const token = await api.signIn()
    for (const [method, path, value] of [
      ['POST', '/auth', api.refreshToken()],
      ['GET', '/customers', token],
    ] as const) {
      const refused = await send(method, path, `Bearer ${value}`)
      expect([refused.status, codeOf(refused)]).toEqual([401, 1004])
      expect(await pass()).toMatch(/setting accepts_bearer decides it/)
      expect((await lastExchange(sandbox)).refusal?.cause).toMatch(/begins with "Bearer "; send the token alone/)
      expect((await send(method, path, `custom ${value}`)).status).toBeLessThan(300)
    }
  })

  it('repeated_external_uid refused: a second Transfer, VRN and Return is 422 and creates nothing', async () => {
    const { api, customer, account, fund, mock, settle, transferOf, configure, list } = await setUpPayments()
    const olive = await customer()
    await fund(olive, 100)
    const other = await account(olive, 'general')
    const received = await settle(await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 5 }))
    const once = { external_uid: 'once' }
    const requests = [
      ['/transfers', transferOf(olive, olive.master, other, '1.00', once), 3001],
      [
        '/virtual_reference_numbers',
        { synthetic_account_uid: olive.master, routing_number: '021000021', ...once },
        30001,
      ],
      [
        '/returns',
        {
          original_transaction_uid: received,
          requesting_customer_uid: olive.uid,
          requestor_type: 'customer',
          return_reason: 'Not ours',
          ach: { ach_return_code: 'R03' },
          ...once,
        },
        31002,
      ],
    ] as const
    for (const [path, body, code] of requests) {
      const first = await api.post(path, body)
      expect(first.status).toBe(201)
      expect((await api.post(path, body)).body).toEqual(first.body)
      await configure({ repeated_external_uid: 'refused' })
      const refused = await api.post(path, body)
      expect([refused.status, codeOf(refused)]).toEqual([422, code])
      expect(await list(path)).toHaveLength(1)
      await configure({ repeated_external_uid: 'returned' })
    }
  })

  it('book_transfer_events: a book transfer has two Transaction Events and four line items, and moves nothing at the custodian', async () => {
    const { sandbox, customer, account, fund, pay, advance, transaction, configure, list, expectBalancedLedger } =
      await setUpPayments()
    const olive = await customer()
    await fund(olive, 100)
    const other = await account(olive, 'general')
    await configure({ book_transfer_events: true })
    const dda = async () => (await list(`/custodial_accounts?type=dda&customer_uid=${olive.uid}`))[0]
    const before = await dda()
    const { transaction_uids } = await pay(olive, olive.master, other, '40.00')
    expect(await dda()).toEqual(before)
    const uid = transaction_uids[0]!
    const planned = await controlOf(sandbox)['payments.path']({ uid })
    await advance({ by: 'PT1M' })
    const paid = await transaction(uid)
    expect(paid).toMatchObject({ type: 'book_transfer', status: 'settled', net_asset: 'neutral' })
    expect(paid.custodial_account_uids).toHaveLength(2)
    const events = await list(`/transaction_events?transaction_uid=${uid}`)
    expect(events.map(({ uid, type, us_dollar_amount }) => [uid, type, us_dollar_amount]).toReversed()).toEqual([
      [paid.transaction_event_uids[0], 'odfi_ach_withdrawal', '40.00'],
      [paid.transaction_event_uids[1], 'odfi_ach_deposit', '40.00'],
    ])
    const lines = await list(`/custodial_line_items?transaction_uid=${uid}`)
    expect(lines.map((line) => line.us_dollar_amount).toReversed()).toEqual(['-40.00', '40.00', '-40.00', '40.00'])
    expect(await dda()).toEqual(before)
    await expectBalancedLedger()
    expect(JSON.stringify(planned)).toContain(String(lines[0]!.custodial_account_uid))
    const input = { collection: 'transactions', uid, field: 'transaction_event_uids' } as const
    const why = await controlOf(sandbox).why(input)
    expect(JSON.stringify(why)).toContain('book_transfer_events')
  })

  it('list_order oldest_first: every page is that of the newest first, read from its end; a sort stays', async () => {
    const { api, update } = await openHard()
    for (let n = 0; n < 7; n++) await api.post('/customers', { email: `c${n}@example.test` })
    const queries = [
      'include_initiated=true',
      `include_initiated=true&program_uid=${PROGRAM}`,
      'include_initiated=true&locked=false',
    ]
    const read = async (query: string) =>
      (await api.get<{ data: { uid: string }[]; total_count: number }>(`/customers?${query}`)).body
    const newest = await Promise.all(queries.map(read))
    const sorted = await read('include_initiated=true&sort=email_desc')
    await update({ list_order: 'oldest_first' })
    for (const [i, query] of queries.entries())
      for (const [offset, limit] of [
        [0, 100],
        [0, 3],
        [3, 3],
        [6, 3],
        [9, 3],
        [2, 0],
      ] as const) {
        const { data, total_count } = await read(`${query}&offset=${offset}&limit=${limit}`)
        expect(data, `${query} ${offset} ${limit}`).toEqual(newest[i]!.data.toReversed().slice(offset, offset + limit))
        expect(total_count).toBe(newest[i]!.total_count)
      }
    expect(await read('include_initiated=true&sort=email_desc')).toEqual(sorted)
  })

  it('maximum_limit: a larger limit is reduced and echoed as such, and so is that of lists without one', async () => {
    const { api } = await openHard({ maximum_limit: 2 })
    const limitOf = async (path: string) => (await api.get(path)).body.limit
    expect(await limitOf('/customers')).toBe(2)
    expect(await limitOf('/customers?limit=5')).toBe(2)
    expect(await limitOf('/customers?limit=1')).toBe(1)
    const { body } = await api.get('/products')
    expect([body.limit, body.count, body.total_count]).toEqual([2, 2, 3])
  })

  it('a refusal names the setting that it follows from', async () => {
    const { api, pass } = await openHard({ strict: true, returns: false, combined_transfers: false })
    await api.get('/customers?lmit=1')
    expect(await pass()).toMatch(/Program setting strict decides it/)
    await api.get('/returns')
    expect(await pass()).toMatch(/Program setting returns decides it/)
    await api.get('/combined_transfers')
    expect(await pass()).toMatch(/Program setting combined_transfers decides it/)
    await api.get('/customers/unknown')
    expect(await pass()).not.toMatch(/setting/)
  })
})

describe('hard_mode', () => {
  it('draws from values of which the first is the default', () => {
    expect(Object.fromEntries(drawnSettings.map((name) => [name, drawnValues[name][0]]))).toEqual(defaults)
  })

  it('equal seeds draw equally in all worlds and Programs, and each value is drawn by some seed', async () => {
    const [one, two] = [await openHard(), await openHard({ name: 'Another name' })]
    const found = new Map(drawnSettings.map((name) => [name, new Set<unknown>()]))
    for (let n = 0; n < 40; n++) {
      const program = await one.update({ hard_mode: String(n) })
      expect(program.drawn_settings).toEqual(drawnSettings)
      expect(drawnOf(await two.update({ hard_mode: String(n) }))).toEqual(drawnOf(program))
      for (const name of drawnSettings) found.get(name)!.add(program[name])
    }
    for (const [name, values] of found) expect([...values].toSorted(), name).toEqual([...drawnValues[name]].toSorted())
    const further = await one.control['programs.create']({ name: 'Further', hard_mode: '39' })
    expect(drawnOf(further)).toEqual(drawnOf((await one.control['programs.list']({})).programs[0]!))
  })

  it('a setting that is given wins over the draw: in the same call, before and later', async () => {
    const seed = await seedFor({ shows_nulls: false, list_order: 'oldest_first', maximum_limit: 100 })
    const { update, control } = await openHard({ maximum_limit: 500 })
    const together = await update({ hard_mode: seed, shows_nulls: true })
    expect(together).toMatchObject({ shows_nulls: true, maximum_limit: 500, list_order: 'oldest_first' })
    const others = drawnSettings.filter((name) => name !== 'shows_nulls' && name !== 'maximum_limit')
    expect(together.drawn_settings).toEqual(others)
    const later = await update({ list_order: 'newest_first' })
    expect(later).toMatchObject({ list_order: 'newest_first', hard_mode: seed })
    expect(later.drawn_settings).toEqual(others.filter((name) => name !== 'list_order'))
    const created = await control['programs.create']({ name: 'B', hard_mode: seed, shows_nulls: true })
    expect(created).toMatchObject({ shows_nulls: true, list_order: 'oldest_first' })
  })

  it('null sets what was drawn to its defaults, and leaves what was given', async () => {
    const { update } = await openHard({ maximum_limit: 500 })
    await update({ hard_mode: '3' })
    const off = await update({ hard_mode: null })
    expect(drawnOf(off)).toEqual({ ...defaults, maximum_limit: 500 })
    expect([off.hard_mode, off.drawn_settings]).toEqual([null, []])
  })

  it('another seed draws anew', async () => {
    const { update } = await openHard()
    const first = await update({ hard_mode: 'a' })
    await update({ hard_mode: 'b' })
    expect(await update({ hard_mode: 'a' })).toEqual(first)
  })

  it('with every setting given there is nothing to draw: refused, with what to do, and nothing is changed', async () => {
    const { control, refused } = await openHard()
    const all = { uid: PROGRAM, hard_mode: '1', ...defaults }
    await refused(
      () => control['programs.update'](all as never),
      'invalidArgument',
      /^hard_mode: nothing is left to draw.*leave one out, or hard_mode$/,
    )
  })

  it('a response that it has made another one has a hint that names seed and setting; others have none', async () => {
    const seed = await seedFor({
      list_order: 'oldest_first',
      maximum_limit: 100,
      shows_nulls: true,
      strict: true,
      repeated_trace_id: '400',
      accepts_bearer: false,
      trace_ids_optional: true,
    })
    const { sandbox, api } = await openHard()
    for (const email of ['a@example.test', 'b@example.test']) await api.post('/customers', { email })
    await controlOf(sandbox)['programs.update']({ uid: PROGRAM, hard_mode: seed })
    const named = (answer: ApiResponse<unknown>) =>
      hintsOf(answer).map((text) => /^hard_mode (\S+) has drawn (\w+)/.exec(text)?.slice(1))
    const list = '/customers?include_initiated=true'
    expect(named(await api.get(`${list}&limit=5`))).toEqual([[seed, 'list_order']])
    expect(named(await api.get(`${list}&limit=200`))).toEqual([
      [seed, 'list_order'],
      [seed, 'maximum_limit'],
    ])
    // 100 is their default, too.
    expect(named(await api.get(list))).toEqual([[seed, 'list_order']])
    expect(named(await api.get('/products'))).toContainEqual([seed, 'maximum_limit'])
    expect(named(await api.get(`${list}&limit=1&sort=email_asc`))).toEqual([])
    expect(named(await api.get(`${list}&limit=1`, { headers: { 'x-trace-id': undefined } }))).toEqual([
      [seed, 'trace_ids_optional'],
    ])
    expect(named(await api.get('/customers?lmit=1')).at(-1)).toEqual([seed, 'strict'])
    const once = { headers: { 'x-trace-id': 'once' } }
    expect(named(await api.get(`${list}&limit=1`, once))).toEqual([])
    expect(named(await api.get(list, once))).toEqual([[seed, 'repeated_trace_id']])
    const authorization = `Bearer ${await api.signIn()}`
    expect(named(await api.get(list, { headers: { authorization } }))).toEqual([[seed, 'accepts_bearer']])
    expect((await lastExchange(sandbox)).hinted).toHaveLength(1)
    await controlOf(sandbox)['programs.update']({ uid: PROGRAM, list_order: 'oldest_first' })
    expect(named(await api.get(`${list}&limit=5`))).toEqual([])
  })

  it('is of its Program and its world: a fork has it and changes alone, a rewind takes it back', async () => {
    const { sandbox, update, control } = await openHard()
    await control['programs.create']({ name: 'Plain' })
    const before = sandbox.store.world.seq
    const hard = await update({ hard_mode: '5' })
    expect(drawnOf((await control['programs.list']({})).programs[1]!)).toEqual(defaults)
    const fork = await sandbox.worlds.create({ from: 'current' })
    const ask = async (name: string, input: object) =>
      (await fork.call(name, input)) as { ok: true; value: { programs: Program[] } }
    expect(drawnOf((await ask('programs.list', {})).value.programs[0]!)).toEqual(drawnOf(hard))
    await ask('programs.update', { uid: PROGRAM, hard_mode: null })
    expect(drawnOf((await control['programs.list']({})).programs[0]!)).toEqual(drawnOf(hard))
    await control['world.rewind']({ seq: before } as never)
    expect((await control['programs.list']({})).programs[0]).toMatchObject({
      hard_mode: null,
      drawn_settings: [],
      ...defaults,
    })
  })

  it('of a sandbox is that of its new worlds, of a reset and of a restart; a folder that has a world refuses another', async () => {
    const data = createTemporaryFolder()
    const first = await startSandbox({ data, world: 'demo', hard_mode: '4' })
    const programOf = (world: { programs(): readonly Program[] }) => world.programs()[0]!
    const drawn = drawnOf(programOf(first))
    expect(drawn).not.toEqual(defaults)
    expect(programOf(first)).toMatchObject({ hard_mode: '4', drawn_settings: drawnSettings })
    expect(drawnOf(programOf(await first.worlds.create({ from: 'empty' })))).toEqual(drawn)
    expect(await first.call('world.reset', { world: 'demo' })).toMatchObject({ ok: true })
    expect(drawnOf(programOf(first))).toEqual(drawn)
    expect(await first.call('ledger.check', {})).toMatchObject({ value: { balanced: true } })
    await first.close()
    await expect(startSandbox({ data, hard_mode: '5' })).rejects.toThrow(
      /already contains a world.*leave --hard-mode out/,
    )
    expect(drawnOf(programOf(await startSandbox({ data })))).toEqual(drawn)
  })

  it('the demo world is the same in every draw but for what was drawn', async () => {
    const countIn = async (options: object) => {
      const sandbox = await startSandbox({ world: 'demo', ...options })
      expect(await sandbox.call('ledger.check', {})).toMatchObject({ value: { balanced: true } })
      return (await apiClient(sandbox).get('/transactions')).body.total_count
    }
    const expected = await countIn({})
    for (const hard_mode of ['1', '2', '3', '6']) expect(await countIn({ hard_mode }), hard_mode).toBe(expected)
  })

  it('a bundle that was recorded in hard mode is answered alike, also if the seed is the name of a Customer, which is masked', async () => {
    const session = await openFresh()
    const since = session.sandbox.store.world.seq
    const uid = session.sandbox.programs()[0]!.uid
    const seed = 'Grace'
    const drawn = await session.ask<Program>('programs.update', { uid, hard_mode: seed })
    expect(drawn).toMatchObject({ list_order: 'oldest_first', shows_nulls: false })
    const api = apiClient(session.sandbox)
    await api.post('/customers', { details: { first_name: seed } })
    for (const n of [1, 2, 3]) await api.post('/customers', { email: `c${n}@example.test` })
    await api.get('/customers?include_initiated=true')
    await api.get('/customers?include_initiated=true', { headers: { 'x-trace-id': 'twice' } })
    await api.get('/customers?include_initiated=true', { headers: { 'x-trace-id': 'twice' } })
    const { text } = await session.ask<{ text: string }>('bundles.export', {})
    type Replayed = { exchanges: { verdict: string }[] }
    const expectSame = ({ exchanges }: Replayed) => {
      expect(exchanges.length).toBeGreaterThan(5)
      expect(exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    }
    expectSame(await session.ask<Replayed>('exchanges.replay', { since, into: 'then' }))
    const other = await openFresh()
    expectSame(await other.ask<Replayed>('exchanges.replay', { text, into: 'then' }))
    const imported = await other.ask<{ since: number }>('bundles.import', { text })
    expect(other.sandbox.programs()[0]).toMatchObject({ hard_mode: seed, list_order: 'oldest_first' })
    expectSame(await other.ask<Replayed>('exchanges.replay', { since: imported.since, into: 'then' }))
  })
})
