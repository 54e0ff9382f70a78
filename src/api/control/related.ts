import type { MethodOutput } from '../contract/control.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type CollectionName, collectionNames, collectionOf, type Kept, type World } from '../store/world.ts'
import { showTask } from '../time/scheduler.ts'
import { leaves, toldOf } from './past.ts'
import { visible } from './shown.ts'

/** What a record has to do with: those it names, those that name it, and what is still to happen to it. */

const MOST = 50

export function relatedTo(world: World, name: CollectionName, record: Kept): MethodOutput<'records.related'> {
  const found = new Map<CollectionName, Map<Uid, Kept>>()
  const add = (collection: CollectionName, other: Kept) => {
    if (other.uid === record.uid || other.program_uid !== record.program_uid) return
    found.set(collection, (found.get(collection) ?? new Map<Uid, Kept>()).set(other.uid, other))
  }
  const named = [...leaves(visible(name, record))].flatMap(([, value]) => (typeof value === 'string' ? [value] : []))
  for (const collection of collectionNames.filter((other) => other !== 'programs' && other !== 'tasks')) {
    const records = collectionOf(world, collection)
    for (const uid of named) {
      const other = records.get(uid)
      if (other) add(collection, other)
    }
    const shelf = records.shelf(record.program_uid)
    for (const field of records.indexed)
      for (const other of shelf.having(field, record.uid) ?? [])
        if (names(other, field, record.uid)) add(collection, other)
  }
  return {
    related: [...found].map(([collection, others]) => ({
      collection,
      total_count: others.size,
      records: [...others.values()]
        .sort((a, b) => b.made - a.made)
        .slice(0, MOST)
        .map((other) => ({ uid: other.uid, says: toldOf(collection, other) })),
    })),
    tasks: world.collections.tasks
      .inOrder()
      .filter(({ subject_uid }) => subject_uid === record.uid)
      .map(showTask),
  }
}

/** An index ignores case, and uids do not. */
function names(record: Kept, field: string, uid: Uid): boolean {
  const held = (record as unknown as Readonly<Record<string, unknown>>)[field]
  return Array.isArray(held) ? held.includes(uid) : held === uid
}
