import program from '../../../resources/program.json' with { type: 'json' }
import { Product } from '../contract/resources/products.ts'
import { Program, type ProgramChanges, ProgramSettings } from '../contract/resources/programs.ts'
import { SyntheticAccountType } from '../contract/resources/synthetic-accounts.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { WorldTx } from '../store/tx.ts'
import type { ProgramRecord } from '../store/world.ts'
import { scheduleClose } from './resources/closing-balances.ts'

const { products, synthetic_account_types, ...demonstration } = program

/** How the demonstration's Program is set up; another one begins the same. */
export const settings: ProgramSettings = ProgramSettings.parse(demonstration)

/** What a Product asks of each Customer Type, if nothing else is said. */
export const usualFields = Product.shape.required_fields.parse(products[0]?.required_fields ?? [])

/** A fresh world: one Program with its products and account types, from `resources/program.json`, and its days begun. */
export function seed(tx: WorldTx) {
  const program_uid = demonstration.uid
  tx.programs.put({ ...Program.parse(demonstration), program_uid })
  for (const product of products) tx.products.put(Product.parse({ ...product, program_uid }))
  for (const type of synthetic_account_types)
    tx.synthetic_account_types.put(SyntheticAccountType.parse({ ...type, program_uid }))
  scheduleClose(tx.inProgram(program_uid))
}

/** What is left out stays, at any depth; a list is one value. */
export function changed<T extends object>(base: T, changes: object): T {
  const isPart = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const parts = Object.entries(changes).flatMap(([name, value]) => {
    const was = (base as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) return []
    return [[name, isPart(value) && isPart(was) ? changed(was, value) : value] as const]
  })
  return { ...base, ...Object.fromEntries(parts) }
}

/** The Program that a fresh world begins with. */
export const firstProgram: Program = Program.parse(demonstration)

/** The one that snippets know; undefined for any other Program. */
export const demonstrationKey = (uid: Uid): string | undefined =>
  uid === demonstration.uid ? demonstration.hmac_key : undefined

export const newKey = (tx: WorldTx): string => `${tx.uid()}${tx.uid()}${tx.uid()}`

/** A further Program of the Client: the same products and account types under uids of its own, and a key of its own. */
export function furtherProgram(
  tx: WorldTx,
  name: string,
  chosen: Omit<ProgramChanges, 'products' | 'synthetic_account_types'>,
): ProgramRecord {
  const uid = tx.uid()
  const made = tx.programs.put({
    ...changed(settings, chosen),
    uid,
    program_uid: uid,
    client_uid: demonstration.client_uid,
    name,
    hmac_key: newKey(tx),
  })
  const uids = new Map<Uid, Uid>()
  const own = (theirs: Uid): Uid => {
    const known = uids.get(theirs) ?? tx.uid()
    uids.set(theirs, known)
    return known
  }
  for (const product of products)
    tx.products.put(
      Product.parse({
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
