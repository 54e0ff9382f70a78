import { ApiError } from '../../contract/errors.ts'
import {
  type ConfiguredProduct,
  type ProductChange,
  ProductRail,
  type ProfileRequirementChange,
} from '../../contract/resources/products.ts'
import {
  type BehavesAs,
  type ProgramChanges,
  ProgramInFull,
  type ProgramSettings,
} from '../../contract/resources/programs.ts'
import type { SyntheticAccountType, SyntheticAccountTypeChange } from '../../contract/resources/synthetic-accounts.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { areEqual } from '../../store/equal.ts'
import type { NewRecord, ReadRecords, ReadTx, Records, Tx, WorldTx } from '../../store/tx.ts'
import type { StoredRecord } from '../../store/world.ts'
import { drawSettings } from '../rules/hard-mode.ts'
import { refuseOtherSettings } from '../rules/hosted.ts'
import { isMore } from '../rules/money.ts'
import { createFurtherProgram, createKey, defaultRequiredFields, mergeChanges } from '../seed.ts'

/**
 * Specification section 1: the service operator configures a Program: its Products and Synthetic Account Types, for
 * which Customers, and on which terms. Requests cannot do this.
 *
 * Assumed (invented): a Product or a Synthetic Account Type can be withdrawn while no record uses it; responses to a profile
 * requirement stay when it is withdrawn. A Program may have no Products, and always has a general type. A daily_amount
 * below the minimum_amount is accepted: it closes a rail with 3011.
 */

interface Chosen extends ProgramChanges {
  readonly name: string
  readonly uid?: Uid | undefined
  readonly hmac_key?: string | undefined
  readonly behaves_as?: BehavesAs | undefined
}

export function create(tx: WorldTx, chosen: Chosen): ProgramInFull {
  const { name, uid: chosenUid, hmac_key, behaves_as, products, synthetic_account_types, ...settings } = chosen
  if (chosenUid !== undefined && tx.programs.get(chosenUid))
    refuse(`uid: there is a Program ${chosenUid}; choose another uid, or change that one with programs.update`)
  const { uid } = createFurtherProgram(tx, { name, uid: chosenUid, hmac_key, behaves_as }, settings)
  return applyOffer(tx.inProgram(uid), { products, synthetic_account_types })
}

export function update(tx: WorldTx, uid: Uid, changes: ProgramChanges & { name?: string | undefined }): ProgramInFull {
  const { products, synthetic_account_types, ...settings } = changes
  const program = find(tx, uid)
  const after = drawSettings(program, mergeChanges(program, settings), settings)
  if (!areEqual(program, after)) tx.programs.put(after)
  return applyOffer(tx.inProgram(uid), { products, synthetic_account_types })
}

const MOST_FORMER_KEYS = 20

/** The sandbox signs access tokens with a key of its own, so issued ones stay valid. */
export function rotateKey(tx: WorldTx, uid: Uid, hmac_key = createKey(tx)): ProgramInFull {
  const program = find(tx, uid)
  const former = [...(program.former_hmac_keys ?? []), program.hmac_key].filter((key) => key !== hmac_key)
  tx.programs.put({ ...program, hmac_key, former_hmac_keys: [...new Set(former)].slice(-MOST_FORMER_KEYS) })
  return showProgram(tx.inProgram(uid))
}

/** Access tokens that were issued before are refused from then on. */
export function expireTokens(tx: WorldTx, uid: Uid) {
  const program = find(tx, uid)
  tx.programs.put({ ...program, token_expirations: (program.token_expirations ?? 0) + 1 })
  return { uid }
}

export const showProgram = (tx: ReadTx): ProgramInFull =>
  ProgramInFull.parse({
    ...tx.program,
    products: oldestFirst(tx.products),
    synthetic_account_types: oldestFirst(tx.synthetic_account_types),
  })

function find(tx: WorldTx, uid: Uid) {
  const program = tx.programs.get(uid)
  if (!program) throw new ApiError('routeNotFound', `there is no Program ${uid}`)
  return program
}

