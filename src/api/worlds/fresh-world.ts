import { demoSettings, demoSteps } from '../domain/demo.ts'
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

export function* createWorldInSteps({ kind, seed, start, clock, hard_mode }: WorldSetup): Steps<FreshWorld> {
  const world = emptyWorld(seed, start)
  const history = yield* simulatePastInSteps({
    world,
    clock,
    seed: (tx) => seedWorld(tx, { ...(kind === 'demo' && demoSettings), hard_mode }),
    tasks: taskRunners,
    steps: kind === 'empty' ? [] : demoSteps,
  })
  return { world, history }
}
