import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { anyOf, envelope, indexed, list, MAX_LIMIT } from '../terms/list.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'

export const CustomerProductStatus = z.enum(['created', 'active', 'manual_review', 'rejected'])
export type CustomerProductStatus = z.infer<typeof CustomerProductStatus>

/** A Customer on a Product, created by the onboarding request. */
export const CustomerProduct = z
  .object({
    uid: Uid,
    status: CustomerProductStatus,
    customer_uid: Uid,
    customer_email: z.string().optional(),
    product_uid: Uid,
    product_name: z.string(),
    program_uid: Uid,
    activated_at: Timestamp.optional(),
  })
  .meta({ id: 'CustomerProduct' })
export type CustomerProduct = z.infer<typeof CustomerProduct>

/** Computed when it is shown. */
const derivedFields = {
  customer_email: {
    rule: 'The email of its Customer',
    from: [{ collection: 'customers', field: 'customer_uid', fields: ['email'] }],
  },
  product_name: {
    rule: 'The name of its Product',
    from: [{ collection: 'products', field: 'product_uid', fields: ['name'] }],
  },
}
type Kept = Omit<CustomerProduct, keyof typeof derivedFields>

export const customerProductList = list<Kept>()({
  rules: derivedFields,
  defaultLimit: MAX_LIMIT,
  filters: {
    program_uid: anyOf((it) => it.program_uid),
    product_uid: anyOf((it) => it.product_uid),
    customer_uid: indexed('customer_uid'),
  },
})

export const OnboardCustomer = z.object({ customer_uid: Uid, product_uid: Uid }).meta({
  id: 'OnboardCustomer',
  examples: [{ customer_uid: examples.initiated_customer, product_uid: examples.initial_product }],
})
export type OnboardCustomer = z.infer<typeof OnboardCustomer>

export const customerProductEndpoints = {
  listCustomerProducts: endpoint({
    method: 'GET',
    path: '/customer_products',
    group: 'Customer Products',
    summary: 'List Customer Products',
    description: 'Lists which Customers were onboarded to which Products.',
    query: customerProductList.query,
    status: 200,
    response: envelope(CustomerProduct),
    errors: ['invalidLimit'],
  }),
  onboardCustomer: endpoint({
    method: 'POST',
    path: '/customer_products',
    group: 'Customer Products',
    summary: 'Onboard a Customer onto a Product',
    description:
      'Onboards a Customer to a Product. The first one starts the KYC/AML evaluation, whose approval opens the accounts.',
    body: OnboardCustomer,
    status: 200,
    response: CustomerProduct,
    errors: [
      'missingParameter',
      'customerNotFound',
      'unknownRecord',
      'archivedCustomer',
      'inactiveCustomer',
      'customerLocked',
      'customerInUse',
      'invalidArgument',
      'onboardingIncomplete',
      'customerDetailsIncomplete',
    ],
  }),
  getCustomerProduct: endpoint({
    method: 'GET',
    path: '/customer_products/{uid}',
    group: 'Customer Products',
    summary: 'Get one Customer Product',
    description: 'Returns the onboarding of a Customer to a Product.',
    status: 200,
    response: CustomerProduct,
    errors: ['unknownRecord'],
  }),
}
