/** How a field follows from others. It is computed where its record is shown; `why` names the rule and the newest input. */
export interface FieldRule {
  readonly rule: string
  readonly section?: string
  readonly from: readonly Source[]
}
export type FieldRules = Readonly<Record<string, FieldRule>>

/** The inputs of a rule: fields of the record itself, or of the records of a collection that a field links with it. */
export interface Source {
  readonly collection?: string
  /** The field of the record that links them. Default: its uid. */
  readonly field?: string
  /** The indexed field of the others with the same value. Default: their uid. */
  readonly childField?: string
  /** Without it the others never change: only the newest of them counts. */
  readonly fields?: readonly string[]
}

/** From the record's own fields, which may be private. */
export const fromOwn = (rule: string, ...fields: readonly string[]): FieldRule => ({ rule, from: [{ fields }] })

/** From the records of a collection that have the uid of the record in a field. */
export const fromLinked = (rule: string, collection: string, childField: string): FieldRule => ({
  rule,
  from: [{ collection, childField }],
})

/** The balances of an account, which its line items and its closing balances name in a field. */
export function balanceRules(childField: string, lines: string, closings: string) {
  const payments = { collection: 'transactions', childField: 'open_for' }
  const from = [payments, { collection: lines, childField }]
  const available = 'The settled balance less pending withdrawals; pending deposits do not count'
  const closing = fromLinked('Calculated once per business day, at its close', closings, childField)
  return {
    net_usd_balance: fromLinked('The sum of its line items', lines, childField),
    net_usd_pending_balance: { rule: 'Pending deposits less pending withdrawals', from },
    net_usd_available_balance: { rule: available, from },
    net_usd_closing_balance: closing,
    net_usd_closing_balance_as_of: closing,
  }
}
