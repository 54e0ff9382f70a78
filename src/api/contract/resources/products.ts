import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'
import { anyOf, envelope, list } from '../terms/list.ts'
import { Uid } from '../terms/primitives.ts'
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

export const productList = list<Product>()({ filters: { program_uid: anyOf((product) => product.program_uid) } })

export const productEndpoints = {
  listProducts: endpoint({
    method: 'GET',
    path: '/products',
    group: 'Products',
    summary: 'List Products',
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
    status: 200,
    response: Product,
    errors: ['routeNotFound'],
  }),
}
