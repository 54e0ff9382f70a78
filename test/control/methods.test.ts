import { describe, expect } from 'vitest'
import { type ControlReply, createControlClient } from '../../src/api/contract/control/client.ts'
import { exampleOf, methodNames } from '../../src/api/contract/control/methods.ts'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
import type { ErrorKey } from '../../src/api/contract/errors.ts'
import { textMessage } from '../../src/api/contract/messages.ts'
import { ipcBridge } from '../support/bridges.ts'
import { expectControlError } from '../support/operator.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { waitFor } from '../support/wait.ts'

const HOUR = 3_600_000
const at = (ms: number) => new Date(START + ms).toISOString()

describe('the control API', () => {
  async function operator(options: Parameters<typeof startSandbox>[0] = {}) {
    const sandbox = await startSandbox(options)
    const bridge = ipcBridge(sandbox)
    return { sandbox, bridge, control: createControlClient(bridge), api: sandbox.client() }
  }

  async function refused(promise: Promise<unknown>, key: ErrorKey, extra?: RegExp) {
    const error = await promise.then(
      () => expect.unreachable('it was not refused'),
      (error: unknown) => error,
    )
    expectControlError(error, key, extra)
  }

  describe('clock', () => {
    it('clock.read returns now, mode, pace, the next task and the number of due tasks', async () => {
      const { sandbox, control } = await operator()
      const read = {
        now: at(0),
        mode: 'frozen',
        pace: 'fast',
        paces: ['fast', 'real'],
        break_on: null,
        next: null,
        due: 0,
      }
      expect(await control['clock.read']({})).toEqual(read)
      const [program] = sandbox.programs()
      sandbox.store.transact(program!.uid, { door: 'operator', name: 'test' }, (tx) => {
        tx.schedule(testTask({ kind: 'k', due_at: at(HOUR), subject_uid: null, why: 'once' }))
        tx.schedule(testTask({ kind: 'k', due_at: at(1), subject_uid: null, why: 'daily', recurring: true }))
      })
      expect(await control['clock.read']({})).toEqual({
        ...read,
        next: { at: at(HOUR), what: 'once', message: textMessage('once'), outcome: null },
        due: 1,
      })
    })

    it('clock.set freezes, runs and sets the pace; omitted settings stay the same', async () => {
      const { control } = await operator()
      expect(await control['clock.set']({ pace: 'real' })).toMatchObject({ mode: 'frozen', pace: 'real' })
      expect(await control['clock.set']({ mode: 'running' })).toMatchObject({ mode: 'running', pace: 'real' })
      await waitFor(async () => expect(Date.parse((await control['clock.read']({})).now)).toBeGreaterThan(START))
      const { now } = await control['clock.set']({ mode: 'frozen' })
      expect((await control['clock.read']({})).now).toBe(now)
    })

    it.each([
      ['by a duration', { by: 'PT24H' }, at(24 * HOUR)],
      ['by weeks and days', { by: 'P1W2D' }, at(9 * 24 * HOUR)],
      ['by parts of a second', { by: 'PT0.5S' }, at(500)],
      ['to a time', { to: '2026-08-14T11:00:00-04:00' }, at(HOUR)],
      ['to where it is', { to: at(0) }, at(0)],
      ['by business days, over a weekend', { business_days: 1 }, '2026-08-17T14:00:00.000Z'],
      ['to the next thing due, when nothing is', { until: 'next' as const }, at(0)],
      ['until nothing is due', { until: 'idle' as const }, at(0)],
    ])('clock.advance %s', async (_name, input, to) => {
      const { control } = await operator()
      const advance = await control['clock.advance'](input)
      expect(advance).toMatchObject({ from: at(0), to })
      expect(
        advance.fired.every(({ task }) => task === 'close of day'),
        'only days closed on the way',
      ).toBe(true)
      expect(advance.ran).toBe(advance.fired.length)
      expect((await control['clock.read']({})).now).toBe(to)
    })

    it('clock.advance returns after all due tasks have run, and lists them in order', async () => {
      const { sandbox, control } = await operator({ tasks: { k: () => 'well done' } })
      const [program] = sandbox.programs()
      sandbox.store.transact(program!.uid, { door: 'operator', name: 'test' }, (tx) => {
        tx.schedule(testTask({ kind: 'k', due_at: at(2000), subject_uid: 'b', why: 'second' }))
        tx.schedule(testTask({ kind: 'k', due_at: at(1000), subject_uid: 'a', why: 'first' }))
      })
      const message = textMessage('well done')
      expect(await control['clock.advance']({ by: 'PT1H' })).toEqual({
        from: at(0),
        to: at(HOUR),
        ran: 2,
        stopped_by: 'goal',
        met: null,
        fired: [
          { at: at(1000), task: 'k', record: 'a', outcome: 'well done', message },
          { at: at(2000), task: 'k', record: 'b', outcome: 'well done', message },
        ],
        silent_webhooks: [],
      })
    })

    it.each([
      ['into the past', { to: at(-1) }, /time does not go back; rewinding.*world\.rewind/],
      ['by months', { by: 'P1M' }, /months and years have no fixed length/],
      ['by years', { by: 'P1Y' }, /months and years have no fixed length/],
      ['by nothing that is a duration', { by: '24h' }, /an ISO 8601 duration is expected/],
      ['by an empty duration', { by: 'P' }, /an ISO 8601 duration is expected/],
      ['to nothing that is a time', { to: 'tomorrow' }, /an ISO 8601 instant with its offset is expected/],
      ['to a time without its offset', { to: '2026-08-15T10:00:00' }, /with its offset/],
      ['to a day, which has no offset', { to: '2026-08-15' }, /with its offset/],
      ['beyond the calendar', { by: 'P9999999W' }, /beyond the year 9900/],
      ['by more business days than are left', { business_days: 3000 }, /^business_days: /],
      ['by half a business day', { business_days: 0.5 }, /^business_days: expected int/],
      ['in two ways at once', { by: 'PT1H', until: 'next' }, /^Unrecognized key: "until"/],
      ['in no way', {}, /^exactly one of by, to, business_days, until and text is expected$/],
    ])('clock.advance %s is refused with the reason, and the clock does not move', async (_name, input, extra) => {
      const { sandbox, control } = await operator()
      const { seq } = sandbox.store.world
      await refused(control['clock.advance'](input as never), 'invalidArgument', extra)
      expect(sandbox.store.world.seq).toBe(seq)
      expect((await control['clock.read']({})).now).toBe(at(0))
    })
  })

  it('calendar.read lists the holidays within a range of days, and the cut-offs of a banking day', async () => {
    const { control } = await operator()
    const { holidays, cut_offs } = await control['calendar.read']({ from: '2026-11-20', days: 12 })
    expect(holidays).toEqual([{ date: '2026-11-26', name: 'Thanksgiving' }])
    expect(cut_offs).toContainEqual({ name: 'ACH cut-off', time: '17:00' })
    await refused(control['calendar.read']({ from: 'soon', days: 1 }), 'invalidArgument', /^from: /)
    await refused(control['calendar.read']({ from: '2026-11-20', days: 0 }), 'invalidArgument', /^days: /)
  })

  it('tasks.list returns tasks with their due time, record and reason', async () => {
    const { sandbox, control } = await operator()
    const [program] = sandbox.programs()
    const { uid } = sandbox.store.transact(program!.uid, { door: 'operator', name: 'test' }, (tx) =>
      tx.schedule(testTask({ kind: 'k', due_at: at(5), subject_uid: 'someone', why: 'because' })),
    )
    const { tasks } = await control['tasks.list']({})
    expect(tasks.filter(({ recurring }) => recurring).map(({ kind, due_at }) => [kind, due_at])).toEqual([
      ['close of day', '2026-08-15T00:00:00.000Z'],
    ])
    expect({ tasks: tasks.filter(({ recurring }) => !recurring) }).toEqual({
      tasks: [
        {
          uid,
          due_at: at(5),
          kind: 'k',
          record: 'someone',
          why: 'because',
          message: textMessage('because'),
          outcome: null,
          recurring: false,
          held: false,
          failed: null,
          program_uid: program!.uid,
        },
      ],
    })
  })

  describe('records', () => {
    it("records.list lists a collection by the API's own filters and pages", async () => {
      const { control, api } = await operator()
      for (const email of ['a@x.test', 'b@x.test', 'c@x.test']) await api.post('/customers', { email })
      const collection = 'customers'
      expect(await control['records.list']({ collection })).toMatchObject({ total_count: 0 })
      const found = await control['records.list']({ collection, include_initiated: true, sort: 'email_desc', limit: 2 })
      expect(found).toMatchObject({ total_count: 3, count: 2, limit: 2, offset: 0 })
      expect(found.data.map(({ email }) => email)).toEqual(['c@x.test', 'b@x.test'])
      await refused(control['records.list']({ collection, sort: 'nonsense' }), 'invalidSort')
    })

    it('records.list returns only the requested fields, nested ones nested, and only the requested records', async () => {
      const { control, api } = await operator()
      const uids: string[] = []
      for (const first_name of ['Ada', 'Ben', 'Cy'])
        uids.push((await api.post<{ uid: string }>('/customers', { details: { first_name } })).body.uid)
      const asked = { collection: 'customers', include_initiated: true, fields: ['status', 'details.first_name'] }
      const [cy, ben, ada] = ['Cy', 'Ben', 'Ada'].map((first_name, at) => ({
        uid: uids[2 - at],
        status: 'initiated',
        details: { first_name },
      }))
      expect((await control['records.list'](asked)).data).toEqual([cy, ben, ada])
      const some = await control['records.list']({ ...asked, uids: [uids[0]!, 'nobody', uids[2]!, uids[0]!] })
      expect(some).toMatchObject({ total_count: 2, data: [cy, ada] })
      expect(await control['records.list']({ ...asked, uids: [] })).toMatchObject({ total_count: 0, data: [] })
      expect((await control['records.list']({ ...asked, status: 'active', uids })).data).toEqual([])
    })

    it('records.list returns fields of the records that a record names, and sorts by them', async () => {
      const { control } = await operator({ world: 'demo' })
      const fields = [
        'transaction_uids',
        'transactions.status',
        'transactions.return_uid',
        'initiating_customer.status',
      ]
      const { data } = await control['records.list']({ collection: 'transfers', fields })
      const sent = data.find(({ transaction_uids }) => (transaction_uids as string[]).length > 0)!
      const [uid] = sent.transaction_uids as string[]
      const { status, return_uid } = await control['records.get']({ collection: 'transactions', uid: uid! })
      expect(sent).toMatchObject({
        transactions: [{ uid, status, return_uid }],
        initiating_customer: { status: 'active' },
      })
      const field = 'transfer.usd_transfer_amount'
      const sorted = await control['records.list']({
        collection: 'transactions',
        fields: [field],
        order: { field, descending: true },
      })
      const amounts = sorted.data.flatMap(({ transfer }) => (transfer as { usd_transfer_amount: string } | null) ?? [])
      const sizes = amounts.map(({ usd_transfer_amount }) => Number(usd_transfer_amount))
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
      expect(sizes.length).toBeGreaterThan(1)
    })

    it('records.list joins the records that a record names, not those that they name in turn: each step multiplies them', async () => {
      const { control } = await operator({ world: 'demo' })
      const listed = (path: string) => control['records.list']({ collection: 'customers', fields: [path] })
      await listed('primary_customer.status')
      const nested = await listed('secondary_customers.primary_customer.status').catch((error: unknown) => error)
      expectControlError(
        nested,
        'invalidArgument',
        /^fields: customers have no primary_customer\.status; they have uid/,
      )
      const long = await listed(`${'primary_customer.'.repeat(20_000)}uid`).catch((error: unknown) => error)
      expectControlError(long, 'invalidArgument', /fields/)
    })

    it.each([
      ['nonsense', /fields: transactions have no nonsense; they have uid, id, customer_uid/],
      ['wire.nonsense', /have no wire\.nonsense/],
      ['status.nonsense', /have no status\.nonsense/],
      ['__proto__', /have no __proto__/],
      ['posts_at', /have no posts_at/],
      ['transfer.nonsense', /fields: transfers have no nonsense/],
      ['transfer', /fields: transactions have no transfer/],
    ])('records.list refuses the field %s by name', async (field, words) => {
      const { control } = await operator()
      const asked = { collection: 'transactions', fields: ['status', field] }
      await refused(control['records.list'](asked), 'invalidArgument', words)
      expect(await control['records.list']({ ...asked, fields: ['wire.imad', 'ach.iat.odfi_name'] })).toBeTruthy()
    })

    it('records.received adds up the settled payments of each VRN', async () => {
      const { control } = await operator({ world: 'demo' })
      const { received } = await control['records.received']({})
      const { data } = await control['records.list']({ collection: 'transactions', status: 'settled', limit: 1000 })
      const cents = (uid: unknown) =>
        data
          .filter((it) => it.virtual_reference_number_uid === uid && it.net_asset === 'positive')
          .reduce((total, it) => total + Math.round(Number(it.us_dollar_amount) * 100), 0)
      expect(received.length).toBeGreaterThan(0)
      for (const { uid, us_dollar_amount } of received)
        expect(Math.round(Number(us_dollar_amount) * 100)).toBe(cents(uid))
      const named = new Set(
        data.flatMap((it) => (cents(it.virtual_reference_number_uid) > 0 ? [it.virtual_reference_number_uid] : [])),
      )
      named.delete(null)
      expect(new Set(received.map(({ uid }) => uid))).toEqual(named)
    })

    it('records contain no private fields: no SSN, sealed or not', async () => {
      const { control, api } = await operator()
      const { body } = await api.post('/customers', { details: { ssn: '512-04-8823' } })
      const record = await control['records.get']({ collection: 'customers', uid: String(body.uid) })
      expect(record).toEqual(body)
      expect(JSON.stringify(record)).not.toMatch(/512|sealed/)
    })

    const ofRecords = methodNames.filter((name) => {
      const example = exampleOf(name) as object
      return 'collection' in example && 'uid' in example
    })
    it.for(ofRecords)('%s refuses an unknown collection and an unknown record by name', async (name, { sandbox }) => {
      const ask = (more: object) => sandbox.call(name, { ...(exampleOf(name) as object), ...more })
      const extraOf = (reply: ControlReply) => (reply as { error?: ErrorBody }).error?.errors[0]?.extra
      const collections = /^there is no collection __proto__; there are programs, customers/
      expect(extraOf(await ask({ collection: '__proto__' }))).toMatch(collections)
      // An unknown record has no history.
      if (name !== 'records.history' && name !== 'records.operations')
        expect(extraOf(await ask({ collection: 'customers', uid: 'x' }))).toBe('customers holds no record x')
    })

    it('an unknown Program is refused by name', async () => {
      const { control } = await operator()
      const input = { collection: 'customers', program_uid: 'x' }
      await refused(control['records.list'](input), 'routeNotFound', /there is no Program x/)
    })
  })

  describe('exchanges', () => {
    it('exchanges.list pages the request log, newest first; exchanges.get returns one complete exchange', async () => {
      const { control, api } = await operator()
      await api.post('/customers', { email: 'a@x.test', adress: 1 })
      await api.get('/customers/unknown')
      const { data, total_count } = await control['exchanges.list']({ limit: 2 })
      expect(total_count, 'the token, the creation and the refusal').toBe(3)
      expect(data.map(({ method, path, status, code, hints }) => [method, path, status, code, hints])).toEqual([
        ['GET', '/customers/unknown', 404, 4002, 0],
        ['POST', '/customers', 201, null, 1],
      ])
      const refusal = await control['exchanges.get']({ uid: data[0]!.uid })
      expect(refusal.refusal).toMatchObject({ stage: 'rules', code: 4002, key: 'customerNotFound' })
      const creation = await control['exchanges.get']({ uid: data[1]!.uid })
      expect(JSON.parse(creation.request.body)).toEqual({ email: 'a@x.test', adress: 1 })
      expect(creation.hinted).toHaveLength(1)
      expect(creation.seq_after).toBe(creation.seq_before + 1)
    })

    it("exchanges.send gets an access token with a refresh token signed by the Program's key", async () => {
      const { control } = await operator()
      const made = await control['exchanges.send']({ method: 'POST', path: '/auth' })
      expect(made).toMatchObject({ status: 201, endpoint: 'createAccessToken', refusal: null })
    })

    it("exchanges.send sends a request with the Program's token, and returns its log entry", async () => {
      const { control } = await operator()
      const made = await control['exchanges.send']({ method: 'POST', path: '/customers', body: '{}' })
      expect(made).toMatchObject({ method: 'POST', path: '/customers', status: 201, refusal: null })
      expect(JSON.parse(made.response.body)).toMatchObject({ status: 'initiated' })
      const unread = await control['exchanges.send']({ method: 'POST', path: '/customers', body: '{' })
      expect(unread).toMatchObject({ status: 400, refusal: { stage: 'body', code: 1007 } })
      const { data } = await control['exchanges.list']({ limit: 2 })
      expect(data.map(({ uid }) => uid)).toEqual([unread.uid, made.uid])
      await refused(
        control['exchanges.send']({ program_uid: 'nobody1234567890', method: 'GET', path: '/pools' }),
        'routeNotFound',
        /there is no Program nobody1234567890/,
      )
    })

    it('an unknown exchange is refused', async () => {
      const { control } = await operator()
      await refused(control['exchanges.get']({ uid: 'x99' }), 'routeNotFound', /there is no exchange x99/)
    })
  })

  it('world.describe describes the world and the sandbox', async () => {
    const { sandbox, control } = await operator()
    expect(await control['world.describe']({})).toEqual({
      name: null,
      look: null,
      version: '0.0.0-test',
      api: sandbox.api,
      data: null,
      seed: 'test',
      start: at(0),
      seq: 1,
      allow: [],
      opened_at: at(0),
      log_length: 10_000,
      resets_to: ['demo', 'empty', 'hosted'],
    })
  })

  it('the request log has the configured length, and deletes the oldest quarter at a time', async () => {
    const { control, api } = await operator({ log_length: 100 })
    expect(await control['world.describe']({})).toMatchObject({ log_length: 100 })
    for (let sent = 0; sent < 123; sent++) await api.get('/products')
    const { total_count, data, log_complete } = await control['exchanges.list']({ limit: 1000 })
    expect([total_count, log_complete]).toEqual([124, true])
    expect(data.at(-1)!.uid).toBe('x1')
    for (let sent = 0; sent < 2; sent++) await api.get('/products')
    const later = await control['exchanges.list']({ limit: 1000 })
    expect([later.total_count, later.log_complete]).toEqual([101, false])
    expect(later.data.at(-1)!.uid).toBe('x26')
  })
})

