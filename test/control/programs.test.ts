import { describe, expect, it } from 'vitest'
import type { ControlClient } from '../../src/api/contract/control/client.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { Product } from '../../src/api/contract/resources/products.ts'
import type { Program, ProgramSettings } from '../../src/api/contract/resources/programs.ts'
import type { SyntheticAccount, SyntheticAccountType } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { defaultSettings as demonstration } from '../../src/api/domain/seed.ts'
import { controlOf } from '../support/bridges.ts'
import { type ApiResponse, apiClient, expectRefusal, sign } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { ACH, returnBody } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { expectUnchanged } from '../support/world.ts'

type Api = ReturnType<typeof apiClient>

const limit = (more: object = {}) => ({
  minimum_amount: '0.01',
  maximum_amount: null,
  daily_amount: null,
  daily_count: null,
  ...more,
})
const limits = (of_ach: object) => ({ ach: limit(of_ach), wire: limit(), instant_payment: limit() })
/** What is no setting, and a further Program has from the first. */
const of = ({ client_uid, behaves_as }: Program) => ({ client_uid, behaves_as, drawn_settings: [] })
const account_limits = (more: object) => ({ ...demonstration.account_limits, ...more })
const queue_minutes = (ach: number) => ({ ach, wire: 0, instant_payment: 0, book: 0 })

/** Another value for every setting there is. */
const OTHER = {
  allowlist: ['10.0.0.0/8', '127.0.0.1', '::1/128'],
  customer_types: ['primary'],
  transaction_types: ['ach'],
  client_is_customer: true,
  accepts_client_verified: true,
  routing_number: '021000021',
  returns: false,
  combined_transfers: false,
  client_authorization: false,
  authorization_hours: 48,
  unanswered_authorization: 'deny',
  pre_funding: false,
  queue_minutes: queue_minutes(15),
  vrn_cooldown_minutes: 5,
  tokens_in_all_worlds: false,
  shows_nulls: false,
  shows_iat: false,
  repeated_trace_id: '422',
  accepts_bearer: false,
  repeated_external_uid: 'refused',
  book_transfer_events: true,
  list_order: 'oldest_first',
  maximum_limit: 50,
  limits: limits({ maximum_amount: '99.99' }),
  account_limits: account_limits({ general_accounts: 3 }),
} as unknown as ProgramSettings
const OTHERS = Object.entries(OTHER)

