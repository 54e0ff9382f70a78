/**
 * Real time under control of the simulation: `Date.now`, `performance.now` and timers. Nothing passes unless `pass` is called,
 * so a seed gives the same run on every machine.
 */

interface Timer {
  readonly at: number
  readonly work: () => void
}

export class VirtualTime {
  #elapsed = 0
  #count = 0
  readonly #start: number
  readonly #timers = new Map<number, Timer>()

  constructor(start: number) {
    this.#start = start
  }

  /** So many milliseconds pass with each reading of `performance.now`: long work then pauses after each step. */
  tick = 0

  now = () => this.#start + this.#elapsed
  elapsed = () => (this.#elapsed += this.tick)

  setTimeout = (work: () => void, ms = 0) => {
    const id = ++this.#count
    this.#timers.set(id, { at: this.#elapsed + Math.max(1, ms), work })
    // Code that runs in Node may call these on what `setTimeout` returns.
    const handle = { id, ref: () => handle, unref: () => handle, hasRef: () => true, [Symbol.toPrimitive]: () => id }
    return handle
  }

  clearTimeout = (timer: { id: number } | undefined) => {
    if (timer) this.#timers.delete(timer.id)
  }

  /** Lets real time pass and runs the timers that become due, in their order. */
  async pass(ms: number) {
    const end = this.#elapsed + ms
    for (;;) {
      const [next] = [...this.#timers].filter(([, { at }]) => at <= end).sort(([a, x], [b, y]) => x.at - y.at || a - b)
      if (!next) break
      this.#timers.delete(next[0])
      this.#elapsed = Math.max(this.#elapsed, next[1].at)
      next[1].work()
      await Promise.resolve()
    }
    this.#elapsed = end
  }

  /** The timers of a process that has ended never run. */
  forgetTimers() {
    this.#timers.clear()
  }
}

/** Replaces the clocks and timers of this process. Returns a function that restores them. */
export function installVirtualTime(time: VirtualTime): () => void {
  const { now } = Date
  const performanceNow = performance.now
  const { setTimeout, clearTimeout } = globalThis
  Date.now = time.now
  performance.now = time.elapsed
  Object.assign(globalThis, { setTimeout: time.setTimeout, clearTimeout: time.clearTimeout })
  return () => {
    Date.now = now
    performance.now = performanceNow
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}
