import type { Exchange } from '../contract/control/exchanges.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import { eachInSteps, type Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import { collectionNames, readCollection } from '../store/world.ts'
import { nameWithStatus } from './names.ts'

/** What a text names: each word of it may be a uid or a trace id. */

const MOST_WORDS = 10_000
const MOST_MOMENTS = 20

export function* findMoments(
  { world }: ReadStore,
  log: { summaries(): Exchange[] },
  text: string,
): Steps<MethodOutput<'moments.find'>> {
  const words = new Set([text.trim(), ...text.split(/[^\w-]+/, MOST_WORDS)])
  const moments: MethodOutput<'moments.find'>['moments'] = []
  yield* eachInSteps(log.summaries().reverse(), ({ uid, trace_id, program_uid, method, path, status, at }) => {
    if (!words.has(uid) && (trace_id === null || !words.has(trace_id))) return
    moments.push({ collection: null, uid, program_uid, says: `${method} ${path} returned ${status} at ${at}` })
  })
  for (const collection of collectionNames)
    yield* eachInSteps([...words], (word) => {
      const record = readCollection(world, collection).get(word)
      if (record)
        moments.push({
          collection,
          uid: word,
          program_uid: record.program_uid,
          says: nameWithStatus(collection, record),
        })
    })
  return { moments: moments.slice(0, MOST_MOMENTS) }
}