function applyOffer(tx: Tx, offered: Pick<ProgramChanges, 'products' | 'synthetic_account_types'>): ProgramInFull {
  refuseContradiction(tx.program.limits)
  refuseOtherSettings(tx.program)
  if (offered.products) offerProducts(tx, offered.products)
  if (offered.synthetic_account_types) offerTypes(tx, offered.synthetic_account_types)
  return showProgram(tx)
}

function refuseContradiction(limits: ProgramSettings['limits']) {
  for (const [rail, { minimum_amount, maximum_amount }] of Object.entries(limits))
    if (maximum_amount !== null && isMore(minimum_amount, maximum_amount))
      refuse(
        `limits.${rail}.minimum_amount: ${minimum_amount} is more than the maximum_amount of ${maximum_amount}, so no transfer could be made`,
      )
}

// ── Products ─────────────────────────────────────────────────────────────────────────────────────────────────────

const DEFAULT_PLAN = 'Standard verification'

/** The whole list: what it does not name is withdrawn. */
function offerProducts(tx: Tx, given: readonly ProductChange[]) {
  const known = oldestFirst(tx.products)
  refuseUnknown('products', 'Product', given, known)
  const named = given.map((change, i): ConfiguredProduct => {
    const was = known.find(({ uid }) => uid === change.uid)
    const { profile_requirements, ...rest } = change
    const name = rest.name ?? was?.name ?? missing(`products.${i}.name`)
    const base = was ?? newProduct(tx, name, planOf(tx, known, rest))
    return {
      ...mergeChanges<ConfiguredProduct>(base, rest),
      profile_requirements: profile_requirements
        ? requirementsOf(
            tx,
            name,
            base.profile_requirements,
            profile_requirements,
            `products.${i}.profile_requirements`,
          )
        : base.profile_requirements,
    }
  })
  refuseTwins('products', 'Product', named)
  for (const [i, { rails }] of named.entries()) refuseRepeated(`products.${i}.rails`, rails)
  for (const [i, { required_fields }] of named.entries())
    refuseRepeated(
      `products.${i}.required_fields`,
      required_fields.map(({ customer_type }) => customer_type),
    )
  const products = named.map((product, i) => ({
    ...product,
    prerequisite_product_uids: prerequisitesOf(product, named, known, `products.${i}.prerequisite_product_uids`),
  }))
  refuseCircles(products)
  const withdrawn = known.filter(({ uid }) => !products.some((product) => product.uid === uid))
  for (const { uid, name } of withdrawn)
    refuseInUse(
      'products',
      name,
      countOf(tx.customer_products, (one) => one.product_uid === uid),
      'Customer Product',
    )
  for (const { uid } of withdrawn) tx.products.remove(uid)
  for (const product of products) putIfChanged(tx.products, product)
}

/**
 * Assumed (invented): a new Product is for all Customer Types of its Program and allows all rails, and asks what the demonstration's first
 * one asks.
 */
const newProduct = (tx: Tx, name: string, plan: ReturnType<typeof planOf>): ConfiguredProduct => ({
  uid: tx.uid(),
  name,
  description: '',
  ...plan,
  customer_types: [...tx.program.customer_types],
  prerequisite_product_uids: [],
  rails: [...ProductRail.options],
  profile_requirements: [],
  program_uid: tx.program.uid,
  required_fields: defaultRequiredFields.filter(({ customer_type }) =>
    tx.program.customer_types.some((type) => type === customer_type),
  ),
})

/** One of the Program's compliance plans by its name, or a new one. */
function planOf(tx: Tx, known: readonly ConfiguredProduct[], { compliance_plan_name = DEFAULT_PLAN }: ProductChange) {
  const same = known.find((product) => product.compliance_plan_name === compliance_plan_name)
  return { compliance_plan_name, product_compliance_plan_uid: same?.product_compliance_plan_uid ?? tx.uid() }
}

