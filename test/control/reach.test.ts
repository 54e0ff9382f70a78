import { expect } from 'vitest'
import { call, createCaller, expectControlError, refusingCalls } from '../support/operator.ts'
import { it, shareDemo, startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** The search from the empty world; the long test has all goals. */

it.for([
  ['customers=rejected', 'customers', { status: 'rejected' }],
  ['customers.kyc_status=pending_id_documents', 'customers', { kyc_status: 'pending_id_documents' }],
  ['customer_products=created', 'customer_products', { status: 'created' }],
  ['synthetic_accounts=failed', 'synthetic_accounts', { status: 'failed' }],
  ['virtual_reference_numbers=locked', 'virtual_reference_numbers', { locked_at: expect.any(String) }],
  ['transfers=settled type=ach', 'transfers', { status: 'settled', rail: 'ach' }],
  ['transactions=authorization_pending', 'transactions', { status: 'authorization_pending' }],
  ['transactions=authorization_pending type=ach', 'transactions', { status: 'authorization_pending', type: 'ach' }],
  ['transactions=denied', 'transactions', { status: 'denied', type: 'denied_authorization' }],
  ['transactions=returned type=wire', 'transactions', { type: 'wire', return_uid: expect.any(String) }],
  ['transactions=returned code=R10', 'transactions', { ach: expect.objectContaining({ ach_return_code: 'R10' }) }],
  ['returns=settled', 'returns', { status: 'settled' }],
] as const)('reaches %s', async ([goal, collection, state], { sandbox }) => {
  const { steps, record, applied } = await call(sandbox, 'reach', { goal, apply: true })
  expect(applied).toBe(true)
  expect(steps.length).toBeGreaterThan(0)
  expect(record).toMatchObject({ collection })
  expect(sandbox.store.world.collections[collection].get(record!.uid)).toMatchObject(state)
})

it.for(['transfers.created', 'synthetic_accounts.name_updated', 'customers.unlock'])(
  'reaches the event %s: the log of events has it',
  async (event, { sandbox }) => {
    const { record } = await call(sandbox, 'reach', { goal: `event=${event}`, apply: true })
    const { data } = await call(sandbox, 'events.list', { topic: event.split('.')[0]! })
    expect(data.map(({ topic, event_type, record_uid }) => [`${topic}.${event_type}`, record_uid])).toContainEqual([
      event,
      record!.uid,
    ])
  },
)

it.for([1001, 1003, 1004, 1012, 1015, 2003, 3005, 4016, 30010])(
  'reaches the error %i: its last request is refused with it',
  async (code, { sandbox }) => {
    const { steps } = await call(sandbox, 'reach', { goal: `error=${code}`, apply: true })
    expect(steps.at(-1)).toMatchObject({ method: 'exchanges.send' })
    expect((await call(sandbox, 'exchanges.list', { limit: 1 })).data).toMatchObject([{ code }])
  },
)

/** In the demo world each rail needs a Product. The long test has all goals. */
const shared = await shareDemo()

it.for(['event=transfers.rtp_settlement', 'transfers=failed type=wire', 'error=3005'])(
  'reaches %s in the demo world',
  async (goal) => {
    const { steps } = await call(shared, 'reach', { goal })
    expect(steps.length).toBeGreaterThan(0)
  },
)

it('changes nothing unless it is asked to apply, and leaves no world', async ({ sandbox }) => {
  const ask = createCaller(sandbox)
  const before = canonical(sandbox.store.world)
  await ask('reach', { goal: 'transactions=settled' })
  await ask('reach', { goal: 'error=4002' })
  expect(canonical(sandbox.store.world)).toEqual(before)
  expect(await ask('exchanges.list', {})).toMatchObject({ data: [] })
  expect(await ask('worlds.list', {})).toEqual({ worlds: [] })
})

it('takes the steps that it shows, as one operation that undo takes back; taken twice they lead to equal worlds', async ({
  sandbox,
}) => {
  const goal = 'transfers=pending'
  const shown = await call(sandbox, 'reach', { goal })
  const applied = await call(sandbox, 'reach', { goal, apply: true })
  expect(applied.steps).toEqual(shown.steps)
  const other = await startSandbox()
  await call(other, 'reach', { goal, apply: true })
  expect(canonical(other.store.world)).toEqual(canonical(sandbox.store.world))
  await call(sandbox, 'operations.undo', { operation: applied.operation! })
  expect(sandbox.store.world.collections.customers.size).toBe(0)
})

it('uses the records of the world: a way from the Customer that the goal names', async ({ demo }) => {
  const [customer] = demo.store.world.collections.customers.inOrder().filter(({ status }) => status === 'active')
  const { steps, record } = await call(demo, 'reach', { goal: `customers=under_review customer=${customer!.email}` })
  expect(record).toEqual({ collection: 'customers', uid: customer!.uid })
  expect(steps).toMatchObject([{ method: 'moves.make', input: { uid: customer!.uid, move: 'put under review' } }])
})

it('finds the records of any Program: of the one with the records that are named, or the one that is named', async ({
  sandbox,
}) => {
  const ask = createCaller(sandbox)
  const other = await ask('programs.create', { name: 'Second' })
  const { record } = await ask('reach', { goal: 'customers=active program=second', apply: true })
  const { world } = sandbox.store
  expect(world.collections.customers.get(record!.uid)).toMatchObject({ program_uid: other.uid })
  expect((await ask('reach', { goal: 'customers=active' })).steps.length).toBeGreaterThan(0)
  expect(await ask('reach', { goal: `customers=under_review uid=${record!.uid}` })).toMatchObject({
    steps: [{ input: { uid: record!.uid } }],
  })
})

it.for([
  ['customers=manual_review', /^POST \/customers: create a Customer, last_name Smith$/],
  ['transactions=returned code=R10', /^POST \/synthetic_accounts: .*, account_number \d+9910$/],
  ['error=3005', /, refused with 3005$/],
] as const)('says in the steps to %s which data decides', async ([goal, words], { sandbox }) => {
  const { steps } = await call(sandbox, 'reach', { goal })
  expect(steps.map(({ text }) => text)).toContainEqual(expect.stringMatching(words))
})

it('lets requests through while it looks, and ends when it is canceled', async ({ sandbox, api }) => {
  const looking = sandbox.call('reach', { goal: 'error=2004' })
  expect((await api.get('/customers')).status).toBe(200)
  expect(await sandbox.call('work.cancel', {})).toMatchObject({ value: { canceled: true } })
  expect(await looking).toMatchObject({
    ok: false,
    error: { errors: [{ extra: expect.stringMatching(/^reach was stopped with work.cancel/) }] },
  })
  expect(await call(sandbox, 'worlds.list', {})).toEqual({ worlds: [] })
})

it('has no steps for what is so already', async ({ demo }) => {
  expect(await call(demo, 'reach', { goal: 'customers=active' })).toMatchObject({ steps: [], applied: false })
})

it('writes the steps as a scenario that runs', async ({ sandbox }) => {
  const { scenario, steps } = await call(sandbox, 'reach', {
    goal: 'synthetic_accounts=archived',
    scenario: 'archived',
  })
  expect(scenario).toContain('name: archived')
  const run = await call(sandbox, 'scenarios.run', { text: scenario! })
  expect(run).toMatchObject({ state: 'passed' })
  expect(run.steps.length).toBeGreaterThanOrEqual(steps.length)
})

it.for([
  ['', /: what is to be reached|is not expected/],
  ['settled', /"settled" is not expected/],
  ['transfer=settled', /did you mean transfers\?/],
  ['pools=active', /the records of pools have no states/],
  ['transactions=setled', /there is no state setled of transactions; did you mean settled\?/],
  ['customers.nothing=active', /customers has no states in nothing; it has them in status, kyc_status/],
  ['error=3099', /there is no error 3099; the nearest are/],
  ['error=insuficientFunds', /did you mean insufficientFunds\?/],
  ['event=transfers.setled', /there is no event transfers.setled/],
  ['error=3006 event=transfers.created', /error and event contradict each other/],
  ['transactions=settled transactions=failed', /transactions is given twice/],
  ['transactions=returned code=R99', /there is no code R99/],
  ['customers=active code=R10', /code is for transactions/],
  ['transfers=canceled type=book', /transfers of type book are never canceled; those of type ach, wire can be/],
  ['transactions=expired type=ach', /transactions of type ach are never expired; those of type \w+/],
  ['transactions=settled type=nonsense', /there is no type nonsense of transactions; there are /],
  ['transactions=returned code=C01', /C01 is of a notice of change, and a return has one such as R01/],
  ['error=1e3', /there is no error 1e3/],
  ['transactions=settled customer=nobody', /there is no Customer nobody/],
  ['transactions=settled uid=1111111111111111', /transactions holds no record 1111111111111111/],
  ['returns=canceled', /cannot be reached: it is a published status/],
  ['error=1009', /cannot be reached: a Pool has no status/],
] as const)('refuses the goal "%s" with a sentence that says what to do', async ([goal, extra], { sandbox }) => {
  const refused = refusingCalls(sandbox)
  await refused(() => call(sandbox, 'reach', { goal }), 'invalidArgument', goal === '' ? undefined : extra)
})

it('refuses another state of a record that is final', async ({ sandbox }) => {
  const { record } = await call(sandbox, 'reach', { goal: 'customers=archived', apply: true })
  const refused = refusingCalls(sandbox)
  const uid = record!.uid
  await refused(
    () => call(sandbox, 'reach', { goal: `customers=active uid=${uid}` }),
    'invalidArgument',
    /which is final/,
  )
  await refused(
    () => call(sandbox, 'reach', { goal: `transfers=settled customer=${uid}` }),
    'invalidArgument',
    /which is final/,
  )
})

it('stops when a step is answered otherwise than in the copy', async ({ sandbox }) => {
  const ask = createCaller(sandbox)
  // A copy has no faults.
  await ask('faults.set', { faults: [{ method: 'POST', path: '/customers', kind: 'status', code: 1000, times: 1 }] })
  const error = await ask('reach', { goal: 'customers=initiated', apply: true }).catch((thrown: unknown) => thrown)
  expectControlError(
    error,
    'invalidArgument',
    /^step 1 \(.+\): it was answered with 500, code 1000, and not as in the copy/,
  )
  expect(sandbox.store.world.collections.customers.size).toBe(0)
})
