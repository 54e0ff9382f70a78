import { useCallback, useSyncExternalStore } from 'react'
import { showHidden } from '../../api/contract/collections.ts'
import type { CollectionName } from './collections.ts'
import { useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

/**
 * All records of a collection, newest first, of a Program. They are read once, page by page; afterwards only those are
 * asked for that a commit has changed, so that a list costs the same whether it holds ten or a hundred thousand. One
 * question is under way at a time, so answers come in the order of what they tell. A list that nobody looks at stays as
 * it is, remembers what has changed meanwhile, and asks for that when somebody looks again.
 */

export interface RecordRow {
  readonly uid: string
}

export interface ListSource<T extends RecordRow> {
  readonly collection: CollectionName
  /** Only these are sent, and held. */
  readonly fields: readonly string[]
  /** Records of another collection that change how these are shown, and the field by which they find them. */
  readonly follows?: { readonly by: CollectionName; readonly field: string; of(row: T): readonly string[] }
}

export interface LiveRecords<T> {
  readonly rows: readonly T[]
  /** Undefined until the first answer. */
  readonly total: number | undefined
  readonly error: unknown
}

/** The first rows come quickly, the others in as few questions as the sandbox allows. */
const FIRST = 100
const PAGE = 1_000
const PAINT_MS = 250
/** More than this is read anew sooner than asked for one by one. */
const MOST_CHANGED = 10_000

const NOTHING: LiveRecords<never> = { rows: [], total: undefined, error: undefined }

class LiveList<T extends RecordRow> {
  readonly #source: ListSource<T>
  readonly #program_uid: string
  readonly #watchers = new Set<() => void>()
  #listing: LiveRecords<T> = NOTHING
  #rows: T[] = []
  #known = new Set<string>()
  #total: number | undefined
  #changed = new Set<string>()
  #told = new Set<string>()
  /** Which reading of everything the pages belong to. */
  #everything = -1
  #versions: Readonly<Record<string, number>> = {}
  #working = false
  #painted = 0
  #painting: ReturnType<typeof setTimeout> | undefined

  constructor(source: ListSource<T>, program_uid: string) {
    this.#source = source
    this.#program_uid = program_uid
    this.#versions = useFeed.getState().versions
    useFeed.subscribe((feed) => this.#hear(feed))
  }

  readonly snapshot = () => this.#listing

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    void this.#work()
    return () => void this.#watchers.delete(watcher)
  }

  #hear({ versions, changed }: ReturnType<typeof useFeed.getState>) {
    const was = this.#versions
    if (versions === was) return
    this.#versions = versions
    const { collection, follows: told } = this.#source
    const differs = (name: string) => versions[name] !== was[name]
    if (differs(collection)) for (const uid of changed) this.#changed.add(uid)
    if (told && differs(told.by)) for (const uid of changed) this.#told.add(uid)
    if (this.#changed.size + this.#told.size > MOST_CHANGED) this.#forget()
    if (this.#watchers.size > 0) void this.#work()
  }

  #forget() {
    this.#everything = -1
    this.#changed.clear()
    this.#told.clear()
  }

  /** Until there is nothing left to ask, or nobody to ask for. */
  async #work() {
    if (this.#working) return
    this.#working = true
    try {
      while (this.#watchers.size > 0 && (await this.#step()));
    } catch (error) {
      this.#paint({ error })
    } finally {
      this.#working = false
    }
  }

  /** Asks for what matters most; false when there is nothing to ask. */
  async #step(): Promise<boolean> {
    const everything = this.#versions['*'] ?? 0
    if (this.#everything !== everything) {
      this.#forget()
      this.#everything = everything
      this.#rows = []
      this.#known = new Set()
      this.#total = undefined
    }
    if (this.#total === undefined) await this.#readPage(everything, FIRST)
    else if (this.#changed.size > 0) await this.#readChanged(everything)
    else if (this.#told.size > 0) await this.#readTold(everything)
    else if (this.#rows.length < this.#total) await this.#readPage(everything, PAGE)
    else return false
    return true
  }

  async #ask(filters: object): Promise<{ total: number; data: T[] }> {
    const { collection, fields } = this.#source
    const { total_count, data } = await sandbox['records.list']({
      ...showHidden(collection),
      collection,
      program_uid: this.#program_uid,
      fields: [...fields],
      ...filters,
    })
    return { total: total_count, data: data as unknown as T[] }
  }

  /** An answer from before everything changed says nothing any more. */
  #late = (everything: number) => everything !== this.#everything || everything !== (this.#versions['*'] ?? 0)

  async #readPage(everything: number, limit: number) {
    const { total, data } = await this.#ask({ limit, offset: this.#rows.length })
    if (this.#late(everything)) return
    // Pages overlap when a record arrives between them.
    this.#add(data, (fresh) => [...this.#rows, ...fresh])
    this.#total = data.length === 0 ? this.#rows.length : total
    this.#paint({}, this.#rows.length === data.length || this.#rows.length >= this.#total)
  }

  async #readChanged(everything: number) {
    const uids = [...this.#changed].slice(0, PAGE)
    const { data } = await this.#ask({ uids, limit: PAGE })
    if (this.#late(everything)) return
    const latest = new Map(data.map((row) => [row.uid, row]))
    const gone = new Set(uids.filter((uid) => this.#known.has(uid) && !latest.has(uid)))
    const fresh = data.filter(({ uid }) => !this.#known.has(uid))
    // Of one that is not known it is not known either whether it is new, as long as there are pages to come.
    const added = fresh.length === 0 || this.#isWhole() ? fresh : await this.#readHead()
    if (this.#late(everything)) return
    for (const uid of uids) this.#changed.delete(uid)
    if (gone.size + latest.size + added.length === 0) return
    if (gone.size > 0) {
      this.#rows = this.#rows.filter(({ uid }) => !gone.has(uid))
      for (const uid of gone) this.#known.delete(uid)
    }
    if (latest.size > fresh.length) this.#rows = this.#rows.map((row) => latest.get(row.uid) ?? row)
    const before = this.#rows.length
    this.#add(added, (more) => [...more, ...this.#rows])
    this.#total = this.#total! - gone.size + this.#rows.length - before
    this.#paint({})
  }

  /** What is newer than all that is known. */
  async #readHead(): Promise<T[]> {
    const head: T[] = []
    for (;;) {
      const { data } = await this.#ask({ limit: PAGE, offset: head.length })
      const known = data.findIndex(({ uid }) => this.#known.has(uid))
      head.push(...(known < 0 ? data : data.slice(0, known)))
      if (known >= 0 || data.length === 0) return head
    }
  }

  async #readTold(everything: number) {
    const { by, field, of } = this.#source.follows!
    const uids = [...this.#told].slice(0, PAGE)
    const input = { collection: by, program_uid: this.#program_uid, uids, fields: [field], limit: PAGE }
    const { data } = await sandbox['records.list'](input)
    if (this.#late(everything)) return
    for (const uid of uids) this.#told.delete(uid)
    const values = new Set(data.map((record) => record[field]))
    for (const row of this.#rows) if (of(row).some((value) => values.has(value))) this.#changed.add(row.uid)
  }

  #isWhole = () => this.#rows.length >= (this.#total ?? Number.POSITIVE_INFINITY)

  #add(rows: readonly T[], placed: (fresh: readonly T[]) => T[]) {
    const fresh = rows.filter(({ uid }) => !this.#known.has(uid))
    for (const { uid } of fresh) this.#known.add(uid)
    if (fresh.length > 0) this.#rows = placed(fresh)
  }

  /** At most four times a second, but the first rows and the last ones at once. */
  #paint({ error }: { error?: unknown }, now = false) {
    if (error !== undefined) this.#show({ ...this.#listing, error })
    else if (now || performance.now() - this.#painted > PAINT_MS) this.#showRead()
    else this.#painting ??= setTimeout(() => this.#showRead(), PAINT_MS)
  }

  #showRead() {
    clearTimeout(this.#painting)
    this.#painting = undefined
    this.#painted = performance.now()
    // What was there stays until there is as much anew.
    if (this.#rows.length < this.#listing.rows.length && !this.#isWhole()) return
    this.#show({ rows: this.#rows, total: this.#total, error: undefined })
  }

  #show(listing: LiveRecords<T>) {
    this.#listing = listing
    for (const watcher of this.#watchers) watcher()
  }
}

/** Of the sandbox that this window talks to; another one is another window, or another test. */
let lists = new Map<string, LiveList<never>>()
let of: typeof sandbox | undefined

function listOf<T extends RecordRow>(source: ListSource<T>, program_uid: string): LiveList<T> {
  if (of !== sandbox) {
    lists = new Map()
    of = sandbox
  }
  const key = `${source.collection} ${source.fields.join()} ${program_uid}`
  const known = lists.get(key) as unknown as LiveList<T> | undefined
  const list = known ?? new LiveList(source, program_uid)
  if (!known) lists.set(key, list as unknown as LiveList<never>)
  return list
}

const never = () => () => {}
const nothing = () => NOTHING

export function useRecords<T extends RecordRow>(
  source: ListSource<T>,
  program_uid: string | undefined,
): LiveRecords<T> {
  const list = program_uid === undefined ? undefined : listOf(source, program_uid)
  const watch = useCallback((watcher: () => void) => list?.watch(watcher) ?? never(), [list])
  return useSyncExternalStore<LiveRecords<T>>(watch, list?.snapshot ?? nothing)
}