/** By uid, or by name for new ones, whose uid is not known yet. */
function prerequisitesOf(
  { prerequisite_product_uids }: ConfiguredProduct,
  list: readonly ConfiguredProduct[],
  known: readonly ConfiguredProduct[],
  path: string,
): Uid[] {
  const uids = prerequisite_product_uids.map((given) => {
    const other = list.find(({ uid }) => uid === given) ?? list.find(({ name }) => name === given)
    if (other) return other.uid
    const withdrawn = known.find(({ uid }) => uid === given)
    return refuse(
      `${path}: ${withdrawn ? `${withdrawn.name} is withdrawn, and asked for first here` : `the list holds no Product ${given}`}`,
    )
  })
  refuseRepeated(path, uids)
  return uids
}

function refuseCircles(products: readonly ConfiguredProduct[]) {
  const named = new Map(products.map((product) => [product.uid, product]))
  const open = new Set(products)
  for (let before = -1; before !== open.size; ) {
    before = open.size
    for (const product of open)
      if (!product.prerequisite_product_uids.some((uid) => open.has(named.get(uid)!))) open.delete(product)
  }
  const [first] = open
  if (!first) return
  // Each remaining Product has a remaining prerequisite, so following them leads to a circle.
  const way: ConfiguredProduct[] = []
  for (let at = first; ; at = named.get(at.prerequisite_product_uids.find((uid) => open.has(named.get(uid)!))!)!) {
    const seen = way.indexOf(at)
    if (seen >= 0)
      refuse(`products: prerequisites go in a circle: ${[...way.slice(seen), at].map(({ name }) => name).join(' → ')}`)
    way.push(at)
  }
}

type Requirement = ConfiguredProduct['profile_requirements'][number]

function requirementsOf(
  tx: Tx,
  product: string,
  known: readonly Requirement[],
  given: readonly ProfileRequirementChange[],
  path: string,
): Requirement[] {
  const uids = given.flatMap(({ profile_requirement_uid }) => profile_requirement_uid ?? [])
  refuseRepeated(`${path}.profile_requirement_uid`, uids)
  return given.map((change, i) => {
    const { profile_requirement_uid: uid } = change
    const was = known.find((one) => one.profile_requirement_uid === uid)
    if (uid !== undefined && !was)
      refuse(`${path}.${i}.profile_requirement_uid: ${product} has no profile requirement ${uid}`)
    const base = was ?? {
      profile_requirement_uid: tx.uid(),
      profile_requirement: change.profile_requirement ?? missing(`${path}.${i}.profile_requirement`),
      category: 'default',
      required: false,
      requirement_type: change.requirement_type ?? missing(`${path}.${i}.requirement_type`),
      response_values: [],
    }
    const requirement = mergeChanges<Requirement>(base, change)
    const wrong = valuesFit[requirement.requirement_type](requirement.response_values)
    if (wrong) refuse(`${path}.${i}.response_values: ${requirement.requirement_type} ${wrong}`)
    return requirement
  })
}

const none = (values: readonly string[]) => (values.length > 0 ? 'takes none' : undefined)
const some = (values: readonly string[]) => (values.length === 0 ? 'needs at least one' : undefined)
/** The values that each type of requirement needs: choices, or a bound. */
const valuesFit: Readonly<Record<Requirement['requirement_type'], (values: readonly string[]) => string | undefined>> =
  {
    string: none,
    number: none,
    integer_greater: (values) =>
      values.length > 1 || !values.every((value) => /^-?\d{1,18}$/.test(value))
        ? 'takes one whole number at most, which responses must exceed'
        : undefined,
    fixed_list: some,
    ordered_list: some,
  }

// ── Synthetic Account Types ──────────────────────────────────────────────────────────────────────────────────────

