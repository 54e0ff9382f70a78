import { outcomeOf } from '../../contract/triggers.ts'
import { demoSteps } from '../../domain/demo.ts'
import { seedWorld } from '../../domain/seed.ts'
import { cutLong } from '../../http/text-budget.ts'
import { createSeal, SEALED, type Seal } from '../../store/seal.ts'
import { type Steps, withoutCount } from '../../store/steps.ts'
import { collectionNames, collectionOf, emptyWorld } from '../../store/world.ts'
import { simulatePastInSteps } from '../../time/past.ts'
import { taskRunners } from '../../time/tasks.ts'
import { walkValue } from './mask-walk.ts'
import { isSandboxAccount, type Leaf } from './places.ts'
import { ValueSet } from './values.ts'

/**
 * The values of the demo world. Everyone knows them, so they are not masked: a pseudonym of a known value would show who else has that
 * value, or one of its words.
 */

let known: ValueSet | undefined

/** The texts do not depend on seed and start. */
export function* demoValuesInSteps(): Steps<ValueSet> {
  if (known) return known
  const world = emptyWorld('demo', '2026-01-01T00:00:00.000Z')
  const clock = { mode: 'frozen', pace: 'fast' } as const
  yield* withoutCount(simulatePastInSteps({ world, clock, seed: seedWorld, tasks: taskRunners, steps: demoSteps }))
  const values = new ValueSet()
  const leaf = collectInto(values, createSeal(world.seed))
  for (const name of collectionNames)
    for (const record of collectionOf(world, name).inOrder()) {
      yield* walkValue({ writer: 'sandbox', leaf, name: same, text: same, cut: cutLong }, record)
      yield 0
    }
  known = values
  return values
}

const same = (text: string) => text

const collectInto =
  (values: ValueSet, seal: Seal): Leaf =>
  (value, { kind, name, holder }) => {
    const text = String(value)
    const isGenerated = kind === 'account' && isSandboxAccount(holder)
    if (isGenerated || outcomeOf(name, text) !== undefined) return value
    if (kind === 'words') values.addName(text)
    else values.add(kind, text.startsWith(SEALED) ? seal.open(text) : text)
    return value
  }
