import type { Timestamp } from '../contract/terms/primitives.ts'
import type { World } from './world.ts'

/** Cached: a frozen clock formats and reads the same instant repeatedly (docs/performance.md). */
let last = { ms: Number.NaN, text: '' }
let read = last

export function toTimestamp(ms: number): Timestamp {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}
export function toMs(text: Timestamp): number {
  if (text !== read.text) read = { ms: Date.parse(text), text }
  return read.ms
}

/**
 * Simulated now. The world holds the state; only `elapsed`, a monotonic clock, comes from outside. So simulated time stops
 * while the sandbox is closed.
 *
 * Assumed (invented): the windows of the specification (7 days, business days) are measured on the simulated clock; the 8 hours of a token
 * on the clock that the Program chooses.
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

  /** True while time passes by itself. */
  get ticks(): boolean {
    return this.mode === 'running' && !this.#held
  }

  /** Call after the world's clock state was set: a running clock continues from there. */
  restart() {
    this.#anchor = this.#elapsed()
  }

  /** Stops a running clock during an advance, which sets the time itself. */
  hold() {
    this.#world.clock = { ...this.#world.clock, at: toTimestamp(this.now()) }
    this.#held = true
  }

  release() {
    this.#held = false
    this.restart()
  }
}
