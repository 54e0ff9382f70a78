import { z } from 'zod'
import { Cidr, Money, RoutingNumber, Uid } from '../terms/primitives.ts'
import { CreatableCustomerType } from './customers.ts'

/** A Program has no endpoint: the service operator configures it (specification section 1), so only the control API says it. */

const RailLimits = z.object({
  minimum_amount: Money,
  maximum_amount: Money.nullable(),
  daily_amount: Money.nullable(),
  daily_count: z.int().nullable(),
})

export const Program = z
  .object({
    uid: Uid,
    client_uid: Uid,
    name: z.string(),
    hmac_key: z.string().meta({ description: 'Its UTF-8 bytes sign refresh tokens' }),
    allowlist: z.array(Cidr),
    customer_types: z.array(CreatableCustomerType),
    client_is_customer: z.boolean(),
    accepts_client_verified: z.boolean(),
    routing_number: RoutingNumber.meta({ description: 'Of the accounts that are opened at the custodian' }),
    returns: z.boolean(),
    combined_transfers: z.boolean(),
    client_authorization: z.boolean(),
    pre_funding: z.boolean(),
    limits: z.object({ ach: RailLimits, wire: RailLimits, instant_payment: RailLimits }),
  })
  .meta({ id: 'Program' })
export type Program = z.infer<typeof Program>