/** What no Program can work with; each is refused by its name. */
const BAD: readonly (readonly [what: string, settings: object, extra: RegExp])[] = [
  ['an allowlist of words', { allowlist: ['nonsense'] }, /^allowlist/],
  ['a network too narrow to be one', { allowlist: ['10.0.0.0/99'] }, /^allowlist/],
  ['no list', { allowlist: '127.0.0.0/8' }, /^allowlist/],
  ['a Customer Type that cannot be created', { customer_types: ['sub_ledger'] }, /^customer_types/],
  ['an unknown transaction type', { transaction_types: ['cash'] }, /^transaction_types/],
  ['a routing number of 8 digits', { routing_number: '12345678' }, /^routing_number/],
  ['a flag in words', { returns: 'yes' }, /^returns/],
  ['null for a flag', { combined_transfers: null }, /^combined_transfers/],
  ['a window of no hours', { authorization_hours: 0 }, /^authorization_hours/],
  ['a window of half an hour', { authorization_hours: 0.5 }, /^authorization_hours/],
  ['a window beyond the end of time', { authorization_hours: 1e12 }, /^authorization_hours/],
  ['a number as text', { authorization_hours: '24' }, /^authorization_hours/],
  ['an unknown answer to silence', { unanswered_authorization: 'wait' }, /^unanswered_authorization/],
  ['a queue into the past', { queue_minutes: queue_minutes(-1) }, /^queue_minutes\.ach/],
  ['a queue beyond the end of time', { queue_minutes: queue_minutes(1e13) }, /^queue_minutes\.ach/],
  ['a negative cooldown', { vrn_cooldown_minutes: -1 }, /^vrn_cooldown_minutes/],
  ['an amount as a number', { limits: limits({ maximum_amount: 5 }) }, /^limits\.ach\.maximum_amount/],
  ['an amount without cents', { limits: limits({ minimum_amount: '5' }) }, /^limits\.ach\.minimum_amount/],
  ['a negative maximum', { limits: limits({ maximum_amount: '-0.01' }) }, /^limits\.ach\.maximum_amount/],
  ['a negative minimum', { limits: limits({ minimum_amount: '-0.01' }) }, /^limits\.ach\.minimum_amount/],
  ['a negative amount a day', { limits: limits({ daily_amount: '-1.00' }) }, /^limits\.ach\.daily_amount/],
  ['a negative count a day', { limits: limits({ daily_count: -1 }) }, /^limits\.ach\.daily_count/],
  ['half a transfer a day', { limits: limits({ daily_count: 0.5 }) }, /^limits\.ach\.daily_count/],
  [
    'fewer accounts than none',
    { account_limits: account_limits({ general_accounts: -1 }) },
    /^account_limits\.general/,
  ],
  [
    'a wait into the past',
    { account_limits: account_limits({ minutes_between_external_accounts: -5 }) },
    /^account_limits\.minutes/,
  ],
  ['a flag that is a number', { account_limits: account_limits({ one_external_account: 1 }) }, /^account_limits\.one/],
  ['a queue of an unknown rail', { queue_minutes: { check: 1 } }, /check/],
  ['an unknown limit', { limits: { ach: { most: '1.00' } } }, /most/],
  ['an empty name', { name: '' }, /^name/],
  ['a key', { hmac_key: 'mine' }, /hmac_key/],
  ['a Client', { client_uid: 'mine' }, /client_uid/],
  ['another status of a repeated trace id', { repeated_trace_id: '418' }, /^repeated_trace_id/],
  ['a limit of lists of 0', { maximum_limit: 0 }, /^maximum_limit/],
  ['a limit of lists above that of the service', { maximum_limit: 1_001 }, /^maximum_limit/],
  ['an order by chance', { list_order: 'random' }, /^list_order/],
  ['an empty seed', { hard_mode: '' }, /^hard_mode: 1 to 64 letters, digits/],
  ['a seed with blanks', { hard_mode: 'a b' }, /^hard_mode/],
  ['settings that were drawn', { drawn_settings: [] }, /drawn_settings/],
  ['a field that is not declared', { webhooks: true }, /webhooks/],
]

