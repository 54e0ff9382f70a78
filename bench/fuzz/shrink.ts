import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Body } from '../support/client.ts'
import type { FuzzRequest } from './requests.ts'
import { FuzzTarget, serveArguments } from './target.ts'

/**
 * Finds a short list of requests after which the last one still fails. Without an earlier request the later uids differ, so each uid
 * is looked up again in the response that it came from.
 */

const UID = /[A-Za-z0-9]{16}/g
/** How many requests are sent again in total, and for how long. The test that runs this prints nothing if its own time ends first. */
const MOST_REQUESTS = 60_000
const MOST_MS = 180_000

/** The response in which each uid was first seen, and where in it. */
export class UidSources {
  readonly #places = new Map<string, { request: FuzzRequest; path: readonly string[] }>()

  learn(request: FuzzRequest, body: Body, path: readonly string[] = []) {
    if (typeof body === 'string') {
      if (/^[A-Za-z0-9]{16}$/.test(body) && !this.#places.has(body)) this.#places.set(body, { request, path })
    } else if (typeof body === 'object' && body !== null)
      for (const [name, part] of Object.entries(body)) this.learn(request, part, [...path, name])
  }

  /** The same request with the uids of another target. */
  withNewUids(request: FuzzRequest, responses: ReadonlyMap<FuzzRequest, Body>): FuzzRequest {
    const now = (uid: string) => {
      const place = this.#places.get(uid)
      let node = place && responses.get(place.request)
      for (const step of place?.path ?? []) node = node?.[step]
      return typeof node === 'string' ? node : uid
    }
    const text = request.text?.replaceAll(UID, now)
    return { ...request, path: request.path.replaceAll(UID, now), ...(text === undefined ? {} : { text }) }
  }
}

export async function shrinkRequests(
  requests: readonly FuzzRequest[],
  sources: UidSources,
  seed: string,
): Promise<FuzzRequest[]> {
  const last = requests.at(-1)!
  let left = MOST_REQUESTS
  const until = Date.now() + MOST_MS
  let found = [...requests]
  let sent = [...requests]
  const fails = async (before: readonly FuzzRequest[]) => {
    left -= before.length
    const tried = await resend([...before, last], sources, seed)
    if (tried) {
      found = [...before, last]
      sent = tried
    }
    return tried !== undefined
  }
  const before = requests.slice(0, -1)
  for (const length of [0, 5, 30, 200, 1_000, 5_000, before.length])
    if (Date.now() > until || (await fails(before.slice(Math.max(0, before.length - length))))) break
  for (let size = Math.ceil(found.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < found.length - 1 && left > 0 && Date.now() < until; ) {
      const rest = found.slice(0, -1)
      if (!(await fails([...rest.slice(0, from), ...rest.slice(from + size)]))) from += size
    }
  return sent
}

/** Sends the requests to a fresh sandbox; returns them as they were sent when the last one fails again. */
async function resend(
  requests: readonly FuzzRequest[],
  sources: UidSources,
  seed: string,
): Promise<FuzzRequest[] | undefined> {
  const data = mkdtempSync(join(tmpdir(), 'sandbank-fuzz-'))
  const target = await FuzzTarget.open(serveArguments(seed, data))
  const responses = new Map<FuzzRequest, Body>()
  const sent: FuzzRequest[] = []
  let problem: string | undefined
  try {
    for (const request of requests) {
      const rewritten = sources.withNewUids(request, responses)
      sent.push(rewritten)
      const outcome = await target.send(rewritten)
      responses.set(request, outcome.response?.body)
      problem = outcome.problem
      if (!target.isAlive) break
    }
  } finally {
    await target.close()
    rmSync(data, { recursive: true, force: true })
  }
  return problem !== undefined && sent.length === requests.length ? sent : undefined
}
