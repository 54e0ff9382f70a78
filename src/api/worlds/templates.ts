import type { WorldSetup } from '../replay/client.ts'
import type { Steps } from '../store/steps.ts'
import { createWorldInSteps, type FreshWorld } from './fresh-world.ts'

/** So many fresh worlds are kept, the latest used last. A test suite uses one or two. */
const MAX_TEMPLATES = 8

/** Fresh worlds, each created once. They never change: each new world is a fork of one. */
export class Templates {
  readonly #known = new Map<string, Promise<FreshWorld>>()

  async find(setup: WorldSetup, runSteps: (steps: Steps<FreshWorld>) => Promise<FreshWorld>): Promise<FreshWorld> {
    const { kind, seed, start, clock, hard_mode } = setup
    const key = JSON.stringify([kind, seed, start, clock.mode, clock.pace, hard_mode])
    const known = this.#known.get(key) ?? runSteps(createWorldInSteps(setup))
    this.#known.delete(key)
    this.#known.set(key, known)
    if (this.#known.size > MAX_TEMPLATES) this.#known.delete(this.#known.keys().next().value!)
    try {
      return await known
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }
}
