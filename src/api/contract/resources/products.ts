import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'
import { anyOf, envelope, list, MAX_LIMIT } from '../terms/list.ts'
import { Uid } from '../terms/primitives.ts'
import { isOneLine, isVisible, NOT_ONE_LINE } from '../terms/texts.ts'
import { CustomerType } from './customers.ts'

export const RequirementType = z.enum(['fixed_list', 'integer_greater', 'ordered_list', 'number', 'string'])

export const Product = z
  .object({
    uid: Uid,
    name: z.string(),
    description: z.string(),
    product_compliance_plan_uid: Uid,
    compliance_plan_name: z.string(),
    customer_types: z.array(CustomerType),
    prerequisite_product_uids: z.array(Uid),
    profile_requirements: z.array(
      z.object({
        profile_requirement_uid: Uid,
        profile_requirement: z.string(),
        category: z.string(),
        required: z.boolean(),
        requirement_type: RequirementType,
        response_values: z.array(z.string()),
      }),
    ),
    program_uid: Uid,
    required_fields: z.array(z.object({ customer_type: CustomerType, fields: z.array(z.string()) })),
  })
  .meta({ id: 'Product' })
export type Product = z.infer<typeof Product>

/** Section 1: a rail belongs to Products. A payment within a Pool needs none. */
export const ProductRail = z.enum(['ach', 'wire', 'instant_payment'])
export type ProductRail = z.infer<typeof ProductRail>

/** A Product as the operator configures it. Clients do not see its rails. */
export const ConfiguredProduct = Product.extend({
  rails: z.array(ProductRail).meta({ description: 'The rails of the transfers that it allows' }),
})
export type ConfiguredProduct = z.infer<typeof ConfiguredProduct>

// ── Changes by the operator ──────────────────────────────────────────────────────────────────────────────────────────

/** The fields of a Customer that a Product can require. */
export const RequiredField = z.enum([
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'business_name',
  'city',
  'dob',
  'email',
  'phone',
  'postal_code',
  'ssn',
  'state',
  'street1',
  'street2',
])
export type RequiredField = z.infer<typeof RequiredField>

const Text = z.string().max(255).refine(isVisible, { error: 'a text that is not blank is expected' })
const Name = Text.refine(isOneLine, NOT_ONE_LINE)
const list100 = <T extends z.ZodType>(item: T) => z.array(item).max(100)

export const ProfileRequirementChange = z.strictObject({
  profile_requirement_uid: Uid.optional().meta({ description: 'Of an existing requirement. Without it: a new one' }),
  profile_requirement: Text.optional().meta({ description: 'The question' }),
  category: Text.optional().meta({ description: 'The heading that it is listed under' }),
  required: z.boolean().optional().meta({ description: 'Onboarding needs an answer' }),
  requirement_type: RequirementType.optional().meta({ description: 'The form of the answer' }),
  response_values: list100(Text).optional().meta({ description: 'The answers to choose from' }),
})
export type ProfileRequirementChange = z.infer<typeof ProfileRequirementChange>

/** With a uid: changes of that Product, whose other fields stay. Without: a new Product. */
export const ProductChange = z.strictObject({
  uid: Uid.optional().meta({ description: 'Of an existing Product. Without it: a new one' }),
  name: Name.optional().meta({ description: 'Its name, unique in the Program' }),
  description: z.string().max(1_000).optional().meta({ description: 'What Clients read about it' }),
  product_compliance_plan_uid: Uid.optional().meta({ description: 'The uid of its compliance plan' }),
  compliance_plan_name: Name.optional().meta({ description: 'The name of the plan by which Customers are verified' }),
  customer_types: list100(CustomerType).optional().meta({ description: 'The Customer Types that it is for' }),
  rails: z.array(ProductRail).max(3).optional().meta({
    description:
      'The rails of the transfers that it allows, if rails_need_products is on. Without it, a new one allows all',
  }),
  prerequisite_product_uids: list100(z.string()).optional().meta({
    description:
      'Uids of Products in this list, which a Customer must have before; for a new one, its name. A circle is refused',
  }),
  profile_requirements: list100(ProfileRequirementChange)
    .optional()
    .meta({ description: 'The complete list: a requirement that is not in it is removed' }),
  required_fields: list100(
    z.strictObject({
      customer_type: CustomerType.meta({ description: 'The Customer Type that needs them' }),
      fields: list100(RequiredField).meta({ description: 'The fields that onboarding needs' }),
    }),
  )
    .optional()
    .meta({ description: 'The fields of a Customer that onboarding needs, by Customer Type' }),
})
export type ProductChange = z.infer<typeof ProductChange>

/** Clients take the first Product for the first onboarding, so one that needs no other comes first. */
export const productList = list<Product>()({
  filters: { program_uid: anyOf((product) => product.program_uid) },
  first: ({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0,
  defaultLimit: MAX_LIMIT,
})

export const productEndpoints = {
  listProducts: endpoint({
    method: 'GET',
    path: '/products',
    group: 'Products',
    summary: 'List Products',
    description:
      'Lists the Products of the Program with their requirements. Those that need no other Product come first.',
    query: productList.query,
    status: 200,
    response: envelope(Product),
    errors: ['invalidLimit'],
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/products/{uid}',
    group: 'Products',
    summary: 'Get one Product',
    description: 'Returns a Product with its requirements.',
    status: 200,
    response: Product,
    errors: ['unknownRecord'],
  }),
}
