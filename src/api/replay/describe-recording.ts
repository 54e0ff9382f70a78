import type { RecordingSummary } from '../contract/control/replay.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Steps, withoutCount } from '../store/steps.ts'
import type { World } from '../store/world.ts'
import { timeOf } from './replay.ts'
import { readSourceInSteps } from './source.ts'

/** Summarizes a recording without replaying it. */

const MAX_KINDS = 50
const MAX_UIDS = 100
const UID_IN_PATH = /\/([A-Za-z0-9]{16})(?=[/?]|$)/g
const UID_IN_BODY = /uid": ?"([A-Za-z0-9]{16})"/g

export function* describeRecordingInSteps(text: string, present: World): Steps<RecordingSummary> {
  const { steps, unusable, beginning, note = null } = yield* withoutCount(readSourceInSteps(text, present))
  const counts = new Map<string, number>()
  const needs = new Set<Uid>()
  const created = new Set<Uid>()
  const times: string[] = []
  let [requests, hasResponses] = [0, false]
  for (const step of steps) {
    yield
    const at = timeOf(step)
    if (at !== undefined) times.push(at)
    if ('action' in step) continue
    const { method, path, body, response } = step.request
    requests++
    const name = `${method} ${path.split('?')[0]!.replaceAll(UID_IN_PATH, '/{uid}')}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const uid of [...uidsOf(path, UID_IN_PATH), ...uidsOf(body, UID_IN_BODY)])
      if (!created.has(uid)) needs.add(uid)
    if (response === null) continue
    hasResponses = true
    for (const uid of uidsOf(response.body, UID_IN_BODY)) created.add(uid)
  }
  times.sort()
  const needed = beginning ? [] : [...needs].slice(0, MAX_UIDS)
  const collections = Object.values(present.collections) as { get(uid: Uid): unknown }[]
  return {
    requests,
    actions: steps.length - requests,
    kinds: [...counts]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, MAX_KINDS),
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
    note,
    has_world: beginning !== undefined,
    has_responses: hasResponses,
    needs: needed,
    missing: needed.filter((uid) => !collections.some((records) => records.get(uid) !== undefined)),
    unusable: [...unusable],
  }
}

const uidsOf = (text: string, pattern: RegExp): Uid[] => [...text.matchAll(pattern)].map(([, uid]) => uid!)
