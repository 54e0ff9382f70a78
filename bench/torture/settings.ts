import { type Body, type Client, expectSuccess, Refused } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import type { Call, ChangingMethod } from './methods.ts'

/**
 * What control methods set: the last acknowledged value is there after a kill, or one of those that were sent after it and not
 * answered.
 */

interface Setting {
  /** Each sends a change by its method, and returns the value that `read` has to find afterwards. */
  readonly changes: Partial<Record<SettingMethod, (client: Client, n: number) => Promise<unknown>>>
  read(client: Client): Promise<unknown>
  /** It is part of the world, so a rewind changes it. */
  readonly isOfWorld: boolean
  /** Each change makes the world larger. */
  readonly isRare?: boolean
}

const METHODS = [
  ...(['programs.create', 'programs.update', 'programs.rotate_key', 'scenarios.save', 'scenarios.delete'] as const),
  ...(['snapshots.keep', 'snapshots.delete', 'tasks.hold', 'tasks.release', 'moves.make'] as const),
  ...(['operator.create_customer', 'clock.set'] as const),
  ...(['webhooks.create', 'webhooks.update', 'webhooks.delete'] as const),
] satisfies ChangingMethod[]
type SettingMethod = (typeof METHODS)[number]

interface State {
  /** undefined until it is read. */
  value?: string
  isUnanswered: boolean
  /** The change that is under way, or that a kill cut off in this round. */
  running: Promise<void> | undefined
}

const NAME = 'torture'

export class Settings {
  readonly #random: Random
  readonly #settings: Readonly<Record<string, Setting>>
  readonly #states = new Map<string, State>()
  #changes = 0
  /** Changes that were acknowledged. */
  acknowledged = 0

