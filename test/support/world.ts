import { expect } from 'vitest'
import type { Cause } from '../../src/api/contract/control/history.ts'
import type { ErrorKey } from '../../src/api/contract/errors.ts'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import { Clock } from '../../src/api/store/clock.ts'
import type { CommitLog } from '../../src/api/store/commit.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import type { ProveBooks } from '../../src/api/store/replacement.ts'
import { Store } from '../../src/api/store/store.ts'
import type { NewRecord, Tx } from '../../src/api/store/tx.ts'
import {
  type CollectionName,
  type CustomerRecord,
  emptyWorld,
  type ProgramRecord,
  type RecordOf,
  type World,
} from '../../src/api/store/world.ts'
import { type ApiResponse, expectRefusal } from './client.ts'
import { START } from './sandbox.ts'

/** A store without a sandbox, and worlds as text. */

export const CAUSE: Cause = { door: 'operator', name: 'test' }

/** For worlds without books. */
export const noProof: ProveBooks = function* () {}

export interface TestStore {
  store: Store
  world: World
  /** Lets so many milliseconds of real time pass. */
  passTime: (ms: number) => void
}

export function createStore({
  mode = 'frozen',
  log = new MemoryWorldFile(),
}: {
  mode?: 'frozen' | 'running'
  log?: CommitLog
} = {}): TestStore {
  let elapsed = 0
  const world = emptyWorld('test', new Date(START).toISOString(), { mode, pace: 'fast' })
  const store = new Store(world, new Clock(world, () => elapsed), log)
  store.operate(CAUSE, (tx) => {
    tx.programs.put(program('A'))
    tx.programs.put(program('B'))
  })
  return { store, world, passTime: (ms) => (elapsed += ms) }
}

export const program = (uid: string, more: Partial<ProgramRecord> = {}): NewRecord<ProgramRecord> => ({
  ...defaultSettings,
  uid,
  program_uid: uid,
  client_uid: 'client',
  drawn_settings: [],
  name: `Program ${uid}`,
  hmac_key: `key of ${uid}`,
  behaves_as: 'full',
  allowlist: ['127.0.0.0/8'],
  ...more,
})

export const customer = (tx: Tx, more: Partial<CustomerRecord> = {}): NewRecord<CustomerRecord> => ({
  uid: tx.uid(),
  program_uid: tx.program.uid,
  external_uid: null,
  created_at: tx.now,
  archived_at: null,
  customer_type: 'primary',
  client_verified: false,
  kyc_status: null,
  kyc_status_reasons: null,
  lock_reason: null,
  locked_at: null,
  pool_uids: [],
  primary_customer_uid: null,
  profile_responses: [],
  status: 'initiated',
  details: {
    first_name: null,
    middle_name: null,
    last_name: null,
    suffix: null,
    phone: null,
    business_name: null,
    ssn_last_four: null,
    dob: null,
  },
  ssn: null,
  ...more,
})

/** A world as text, to compare worlds: clock, counters and records in a fixed order, without commit numbers and causes. */
export const canonical = (world: World) =>
  JSON.stringify({
    clock: world.clock,
    made: world.counters.made,
    records: Object.entries(world.collections).map(([name, collection]) => [
      name,
      [...collection.inOrder()].sort((a, b) => a.made - b.made),
    ]),
  })

/** Changes a record directly, for states that no request reaches. */
export const putRecord = <N extends CollectionName>(
  { store }: { store: Store },
  collection: N,
  uid: string,
  changed: Partial<RecordOf[N]>,
) =>
  store.operate({ door: 'operator', name: 'test' }, (tx) => {
    const records = tx[collection] as unknown as { get(uid: string): object; put(record: object): unknown }
    records.put({ ...records.get(uid), ...changed })
  })

/** Expects that the work changes nothing in the world: no record, no counter, no commit. */
export async function expectUnchanged<T>(
  { store: { world } }: { store: { world: World } },
  work: () => Promise<T>,
): Promise<T> {
  // As text, because the arrays of the collections change with the world.
  const state = () => ({ seq: world.seq, counters: world.counters, world: canonical(world) })
  const before = state()
  const result = await work()
  expect(state()).toEqual(before)
  return result
}

/** Expects that a request to this sandbox is refused with this error and changes nothing in the world. */
export const refusing =
  (sandbox: { store: { world: World } }) =>
  async (request: () => Promise<ApiResponse<unknown>>, key: ErrorKey, extra?: string | RegExp) =>
    expectRefusal(await expectUnchanged(sandbox, request), key, extra)
