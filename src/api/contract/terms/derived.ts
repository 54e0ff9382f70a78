/** How a field follows from others. The field itself is computed where its record is shown; `why` names the rule and the newest input. */
export interface FieldRule {
  readonly rule: string
  readonly section?: string
  readonly from: readonly Source[]
}

/** The inputs of a rule: fields of the record itself, or of those records of a collection that one field links with it. */
export interface Source {
  readonly collection?: string
  /** The field of the record with the uid of the other one. */
  readonly field?: string
  /** Or the indexed field of the others with the uid of the record. */
  readonly childField?: string
  /** Without it the records never change: only the newest of them counts. */
  readonly fields?: readonly string[]
}

export type FieldRules = Readonly<Record<string, FieldRule>>

/** Of a record's own fields, which may be private. */
export const fromOwn = (...fields: readonly string[]) => ({ fields })

/** The balances of an account, which has line items in a collection and closing balances in another one. */
export function balanceRules<L extends string, C extends string>(childField: string, lines: L, closings: C) {
  const lineItems = { collection: lines, childField }
  const closing = {
    rule: 'Calculated once per business day, at its close',
    section: '1',
    from: [{ collection: closings, childField }],
  }
  return {
    net_usd_balance: { rule: 'The sum of its line items', from: [lineItems] },
    net_usd_pending_balance: {
      rule: 'Pending deposits less pending withdrawals',
      from: [{ collection: 'transactions', childField: 'open_for' }, lineItems],
    },
    net_usd_available_balance: {
      rule: 'The settled balance less pending withdrawals; pending deposits do not count',
      from: [{ collection: 'transactions', childField: 'open_for' }, lineItems],
    },
    net_usd_closing_balance: closing,
    net_usd_closing_balance_as_of: closing,
  } as const satisfies FieldRules
}
