/** The screens in the order of the navigation: name, and the key after `g`. */
export const screenList = {
  connect: { name: 'Connect', key: 'c' },
  requests: { name: 'Requests', key: 'r' },
  customers: { name: 'Customers', key: 'u' },
  accounts: { name: 'Accounts and ledger', key: 'a' },
  payments: { name: 'Payments', key: 'p' },
  vrns: { name: 'VRNs', key: 'v' },
  time: { name: 'Time', key: 't' },
  inject: { name: 'Inject', key: 'i' },
  scenarios: { name: 'Scenarios', key: 's' },
  snapshots: { name: 'Snapshots', key: 'n' },
  worlds: { name: 'Worlds', key: 'w' },
  webhooks: { name: 'Webhooks', key: 'h' },
  faults: { name: 'Faults', key: 'f' },
  reference: { name: 'API reference', key: 'e' },
  settings: { name: 'Program settings', key: ',' },
} as const satisfies Readonly<Record<string, { name: string; key: string }>>

export type ListedScreen = keyof typeof screenList
export const listedScreens = Object.keys(screenList) as ListedScreen[]

/** `record` is the page of a single record of any collection. */
export type Screen = ListedScreen | 'record'

export const isScreen = (text: string | undefined): text is Screen =>
  text === 'record' || (text !== undefined && Object.hasOwn(screenList, text))
