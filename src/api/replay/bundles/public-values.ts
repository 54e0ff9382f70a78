import { demoSteps } from '../../domain/demo.ts'
import { seedWorld } from '../../domain/seed.ts'
import { cutLong } from '../../http/text-budget.ts'
import { createSeal, SEALED, type Seal } from '../../store/seal.ts'
import { type Steps, withoutCount } from '../../store/steps.ts'
import { collectionNames, collectionOf, emptyWorld } from '../../store/world.ts'
import { simulatePastInSteps } from '../../time/past.ts'
import { taskRunners } from '../../time/tasks.ts'
import { cutName } from './ach-names.ts'
import type { Kind } from './fields.ts'
import { outcomeOf } from './forced-outcomes.ts'
import { WORD_PATTERN } from './known-values.ts'
import { walkValue } from './mask-walk.ts'
import { isSandboxAccount, type Leaf } from './places.ts'

/**
 * The values of the demo world, and the names of Programs, which payments show. Everyone knows them, so they are not masked: a
 * pseudonym of a known value would show who else has that value, or one of its words.
 */
export class PublicValues {
  readonly #texts: Readonly<Record<Group, Set<string>>> = {
    words: new Set(),
    free: new Set(),
    email: new Set(),
    phone: new Set(),
    ssn: new Set(),
    dob: new Set(),
    account: new Set(),
    state: new Set(),
  }
  readonly #words = new Set<string>()

  add(kind: Kind, text: string) {
    const group = groupOf(kind)
    if (!group || text.trim() === '') return
    this.#texts[group].add(fold(group, text))
    if (group === 'words' || group === 'free') for (const word of wordsIn(text)) this.#words.add(word)
  }

  /** Also as ACH cuts it. */
  addName(name: string) {
    this.add('words', name)
    this.add('words', cutName(name))
  }

  /** As a whole, ignoring case. A name is also known in a field of free text. */
  has(kind: Kind, text: string): boolean {
    const group = groupOf(kind)
    if (!group) return false
    return this.#texts[group].has(fold(group, text)) || (group === 'free' && this.has('words', text))
  }

  /** A word of a name or of free text. */
  hasWord = (word: string) => this.#words.has(word)

  copy(): PublicValues {
    const copy = new PublicValues()
    for (const word of this.#words) copy.#words.add(word)
    for (const [group, texts] of Object.entries(this.#texts))
      for (const text of texts) copy.#texts[group as Group].add(text)
    return copy
  }
}

type Group = 'words' | 'free' | 'email' | 'phone' | 'ssn' | 'dob' | 'account' | 'state'

function groupOf(kind: Kind): Group | undefined {
  if (kind === 'lines' || kind === 'suffix') return 'words'
  if (kind === 'ssnLastFour' || kind === 'accountLastFour' || kind === 'sandboxText' || kind === 'unchanged')
    return undefined
  return kind
}

/** Numbers are the same in every spelling. */
function fold(group: Group, text: string): string {
  const isNumber = group === 'phone' || group === 'ssn' || group === 'account'
  return isNumber && !/\p{L}/u.test(text) ? text.replaceAll(/\D/g, '') : text.trim().toLowerCase()
}

const wordsIn = (text: string) => text.toLowerCase().match(WORD_PATTERN) ?? []

// ── The demo world ──────────────────────────────────────────────────────────────────────────────────────────────────

let known: PublicValues | undefined

/** The texts do not depend on seed and start. */
export function* demoValuesInSteps(): Steps<PublicValues> {
  if (known) return known
  const world = emptyWorld('demo', '2026-01-01T00:00:00.000Z')
  const clock = { mode: 'frozen', pace: 'fast' } as const
  yield* withoutCount(simulatePastInSteps({ world, clock, seed: seedWorld, tasks: taskRunners, steps: demoSteps }))
  const values = new PublicValues()
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
  (values: PublicValues, seal: Seal): Leaf =>
  (value, { kind, name, holder }) => {
    const text = String(value)
    const isGenerated = kind === 'account' && isSandboxAccount(holder)
    if (isGenerated || outcomeOf(name, text) !== undefined) return value
    if (kind === 'words') values.addName(text)
    else values.add(kind, text.startsWith(SEALED) ? seal.open(text) : text)
    return value
  }