  private constructor(random: Random, program: string, customer: string) {
    this.#random = random
    this.#settings = settingsOf(program, customer)
    for (const name of Object.keys(this.#settings)) this.#states.set(name, { isUnanswered: false, running: undefined })
  }

  /** Creates a Program that is changed. `customer`: an active one that has no other changes. */
  static async create(client: Client, random: Random, customer: string): Promise<Settings> {
    const owner = { name: 'Second', client_is_customer: true }
    const { uid } = await expectSuccess(client.control('programs.create', owner))
    return new Settings(random, uid, customer)
  }

  /** How to call each method: it changes a setting. */
  get calls(): Readonly<Record<SettingMethod, Call>> {
    const callOf = (method: SettingMethod): [SettingMethod, Call] => {
      const [name] = Object.entries(this.#settings).find(([, { changes }]) => changes[method])!
      return [method, (client) => this.#changeInTurn(client, name, method)]
    }
    return Object.fromEntries(METHODS.map(callOf)) as Record<SettingMethod, Call>
  }

  beginRound() {
    for (const state of this.#states.values()) state.running = undefined
  }

  /** Changes one setting. */
  async change(client: Client): Promise<void> {
    const [name, { changes }] = this.#random.pick(Object.entries(this.#settings).filter(([, { isRare }]) => !isRare))
    const method = this.#random.pick(Object.keys(changes) as SettingMethod[])
    if (!this.#states.get(name)!.running) await this.#changeInTurn(client, name, method)
  }

  /** Each setting has one change at a time, so that the last one is known. */
  async #changeInTurn(client: Client, name: string, method: SettingMethod): Promise<void> {
    const state = this.#states.get(name)!
    while (state.running) await state.running
    state.running = this.#change(client, name, method)
    await state.running
  }

  async #change(client: Client, name: string, method: SettingMethod): Promise<void> {
    const state = this.#states.get(name)!
    state.isUnanswered = true
    try {
      state.value = JSON.stringify(await this.#settings[name]!.changes[method]!(client, ++this.#changes))
      this.acknowledged++
    } catch (error) {
      // Some changes are refused during an advance: then the value stays.
      if (!(error instanceof Refused)) throw error
    }
    state.isUnanswered = false
    state.running = undefined
  }

  /** Another world is there, which has its own values. */
  forgetWorld() {
    for (const [name, state] of this.#states) if (this.#settings[name]!.isOfWorld) delete state.value
  }

  async verify(client: Client): Promise<string[]> {
    const problems: string[] = []
    for (const [name, state] of this.#states) {
      const found = JSON.stringify(await this.#settings[name]!.read(client))
      if (state.value !== undefined && !state.isUnanswered && found !== state.value)
        problems.push(`${name} was set to ${state.value}, and is ${found}`)
      Object.assign(state, { value: found, isUnanswered: false })
    }
    return problems
  }
}

function settingsOf(program: string, customer: string): Record<string, Setting> {
  const programs = async (client: Client): Promise<Body[]> =>
    (await expectSuccess(client.control('programs.list'))).programs
  const own = async (client: Client) => (await programs(client)).find(({ uid }) => uid === program)
  return {
    'the name of a Program': {
      isOfWorld: true,
      changes: {
        'programs.update': async (client, n) =>
          (await expectSuccess(client.control('programs.update', { uid: program, name: `Program ${n}` }))).name,
      },
      read: async (client) => (await own(client))?.name,
    },
    'the key of a Program': {
      isOfWorld: true,
      changes: {
        'programs.rotate_key': async (client) =>
          (await expectSuccess(client.control('programs.rotate_key', { uid: program }))).hmac_key,
      },
      read: async (client) => (await own(client))?.hmac_key,
    },
    'the newest Program': {
      isOfWorld: true,
      isRare: true,
      changes: {
        'programs.create': async (client, n) =>
          (await expectSuccess(client.control('programs.create', { name: `Another ${n}`, client_is_customer: true })))
            .uid,
      },
      read: async (client) => (await programs(client)).at(-1).uid,
    },
    'a user scenario': {
      isOfWorld: false,
      changes: { 'scenarios.save': saveScenario, 'scenarios.delete': deleteScenario },
      read: readScenario,
    },
    'a snapshot': {
      isOfWorld: false,
      changes: { 'snapshots.keep': keepSnapshot, 'snapshots.delete': deleteSnapshot },
      read: readSnapshot,
    },
    'a held task': {
      isOfWorld: true,
      changes: { 'tasks.hold': (client) => setHeld(client, true), 'tasks.release': (client) => setHeld(client, false) },
      read: async (client) => (await readTask(client)).held,
    },
    'the lock of a Customer': {
      isOfWorld: true,
      changes: {
        async 'moves.make'(client, n) {
          const record = await readCustomer(client)
          const move = record.locked_at === null ? 'lock' : 'unlock'
          const inputs = move === 'lock' ? { lock_reason: `reason ${n}` } : {}
          const input = { collection: 'customers', uid: customer, move, inputs }
          return (await expectSuccess(client.control('moves.make', input))).lock_reason
        },
      },
      read: async (client) => (await readCustomer(client)).lock_reason,
    },
    'the newest Customer of a Program': {
      isOfWorld: true,
      changes: {
        async 'operator.create_customer'(client, n) {
          const input = { program_uid: program, customer: { external_uid: `operator-${n}`, email: 'o@x.test' } }
          return (await expectSuccess(client.control('operator.create_customer', input))).external_uid
        },
      },
      async read(client) {
        const input = { collection: 'customers', program_uid: program, include_initiated: true, limit: 1 }
        return (await expectSuccess(client.control('records.list', input))).data[0]?.external_uid
      },
    },
    'the newest webhook': {
      isOfWorld: true,
      isRare: true,
      changes: {
        'webhooks.create': async (client) => describeWebhook(await createWebhook(client, program)),
        async 'webhooks.update'(client, n) {
          const { uid } = (await readWebhook(client, program)) ?? (await createWebhook(client, program))
          const topics = [n % 2 === 0 ? 'transfers' : 'customers']
          return describeWebhook(await expectSuccess(client.control('webhooks.update', { uid, topics })))
        },
        async 'webhooks.delete'(client) {
          const { uid } = (await readWebhook(client, program)) ?? (await createWebhook(client, program))
          await expectSuccess(client.control('webhooks.delete', { uid }))
          return describeWebhook(await readWebhook(client, program))
        },
      },
      read: async (client) => describeWebhook(await readWebhook(client, program)),
    },
    'the break condition': {
      isOfWorld: true,
      changes: {
        async 'clock.set'(client, n) {
          const break_on = n % 2 === 0 ? { collection: 'customers', status: 'archived' } : null
          return (await expectSuccess(client.control('clock.set', { break_on }))).break_on
        },
      },
      read: async (client) => (await expectSuccess(client.control('clock.read'))).break_on,
    },
  }

  /** The close of day of the Program. */
  async function readTask(client: Client): Promise<Body> {
    const { tasks } = await expectSuccess(client.control('tasks.list'))
    return tasks.find(({ recurring, program_uid }: Body) => recurring && program_uid === program)
  }

  async function setHeld(client: Client, isHeld: boolean): Promise<boolean> {
    const { uid, held } = await readTask(client)
    if (held === isHeld) await client.control(isHeld ? 'tasks.release' : 'tasks.hold', { uid })
    const { status } = await client.control(isHeld ? 'tasks.hold' : 'tasks.release', { uid })
    // An advance may have run it in between; then there is another one.
    return status === 200 ? isHeld : (await readTask(client)).held
  }

  async function readCustomer(client: Client): Promise<Body> {
    return expectSuccess(client.control('records.get', { collection: 'customers', uid: customer }))
  }
}

async function saveScenario(client: Client, n: number): Promise<string> {
  const text = `name: Number ${n}\nsteps:\n  - advance: idle\n`
  await expectSuccess(client.control('scenarios.save', { name: NAME, text }))
  return text
}

async function deleteScenario(client: Client, n: number): Promise<null> {
  if ((await readScenario(client)) === null) await saveScenario(client, n)
  await expectSuccess(client.control('scenarios.delete', { name: NAME }))
  return null
}

async function readScenario(client: Client): Promise<string | null> {
  const { status, body } = await client.control('scenarios.read', { name: NAME })
  return status === 200 ? body.text : null
}

const keepSnapshot = async (client: Client): Promise<number> =>
  (await expectSuccess(client.control('snapshots.keep', { name: NAME }))).seq

async function deleteSnapshot(client: Client): Promise<null> {
  if ((await readSnapshot(client)) === null) await keepSnapshot(client)
  await expectSuccess(client.control('snapshots.delete', { name: NAME }))
  return null
}

async function readSnapshot(client: Client): Promise<number | null> {
  const { snapshots } = await expectSuccess(client.control('snapshots.list'))
  return snapshots.find(({ name }: Body) => name === NAME)?.seq ?? null
}

/** Without an address nothing is sent. */
const createWebhook = (client: Client, program_uid: string): Promise<Body> =>
  expectSuccess(client.control('webhooks.create', { program_uid, url: null }))

const readWebhook = async (client: Client, program_uid: string): Promise<Body | undefined> =>
  (await expectSuccess(client.control('webhooks.list', { program_uid }))).webhooks.at(-1)

const describeWebhook = (webhook: Body | undefined) => webhook && `${webhook.uid} ${webhook.topics}`
