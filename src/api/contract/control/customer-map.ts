import { z } from 'zod'
import { Money, Timestamp, Uid } from '../terms/primitives.ts'

export const Sum = z.object({ us_dollar_amount: Money, payments: z.int() })

/** A return counts in the flow of the payment that it returns, not as a flow of its own; the refusal of a reversal as a payment. */
const sums = {
  settled: Sum.meta({
    description: 'Payments that settled in the time, and refused reversals: this money moved again',
  }),
  pending: Sum.meta({ description: 'Payments under way at its end' }),
  returned: Sum.meta({ description: 'Returns that settled in the time: this money went back' }),
  return_pending: Sum.meta({ description: 'Returns under way at its end' }),
}
export const FlowSums = z.object(sums)
export type FlowSums = z.infer<typeof FlowSums>

export const MapNode = z.object({
  id: z.string(),
  role: z
    .enum(['account', 'vrn', 'party'])
    .meta({ description: 'A party is an external account, or someone without an account here, known by name' }),
  name: z.string(),
  uid: Uid.nullable().meta({ description: 'The Synthetic Account or VRN; null for a party without an account' }),
  category: z.string().nullable().meta({ description: 'Of a Synthetic Account' }),
  status: z.string().nullable(),
  balance: Money.nullable().meta({ description: 'Of an account of the Customer, at the end of the time' }),
  others: z.int().meta({ description: 'How many are in this one node; 0 for a node of its own' }),
  in: FlowSums.meta({ description: 'The flows to it; of a VRN those from parties' }),
  out: FlowSums.meta({ description: 'The flows from it; of a VRN those to parties' }),
})
export type MapNode = z.infer<typeof MapNode>

export const MapFlow = z.object({
  from: z.string().meta({ description: 'The id of a node' }),
  to: z.string(),
  ...sums,
  rails: z.array(z.object({ rail: z.string(), ...sums })),
  newest: Uid.meta({ description: 'Its newest Transaction' }),
})
export type MapFlow = z.infer<typeof MapFlow>

/** A payment on a VRN is two flows: between the party and the VRN, and between the VRN and its account. */
export const CustomerMap = z.object({
  from: Timestamp.nullable().meta({ description: 'null: since the beginning' }),
  until: Timestamp,
  nodes: z.array(MapNode).meta({
    description: 'Accounts with a flow or a balance, VRNs and parties with a flow; of each the largest first',
  }),
  flows: z.array(MapFlow).meta({ description: 'The largest first' }),
  totals: z.object({
    in: FlowSums.meta({ description: 'From parties' }),
    out: FlowSums.meta({ description: 'To parties' }),
    between: FlowSums.meta({ description: 'Between accounts of the Customer' }),
  }),
  payments: z
    .array(Uid)
    .nullable()
    .meta({ description: 'The Transactions of the wanted flow, newest first, at most 10,000; null without one' }),
})
export type CustomerMap = z.infer<typeof CustomerMap>
