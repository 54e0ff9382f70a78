import { z } from 'zod'
import { BreakOn, ClockMode, Pace } from '../../contract/control/clock.ts'
import { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { Cause } from '../../contract/control/history.ts'
import { methodNames, methods } from '../../contract/control/methods.ts'
import { Timestamp, type Uid } from '../../contract/terms/primitives.ts'
import { isTooDeep, MAX_DEPTH } from '../../http/body.ts'
import { findExcess } from '../../http/json-size.ts'
import type { OperatorAction } from '../../store/call-log.ts'
import type { Commit } from '../../store/commit.ts'
import { otherForm, VERSION } from '../../store/headers.ts'
import { createSeal } from '../../store/seal.ts'
import { runToEnd, type Steps } from '../../store/steps.ts'
import {
  type CollectionName,
  collectionNames,
  collectionOf,
  emptyCollections,
  type StoredRecord,
  type World,
} from '../../store/world.ts'
import { type RecordEntry, unsealText } from '../record.ts'
import { METHOD } from '../recordings/locate.ts'
import { UnreadableRecording } from '../recordings/recording.ts'
import { withKey } from '../replay.ts'
import { describeIssue } from './stored-fields.ts'

/**
 * A bundle: the world at the beginning of its record, the commits since, and the record, i.e. exchanges and operator actions.
 * The file has one JSON object per line, and a count at the end, so that an incomplete file is detected.
 */

/** Errors that are found after reading name the line of the record or commit. */
export interface BundleLines {
  readonly records: Readonly<Record<CollectionName, ReadonlyMap<Uid, number>>>
  /** In the order of the commits. */
  readonly commits: readonly number[]
}

export type BundledCommit = Omit<Commit, 'digest'>

export interface Bundle {
  readonly made_by: string
  readonly note: string | null
  /** Simulated time of the export. */
  readonly now: Timestamp
  readonly world: World
  readonly commits: readonly BundledCommit[]
  readonly entries: readonly RecordEntry[]
  readonly lines: BundleLines
}

const NOT_A_BUNDLE =
  'This is no bundle: a file written by sandbank export is expected. HAR files and curl lines can be replayed, not imported'

/** A header has about 20 fields. Parsing another JSON text of one long line takes long. */
const HEADER_LIMITS = { keys: 200, levels: 20 }
export const isTooLargeForHeader = (line: string): boolean => findExcess(line, HEADER_LIMITS) !== undefined

const Clock = z.object({ mode: ClockMode, pace: Pace, at: Timestamp, break_on: BreakOn.optional() })
const Count = z.int().min(0)
const Counters = z.object({ uid: Count, made: Count })

const Header = z.object({
  sandbank: z.literal('bundle'),
  version: z.literal(VERSION),
  made_by: z.string(),
  note: z.string().nullable(),
  now: Timestamp,
  seed: z.string(),
  start: Timestamp,
  seq: Count,
  clock: Clock,
  counters: Counters,
})

const ExchangeUid = z.string().regex(/^x\d+$/, { error: 'x and a number is expected' })
const isInOrder = ({ seq_before, seq_after }: { readonly seq_before: number; readonly seq_after: number }) =>
  seq_before <= seq_after
const WRONG_ORDER = { path: ['seq_after'], error: 'a commit that is not before seq_before is expected' }
const AnyRecord = z.looseObject({ uid: z.string() })
const JsonText = z.string().refine(isJson, { error: 'a JSON text is expected' })
/** The records themselves are checked when they are in a world, with those that they name. */
const Lines = {
  record: z.object({ collection: z.string(), record: AnyRecord }),
  commit: z.object({
    commit: z.looseObject({
      seq: Count,
      at: Timestamp,
      cause: Cause,
      counters: Counters,
      clock: Clock.optional(),
      was_clock: Clock.optional(),
      goes_on_from: Count.optional(),
      events: z.object({ uid: Count, made: Count }).optional(),
      passed: z.array(z.object({ uid: z.string(), status: z.string() })).optional(),
      // A bundle begins after the latest replacement of its world.
      replacement: z.undefined({ error: 'a bundle with a replaced world is not supported' }).optional(),
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
  exchange: z.object({
    exchange: ExchangeDetail.extend({
      uid: ExchangeUid,
      method: z.string().regex(METHOD, { error: 'a method of HTTP is expected' }),
      // A proxy sends a whole URL, OPTIONS may be about `*`.
      path: z.string().regex(/^(?:[/?*]|https?:)/i, { error: 'a path that begins with / is expected' }),
      status: z.int().min(0).max(999, { error: 'a status of HTTP is expected, or 0' }),
    }).refine(isInOrder, WRONG_ORDER),
  }),
  act: z.object({
    act: z
      .looseObject({
        uid: z.string().regex(/^o\d+$/, { error: 'o and a number is expected' }),
        name: z.enum(methodNames, { error: 'the name of a control method is expected' }),
        input: JsonText,
        at: Timestamp,
        after: ExchangeUid.nullable(),
        seq_before: Count,
        seq_after: Count,
      })
      .refine(isInOrder, WRONG_ORDER),
  }),
}

/** The log removed a secret, so the field may have another form than it had. */
const WITHOUT_SECRETS = /\[(?:masked|(?:\w+ )?removed)\]/

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function formatHeader({
  made_by,
  note,
  now,
  left,
  world,
}: Pick<Bundle, 'made_by' | 'note' | 'now' | 'world'> & { readonly left: readonly string[] }): string {
  const { seed, start, seq, clock, counters } = world
  return JSON.stringify({
    sandbank: 'bundle',
    version: VERSION,
    made_by,
    note,
    now,
    not_masked: left,
    seed,
    start,
    seq,
    clock,
    counters,
  })
}

/** Reads a bundle line by line. Errors name the line. */
export class BundleReader {
  #header: z.infer<typeof Header> | undefined
  readonly #collections = emptyCollections()
  readonly #recordLines = Object.fromEntries(collectionNames.map((name) => [name, new Map<Uid, number>()])) as Record<
    CollectionName,
    Map<Uid, number>
  >
  readonly #commitLines: number[] = []
  readonly #commits: BundledCommit[] = []
  readonly #entries: RecordEntry[] = []
  readonly #exchanges = new Set<Uid>()
  #lines = 0
  #count = 0
  #ended = false

  addLine(text: string) {
    this.#lines++
    if (text.trim() === '') return
    if (!this.#header && isTooLargeForHeader(text)) throw new UnreadableRecording(NOT_A_BUNDLE)
    const line = this.#parseJson(text)
    if (!this.#header) this.#readHeader(line)
    else if (this.#ended) this.#fail('the file continues after its end')
    else if ('end' in line) this.#readEnd(line.end)
    else this.#readLine(line)
  }

  #readLine(line: Record<string, unknown>) {
    this.#count++
    if ('collection' in line)
      this.#readRecord(this.#check(Lines.record, line) as { collection: string; record: StoredRecord })
    else if ('commit' in line) this.#readCommit(this.#check(Lines.commit, line).commit as BundledCommit)
    else if ('exchange' in line) this.#readExchange(this.#check(Lines.exchange, line) as { exchange: ExchangeDetail })
    else if ('act' in line) this.#readAction(this.#check(Lines.act, line) as { act: OperatorAction })
    else this.#fail('a record, a commit, an exchange or an act is expected')
  }

  finish(): Bundle {
    if (!this.#header || !this.#ended)
      throw new UnreadableRecording(
        `The bundle ends too early, after line ${this.#lines}: nothing was imported. Ask for the file again`,
      )
    const { made_by, note, now, seed, start, seq, counters } = this.#header
    const { break_on, ...clock } = this.#header.clock
    const state = { ...clock, ...(break_on ? { break_on } : {}) }
    const world: World = { seed, start, seq, clock: state, counters, collections: this.#collections }
    const lines = { records: this.#recordLines, commits: this.#commitLines }
    return { made_by, note, now, world, commits: this.#commits, entries: this.#entries, lines }
  }

  #readHeader(line: Record<string, unknown>) {
    if (line.sandbank !== 'bundle') throw new UnreadableRecording(NOT_A_BUNDLE)
    if (line.version !== VERSION) this.#fail(`it ${otherForm(line.version)}, or ask for a new export`)
    const parsed = Header.safeParse(line)
    if (!parsed.success) return this.#fail(`it is not the header of a bundle: ${describeIssue(parsed.error)}`)
    this.#header = parsed.data
  }

  #readRecord({ collection, record }: { collection: string; record: StoredRecord }) {
    const name = this.#requireCollection(collection)
    const lines = this.#recordLines[name]
    const earlier = lines.get(record.uid)
    if (earlier !== undefined) this.#fail(`${name} ${record.uid} is already in line ${earlier}`)
    this.#requireEarlier(name, record, this.#header!.counters.made)
    lines.set(record.uid, this.#lines)
    try {
      collectionOf({ collections: this.#collections } as World, name).set(record.uid, record)
    } catch (error) {
      this.#fail(`${name} ${record.uid} cannot be indexed: ${(error as Error).message}`)
    }
  }

  #readExchange(entry: { exchange: ExchangeDetail }) {
    const { uid } = entry.exchange
    if (this.#exchanges.has(uid)) this.#fail(`the exchange ${uid} is there twice`)
    this.#exchanges.add(uid)
    this.#entries.push(entry)
  }

  /** A replay would refuse the input, too, but only after the steps before it. */
  #readAction(entry: { act: OperatorAction }) {
    const { name, input } = entry.act
    const method = methods[name]
    // Only what is repeated matters. Outcomes are in a commit.
    if ('isAction' in method && name !== 'webhooks.record_attempts' && !WITHOUT_SECRETS.test(input)) {
      const given: unknown = JSON.parse(unsealText(input, createSeal(this.#header!.seed)))
      if (isTooDeep(given)) this.#fail(`act.input: at most ${MAX_DEPTH} levels are expected`)
      const { error } = method.input.safeParse(withKey(given))
      if (error) this.#fail(describeIssue(error, ['act', 'input']))
    }
    this.#entries.push(entry)
  }

  #readCommit(commit: BundledCommit) {
    const expected = (this.#commits.at(-1)?.seq ?? this.#header!.seq) + 1
    if (commit.seq !== expected) this.#fail(`commit ${expected} is expected, and ${commit.seq} was found`)
    const before = this.#commits.at(-1)?.counters ?? this.#header!.counters
    const { goes_on_from } = commit
    if (goes_on_from !== undefined) this.#requireRewind(commit, goes_on_from)
    for (const name of goes_on_from === undefined ? (['uid', 'made'] as const) : (['uid'] as const))
      if (commit.counters[name] < before[name])
        this.#fail(`counters.${name}: at least ${before[name]} is expected, as in the commit before`)
    const changes = commit.changes.map((change) => {
      const collection = this.#requireCollection(change.collection)
      for (const { uid } of [change.record, change.was].filter((record) => record !== null))
        if (uid !== change.uid) this.#fail(`a change of ${change.uid} has the record ${uid}`)
      if (change.record) this.#requireEarlier(collection, change.record, commit.counters.made)
      return { collection, uid: change.uid, record: change.record, was: change.was }
    })
    this.#commitLines.push(this.#lines)
    this.#commits.push({ ...commit, changes })
  }

  /** Its changes follow from the commits before it. */
  #requireRewind({ seq, cause, changes }: BundledCommit, goes_on_from: number) {
    const first = this.#header!.seq
    if (cause.name !== 'world.rewind')
      this.#fail(`goes_on_from: a commit of world.rewind is expected, and one of ${cause.name} was found`)
    if (goes_on_from < first || goes_on_from >= seq)
      this.#fail(`goes_on_from: a commit from ${first} to ${seq - 1} is expected`)
    if (changes.length > 0) this.#fail('changes: none are expected, as they follow from the commits before')
  }

  /** `made` counts the records of the world; a new record with a number that is in use would change their order. */
  #requireEarlier(collection: CollectionName, { uid, made }: StoredRecord, next: number) {
    if (typeof made === 'number' && made >= next)
      this.#fail(`${collection} ${uid}: made: a number below the counter, ${next}, is expected`)
  }

  #requireCollection(name: string): CollectionName {
    return collectionNames.find((known) => known === name) ?? this.#fail(`there is no collection ${String(name)}`)
  }

  #readEnd(count: unknown) {
    if (count !== this.#count) this.#fail(`it counts ${String(count)} lines, and ${this.#count} were there`)
    this.#ended = true
  }

  #parseJson(text: string): Record<string, unknown> {
    try {
      const line: unknown = JSON.parse(text)
      if (typeof line === 'object' && line !== null) return line as Record<string, unknown>
    } catch {}
    if (!this.#header) throw new UnreadableRecording(NOT_A_BUNDLE)
    return this.#fail('it is not a JSON object; the file may be cut off')
  }

  /** Returns the line as it is, with unknown fields. */
  #check(schema: z.ZodType, line: Record<string, unknown>): Record<string, unknown> {
    const { error } = schema.safeParse(line)
    if (!error) return line
    return this.#fail(describeIssue(error))
  }

  #fail(why: string): never {
    throw new UnreadableRecording(`Line ${this.#lines} of the bundle cannot be read: ${why}. Nothing was imported`)
  }
}

export const parseBundle = (text: string): Bundle => runToEnd(parseBundleInSteps(text))

/** One line per step, which counts its length. */
export function* parseBundleInSteps(text: string): Steps<Bundle> {
  const reader = new BundleReader()
  for (const line of text.split('\n')) {
    reader.addLine(line)
    yield line.length + 1
  }
  return reader.finish()
}
