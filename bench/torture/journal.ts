import { Clock } from '../../src/api/store/clock.ts'
import { openDataFolder, SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { listSegments } from '../../src/api/store/segments.ts'
import { Store } from '../../src/api/store/store.ts'

/** So many commits are left until the world file is rewritten. */
const LEFT = 5

/** Adds commits that change nothing else, so that the world file is rewritten soon after the next start. */
export async function fillJournal(data: string): Promise<void> {
  const never = { commits: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
  const { world, file } = await openDataFolder(data, 'write', () => {}, never)
  const store = new Store(world!, new Clock(world!, () => 0), file)
  const sinceWorldFile = world!.seq - newestSegment(data) + 1
  for (let n = sinceWorldFile; n < SAVE_AFTER.commits - LEFT; n++)
    store.operate({ door: 'operator', name: 'clock.set' }, (tx) => tx.setClock({ ...tx.clock }))
  await file.close()
}

/** A world file begins a new segment, whose name is its first commit. */
const newestSegment = (data: string): number => Math.max(...listSegments(data).map(({ firstSeq }) => firstSeq))
