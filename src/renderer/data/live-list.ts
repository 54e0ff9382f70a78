import { useCallback, useSyncExternalStore } from 'react'
import { showHidden } from '../../api/contract/collection-names.ts'
import type { CollectionName } from './collections.ts'
import { useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

/**
 * All records of a collection of a Program, newest first. They are read once, page by page; afterwards only records
 * that a commit changed are read again, so a list of 100,000 costs no more than one of ten. One call runs at a time. A
 * list that no component shows only collects what changed, and reads it when it is shown again.
 */

export interface RecordRow {
  readonly uid: string
}

export interface ListSource<T extends RecordRow> {
  readonly collection: CollectionName
  /** The fields to read. */
  readonly fields: readonly string[]
  /** Another collection whose records change derived fields of these, and the field that connects them. */
  readonly follows?: { readonly by: CollectionName; readonly field: string; of(row: T): readonly string[] }
  /** Another record of the list of which a derived field changes with this one. */
  readonly alsoChanges?: (row: T) => string | undefined
}

export interface LiveRecords<T> {
  readonly rows: readonly T[]
  /** Undefined until the first page is read. */
  readonly total: number | undefined
  readonly error: unknown
}

/** A small first page shows quickly; the others are as large as the sandbox allows. */
const FIRST = 100
const PAGE = 1_000
const UPDATE_MS = 250
/** With more changed records it is faster to read everything again. */
const MAX_CHANGED = 10_000

const NOTHING: LiveRecords<never> = { rows: [], total: undefined, error: undefined }

class LiveList<T extends RecordRow> {
  readonly #source: ListSource<T>
  readonly #program_uid: string
  readonly #watchers = new Set<() => void>()
  #snapshot: LiveRecords<T> = NOTHING
  #rows: T[] = []
  #known = new Set<string>()
  #total: number | undefined
  #changed = new Set<string>()
  #followed = new Set<string>()
  /** The `*` version that the pages belong to. */
  #everything = -1
  /** More changed than is known one by one: everything is read again, after the reading that runs. */
  #isOutdated = false
  #versions: Readonly<Record<string, number>> = {}
  #working = false
  #updatedAt = 0
  #pausesUntil = 0
  #updating: ReturnType<typeof setTimeout> | undefined

  constructor(source: ListSource<T>, program_uid: string) {
    this.#source = source
    this.#program_uid = program_uid
    this.#versions = useFeed.getState().versions
    useFeed.subscribe((feed) => this.#onFeed(feed))
  }

  readonly snapshot = () => this.#snapshot

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    void this.#work()
    return () => void this.#watchers.delete(watcher)
  }

  #onFeed({ versions, changed }: ReturnType<typeof useFeed.getState>) {
    const was = this.#versions
    if (versions === was) return
    this.#versions = versions
    const { collection, follows } = this.#source
    const isChanged = versions[collection] !== was[collection]
    const isFollowed = follows !== undefined && versions[follows.by] !== was[follows.by]
    if (isChanged) for (const uid of changed ?? []) this.#changed.add(uid)
    if (isFollowed) for (const uid of changed ?? []) this.#followed.add(uid)
    const isUnknown = changed === null && (isChanged || isFollowed)
    if (isUnknown || this.#changed.size + this.#followed.size > MAX_CHANGED) this.#outdate()
    if (this.#watchers.size > 0) void this.#work()
  }

  #outdate() {
    this.#isOutdated = true
    this.#changed.clear()
    this.#followed.clear()
  }

  /** Reads until everything is read, or until no component shows the list. */
  async #work() {
    if (this.#working) return
    this.#working = true
    try {
      for (let read = this.#next(); read && this.#watchers.size > 0; read = this.#next()) await read()
    } catch (error) {
      this.#outdate()
      this.#update({ error })
    } finally {
      this.#working = false
    }
  }

  /** Reads what is most urgent; undefined when there is nothing to read. At once, so that no notice comes between that and the end of the work. */
  #next(): (() => Promise<void>) | undefined {
    const everything = this.#versions['*'] ?? 0
    if (this.#everything !== everything || (this.#isOutdated && this.#isWhole())) {
      this.#outdate()
      this.#isOutdated = false
      this.#everything = everything
      this.#rows = []
      this.#known = new Set()
      this.#total = undefined
    }
    if (this.#total === undefined) return () => this.#atPace(() => this.#readPage(everything, FIRST))
    if (this.#changed.size > 0) return () => this.#atPace(() => this.#readChanged(everything))
    if (this.#followed.size > 0) return () => this.#atPace(() => this.#readFollowed(everything))
    return this.#rows.length < this.#total ? () => this.#readPage(everything, PAGE) : undefined
  }

  /** At most four times a second, and at most half of the time. */
  async #atPace(read: () => Promise<void>) {
    const wait = this.#pausesUntil - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    if (this.#watchers.size === 0) return
    const begun = performance.now()
    await read()
    const ended = performance.now()
    this.#pausesUntil = ended + Math.max(UPDATE_MS, ended - begun)
  }

  async #readRecords(filters: object): Promise<{ total: number; data: T[] }> {
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

  /** True for an answer from before everything changed: it is outdated. */
  #isLate = (everything: number) => everything !== this.#everything || everything !== (this.#versions['*'] ?? 0)

  async #readPage(everything: number, limit: number) {
    const { total, data } = await this.#readRecords({ limit, offset: this.#rows.length })
    if (this.#isLate(everything)) return
    // Pages overlap when a record arrives between them.
    this.#add(data, (fresh) => [...this.#rows, ...fresh])
    this.#total = data.length === 0 ? this.#rows.length : total
    this.#update({}, this.#rows.length === data.length || this.#rows.length >= this.#total)
  }

  async #readChanged(everything: number) {
    const uids = takeSome(this.#changed)
    const { data } = await this.#readRecords({ uids, limit: PAGE })
    if (this.#isLate(everything)) return
    const latest = new Map(data.map((row) => [row.uid, row]))
    const gone = new Set(uids.filter((uid) => this.#known.has(uid) && !latest.has(uid)))
    const fresh = data.filter(({ uid }) => !this.#known.has(uid))
    // Until all pages are read, an unknown record may be new or on a later page: only the head tells.
    const added = fresh.length === 0 || this.#isWhole() ? fresh : await this.#readHead()
    if (this.#isLate(everything)) return
    for (const row of data) {
      const other = this.#source.alsoChanges?.(row)
      if (other !== undefined && !uids.includes(other)) this.#changed.add(other)
    }
    if (gone.size + latest.size + added.length === 0) return
    if (gone.size > 0) {
      this.#rows = this.#rows.filter(({ uid }) => !gone.has(uid))
      for (const uid of gone) this.#known.delete(uid)
    }
    if (latest.size > fresh.length) this.#rows = this.#rows.map((row) => latest.get(row.uid) ?? row)
    const before = this.#rows.length
    this.#add(added, (more) => [...more, ...this.#rows])
    this.#total = this.#total! - gone.size + this.#rows.length - before
    this.#update({})
  }

  /** The records newer than all known ones. */
  async #readHead(): Promise<T[]> {
    const head: T[] = []
    for (;;) {
      const { data } = await this.#readRecords({ limit: PAGE, offset: head.length })
      const known = data.findIndex(({ uid }) => this.#known.has(uid))
      head.push(...(known < 0 ? data : data.slice(0, known)))
      if (known >= 0 || data.length === 0) return head
    }
  }

  async #readFollowed(everything: number) {
    const { by, field, of } = this.#source.follows!
    const uids = takeSome(this.#followed)
    const input = { collection: by, program_uid: this.#program_uid, uids, fields: [field], limit: PAGE }
    const { data } = await sandbox['records.list'](input)
    if (this.#isLate(everything)) return
    const values = new Set(data.map((record) => record[field]))
    for (const row of this.#rows) if (of(row).some((value) => values.has(value))) this.#changed.add(row.uid)
  }

  #isWhole = () => this.#rows.length >= (this.#total ?? Number.POSITIVE_INFINITY)

  #add(rows: readonly T[], placed: (fresh: readonly T[]) => T[]) {
    const fresh = rows.filter(({ uid }) => !this.#known.has(uid))
    for (const { uid } of fresh) this.#known.add(uid)
    if (fresh.length > 0) this.#rows = placed(fresh)
  }

  /** Updates the components at most four times a second; the first and the last page at once. */
  #update({ error }: { error?: unknown }, now = false) {
    if (error !== undefined) this.#publish({ ...this.#snapshot, error })
    else if (now || performance.now() - this.#updatedAt > UPDATE_MS) this.#publishRead()
    else this.#updating ??= setTimeout(() => this.#publishRead(), UPDATE_MS)
  }

  #publishRead() {
    clearTimeout(this.#updating)
    this.#updating = undefined
    this.#updatedAt = performance.now()
    // While everything is read again, the old rows stay until there are as many new ones.
    if (this.#rows.length < this.#snapshot.rows.length && !this.#isWhole()) return
    this.#publish({ rows: this.#rows, total: this.#total, error: undefined })
  }

  #publish(snapshot: LiveRecords<T>) {
    this.#snapshot = snapshot
    for (const watcher of this.#watchers) watcher()
  }
}

/** Before they are read: one that changes again meanwhile is read again. */
function takeSome(changed: Set<string>): string[] {
  const uids = [...changed].slice(0, PAGE)
  for (const uid of uids) changed.delete(uid)
  return uids
}

/** The lists of one connection; a new connection starts with none. */
let lists = new Map<string, LiveList<never>>()
let connection: typeof sandbox | undefined

function listOf<T extends RecordRow>(source: ListSource<T>, program_uid: string): LiveList<T> {
  if (connection !== sandbox) {
    lists = new Map()
    connection = sandbox
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