/** Groups of settings, and parts of them. */
const GROUPS = ['queue_minutes', 'limits', 'account_limits'] as const
const PARTS = [
  ['queue_minutes', { queue_minutes: { ach: 5 } }],
  ['limits of one rail', { limits: { ach: limit({ daily_count: 3 }) } }],
  ['one limit of one rail', { limits: { wire: { maximum_amount: '7.00' } } }],
  ['account_limits', { account_limits: { general_accounts: 5 } }],
] as const
/** The names of everything in it, at any depth. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
    : null

describe('Programs', () => {
  async function operator() {
    const sandbox = await startSandbox()
    const control = controlOf(sandbox)
    const create = (settings: object = {}) => control['programs.create']({ name: 'Second', ...settings } as never)
    const update = (uid: string, settings: object) => control['programs.update']({ uid, ...settings } as never)
    const programs = async () => (await control['programs.list']({})).programs
    const apiOf = ({ uid }: Program) =>
      apiClient(
        sandbox,
        sandbox.programs().findIndex((one) => one.uid === uid),
      )
    return { sandbox, control, create, update, programs, apiOf, first: (await programs())[0]! }
  }

  /** Tells all at once which of the bad settings are taken, or refused for another reason. */
  async function allRefused(it: Awaited<ReturnType<typeof operator>>, work: (bad: object) => Promise<unknown>) {
    const wrong: string[] = []
    for (const [what, bad, extra] of BAD)
      await expectRefusedCall(it.sandbox, () => work(bad), 'invalidArgument', extra).catch(() => wrong.push(what))
    expect(wrong).toEqual([])
  }

  describe('programs.create', () => {
    it('"`create {name}` → `{uid, name, hmac_key, …}`": a further Program of the same Client', async () => {
      const { create, programs, first } = await operator()
      const { products, synthetic_account_types, ...second } = await create({ name: 'Second Harbor' })
      const { uid, hmac_key, ...rest } = second
      expect(uid).toMatch(/^[1-9A-HJ-NP-Za-km-z]{16}$/)
      expect(hmac_key.length).toBeGreaterThanOrEqual(32)
      expect([uid, hmac_key]).not.toEqual(expect.arrayContaining([first.uid]))
      expect(hmac_key).not.toBe(first.hmac_key)
      expect(rest).toEqual({ ...demonstration, ...of(first), name: 'Second Harbor' })
      expect(await programs()).toEqual([first, { ...second, products, synthetic_account_types }])
      const third = await create({ name: 'Second Harbor' })
      expect(new Set([first, { uid, hmac_key }, third].map((one) => one.uid)).size).toBe(3)
      expect(new Set([first, { uid, hmac_key }, third].map((one) => one.hmac_key)).size).toBe(3)
    })

    it('uid and key can be chosen, so that an app keeps its own; a uid that exists or has another form is refused', async () => {
      const it = await operator()
      const mine = { uid: 'My1Program2Uid34', hmac_key: 'the key that my app has already' }
      expect(await it.create(mine)).toMatchObject(mine)
      expect((await it.apiOf((await it.programs())[1]!).get('/products')).status).toBe(200)
      for (const [bad, extra] of [
        [{ uid: mine.uid }, /^uid: there is a Program My1Program2Uid34; choose another uid, or change that one/],
        [{ uid: it.first.uid }, /^uid: there is a Program/],
        [{ uid: 'mine' }, /^uid: 16 letters and digits/],
        [{ uid: 'O0Il567890123456' }, /^uid: 16 letters and digits/],
        [{ hmac_key: 'short' }, /^hmac_key: at least 16/],
      ] as const)
        await expectRefusedCall(it.sandbox, () => it.create(bad), 'invalidArgument', extra)
    })

    it('"with the demo\'s products" and account types, under uids of their own', async () => {
      const { create, apiOf, first } = await operator()
      const second = await create()
      const [ours, theirs] = [apiOf(first), apiOf(second)]
      const all = async <T>(api: Api, path: string) => (await api.get<Page<T>>(path)).body.data.toReversed()

      const [types, copies] = [
        await all<SyntheticAccountType>(ours, '/synthetic_account_types'),
        await all<SyntheticAccountType>(theirs, '/synthetic_account_types'),
      ]
      expect(types).toHaveLength(4)
      for (const type of copies) expect(type.program_uid).toBe(second.uid)
      const plain = ({ uid: _, program_uid: __, ...type }: SyntheticAccountType) => type
      expect(copies.map(plain)).toEqual(types.map(plain))

      const [products, goods] = [await all<Product>(ours, '/products'), await all<Product>(theirs, '/products')]
      expect(products).toHaveLength(3)
      const nameOf = (of: Product[]) => (uid: string) => of.find((product) => product.uid === uid)!.name
      const bare = (of: Product[]) =>
        of.map(({ uid: _, program_uid: __, prerequisite_product_uids, profile_requirements, ...product }) => ({
          ...product,
          prerequisites: prerequisite_product_uids.map(nameOf(of)),
          requirements: profile_requirements.map(({ profile_requirement_uid: ___, ...rest }) => rest),
        }))
      expect(bare(goods)).toEqual(bare(products))
      for (const product of goods) expect(product.program_uid).toBe(second.uid)

      const uids = (of: (Product | SyntheticAccountType)[]) =>
        of.flatMap((one) => [
          one.uid,
          ...('profile_requirements' in one ? one.profile_requirements.map((it) => it.profile_requirement_uid) : []),
        ])
      const own = new Set(uids([...types, ...products]))
      const other = uids([...copies, ...goods])
      expect(new Set(other).size).toBe(own.size)
      for (const uid of other) expect(own).not.toContain(uid)
    })

    it('5: its own key signs in, and no other', async () => {
      const { create, apiOf, first } = await operator()
      const second = await create()
      const api = apiOf(second)
      expect((await api.get('/products')).status).toBe(200)
      const iat = Math.floor(Date.now() / 1000)
      const signIn = (uid: string, key: string) =>
        api.send('POST', '/auth', { headers: { authorization: sign({ iat, sub: uid }, key) } })
      expect((await signIn(second.uid, second.hmac_key)).status).toBe(201)
      expectRefusal(await signIn(second.uid, first.hmac_key), 'unauthorized')
      expectRefusal(await signIn(first.uid, second.hmac_key), 'unauthorized')
    })

    it('it works at once: a Customer becomes active, receives a payment, and days are closed', async () => {
      const { sandbox, control, create, apiOf } = await operator()
      const program = await create()
      await life(apiOf(program), control, 'second')
      const api = apiOf(program)
      const balances = await api.get<Page<unknown>>('/synthetic_account_closing_balances')
      expect(balances.body.total_count).toBeGreaterThan(0)
      expect(await control['ledger.check']({})).toMatchObject({ balanced: true, checked: { programs: 2 } })
      expect(sandbox.told).toEqual([])
    })

    it('each setting can be chosen; the others are those of the demo', async () => {
      const { create, programs, first } = await operator()
      for (const [name, value] of OTHERS) {
        const made = await create({ [name]: value })
        const { uid: _, hmac_key: __, products, synthetic_account_types, ...rest } = made
        expect([products.length, synthetic_account_types.length]).toEqual([3, 4])
        expect(rest).toEqual({ ...demonstration, ...of(first), name: 'Second', [name]: value })
      }
      expect((await programs())[0]).toEqual(first)
    })

    it('all settings can be chosen at once; changes of the first Program are not copied', async () => {
      const { create, update, first } = await operator()
      const made = await create(OTHER)
      expect(made).toMatchObject(OTHER)
      await update(first.uid, { returns: false, authorization_hours: 1 })
      expect(await create({ name: 'Third' })).toMatchObject({ returns: true, authorization_hours: 24, name: 'Third' })
    })

    it('1007: invalid settings are refused, and nothing changes', async () => {
      const it = await operator()
      await allRefused(it, it.create)
    })

    it.each([
      ['programs.create', /^name is missing/],
      ['programs.update', /^uid is missing/],
    ] as const)('1003: %s without what it needs', async (method, extra) => {
      const it = await operator()
      await expectRefusedCall(it.sandbox, () => it.control[method]({} as never), 'missingParameter', extra)
    })

    it.each(PARTS)("a part of a group: the rest is the demo's (%s)", async (_, part) => {
      const { create } = await operator()
      const made = await create(part)
      expect(made).toMatchObject({ ...part })
      for (const group of GROUPS) expect(shapeOf(made[group])).toEqual(shapeOf(demonstration[group]))
    })
  })

  describe('programs.update: "what is left out stays"', () => {
    it('each setting alone, and back', async () => {
      const { create, update, programs, first } = await operator()
      const second = await create()
      for (const [name, value] of [...OTHERS, ['name', 'Another Harbor'] as const]) {
        const before = first[name as keyof Program]
        expect(before).not.toEqual(value)
        const changed = await update(first.uid, { [name]: value })
        expect(changed).toEqual({ ...first, [name]: value })
        expect(await programs()).toEqual([changed, second])
        expect(await update(first.uid, { [name]: before })).toEqual(first)
      }
    })

    it('it applies from the next request on; tokens and keys stay valid', async () => {
      const { create, update, apiOf, first } = await operator()
      const second = await create()
      const [ours, theirs] = [apiOf(first), apiOf(second)]
      const token = await ours.signIn()
      await update(first.uid, { returns: false })
      expectRefusal(await ours.send('GET', '/returns', { headers: { authorization: token } }), 'returnsDisabled')
      expect((await theirs.get('/returns')).status).toBe(200)
      await update(first.uid, { returns: true })
      expect((await ours.send('GET', '/returns', { headers: { authorization: token } })).status).toBe(200)
    })

    it("5: an allowlist without the caller's address refuses it, in this Program only", async () => {
      const { create, update, apiOf, first } = await operator()
      const second = await create()
      await update(first.uid, { allowlist: ['10.0.0.0/8'] })
      expectRefusal(
        await apiOf(first).send('POST', '/auth', { headers: { authorization: apiOf(first).refreshToken() } }),
        'notAllowed',
      )
      expect((await apiOf(second).get('/products')).status).toBe(200)
      await update(first.uid, { allowlist: ['127.0.0.1'] })
      expect((await apiOf(first).get('/products')).status).toBe(200)
    })

    it('1007: invalid settings are refused, and nothing changes', async () => {
      const it = await operator()
      await allRefused(it, (bad) => it.update(it.first.uid, bad))
    })

    it.each(PARTS)('a part of a group: the rest stays the same (%s)', async (_, part) => {
      const { update, first } = await operator()
      const changed = await update(first.uid, part)
      expect(changed).toMatchObject({ ...part })
      for (const group of GROUPS) expect(shapeOf(changed[group])).toEqual(shapeOf(first[group]))
    })

    it('1001: an unknown Program', async () => {
      const it = await operator()
      for (const settings of [{}, { returns: false }])
        await expectRefusedCall(
          it.sandbox,
          () => it.update('nobody', settings),
          'routeNotFound',
          /there is no Program nobody/,
        )
    })
  })

  describe('1 "records are not visible outside their Program"', () => {
    /** Two Programs in which the same things have happened. */
    async function two() {
      const it = await operator()
      const second = await it.create()
      const [ours, theirs] = [it.apiOf(it.first), it.apiOf(second)]
      const our = await life(ours, it.control, 'ours')
      const their = await life(theirs, it.control, 'theirs')
      return { ...it, second, ours, theirs, our, their }
    }

    const gets = Object.values<Endpoint>(endpoints).filter(({ method }) => method === 'GET')
    const listPaths = gets.map(({ path }) => path).filter((path) => !path.includes('{'))

    it('every list and every get of the API, both ways', async () => {
      const { ours, theirs, first, second } = await two()
      expect(listPaths).toHaveLength(17)
      expect(gets.map(({ path }) => path).sort()).toEqual(listPaths.flatMap((path) => [path, `${path}/{uid}`]).sort())
      const of = async (api: Api) => {
        const found = new Map<string, { uid: string }[]>()
        let text = ''
        for (const path of listPaths) {
          const query = { '/customers': 'include_initiated=true', '/transactions': 'include_zero=true' }[path as string]
          const answer = await api.get<Page<{ uid: string }>>(`${path}?limit=1000&${query ?? ''}`)
          expect([path, answer.status]).toEqual([path, 200])
          expect([path, answer.body.total_count]).toEqual([path, answer.body.data.length])
          expect(answer.body.data.length, path).toBeGreaterThan(0)
          found.set(path, answer.body.data)
          text += answer.text
        }
        return { api, found, text, uids: [...found.values()].flat().map(({ uid }) => uid) }
      }
      const [a, b] = [await of(ours), await of(theirs)]
      for (const [own, other, foreign] of [
        [a, b, second],
        [b, a, first],
      ] as const) {
        for (const uid of [...other.uids, foreign.uid]) expect(own.text).not.toContain(uid)
        for (const path of listPaths) {
          const { api } = own
          // A list leaves out fields, and changes none.
          const [listed] = own.found.get(path)!
          expect(await api.get(`${path}/${listed!.uid}`), path).toMatchObject({ status: 200, body: listed })
          const hidden = await api.get(`${path}/${other.found.get(path)![0]!.uid}`)
          const unknown = await api.get(`${path}/unknown`)
          expect([path, hidden.status, hidden.text]).toEqual([path, 404, unknown.text])
          const asked = await api.get<Page<unknown>>(`${path}?program_uid=${foreign.uid}`)
          const filtered = gets.find((one) => one.path === path)!.query as { shape?: object } | undefined
          if (filtered?.shape && 'program_uid' in filtered.shape) {
            expect([path, asked.body.data]).toEqual([path, []])
            const mine = await api.get<Page<unknown>>(`${path}?program_uid=${api.program.uid.toLowerCase()}`)
            expect(mine.body.total_count, path).toBeGreaterThan(0)
          }
        }
      }
    })

    it('records of another Program can be neither changed nor used', async () => {
      const { sandbox, ours, theirs, our, their } = await two()
      for (const [api, own, other] of [
        [ours, our, their],
        [theirs, their, our],
      ] as const) {
        const put = (path: string, json: object = {}) => api.call('PUT', path, { json })
        const transfer = (more: object) =>
          api.post('/transfers', {
            source_synthetic_account_uid: own.master,
            destination_synthetic_account_uid: own.party,
            initiating_customer_uid: own.customer,
            usd_transfer_amount: '1.00',
            ach: ACH,
            ...more,
          })
        const account = (more: object) =>
          api.post('/synthetic_accounts', {
            name: 'Stolen',
            pool_uid: own.pool,
            synthetic_account_type_uid: own.general_type,
            ...more,
          })
        const giveBack = (more: object) =>
          api.post('/returns', {
            original_transaction_uid: own.transaction,
            requesting_customer_uid: own.customer,
            requestor_type: 'customer',
            return_reason: 'mine',
            ...more,
          })
        const mock = (more: object) =>
          api.post('/sandbox/mock_transactions', {
            transaction_type: 'ach',
            customer_uid: own.customer,
            us_dollar_amount: 1,
            ...more,
          })
        const vrn = (synthetic_account_uid: string) =>
          api.post('/virtual_reference_numbers', { synthetic_account_uid, routing_number: '110000000' })
        const attempts: [string, keyof Life, (uid: string) => Promise<ApiResponse>][] = [
          ['adjust a Customer', 'customer', (uid) => put(`/customers/${uid}`, { email: 'x@example.com' })],
          ['archive a Customer', 'customer', (uid) => api.call('DELETE', `/customers/${uid}`)],
          [
            'a secondary Customer of it',
            'customer',
            (uid) => api.post('/customers', { customer_type: 'secondary', primary_customer_uid: uid }),
          ],
          [
            'onboard a Customer',
            'customer',
            (uid) => api.post('/customer_products', { customer_uid: uid, product_uid: own.product }),
          ],
          [
            'onboard to a Product',
            'product',
            (uid) => api.post('/customer_products', { customer_uid: own.customer, product_uid: uid }),
          ],
          ['open an account in a Pool', 'pool', (uid) => account({ pool_uid: uid })],
          ['open an account of a type', 'general_type', (uid) => account({ synthetic_account_type_uid: uid })],
          ['update an account', 'party', (uid) => put(`/synthetic_accounts/${uid}`, { name: 'Stolen', note: 'mine' })],
          ['archive an account', 'party', (uid) => api.call('DELETE', `/synthetic_accounts/${uid}`)],
          ['take from an account', 'master', (uid) => transfer({ source_synthetic_account_uid: uid })],
          ['pay to an account', 'party', (uid) => transfer({ destination_synthetic_account_uid: uid })],
          ['pay for a Customer', 'customer', (uid) => transfer({ initiating_customer_uid: uid })],
          ['pay to a Customer', 'customer', (uid) => transfer({ destination_customer_uid: uid })],
          ['cancel a Transfer', 'transfer', (uid) => put(`/transfers/${uid}/cancel`)],
          [
            'authorize a Transaction',
            'transaction',
            (uid) => put(`/transactions/${uid}/authorize`, { authorization_status: 'client_approved' }),
          ],
          ['make a VRN', 'master', vrn],
          ['edit a VRN', 'vrn', (uid) => put(`/virtual_reference_numbers/${uid}`, { name: 'Stolen' })],
          ['archive a VRN', 'vrn', (uid) => api.call('DELETE', `/virtual_reference_numbers/${uid}`)],
          ['lock a VRN', 'vrn', (uid) => put(`/virtual_reference_numbers/${uid}/lock`, { lock_reason: 'admin' })],
          ['unlock a VRN', 'vrn', (uid) => put(`/virtual_reference_numbers/${uid}/unlock`)],
          ['return a Transaction', 'transaction', (uid) => giveBack({ original_transaction_uid: uid })],
          ['return for a Customer', 'customer', (uid) => giveBack({ requesting_customer_uid: uid })],
          ['mock for a Customer', 'customer', (uid) => mock({ customer_uid: uid })],
          ['mock to an account', 'master', (uid) => mock({ synthetic_account_uid: uid })],
          ['mock to a VRN', 'vrn', (uid) => mock({ virtual_reference_number_uid: uid })],
          ['mock a return', 'transaction', (uid) => mock({ transaction_type: 'ach_return', transaction_uid: uid })],
        ]
        for (const [what, name, attempt] of attempts) {
          const [hidden, unknown] = await expectUnchanged(sandbox, async () => [
            await attempt(other[name]),
            await attempt('unknown'),
          ])
          expect([what, hidden!.status, hidden!.text]).toEqual([what, 404, unknown!.text])
        }
      }
    })

    it("a Combined Transfer does not find another Program's accounts", async () => {
      const { control, ours, our, their } = await two()
      const asked = await ours.post<{ uid: string }>('/combined_transfers', {
        synthetic_account: { uid: their.party },
        transfer: {
          source_synthetic_account_uid: our.master,
          initiating_customer_uid: our.customer,
          usd_transfer_amount: '1.00',
          ach: ACH,
        },
      })
      expect(asked.status).toBe(201)
      await control['clock.advance']({ until: 'idle' })
      expect((await ours.get(`/combined_transfers/${asked.body.uid}`)).body).toMatchObject({
        status: 'failed',
        errors: [{ code: 33005, extra: 'synthetic_account: 2000 Unknown Synthetic Account' }],
      })
    })

    it('records.list and ledger.check read the given Program', async () => {
      const { control, first, second, our, their } = await two()
      const pools = async (program_uid?: string) =>
        (await control['records.list']({ collection: 'pools', ...(program_uid ? { program_uid } : {}) })).data.map(
          ({ uid }) => uid,
        )
      expect(await pools()).toEqual([our.pool])
      expect(await pools(first.uid)).toEqual([our.pool])
      expect(await pools(second.uid)).toEqual([their.pool])
      expect(await control['ledger.check']({})).toMatchObject({ balanced: true, checked: { programs: 2, pools: 2 } })
    })
  })
})

