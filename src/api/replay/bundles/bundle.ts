import { z } from 'zod'
import { BreakOn, Cause, ClockMode, ExchangeDetail, Pace } from '../../contract/control.ts'
import { Timestamp } from '../../contract/terms/primitives.ts'
import type { Commit } from '../../store/commit.ts'
import { migrate, migrateCause, migrations } from '../../store/migrations.ts'
import { runToEnd, type Steps } from '../../store/steps.ts'
import { StoreError } from '../../store/store-error.ts'
import {
  type CollectionName,
  collectionNames,
  collectionOf,
  emptyCollections,
  type StoredRecord,
  type World,
} from '../../store/world.ts'
import type { OperatorAction } from '../operator-log.ts'
import type { Entry } from '../record.ts'
import { UnreadableRecording } from '../recordings/recording.ts'

/**
 * One file to hand on: the world as it was when the record begins, every commit since, and the record: requests with
 * their answers, and what the operator did. Lines of JSON, so that it can be read with the eye and searched with
 * anything; a count at the end, so that a part of it is never taken for the whole.
 */

export interface Bundle {
  readonly made_by: string
  readonly note: string | null
  /** Simulated time when it was made. */
  readonly now: Timestamp
  readonly world: World
  readonly commits: readonly Commit[]
  readonly entries: readonly Entry[]
}

const NO_BUNDLE =
  'This is no bundle: a file that sandbank export has written is expected. A HAR file or curl lines are replayed, not imported'

const VERSION = 1
const SHAPE = migrations.length + 1

const Header = z.object({
  sandbank: z.literal('bundle'),
  version: z.int(),
  shape: z.int(),
  made_by: z.string(),
  note: z.string().nullable(),
  now: Timestamp,
  seed: z.string(),
  start: Timestamp,
  seq: z.int(),
  clock: z.object({ mode: ClockMode, pace: Pace, at: Timestamp, break_on: BreakOn.optional() }),
  counters: z.object({ uid: z.int(), made: z.int() }),
})

const AnyRecord = z.looseObject({ uid: z.string() })
/** As far as what takes them in depends on it. */
const Lines = {
  record: z.object({ collection: z.string(), record: AnyRecord }),
  commit: z.object({
    commit: z.looseObject({
      seq: z.int(),
      at: Timestamp,
      cause: Cause,
      counters: z.object({ uid: z.int(), made: z.int() }),
      changes: z.array(
        z.object({
          collection: z.string(),
          uid: z.string(),
          record: AnyRecord.nullable(),
          was: AnyRecord.nullable(),
        }),
      ),
    }),
  }),
  exchange: z.object({ exchange: ExchangeDetail }),
  act: z.object({
    act: z.looseObject({
      uid: z.string(),
      name: z.string(),
      input: z.string(),
      at: Timestamp,
      after: z.string().nullable(),
      seq_before: z.int(),
      seq_after: z.int(),
    }),
  }),
}

export function* linesOf({ made_by, note, now, world, commits, entries }: Bundle): Iterable<string> {
  const { seed, start, seq, clock, counters } = world
  const header = {
    sandbank: 'bundle',
    version: VERSION,
    shape: SHAPE,
    made_by,
    note,
    now,
    seed,
    start,
    seq,
    clock,
    counters,
  }
  yield JSON.stringify(header)
  let count = 0
  for (const collection of collectionNames)
    for (const record of collectionOf(world, collection).inOrder()) {
      count++
      yield JSON.stringify({ collection, record })
    }
  for (const commit of commits) {
    count++
    yield JSON.stringify({ commit })
  }
  for (const entry of entries) {
    count++
    yield JSON.stringify(entry)
  }
  yield JSON.stringify({ end: count })
}

/** Takes the lines one by one; whatever is wrong is said with its line. */
export class BundleReader {
  #header: z.infer<typeof Header> | undefined
  #migrate: ReturnType<typeof migrate> | undefined
  readonly #collections = emptyCollections()
  readonly #commits: Commit[] = []
  readonly #entries: Entry[] = []
  #lines = 0
  /** Lines between the header and the end. */
  #held = 0
  #ended = false

