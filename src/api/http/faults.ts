import type { Fault, Faults as FaultList } from '../contract/control.ts'
import { toMs } from '../store/clock.ts'
import { digitsAt } from '../store/uid.ts'

/**
 * Misfortune on order: what a network and a platform under load do to a caller. Never kept, and never part of the world:
 * a fault may hide an answer, it cannot change what is true.
 */

interface SetFault extends Fault {
  met: number
  /** Of a rate limit: when the requests of the last minute came, in real time. */
  readonly passed: number[]
}

/** What a request meets with. */
export interface InjectedFault {
  readonly delay_ms: number
  /** The first of those that end or bend the request. */
  readonly fault: Fault | undefined
  /** Of a rate limit: seconds until the next may pass. */
  readonly retry_after: number
  /** For the exchange. */
  readonly said: string | undefined
}

const MINUTE_MS = 60_000
const USUAL_MS = 1_000
const USUAL_RATE = 60
const UNHARMED: InjectedFault = { delay_ms: 0, fault: undefined, retry_after: 0, said: undefined }

interface FaultsOptions {
  readonly seed: () => string
  readonly now: () => number
  readonly elapsed: () => number
  readonly changed: () => void
}

export class Faults {
  readonly #seed: () => string
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #changed: () => void
  #faults: SetFault[] = []
  #drawn = 0

  /** `now` is simulated, `elapsed` real: a rate is of real minutes. `changed` hears that others were set. */
  constructor({ seed, now, elapsed, changed }: FaultsOptions) {
    this.#seed = seed
    this.#now = now
    this.#elapsed = elapsed
    this.#changed = changed
  }

  set(faults: readonly Fault[]): FaultList {
    this.#faults = faults.map((fault) => ({ ...fault, met: 0, passed: [] }))
    this.#drawn = 0
    this.#changed()
    return this.list()
  }

  list(): FaultList {
    this.#forget()
    return { faults: this.#faults.map(({ passed: _, ...fault }) => fault) }
  }

  clear(): FaultList {
    return this.set([])
  }

  /** `path` as the specification writes it. */
  meet(method: string, path: string): InjectedFault {
    this.#forget()
    if (this.#faults.length === 0) return UNHARMED
    let delay_ms = 0
    let last: SetFault | undefined
    let retry_after = 0
    const said: string[] = []
    for (const fault of this.#faults) {
      if (!matches(fault, method, path) || (last && fault.kind !== 'latency')) continue
      if (fault.rate !== undefined && this.#draw() >= fault.rate) continue
      if (fault.kind === 'rate_limit') {
        retry_after = this.#wait(fault)
        if (retry_after === 0) continue
      }
      fault.met++
      said.push(fault.kind)
      if (fault.kind === 'latency')
        delay_ms += (fault.ms ?? USUAL_MS) + Math.floor(this.#draw() * (fault.jitter_ms ?? 0))
      else last = fault
    }
    return { delay_ms, fault: last, retry_after, said: said.length > 0 ? said.join(', ') : undefined }
  }

  #forget() {
    const now = this.#now()
    this.#faults = this.#faults.filter(
      ({ times, until, met }) => (times === undefined || met < times) && (until === undefined || now < toMs(until)),
    )
  }

  /** From 0 to 1, the same each time for one seed. */
  #draw(): number {
    // Nine digits that do not begin with 0.
    return (Number(digitsAt(`faults of ${this.#seed()}`, this.#drawn++, 9)) - 1e8) / 9e8
  }

  #wait({ passed, per_minute = USUAL_RATE }: SetFault): number {
    const now = this.#elapsed()
    while (passed.length > 0 && passed[0]! <= now - MINUTE_MS) passed.shift()
    if (passed.length < per_minute) {
      passed.push(now)
      return 0
    }
    return Math.max(1, Math.ceil((passed[0]! + MINUTE_MS - now) / 1_000))
  }
}

function matches({ method, path }: Fault, ofRequest: string, at: string): boolean {
  if (method !== undefined && method !== ofRequest) return false
  if (path === undefined) return true
  return path.endsWith('*') ? at.startsWith(path.slice(0, -1)) : path === at
}
