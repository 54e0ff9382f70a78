/**
 * Texts in the examples of requests that stand for values of a world (http/examples.ts finds them): in the OpenAPI document that a
 * sandbox serves, in the forms of the window, and in the inputs of control methods. Each stands for one value, and occurs in examples
 * of that value only.
 */
export const examples = {
  // A record of each collection, for the paths. The Customer, the account, the Pool and the counterparty belong together.
  customers: 'dMn5Pw7RkZx2cVb4',
  pools: 'kvvShYFvGmJWrA89',
  products: 'RALnSYF6sPgqXcEQ',
  customer_products: 'T3Eh5ybPskZZnLdv',
  custodial_accounts: 'ejXHeFseDjWqttv4',
  synthetic_account_types: '2iLkCafL8WHwTcqz',
  synthetic_accounts: 'esQ9Ey8E7wtqq2pQ',
  transfers: 'hTTnNf3JyJyGipa9',
  transactions: 'yrzaVhqB38cnY2NH',
  transaction_events: 'QF4fiaK7sptwjc2L',
  synthetic_line_items: 'Hcsi3MvHxpVAqDyt',
  custodial_line_items: 'd8xtCTbN8ftQuCHK',
  virtual_reference_numbers: 'ELqxKwaRTvi7J4xE',
  returns: 'qZeEeQiHEv8PvZh9',
  combined_transfers: 'viVnzpfGcdvQ6xxN',
  custodial_account_closing_balances: 'PeZM3LVvmrbCEfri',
  synthetic_account_closing_balances: 'gCSXsAvUS9DJxZEF',
  programs: 'Pg5RrXk2Tz9LrVw7',
  tasks: 'Ts6KkNf3JyJyGip2',
  webhooks: 'Wh3BbEQ3fzCRtkG5',
  webhook_events: 'Ev8NtDq7ZxLm9Tb4',
  webhook_deliveries: 'Dy4VrZk2cVb4Rk9M',
  // Records in the state that an operation needs.
  counterparty: 'Muzp7tK3PBVUXEVy',
  ach_account_type: 'hC7dMf2SyJb8PkTw',
  instant_payment_account_type: 'nT4wQk8ZsBv6RjXe',
  wire_account_type: 'wR6tLm3XqYc9ZdPh',
  initiated_customer: 'arZc7AuGVrXZ7C2t',
  initial_product: 'cQ2vNf7ZxLm9TbKe',
  archivable_customer: '8G6xVc9EDn6GrZte',
  refund_account: 'V8kLr3XcTz5NpWq7',
  archivable_account: 'cmbUfqwM2KvbHFzf',
  archivable_vrn: '5AQMvc2CcBSwYeHm',
  cancelable_transfer: 'G2npZWhSJ74TeMBw',
  authorizable_transaction: 'V2BEQ3fzCRtkGhqD',
  returnable_transaction: 'BkJRDJBtG3aCyPRx',
  returning_customer: 'mpRKt82pVvDREhb9',
  /** An ACH that the Client has sent, settled and not returned. */
  returnable_ach: 'yF3uHd9LqWm5TcKa',
  vrn_customer: 'gK6zRt2NxPv8SbWd',
  // Account numbers that no account has.
  new_account_number: '44108820000',
  another_new_account_number: '45108820000',
  /** A banking day on which an ACH transfer can be sent. */
  banking_day: '2026-11-23',
  birth_date_of_a_minor: '2014-11-23',
} as const
export type ExampleName = keyof typeof examples

export type ExampleValues = ReadonlyMap<ExampleName, string>

/** An example with the values of a world in the place of these texts. */
export const fillExample = <T>(example: T, values: ExampleValues = new Map()): T =>
  JSON.parse(JSON.stringify(example), (_, part: unknown) =>
    typeof part === 'string' ? part.replaceAll(TEXTS, (text) => values.get(nameOfText.get(text)!) ?? text) : part,
  ) as T

/** The names of the values that an example needs. */
export const namesIn = (example: unknown): ExampleName[] =>
  (JSON.stringify(example)?.match(TEXTS) ?? []).map((text) => nameOfText.get(text)!)

const nameOfText = new Map(Object.entries(examples).map(([name, text]) => [text as string, name as ExampleName]))
const TEXTS = new RegExp([...nameOfText.keys()].join('|'), 'g')
