import type { Notice } from './notices.ts'

type NoticeOf<T extends Notice['type']> = Extract<Notice, { type: T }>
type Omitted = NoticeOf<'omitted'>

/** So many of the newest requests and commits are in a batch. */
export const MAX_NEWEST = 300
/** A batch names so many changed records; a list of more of them is read again as a whole. */
const MAX_UIDS = 2_000

/**
 * Notices for a window that takes them later, in bounded space: the newest requests and commits, what the older ones were as one notice, and
 * of each other kind only the latest: it replaces those before, or says of one of them what a window reads again anyway (a task that failed).
 */
export class NoticeBatch {
  #newest: NoticeOf<'exchange' | 'commit'>[] = []
  readonly #latest = new Map<string, Notice>()
  #omitted: Omissions | undefined

  get isEmpty(): boolean {
    return this.#newest.length === 0 && this.#latest.size === 0 && this.#omitted === undefined
  }

  add(notice: Notice) {
    if (notice.type === 'omitted') this.#omit().merge(notice)
    else if (notice.type === 'exchange' || notice.type === 'commit') {
      this.#newest.push(notice)
      if (this.#newest.length > 2 * MAX_NEWEST) this.#keepNewest(MAX_NEWEST)
    } else {
      const key = keyOf(notice)
      // In the order of their latest ones.
      this.#latest.delete(key)
      this.#latest.set(key, notice)
    }
  }

  /** Empties it. */
  take(newest = MAX_NEWEST): Notice[] {
    this.#keepNewest(newest)
    const omitted = this.#omitted ? [this.#omitted.toNotice()] : []
    const taken = [...omitted, ...this.#newest, ...this.#latest.values()]
    this.#newest = []
    this.#latest.clear()
    this.#omitted = undefined
    return taken
  }

  #keepNewest(count: number) {
    for (const notice of this.#newest.splice(0, this.#newest.length - count)) this.#omit().add(notice)
  }

  #omit(): Omissions {
    return (this.#omitted ??= new Omissions())
  }
}

function keyOf(notice: Notice): string {
  if (notice.type === 'work') return `work ${notice.uid}`
  return notice.type === 'scenario' ? `scenario ${notice.run.name}` : notice.type
}

/** What an `omitted` notice says. */
class Omissions {
  readonly #requests = new Map<string | null, { total: number; refused: number }>()
  readonly #doors = new Set<Omitted['doors'][number]>()
  readonly #collections = new Set<string>()
  /** Undefined once they are too many. */
  #uids: Set<string> | undefined = new Set()
  #seq = 0

  add(notice: NoticeOf<'exchange' | 'commit'>) {
    if (notice.type === 'exchange') {
      const { program_uid, status } = notice.exchange
      this.#count({ program_uid, total: 1, refused: status >= 400 ? 1 : 0 })
    } else this.#change({ ...notice, doors: [notice.cause.door] })
  }

  merge(notice: Omitted) {
    for (const one of notice.requests) this.#count(one)
    this.#change(notice)
  }

  #count({ program_uid, total, refused }: Omitted['requests'][number]) {
    const counted = this.#requests.get(program_uid) ?? { total: 0, refused: 0 }
    this.#requests.set(program_uid, { total: counted.total + total, refused: counted.refused + refused })
  }

  #change({ doors, seq, collections, uids }: Omit<Omitted, 'type' | 'requests'>) {
    for (const door of doors) this.#doors.add(door)
    for (const name of collections) this.#collections.add(name)
    for (const uid of uids ?? []) this.#uids?.add(uid)
    if (uids === null || (this.#uids && this.#uids.size > MAX_UIDS)) this.#uids = undefined
    this.#seq = Math.max(this.#seq, seq)
  }

  toNotice(): Omitted {
    return {
      type: 'omitted',
      requests: [...this.#requests].map(([program_uid, counted]) => ({ program_uid, ...counted })),
      doors: [...this.#doors],
      seq: this.#seq,
      collections: [...this.#collections],
      uids: this.#uids ? [...this.#uids] : null,
    }
  }
}
