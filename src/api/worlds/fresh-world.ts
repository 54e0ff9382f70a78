import { demoSettings, demoSteps, stagedSettings, stagedSteps } from '../domain/demo.ts'
import { seedWorld } from '../domain/seed.ts'
import type { WorldSetup } from '../replay/client.ts'
import type { WorldFile } from '../store/data-folder.ts'
import type { Steps } from '../store/steps.ts'
import { emptyWorld, type World } from '../store/world.ts'
import { simulatePastInSteps } from '../time/past.ts'
import { taskRunners } from '../time/tasks.ts'

/** A new world, with the history of its simulated past. */
export interface FreshWorld {
  readonly world: World
  readonly history: WorldFile
}

const kinds = {
  demo: { settings: demoSettings, steps: demoSteps },
  empty: { settings: {}, steps: [] },
  hosted: { settings: stagedSettings, steps: stagedSteps },
} as const

export function* createWorldInSteps({ kind, seed, start, clock, hard_mode }: WorldSetup): Steps<FreshWorld> {
  const { settings, steps } = kinds[kind]
  const world = emptyWorld(seed, start)
  const history = yield* simulatePastInSteps({
    world,
    clock: kind === 'hosted' ? { ...clock, pace: 'fast' } : clock,
    seed: (tx) => seedWorld(tx, { ...settings, hard_mode }),
    tasks: taskRunners,
    steps,
  })
  return { world, history }
}