type Life = Awaited<ReturnType<typeof life>>

/** One of everything, in whichever Program the client signs in to; the day closes on it at the end. */
async function life(api: Api, control: ControlClient, external_uid: string) {
  const first = async <T>(path: string, find: (one: T) => boolean = () => true) =>
    (await api.get<Page<T>>(path)).body.data.find(find)!
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await api.post<{ uid: string }>(path, body)
    expect([path, answer.status, answer.text]).toEqual([path, 201, expect.any(String)])
    return answer.body.uid
  }
  const { uid: product } = await first<Product>('/products', (one) => one.prerequisite_product_uids.length === 0)
  const typeOf = async (category: string) => {
    const isOf = (one: SyntheticAccountType) => one.synthetic_account_category === category
    return (await first<SyntheticAccountType>('/synthetic_account_types', isOf)).uid
  }
  const customer = await made('/customers', { ...OLIVE, external_uid })
  expect((await api.post('/customer_products', { customer_uid: customer, product_uid: product })).status).toBe(200)
  await control['clock.advance']({ until: 'idle' })
  const { uid: pool } = await first<{ uid: string }>('/pools')
  const { uid: master } = await first<SyntheticAccount>('/synthetic_accounts', (one) => one.master_account)
  const receive = (us_dollar_amount: number) =>
    made('/sandbox/mock_transactions', { transaction_type: 'wire', customer_uid: customer, us_dollar_amount })
  const transaction = await receive(1000)
  const returned = await receive(10)
  const party = await made('/synthetic_accounts', {
    name: 'Party',
    external_uid: 'same',
    pool_uid: pool,
    synthetic_account_type_uid: await typeOf('ach_external'),
    routing_number: '021000021',
    account_number: '1230',
    ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' },
  })
  const vrn = await made('/virtual_reference_numbers', {
    synthetic_account_uid: master,
    routing_number: '110000000',
    external_uid: 'same',
  })
  await control['clock.advance']({ until: 'idle' })
  const paid = {
    initiating_customer_uid: customer,
    source_synthetic_account_uid: master,
    usd_transfer_amount: '1.00',
    ach: { ...ACH, effective_entry_date: (await control['clock.read']({})).now.slice(0, 10) },
  }
  const transfer = await made('/transfers', {
    ...paid,
    destination_synthetic_account_uid: party,
    external_uid: 'same',
  })
  await made('/returns', returnBody(returned, customer, { external_uid: 'same' }))
  await made('/combined_transfers', { synthetic_account: { uid: party }, transfer: paid, external_uid: 'same' })
  await control['clock.advance']({ business_days: 1 })
  return { product, customer, pool, master, transaction, party, vrn, transfer, general_type: await typeOf('general') }
}