  take(text: string) {
    this.#lines++
    if (text.trim() === '') return
    const line = this.#parsed(text)
    if (!this.#header) this.#begin(line)
    else if (this.#ended) throw this.#trouble('it goes on after its end')
    else if ('end' in line) this.#end(line.end)
    else this.#hold(line)
  }

  #hold(line: Record<string, unknown>) {
    this.#held++
    if ('collection' in line)
      this.#record(this.#like(Lines.record, line) as { collection: string; record: StoredRecord })
    else if ('commit' in line) this.#commit(this.#like(Lines.commit, line).commit as Commit)
    else if ('exchange' in line) this.#entries.push(this.#like(Lines.exchange, line) as { exchange: ExchangeDetail })
    else if ('act' in line) this.#entries.push(this.#like(Lines.act, line) as { act: OperatorAction })
    else throw this.#trouble('a record, a commit, an exchange or an act is expected')
  }

  whole(): Bundle {
    if (!this.#header || !this.#ended)
      throw new UnreadableRecording(
        `The bundle ends too early, after line ${this.#lines}: nothing was imported. Ask for the file again`,
      )
    const { made_by, note, now, seed, start, seq, counters } = this.#header
    const { break_on, ...clock } = this.#header.clock
    const state = { ...clock, ...(break_on ? { break_on } : {}) }
    const world: World = { seed, start, seq, clock: state, counters, collections: this.#collections }
    return { made_by, note, now, world, commits: this.#commits, entries: this.#entries }
  }

  #begin(line: Record<string, unknown>) {
    const parsed = Header.safeParse(line)
    if (line.sandbank !== 'bundle') throw new UnreadableRecording(NO_BUNDLE)
    if (!parsed.success) throw this.#trouble('it is not the header of a bundle')
    if (parsed.data.version > VERSION)
      throw this.#trouble(`it is a bundle of version ${parsed.data.version}, and this Sandbank reads up to ${VERSION}`)
    try {
      this.#migrate = migrate(parsed.data.shape)
    } catch (error) {
      if (error instanceof StoreError) throw this.#trouble(error.message)
      throw error
    }
    this.#header = parsed.data
  }

  #record({ collection, record }: { collection: string; record: StoredRecord }) {
    const name = this.#collection(collection)
    const today = this.#today(name, record)
    if (today) collectionOf({ collections: this.#collections } as World, name).set(today.uid, today)
  }

  #commit(commit: Commit) {
    const changes = commit.changes.map((change) => {
      const collection = this.#collection(change.collection)
      return {
        collection,
        uid: change.uid,
        record: change.record && (this.#today(collection, change.record) ?? null),
        was: change.was && (this.#today(collection, change.was) ?? null),
      }
    })
    this.#commits.push({ ...commit, cause: migrateCause(commit.cause), changes })
  }

  #collection(name: string): CollectionName {
    return collectionNames.find((known) => known === name) ?? this.#fail(`there is no collection ${String(name)}`)
  }

  #today(collection: CollectionName, record: StoredRecord): StoredRecord | undefined {
    return this.#migrate!(collection, record as unknown as Record<string, unknown>) as unknown as
      | StoredRecord
      | undefined
  }

  #end(count: unknown) {
    if (count !== this.#held) throw this.#trouble(`it counts ${String(count)} lines, and ${this.#held} were there`)
    this.#ended = true
  }

  #parsed(text: string): Record<string, unknown> {
    try {
      const line: unknown = JSON.parse(text)
      if (typeof line === 'object' && line !== null) return line as Record<string, unknown>
    } catch {}
    if (!this.#header) throw new UnreadableRecording(NO_BUNDLE)
    throw this.#trouble('it is not a JSON object; the file may be cut off')
  }

  /** What is not of the form that is written is refused here, and not where somebody stumbles over it. */
  #like(schema: z.ZodType, line: Record<string, unknown>): Record<string, unknown> {
    const { error } = schema.safeParse(line)
    if (!error) return line
    const [issue] = error.issues
    throw this.#trouble(`${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'another form is expected'}`)
  }

  #fail(why: string): never {
    throw this.#trouble(why)
  }

  #trouble(why: string) {
    return new UnreadableRecording(`Line ${this.#lines} of the bundle cannot be read: ${why}. Nothing was imported`)
  }
}

export const bundleFrom = (text: string): Bundle => runToEnd(reading(text))

/** In steps of its lines, by their length. */
export function* reading(text: string): Steps<Bundle> {
  const reader = new BundleReader()
  for (const line of text.split('\n')) {
    reader.take(line)
    yield line.length + 1
  }
  return reader.whole()
}
