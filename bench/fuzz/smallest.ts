import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Body } from '../support/caller.ts'
import type { Ask } from './asks.ts'
import { beginning, Run } from './run.ts'

/**
 * The fewest requests after which the last one still goes wrong. Leaving one out changes the uids of those that follow,
 * so a uid that an earlier answer gave is looked up in that answer again.
 */

const UID = /[A-Za-z0-9]{16}/g
/** So many requests are sent again in all. */
const PATIENCE = 60_000

/** Where a uid was first read: in which answer, and where in it. */
export class Sources {
  readonly #places = new Map<string, { ask: Ask; path: readonly string[] }>()

  learn(ask: Ask, body: Body, path: readonly string[] = []) {
    if (typeof body === 'string') {
      if (/^[A-Za-z0-9]{16}$/.test(body) && !this.#places.has(body)) this.#places.set(body, { ask, path })
    } else if (typeof body === 'object' && body !== null)
      for (const [name, part] of Object.entries(body)) this.learn(ask, part, [...path, name])
  }

  /** The same request in a world where the uids are others. */
  rewritten(ask: Ask, answers: ReadonlyMap<Ask, Body>): Ask {
    const now = (uid: string) => {
      const place = this.#places.get(uid)
      let node = place && answers.get(place.ask)
      for (const step of place?.path ?? []) node = node?.[step]
      return typeof node === 'string' ? node : uid
    }
    const text = ask.text?.replaceAll(UID, now)
    return { ...ask, path: ask.path.replaceAll(UID, now), ...(text === undefined ? {} : { text }) }
  }
}

export async function smallest(asks: readonly Ask[], sources: Sources, seed: string): Promise<Ask[]> {
  const last = asks.at(-1)!
  let left = PATIENCE
  let found = [...asks]
  let sent = [...asks]
  const fails = async (before: readonly Ask[]) => {
    left -= before.length
    const tried = await again([...before, last], sources, seed)
    if (tried) {
      found = [...before, last]
      sent = tried
    }
    return tried !== undefined
  }
  const before = asks.slice(0, -1)
  for (const length of [0, 5, 30, 200, 1_000, 5_000, before.length])
    if (length >= before.length ? await fails(before) : await fails(before.slice(before.length - length))) break
  for (let size = Math.ceil(found.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < found.length - 1 && left > 0; ) {
      const rest = found.slice(0, -1)
      if (!(await fails([...rest.slice(0, from), ...rest.slice(from + size)]))) from += size
    }
  return sent
}

/** The requests as they were sent this time, when the last one goes wrong again. */
async function again(asks: readonly Ask[], sources: Sources, seed: string): Promise<Ask[] | undefined> {
  const data = mkdtempSync(join(tmpdir(), 'sandbank-fuzz-'))
  const run = await Run.open(beginning(seed, data))
  const answers = new Map<Ask, Body>()
  const sent: Ask[] = []
  let complaint: string | undefined
  try {
    for (const ask of asks) {
      const rewritten = sources.rewritten(ask, answers)
      sent.push(rewritten)
      const outcome = await run.ask(rewritten)
      answers.set(ask, outcome.answer?.body)
      complaint = outcome.complaint
      if (!run.isAlive) break
    }
  } finally {
    await run.close()
    rmSync(data, { recursive: true, force: true })
  }
  return complaint !== undefined && sent.length === asks.length ? sent : undefined
}
