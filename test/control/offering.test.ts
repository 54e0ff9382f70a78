import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/api/contract/resources/products.ts'
import type { ProgramChanges, ProgramInFull } from '../../src/api/contract/resources/programs.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { controlOf } from '../support/bridges.ts'
import { expectRefusal } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

const PROGRAM = 'Hb7QmXk2Tz9LrVw4'
const CHECKING = 'cQ2vNf7ZxLm9TbKe'
const WIRES = 'wX8yTg3JkRb5QhSn'
const INSTANT = 'iM4zVe6PcYf2DtHr'
const GENERAL = 'gA3nWq9KtXv5LzRe'
const ACH_EXTERNAL = 'hC7dMf2SyJb8PkTw'
const PURPOSE = 'rT6mHj4BzQw2YnFc'

describe('Products and account types of a Program', () => {
  async function operator(options: Partial<SandboxOptions> = {}) {
    const sandbox = await startSandbox(options)
    const control = controlOf(sandbox)
    const api = sandbox.client()
    const update = (changes: ProgramChanges) => control['programs.update']({ uid: PROGRAM, ...changes })
    const program = async () => (await control['programs.list']({})).programs[0]!
    const onboard = async (product_uid: string, customer_uid?: string) => {
      const uid = customer_uid ?? String((await api.post('/customers', OLIVE)).body.uid)
      const answer = await api.post('/customer_products', { customer_uid: uid, product_uid })
      await control['clock.advance']({ until: 'idle' })
      return { uid, answer }
    }
    const first = await program()
    const [checking, wires, instant] = first.products as [Offered, Offered, Offered]
    const refused = (work: () => Promise<unknown>, extra?: string | RegExp) =>
      expectRefusedCall(sandbox, work, 'invalidArgument', extra)
    return { sandbox, control, api, update, program, onboard, refused, first, checking, wires, instant }
  }
  type Offered = ProgramInFull['products'][number]

  it('programs.list shows them as the API does; sending the same values back changes nothing', async () => {
    const { sandbox, control, api, update, first } = await operator()
    const { data } = (await api.get<Page<Product>>('/products')).body
    // The list has the Products that need no other first, then the newest.
    // Clients do not see the rails.
    const [checking, ...others] = first.products.map(({ rails: _, ...product }) => ({
      ...product,
      program_uid: PROGRAM,
    }))
    expect(data).toEqual([checking, ...others.toReversed()])
    const types = (await api.get<Page<object>>('/synthetic_account_types')).body.data
    expect(first.synthetic_account_types.map((type) => ({ ...type, program_uid: PROGRAM }))).toEqual(types.toReversed())
    const before = canonical(sandbox.store.world)
    const { products, synthetic_account_types } = first
    expect(await update({ products, synthetic_account_types } as ProgramChanges)).toEqual(first)
    expect(canonical(sandbox.store.world)).toBe(before)
    expect((await control['records.history']({ collection: 'products', uid: CHECKING })).commits).toHaveLength(1)
  })

  it('a Product is changed by its uid: omitted fields and other Products stay the same', async () => {
    const { control, api, update, checking, wires, instant } = await operator()
    const changed = await update({
      products: [
        { uid: CHECKING, description: 'Another', customer_types: ['primary'] },
        { uid: WIRES },
        { uid: INSTANT },
      ],
    })
    expect(changed.products).toEqual([
      { ...checking, description: 'Another', customer_types: ['primary'] },
      wires,
      instant,
    ])
    expect((await api.get<Product>(`/products/${CHECKING}`)).body.description).toBe('Another')
    const { commits } = await control['records.history']({ collection: 'products', uid: CHECKING })
    expect(commits[0]).toMatchObject({
      what: 'changed',
      cause: { door: 'operator', name: 'programs.update' },
      fields: [
        { field: 'description', from: checking.description, to: 'Another' },
        { field: 'customer_types', from: checking.customer_types, to: ['primary'] },
      ],
    })
    expect((await control['records.history']({ collection: 'products', uid: WIRES })).commits).toHaveLength(1)
    const { chain } = await control.why({ collection: 'products', uid: CHECKING, field: 'description' })
    expect(chain[0]).toMatchObject({ cause: { name: 'programs.update' }, section: '1' })
  })

  it('a new Product needs a name, has the usual requirements, and may name other Products; Customers can be onboarded to it', async () => {
    const { api, update, onboard, checking } = await operator()
    const { products } = await update({
      products: [
        { name: 'Treasury', prerequisite_product_uids: ['Savings', CHECKING] },
        { uid: CHECKING },
        { uid: WIRES },
        { uid: INSTANT },
        {
          name: 'Savings',
          compliance_plan_name: 'Light verification',
          customer_types: ['primary'],
          required_fields: [],
        },
      ],
    })
    const [treasury, savings] = ['Treasury', 'Savings'].map((name) => products.find((one) => one.name === name)!)
    expect(treasury).toEqual({
      uid: expect.stringMatching(/^\w{16}$/),
      name: 'Treasury',
      description: '',
      compliance_plan_name: checking.compliance_plan_name,
      product_compliance_plan_uid: checking.product_compliance_plan_uid,
      customer_types: ['primary', 'secondary', 'sole_proprietor'],
      prerequisite_product_uids: [savings!.uid, CHECKING],
      rails: ['ach', 'wire', 'instant_payment'],
      profile_requirements: [],
      required_fields: checking.required_fields,
    })
    expect(savings).toMatchObject({ compliance_plan_name: 'Light verification', required_fields: [] })
    expect(savings!.product_compliance_plan_uid).not.toBe(checking.product_compliance_plan_uid)

    const { uid, answer } = await onboard(savings!.uid)
    expect(answer.status).toBe(200)
    const early = await onboard(treasury!.uid, uid)
    expectRefusal(early.answer, 'onboardingIncomplete', 'Business Checking must be onboarded first')
    await onboard(CHECKING, uid)
    expect((await onboard(treasury!.uid, uid)).answer.body).toMatchObject({
      status: 'active',
      product_name: 'Treasury',
    })
    expect((await api.get(`/customers/${uid}`)).body).toMatchObject({ status: 'active' })
  })

  it('profile requirements are added, changed and removed; onboarding requires the current ones', async () => {
    const { update, onboard, checking, api } = await operator()
    const others = [{ uid: WIRES }, { uid: INSTANT }]
    const { products } = await update({
      products: [
        {
          uid: CHECKING,
          profile_requirements: [
            { profile_requirement_uid: PURPOSE, required: true },
            { profile_requirement: 'In which order?', requirement_type: 'ordered_list', response_values: ['a', 'b'] },
          ],
        },
        ...others,
      ],
    })
    expect(products[0]!.profile_requirements).toEqual([
      { ...checking.profile_requirements[0], required: true },
      {
        profile_requirement_uid: expect.stringMatching(/^\w{16}$/),
        profile_requirement: 'In which order?',
        category: 'default',
        required: false,
        requirement_type: 'ordered_list',
        response_values: ['a', 'b'],
      },
    ])
    const { uid, answer } = await onboard(CHECKING)
    expectRefusal(
      answer,
      'customerDetailsIncomplete',
      `Profile requirement "What is the main purpose of the account?" can't be blank`,
    )
    const profile_responses = [{ profile_requirement_uid: PURPOSE, profile_response: 'Payroll' }]
    expect((await api.call('PUT', `/customers/${uid}`, { json: { profile_responses } })).status).toBe(200)
    await update({ products: [{ uid: CHECKING, profile_requirements: [] }, ...others] })
    expect((await onboard(CHECKING, uid)).answer.status).toBe(200)
    expect((await api.get(`/customers/${uid}`)).body, 'what was answered stays').toMatchObject({
      profile_responses: [{ ...profile_responses[0], profile_requirement: 'What is the main purpose of the account?' }],
    })
  })

  it('a Product that is omitted from the list is removed, and cannot be found', async () => {
    const { api, update } = await operator()
    const { products } = await update({ products: [{ uid: CHECKING }] })
    expect(products.map(({ uid }) => uid)).toEqual([CHECKING])
    expect((await api.get(`/products/${WIRES}`)).status).toBe(404)
    expect((await update({ products: [] })).products).toEqual([])
    const { body } = await api.post('/customers', OLIVE)
    expect((await api.post('/customer_products', { customer_uid: body.uid, product_uid: CHECKING })).status).toBe(404)
  })

  it('account types are added, renamed and removed; accounts can be opened for the current ones', async () => {
    const { api, update, onboard, first } = await operator()
    const [general, ach] = first.synthetic_account_types
    const { synthetic_account_types } = await update({
      synthetic_account_types: [
        { uid: GENERAL, name: 'Current' },
        { name: 'Savings', synthetic_account_category: 'general', description: 'Put aside' },
        { uid: ACH_EXTERNAL },
      ],
    })
    const savings = synthetic_account_types[2]!
    expect(synthetic_account_types).toEqual([
      { ...general, name: 'Current' },
      ach,
      { uid: expect.any(String), name: 'Savings', description: 'Put aside', synthetic_account_category: 'general' },
    ])
    const { uid } = await onboard(CHECKING)
    const accounts = (
      await api.get<Page<{ synthetic_account_type_uid: string; pool_uid: string }>>('/synthetic_accounts')
    ).body.data
    expect(accounts.map((one) => one.synthetic_account_type_uid)).toEqual([GENERAL])
    const opened = await api.post('/synthetic_accounts', {
      name: 'Holiday',
      pool_uid: accounts[0]!.pool_uid,
      synthetic_account_type_uid: savings.uid,
    })
    expect(opened.body).toMatchObject({
      synthetic_account_category: 'general',
      synthetic_account_type_uid: savings.uid,
    })
    expect(uid).toBeTruthy()
  })

  it('another general type can replace the first, and activation opens accounts of it', async () => {
    const { api, update, onboard } = await operator()
    const { synthetic_account_types } = await update({
      synthetic_account_types: [{ name: 'Ours', synthetic_account_category: 'general' }],
    })
    expect(synthetic_account_types).toHaveLength(1)
    await onboard(CHECKING)
    const { data } = (await api.get<Page<{ synthetic_account_type_uid: string }>>('/synthetic_accounts')).body
    expect(data.map((one) => one.synthetic_account_type_uid)).toEqual([synthetic_account_types[0]!.uid])
  })

  it("programs.create accepts them, too, instead of the demo's", async () => {
    const { control, program } = await operator()
    const made = await control['programs.create']({
      name: 'Second',
      products: [{ name: 'Only one' }, { name: 'Then this', prerequisite_product_uids: ['Only one'] }],
      synthetic_account_types: [{ name: 'Plain', synthetic_account_category: 'general' }],
    })
    expect(made.products.map(({ name }) => name)).toEqual(['Only one', 'Then this'])
    expect(made.products[1]!.prerequisite_product_uids).toEqual([made.products[0]!.uid])
    expect(made.synthetic_account_types).toMatchObject([{ name: 'Plain', description: '' }])
    expect((await control['programs.list']({})).programs).toEqual([await program(), made])
    const { data } = await control['records.list']({ collection: 'products', program_uid: made.uid })
    expect(data.map(({ name }) => name)).toEqual(['Only one', 'Then this'])
  })

  it('settings, Products and account types change in one commit, which a comparison shows and a rewind undoes', async () => {
    const { sandbox, control, update, program, first } = await operator()
    const { seq } = sandbox.store.world
    const before = canonical(sandbox.store.world)
    await control['snapshots.keep']({ name: 'before' })
    await update({
      returns: false,
      products: [{ uid: CHECKING, name: 'Accounts' }, { uid: WIRES }],
      synthetic_account_types: [{ uid: GENERAL }],
    })
    expect(sandbox.store.world.seq).toBe(seq + 1)
    const { records, others } = await control['snapshots.compare']({ a: 'before' })
    const seen = [...records, ...others].map(({ collection, uid, what, fields }) => [
      collection,
      uid,
      what,
      fields.length,
    ])
    expect(seen).toContainEqual(['programs', PROGRAM, 'changed', 1])
    expect(seen).toContainEqual(['products', CHECKING, 'changed', 1])
    expect(seen).toContainEqual(['products', INSTANT, 'removed', 0])
    expect(seen.filter(([collection]) => collection === 'synthetic_account_types')).toHaveLength(3)
    expect(seen).toHaveLength(6)
    await control['world.rewind']({ seq })
    expect(canonical(sandbox.store.world)).toBe(before)
    expect(await program()).toEqual(first)
  })

  describe('refused with the reason, and nothing changes', () => {
    const all = [{ uid: CHECKING }, { uid: WIRES }, { uid: INSTANT }]
    const requirement = (more: object) => [{ uid: CHECKING, profile_requirements: [more] }, ...all.slice(1)]
    const asked = { profile_requirement: 'Why?', requirement_type: 'string' }
    const values = (requirement_type: string, response_values: string[]) =>
      requirement({ ...asked, requirement_type, response_values })

    const known = 'known: uid, name, '
    const requirements = 'products.0.profile_requirements'
    const primaryTwice = ['x', 'y'].map(() => ({ customer_type: 'primary', fields: [] }))
    const purposeTwice = [PURPOSE, PURPOSE].map((uid) => ({ profile_requirement_uid: uid }))
    const oneNumber = 'integer_greater takes one whole number at most, which responses must exceed'
    /** The list with one Product more. */
    const and = (more: object) => [...all, more]
    const requiring = (...prerequisite_product_uids: string[]) => and({ name: 'New', prerequisite_product_uids })

    /** The refusal, or how it begins. */
    it.each<[string, object[], string]>([
      ['an unknown uid', and({ uid: 'nobody' }), 'products.3.uid: the Program has no Product nobody'],
      ['a uid twice', and({ uid: WIRES }), `products.3.uid: ${WIRES} is in the list twice`],
      ['a name twice', and({ name: 'Wire Payments' }), 'products.3.name: another Product of the list is named Wire'],
      ['a blank name', and({ name: ' ' }), 'products.3.name: a text that is not blank is expected'],
      ['a name that is no text', and({ name: 1 }), 'products.3.name: expected string, received number'],
      ['an unknown field', and({ name: 'New', rail: 'ach' }), `products.3: Unrecognized key: "rail"; ${known}`],
      ['a Program', and({ name: 'New', program_uid: 'x' }), `products.3: Unrecognized key: "program_uid"; ${known}`],
      [
        'an unknown Customer Type',
        [{ uid: CHECKING, customer_types: ['cat'] }],
        'products.0.customer_types.0: expected',
      ],
      ['an unknown prerequisite', requiring('x'), 'products.3.prerequisite_product_uids: the list holds no Product x'],
      [
        'a prerequisite that is withdrawn',
        [{ uid: WIRES }, { uid: INSTANT }],
        'products.0.prerequisite_product_uids: Business Checking is withdrawn, and asked for first here',
      ],
      [
        'a prerequisite twice',
        requiring(WIRES, 'Wire Payments'),
        `products.3.prerequisite_product_uids: ${WIRES} is in the list twice`,
      ],
      ['a Product before itself', requiring('New'), 'products: prerequisites go in a circle: New → New'],
      [
        'a circle',
        [{ uid: CHECKING, prerequisite_product_uids: [INSTANT] }, { uid: WIRES }, { uid: INSTANT }],
        'products: prerequisites go in a circle: Business Checking → Instant Payments → Business Checking',
      ],
      [
        'a Customer Type twice in what is required',
        [{ uid: CHECKING, required_fields: primaryTwice }, ...all.slice(1)],
        'products.0.required_fields: primary is in the list twice',
      ],
      [
        'a profile requirement of nobody',
        requirement({ profile_requirement_uid: 'nobody' }),
        `${requirements}.0.profile_requirement_uid: Business Checking has no profile requirement nobody`,
      ],
      [
        'a profile requirement twice',
        [{ uid: CHECKING, profile_requirements: purposeTwice }, ...all.slice(1)],
        `${requirements}.profile_requirement_uid: ${PURPOSE} is in the list twice`,
      ],
      ...(
        [
          ['fixed_list', [], 'fixed_list needs at least one'],
          ['ordered_list', [], 'ordered_list needs at least one'],
          ['string', ['a'], 'string takes none'],
          ['number', ['1'], 'number takes none'],
          ['integer_greater', ['many'], oneNumber],
          ['integer_greater', ['1', '2'], oneNumber],
        ] as const
      ).map(([type, list, words]): [string, object[], string] => [
        `${type} of ${list.length} values`,
        values(type, [...list]),
        `${requirements}.0.response_values: ${words}`,
      ]),
    ])('products: %s', async (_what, products, extra) => {
      const { refused, update, control } = await operator()
      const begins = new RegExp(`^${extra.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
      await refused(() => update({ products } as never), begins)
      // A new Program knows none of the uids; whatever else is wrong is wrong there, too.
      await refused(() => control['programs.create']({ name: 'Second', products } as never))
    })

    it.each<[object, string]>([
      [{ products: [...all, {}] }, 'products.3.name is missing'],
      [
        { products: requirement({ requirement_type: 'string' }) },
        'products.0.profile_requirements.0.profile_requirement is missing',
      ],
      [
        { products: requirement({ profile_requirement: 'Why?' }) },
        'products.0.profile_requirements.0.requirement_type is missing',
      ],
      [
        { synthetic_account_types: [{ uid: GENERAL }, { synthetic_account_category: 'general' }] },
        'synthetic_account_types.1.name is missing',
      ],
      [
        { synthetic_account_types: [{ uid: GENERAL }, { name: 'New' }] },
        'synthetic_account_types.1.synthetic_account_category is missing',
      ],
    ])('1003: %j', async (changes, extra) => {
      const { sandbox, update } = await operator()
      await expectRefusedCall(sandbox, () => update(changes as never), 'missingParameter', extra)
    })

    it('the refusal names a required field that Customers do not have', async () => {
      const { refused, update } = await operator()
      const required_fields = [{ customer_type: 'primary', fields: ['shoe_size'] }]
      const products = [{ uid: CHECKING, required_fields }, ...all.slice(1)]
      await refused(() => update({ products } as never), /^products\.0\.required_fields\.0\.fields\.0: /)
    })

    it('a Product with Customers cannot be removed', async () => {
      const { refused, update, onboard, program, first } = await operator()
      const { uid } = await onboard(CHECKING)
      await onboard(INSTANT, uid)
      await refused(
        () => update({ products: [{ uid: CHECKING }, { uid: WIRES }], returns: false }),
        'products: Instant Payments cannot be withdrawn: 1 Customer Product is of it',
      )
      await onboard(CHECKING)
      await refused(
        () => update({ products: [{ uid: INSTANT, prerequisite_product_uids: [] }] }),
        'products: Business Checking cannot be withdrawn: 2 Customer Products are of it',
      )
      expect(await program()).toEqual(first)
    })

    const types = 'synthetic_account_types'
    const general = `${types}: one of category general must be there: activation opens accounts of it`
    it.each<[string, object[], string | RegExp]>([
      ['none', [], general],
      ['none that is general', [{ uid: ACH_EXTERNAL }], general],
      [
        'the only general one becomes another',
        [{ uid: GENERAL, synthetic_account_category: 'wire_external' }],
        general,
      ],
      [
        'an unknown uid',
        [{ uid: GENERAL }, { uid: 'nobody' }],
        `${types}.1.uid: the Program has no Synthetic Account Type nobody`,
      ],
      ['a uid twice', [{ uid: GENERAL }, { uid: GENERAL }], `${types}.1.uid: ${GENERAL} is in the list twice`],
      [
        'a name twice',
        [{ uid: GENERAL }, { name: 'General', synthetic_account_category: 'general' }],
        `${types}.1.name: another Synthetic Account Type of the list is named General`,
      ],
      [
        'an unknown field',
        [{ uid: GENERAL, status: 'x' }],
        /^synthetic_account_types\.0: Unrecognized key: "status"; known/,
      ],
    ])('synthetic_account_types: %s', async (_what, synthetic_account_types, extra) => {
      const { refused, update } = await operator()
      await refused(() => update({ synthetic_account_types } as never), extra)
    })

    it('a type with accounts cannot be removed, nor change its category', async () => {
      const { refused, update, onboard } = await operator()
      await onboard(CHECKING)
      const another = { name: 'Another', synthetic_account_category: 'general' as const }
      // The master account, and the service's own.
      await refused(
        () => update({ synthetic_account_types: [another] }),
        'synthetic_account_types: General cannot be withdrawn: 2 Synthetic Accounts are of it',
      )
      await refused(
        () =>
          update({ synthetic_account_types: [{ uid: GENERAL, synthetic_account_category: 'ach_external' }, another] }),
        'synthetic_account_types.0.synthetic_account_category: General stays general: 2 Synthetic Accounts are of it',
      )
    })
  })

  describe('limits that contradict each other', () => {
    const extra = (rail: string, least: string, most: string) =>
      `limits.${rail}.minimum_amount: ${least} is more than the maximum_amount of ${most}, so no transfer could be made`

    it.each(['ach', 'wire', 'instant_payment'] as const)(
      'a minimum above the maximum is refused, naming the rail: %s',
      async (rail) => {
        const { refused, control, update } = await operator()
        const both = { limits: { [rail]: { minimum_amount: '5.00', maximum_amount: '4.99' } } } as never
        await refused(() => update(both), extra(rail, '5.00', '4.99'))
        const create = () => control['programs.create']({ name: 'Second', ...(both as object) })
        await refused(create, extra(rail, '5.00', '4.99'))
        // Judged after the change is merged: each half is good by itself.
        await update({ limits: { [rail]: { maximum_amount: '4.99' } } } as never)
        const half = { limits: { [rail]: { minimum_amount: '5.00' } } } as never
        await refused(() => update(half), extra(rail, '5.00', '4.99'))
        expect((await update({ limits: { [rail]: { minimum_amount: '4.99' } } } as never)).limits[rail]).toMatchObject({
          minimum_amount: '4.99',
          maximum_amount: '4.99',
        })
      },
    )

    it('amounts are compared as numbers, not as text; without a maximum there is no contradiction', async () => {
      const { update } = await operator()
      const ach = { minimum_amount: '9.00', maximum_amount: '10.00' } as never
      expect((await update({ limits: { ach } })).limits.ach).toMatchObject(ach)
      const none = { minimum_amount: '100.00', maximum_amount: null } as never
      expect((await update({ limits: { ach: none } })).limits.ach).toMatchObject(none)
    })

    it('a daily limit below the minimum is accepted: it closes the rail', async () => {
      const { update } = await operator()
      const ach = { minimum_amount: '1.00', daily_amount: '0.50' } as never
      expect((await update({ limits: { ach } })).limits.ach).toMatchObject(ach)
    })
  })
})