function offerTypes(tx: Tx, given: readonly SyntheticAccountTypeChange[]) {
  const known = oldestFirst(tx.synthetic_account_types)
  refuseUnknown('synthetic_account_types', 'Synthetic Account Type', given, known)
  const accountsOf = (type: Uid) =>
    countOf(tx.synthetic_accounts, (account) => account.synthetic_account_type_uid === type)
  const types = given.map((change, i): SyntheticAccountType => {
    const was = known.find(({ uid }) => uid === change.uid)
    const path = `synthetic_account_types.${i}`
    const type = mergeChanges<SyntheticAccountType>(
      was ?? {
        uid: tx.uid(),
        name: change.name ?? missing(`${path}.name`),
        description: '',
        program_uid: tx.program.uid,
        synthetic_account_category: change.synthetic_account_category ?? missing(`${path}.synthetic_account_category`),
      },
      change,
    )
    if (was && was.synthetic_account_category !== type.synthetic_account_category) {
      const accounts = accountsOf(was.uid)
      if (accounts > 0)
        refuse(
          `${path}.synthetic_account_category: ${was.name} stays ${was.synthetic_account_category}: ${amountOf(accounts, 'Synthetic Account')} of it`,
        )
    }
    return type
  })
  refuseTwins('synthetic_account_types', 'Synthetic Account Type', types)
  const withdrawn = known.filter(({ uid }) => !types.some((type) => type.uid === uid))
  for (const { uid, name } of withdrawn)
    refuseInUse('synthetic_account_types', name, accountsOf(uid), 'Synthetic Account')
  if (!types.some((type) => type.synthetic_account_category === 'general'))
    refuse('synthetic_account_types: one of category general must be there: activation opens accounts of it')
  for (const { uid } of withdrawn) tx.synthetic_account_types.remove(uid)
  for (const type of types) putIfChanged(tx.synthetic_account_types, type)
}

// ── Both ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function refuse(extra: string): never {
  throw new ApiError('invalidArgument', extra)
}

function missing(path: string): never {
  throw new ApiError('missingParameter', `${path} is missing`)
}

interface Named {
  readonly uid: Uid
  readonly name: string
}

/** The service assigns uids, so an unknown one is a mistake. */
function refuseUnknown(
  path: string,
  what: string,
  given: readonly { uid?: Uid | undefined }[],
  known: readonly Named[],
) {
  for (const [i, { uid }] of given.entries()) {
    if (uid === undefined) continue
    if (!known.some((one) => one.uid === uid)) refuse(`${path}.${i}.uid: the Program has no ${what} ${uid}`)
    if (given.findIndex((one) => one.uid === uid) < i) refuse(`${path}.${i}.uid: ${uid} is in the list twice`)
  }
}

function refuseTwins(path: string, what: string, list: readonly Named[]) {
  for (const [i, { name }] of list.entries())
    if (list.findIndex((one) => one.name === name) < i)
      refuse(`${path}.${i}.name: another ${what} of the list is named ${name}`)
}

function refuseRepeated(path: string, values: readonly string[]) {
  const twice = values.find((value, i) => values.indexOf(value) < i)
  if (twice !== undefined) refuse(`${path}: ${twice} is in the list twice`)
}

function refuseInUse(path: string, name: string, count: number, what: string) {
  if (count > 0) refuse(`${path}: ${name} cannot be withdrawn: ${amountOf(count, what)} of it`)
}

const amountOf = (count: number, what: string) => (count === 1 ? `1 ${what} is` : `${count} ${what}s are`)

function countOf<T extends StoredRecord>(records: Records<T>, fits: (record: T) => boolean): number {
  let count = 0
  for (const record of records.newestFirst()) if (fits(record)) count++
  return count
}

/** Unchanged records are not written, so the history shows only changes. */
function putIfChanged<T extends StoredRecord>(records: Records<T>, after: NewRecord<T>) {
  if (!areEqual(records.get(after.uid), after)) records.put(after)
}

const oldestFirst = <T extends StoredRecord>(records: ReadRecords<T>): T[] => [...records.newestFirst()].reverse()
