import program from '../../../resources/program.json' with { type: 'json' }
import { ConfiguredProduct } from '../contract/resources/products.ts'
import { Program, type ProgramChanges, ProgramSettings } from '../contract/resources/programs.ts'
import { SyntheticAccountType } from '../contract/resources/synthetic-accounts.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { WorldTx } from '../store/tx.ts'
import type { ProgramRecord } from '../store/world.ts'
import { scheduleClose } from './resources/closing-balances.ts'
import { drawSettings } from './rules/hard-mode.ts'

const { products, synthetic_account_types, ...demonstration } = program

/** The settings of the first Program, and the defaults of further ones. */
export const defaultSettings: ProgramSettings = ProgramSettings.parse(demonstration)

/** The fields that a Product requires of each Customer Type by default. */
export const defaultRequiredFields = ConfiguredProduct.shape.required_fields.parse(products[0]?.required_fields ?? [])

/**
 * Fills a new world: one Program with its Products and account types, from `resources/program.json`, and its close of
 * day.
 */
export function seedWorld(tx: WorldTx, settings: ProgramChanges & Partial<Pick<Program, 'behaves_as'>> = {}) {
  const program_uid = demonstration.uid
  tx.programs.put({ ...drawSettings(firstProgram, mergeChanges(firstProgram, settings), settings), program_uid })
  for (const product of products) tx.products.put(ConfiguredProduct.parse({ ...product, program_uid }))
  for (const type of synthetic_account_types)
    tx.synthetic_account_types.put(SyntheticAccountType.parse({ ...type, program_uid }))
  scheduleClose(tx.inProgram(program_uid))
}

/** Fields that the changes do not have stay, at any depth. A list is replaced as a whole. */
export function mergeChanges<T extends object>(base: T, changes: object): T {
  const isPart = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const parts = Object.entries(changes).flatMap(([name, value]) => {
    const was = (base as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) return []
    return [[name, isPart(value) && isPart(was) ? mergeChanges(was, value) : value] as const]
  })
  return { ...base, ...Object.fromEntries(parts) }
}

/** The first Program of a new world. */
export const firstProgram: Program = Program.parse(demonstration)

/** The key of the first Program, which documentation and snippets use; undefined for other Programs. */
export const demonstrationKey = (uid: Uid): string | undefined =>
  uid === demonstration.uid ? demonstration.hmac_key : undefined

export const createKey = (tx: WorldTx): string => `${tx.uid()}${tx.uid()}${tx.uid()}`

/** Of the first Program: a world that behaves as hosted does so for a further Program, too. */
const behaviorOf = (tx: WorldTx) => [...tx.programs.newestFirst()].at(-1)?.behaves_as ?? 'full'

interface NewProgram {
  readonly name: string
  readonly uid?: Uid | undefined
  readonly hmac_key?: string | undefined
  readonly behaves_as?: Program['behaves_as'] | undefined
}

/** A further Program of the Client: the same Products and account types with new uids, and a new key. */
export function createFurtherProgram(
  tx: WorldTx,
  { name, uid = tx.uid(), hmac_key = createKey(tx), behaves_as = behaviorOf(tx) }: NewProgram,
  chosen: Omit<ProgramChanges, 'products' | 'synthetic_account_types'>,
): ProgramRecord {
  // In a world from a bundle, pseudonyms force outcomes in each Program.
  const forced = [...tx.programs.newestFirst()].find(({ forced_outcomes }) => forced_outcomes)?.forced_outcomes
  const base = { ...firstProgram, uid, name, hmac_key }
  const made = tx.programs.put({
    ...drawSettings(base, mergeChanges(base, chosen), chosen),
    program_uid: uid,
    behaves_as,
    ...(forced ? { forced_outcomes: forced } : {}),
  })
  const uids = new Map<Uid, Uid>()
  const own = (theirs: Uid): Uid => {
    const known = uids.get(theirs) ?? tx.uid()
    uids.set(theirs, known)
    return known
  }
  for (const product of products)
    tx.products.put(
      ConfiguredProduct.parse({
        ...product,
        uid: own(product.uid),
        prerequisite_product_uids: product.prerequisite_product_uids.map(own),
        profile_requirements: product.profile_requirements.map((requirement) => ({
          ...requirement,
          profile_requirement_uid: own(requirement.profile_requirement_uid),
        })),
        program_uid: uid,
      }),
    )
  for (const type of synthetic_account_types)
    tx.synthetic_account_types.put(SyntheticAccountType.parse({ ...type, uid: own(type.uid), program_uid: uid }))
  scheduleClose(tx.inProgram(uid))
  return made
}
