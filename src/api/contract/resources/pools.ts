import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'
import { envelope, indexed, list } from '../terms/list.ts'
import { Uid } from '../terms/primitives.ts'

/** A container for Synthetic Accounts. Currently one Customer maps to one Pool and back. */
export const Pool = z
  .object({
    uid: Uid,
    name: z.string(),
    owner_customer_uid: Uid,
    customer_uids: z.array(Uid),
  })
  .meta({ id: 'Pool' })
export type Pool = z.infer<typeof Pool>

export const poolList = list<Omit<Pool, 'name'>>()({ filters: { customer_uid: indexed('customer_uids') } })

export const poolEndpoints = {
  listPools: endpoint({
    method: 'GET',
    path: '/pools',
    group: 'Pools',
    summary: 'List Pools',
    description: 'Lists the Pools of the Customers.',
    query: poolList.query,
    status: 200,
    response: envelope(Pool),
    errors: ['invalidLimit'],
  }),
  getPool: endpoint({
    method: 'GET',
    path: '/pools/{uid}',
    group: 'Pools',
    summary: 'Get one Pool',
    description: 'Returns a Pool.',
    status: 200,
    response: Pool,
    errors: ['unknownRecord'],
  }),
}
