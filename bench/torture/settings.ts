import { type Body, type Client, expectSuccess, Refused } from '../support/client.ts'
import type { Random } from '../support/random.ts'

/**
 * What control methods set: the last acknowledged value is there after a kill, or one of those that were sent after it and not
 * answered.
 */

interface Setting {
  /** Sends a change; returns the value that `read` has to find afterwards. */
  change(client: Client, n: number): Promise<unknown>
  read(client: Client): Promise<unknown>
  /** It is part of the world, so a rewind changes it. */
  readonly isOfWorld: boolean
}

interface State {
  /** undefined until it is read. */
  value?: string
  isUnanswered: boolean
  isBusy: boolean
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
    for (const name of Object.keys(this.#settings)) this.#states.set(name, { isUnanswered: false, isBusy: false })
  }

  /** Creates a Program that is changed. `customer`: an active one that has no other changes. */
  static async create(client: Client, random: Random, customer: string): Promise<Settings> {
    const owner = { name: 'Second', client_is_customer: true }
    const { uid } = await expectSuccess(client.control('programs.create', owner))
    return new Settings(random, uid, customer)
  }

  beginRound() {
    for (const state of this.#states.values()) state.isBusy = false
  }

  /** Changes one setting. Each setting has one change at a time, so that the last one is known. */
  async change(client: Client): Promise<void> {
    const name = this.#random.pick(Object.keys(this.#settings))
    const state = this.#states.get(name)!
    if (state.isBusy) return
    state.isBusy = true
    state.isUnanswered = true
    try {
      state.value = JSON.stringify(await this.#settings[name]!.change(client, ++this.#changes))
      this.acknowledged++
    } catch (error) {
      // Some changes are refused during an advance: then the value stays.
      if (!(error instanceof Refused)) throw error
    }
    state.isUnanswered = false
    state.isBusy = false
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
  const snapshot = async (client: Client) => {
    const { snapshots } = await expectSuccess(client.control('snapshots.list'))
    return snapshots.find(({ name }: Body) => name === NAME)?.seq ?? null
  }
  return {
    'the name of a Program': {
      isOfWorld: true,
      change: async (client, n) =>
        (await expectSuccess(client.control('programs.update', { uid: program, name: `Program ${n}` }))).name,
      read: async (client) => (await own(client))?.name,
    },
    'the key of a Program': {
      isOfWorld: true,
      change: async (client) => (await expectSuccess(client.control('programs.rotate_key', { uid: program }))).hmac_key,
      read: async (client) => (await own(client))?.hmac_key,
    },
    'a user scenario': {
      isOfWorld: false,
      async change(client, n) {
        if (n % 4 === 0) {
          await client.control('scenarios.delete', { name: NAME })
          return null
        }
        const text = `name: Number ${n}\nsteps:\n  - advance: idle\n`
        await expectSuccess(client.control('scenarios.save', { name: NAME, text }))
        return text
      },
      async read(client) {
        const { status, body } = await client.control('scenarios.read', { name: NAME })
        return status === 200 ? body.text : null
      },
    },
    'a snapshot': {
      isOfWorld: false,
      async change(client, n) {
        if (n % 4 !== 0) return (await expectSuccess(client.control('snapshots.keep', { name: NAME }))).seq
        await client.control('snapshots.delete', { name: NAME })
        return null
      },
      read: snapshot,
    },
    'a held task': {
      isOfWorld: true,
      async change(client) {
        const { uid, held } = await readTask(client)
        const { status } = await client.control(held ? 'tasks.release' : 'tasks.hold', { uid })
        // An advance may have run it in between; then there is another one.
        return status === 200 ? !held : (await readTask(client)).held
      },
      read: async (client) => (await readTask(client)).held,
    },
    'the lock of a Customer': {
      isOfWorld: true,
      async change(client, n) {
        const record = await readCustomer(client)
        const move = record.locked_at === null ? 'lock' : 'unlock'
        const inputs = move === 'lock' ? { lock_reason: `reason ${n}` } : {}
        const input = { collection: 'customers', uid: customer, move, inputs }
        return (await expectSuccess(client.control('moves.make', input))).lock_reason
      },
      read: async (client) => (await readCustomer(client)).lock_reason,
    },
    'the newest Customer of a Program': {
      isOfWorld: true,
      async change(client, n) {
        const customer = { external_uid: `operator-${n}`, email: 'o@x.test' }
        const input = { program_uid: program, customer }
        return (await expectSuccess(client.control('operator.create_customer', input))).external_uid
      },
      async read(client) {
        const input = { collection: 'customers', program_uid: program, include_initiated: true, limit: 1 }
        return (await expectSuccess(client.control('records.list', input))).data[0]?.external_uid
      },
    },
    'the break condition': {
      isOfWorld: true,
      async change(client, n) {
        const break_on = n % 2 === 0 ? { collection: 'customers', status: 'archived' } : null
        return (await expectSuccess(client.control('clock.set', { break_on }))).break_on
      },
      read: async (client) => (await expectSuccess(client.control('clock.read'))).break_on,
    },
  }

  /** The close of day of the Program. */
  async function readTask(client: Client): Promise<Body> {
    const { tasks } = await expectSuccess(client.control('tasks.list'))
    return tasks.find(({ recurring, program_uid }: Body) => recurring && program_uid === program)
  }

  async function readCustomer(client: Client): Promise<Body> {
    return expectSuccess(client.control('records.get', { collection: 'customers', uid: customer }))
  }
}
