import type { Fault, Faults as FaultList } from '../contract/control/faults.ts'
import { endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/errors.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import { findNearest } from '../contract/terms/nearest.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { digitsAt } from '../store/uid.ts'

/** Fault injection. Faults are not saved and not part of the world: they may hide a response, but not change its effect. */

interface ActiveFault extends Fault {
  /** How many requests it was applied to. */
  met: number
  /** For a rate limit: when the requests of the last minute passed, in real time. */
  readonly passedAt: number[]
}

export interface InjectedFault {
  readonly delay_ms: number
  /** The first matching fault that is no latency. */
  readonly fault: Fault | undefined
  /** For a rate limit: seconds until the next request may pass. */
  readonly retry_after: number
  /** The kinds of all faults that were applied, for the request log. */
  readonly kinds: string | undefined
}

const MINUTE_MS = 60_000
const DEFAULT_LATENCY_MS = 1_000
const DEFAULT_PER_MINUTE = 60

interface FaultsOptions {
  readonly seed: () => string
  /** Simulated time. */
  readonly now: () => number
  /** Real time, for rate limits. */
  readonly elapsed: () => number
  readonly onChange: () => void
}

export class Faults {
  readonly #options: FaultsOptions
  #faults: ActiveFault[] = []
  #randomCount = 0

  constructor(options: FaultsOptions) {
    this.#options = options
  }

  set(faults: readonly Fault[]): FaultList {
    for (const [i, fault] of faults.entries()) this.#refuseWithoutMatch(fault, `faults.${i}`)
    this.#faults = faults.map((fault) => ({ ...fault, met: 0, passedAt: [] }))
    this.#randomCount = 0
    this.#options.onChange()
    return this.list()
  }

  /** A fault that applies to no request is a mistake that a tester would not notice. */
  #refuseWithoutMatch({ method, path, rate, until }: Fault, at: string) {
    const refuse = (field: string, why: string) => {
      throw new ApiError('invalidArgument', `${at}.${field}: ${why}`)
    }
    if (rate === 0) refuse('rate', 'a share of 0 applies to no request')
    if (until !== undefined && toMs(until) <= this.#options.now())
      refuse('until', `has passed: the clock shows ${toTimestamp(this.#options.now())}`)
    const onPath = routes.filter((route) => matches({ path }, route.method, route.path))
    if (onPath.length === 0) {
      const nearest = findNearest(path ?? '', PATHS)
      refuse(
        'path',
        `no endpoint has it${nearest === undefined ? ', such as /customers/{uid} or /transfers*' : `; did you mean ${nearest}?`}`,
      )
    }
    if (!onPath.some((route) => matches({ method }, route.method, route.path)))
      refuse('method', `no endpoint of this path has it; it has ${onPath.map((route) => route.method).join(', ')}`)
  }

  list(): FaultList {
    this.#removeExpired()
    return { faults: this.#faults.map(({ passedAt: _, ...fault }) => fault) }
  }

  clear(): FaultList {
    return this.set([])
  }

  /** Counts the request for every matching fault. `path` as in the specification: `/customers/{uid}`. */
  apply(method: string, path: string): InjectedFault | undefined {
    if (this.#faults.length === 0) return undefined
    this.#removeExpired()
    let delay_ms = 0
    let main: ActiveFault | undefined
    let retry_after = 0
    const kinds: string[] = []
    for (const fault of this.#faults) {
      if (!matches(fault, method, path) || (main && fault.kind !== 'latency')) continue
      if (fault.rate !== undefined && this.#random() >= fault.rate) continue
      if (fault.kind === 'rate_limit') {
        retry_after = this.#countRequest(fault)
        if (retry_after === 0) continue
      }
      fault.met++
      kinds.push(fault.kind)
      if (fault.kind === 'latency')
        delay_ms += (fault.ms ?? DEFAULT_LATENCY_MS) + Math.floor(this.#random() * (fault.jitter_ms ?? 0))
      else main = fault
    }
    return { delay_ms, fault: main, retry_after, kinds: kinds.length > 0 ? kinds.join(', ') : undefined }
  }

  #removeExpired() {
    const now = this.#options.now()
    this.#faults = this.#faults.filter(
      ({ times, until, met }) => (times === undefined || met < times) && (until === undefined || now < toMs(until)),
    )
  }

  /** From 0 to 1; the same sequence for the same seed. */
  #random(): number {
    // The nine digits do not begin with 0.
    return (Number(digitsAt(`faults of ${this.#options.seed()}`, this.#randomCount++, 9)) - 1e8) / 9e8
  }

  /** Returns 0 if the request may pass, else the seconds until one may. */
  #countRequest({ passedAt, per_minute = DEFAULT_PER_MINUTE }: ActiveFault): number {
    const now = this.#options.elapsed()
    while (passedAt.length > 0 && passedAt[0]! <= now - MINUTE_MS) passedAt.shift()
    if (passedAt.length < per_minute) {
      passedAt.push(now)
      return 0
    }
    return Math.max(1, Math.ceil((passedAt[0]! + MINUTE_MS - now) / 1_000))
  }
}

const routes = Object.values<Pick<Endpoint, 'method' | 'path'>>(endpoints)
const PATHS = [...new Set(routes.map(({ path }) => path))]

function matches(fault: Pick<Fault, 'method' | 'path'>, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false
  if (fault.path === undefined) return true
  return fault.path.endsWith('*') ? path.startsWith(fault.path.slice(0, -1)) : fault.path === path
}
