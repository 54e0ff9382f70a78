import type { Timestamp } from '../contract/terms/primitives.ts'
import type { World } from './world.ts'

/** The last instant that was asked for: of a clock that stands still it is the same over and over. */
let last = { ms: Number.NaN, text: '' }

export function toTimestamp(ms: number): Timestamp {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
export const toMs = (text: Timestamp): number => Date.parse(text)

/**
 * Simulated now. The state is the world's; only where the real clock stood when it was set going is ours, so simulated
 * time stands still while the sandbox is closed. `elapsed` comes from a monotonic clock and is passed in.
 *
 * Assumed: every window of the specification (8 hours, 7 days, business days) is measured on the simulated clock.
 */
export class Clock {
  readonly #world: World
  readonly #elapsed: () => number
  #anchor: number
  #held = false

  constructor(world: World, elapsed: () => number) {
    this.#world = world
    this.#elapsed = elapsed
    this.#anchor = elapsed()
  }

  now(): number {
    const { mode, at } = this.#world.clock
    if (mode === 'frozen' || this.#held) return toMs(at)
    return toMs(at) + Math.floor(this.#elapsed() - this.#anchor)
  }

  get mode() {
    return this.#world.clock.mode
  }

  get pace() {
    return this.#world.clock.pace
  }

  /** Whether time passes by itself at this moment. */
  get ticks(): boolean {
    return this.mode === 'running' && !this.#held
  }

  /** Called when the world's clock state was set: a running clock runs on from there. */
  restart() {
    this.#anchor = this.#elapsed()
  }

  /** During an advance a running clock stands where the advance has come to. */
  hold() {
    this.#world.clock = { ...this.#world.clock, at: toTimestamp(this.now()) }
    this.#held = true
  }

  release() {
    this.#held = false
    this.restart()
  }
}