describe('who may call the control API over HTTP', () => {
  const ask = (url: string, headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(url, { method: 'POST', headers, ...init })

  it.each([
    ['no key', {}, 401, 1004],
    ['a wrong key', { 'x-control-key': 'test-kez' }, 401, 1004],
    ['a part of the key', { 'x-control-key': 'test' }, 401, 1004],
    ['a foreign Origin', { 'x-control-key': 'test-key', origin: 'http://evil.example' }, 403, 1013],
    ['an Origin that is null', { 'x-control-key': 'test-key', origin: 'null' }, 403, 1013],
    ['an Origin of another port', { 'x-control-key': 'test-key', origin: 'http://127.0.0.1:1' }, 403, 1013],
  ])('%s is refused for every path', async (_name, headers, status, code) => {
    const { control } = await startSandbox()
    for (const [path, method] of [
      ['/clock.read', 'POST'],
      ['/nonsense', 'POST'],
      ['/notices', 'GET'],
    ] as const) {
      const response = await fetch(control + path, { method, headers: headers as Record<string, string> })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ status, errors: [{ code }] })
    }
  })

  it('the Origin of the window is accepted', async () => {
    const { control, api } = await startSandbox()
    const response = await ask(`${control}/clock.read`, { 'x-control-key': 'test-key', origin: new URL(api).origin })
    expect(response.status).toBe(200)
  })

  it('a body that is not JSON, or too large, is refused', async () => {
    const { control } = await startSandbox()
    const key = { 'x-control-key': 'test-key' }
    expect(await (await ask(`${control}/clock.read`, key, { body: '{' })).json()).toMatchObject({
      errors: [{ code: 1007 }],
    })
    const large = await ask(`${control}/clock.read`, key, { body: 'x'.repeat((1 << 20) + 1) })
    expect(await large.json()).toMatchObject({ status: 413, errors: [{ code: 1016 }] })
    expect((await fetch(`${control}/clock.read`, { headers: key })).status, 'methods are called by POST').toBe(404)
  })

  it('over IPC only the main frame of the window gets replies', async ({ sandbox }) => {
    const handlers = new Map<string, (event: unknown, ...given: unknown[]) => unknown>()
    const { NoticeSender, serveWindows } = await import('../../src/main/ipc.ts')
    const frame = {}
    const contents = { mainFrame: frame, send() {}, isDestroyed: () => false } as never
    const notices = new NoticeSender(contents, (listener) => sandbox.subscribe(listener), null)
    serveWindows(
      { handle: (channel: string, handler: never) => void handlers.set(channel, handler) } as never,
      { find: (sender) => (sender === contents ? { contents, notices } : undefined) },
      (name, input) => sandbox.call(name, input),
    )
    expect([...handlers.keys()]).toEqual(['sandbox:call', 'sandbox:follow', 'sandbox:taken'])
    for (const take of handlers.values())
      for (const [sender, senderFrame] of [
        [contents, {}],
        [contents, null],
        [{}, frame],
      ])
        expect(() => take({ sender, senderFrame }, 'clock.read', {})).toThrow(/Only a window/)
    const call = handlers.get('sandbox:call')!
    expect(await call({ sender: contents, senderFrame: frame }, 'clock.read', {})).toMatchObject({ ok: true })
  })

  it('over IPC a window gets the notices of the world that it follows, until it follows another one or is closed', async () => {
    const { NoticeSender } = await import('../../src/main/ipc.ts')
    const followed: (string | null)[] = []
    const subscribe = (_listener: unknown, world: string | null) => {
      if (world === 'gone') return undefined
      followed.push(world)
      return () => void followed.splice(followed.indexOf(world), 1)
    }
    const notices = new NoticeSender({} as never, subscribe, 'one')
    expect([notices.world, followed]).toEqual(['one', []])
    expect(notices.follow('one')).toBe(true)
    expect(notices.follow(null)).toBe(true)
    expect([notices.world, followed]).toEqual([null, [null]])
    expect(notices.follow('gone')).toBe(false)
    expect([notices.world, followed]).toEqual(['gone', []])
    notices.follow('two')
    notices.stop()
    notices.stop()
    expect(followed).toEqual([])
  })
})
