import { type Area, type CollectionName, collectionNames, collections as rows } from '../../api/contract/collections.ts'
import type { ListedScreen } from './screen-list.ts'

export { type CollectionName, isCollection } from '../../api/contract/collections.ts'

/** The rows of the contract with what only the window knows: the screen that lists a collection. */

const homes: { readonly [A in Area]: ListedScreen } = {
  customers: 'customers',
  accounts: 'accounts',
  payments: 'payments',
  vrns: 'vrns',
  time: 'time',
  program: 'settings',
}

interface Collection {
  readonly one: string
  readonly many: string
  readonly home: ListedScreen
}

export const collections = Object.fromEntries(
  collectionNames.map((name): [CollectionName, Collection] => {
    const { one, many, area } = rows[name]
    return [name, { one, many, home: homes[area] }]
  }),
) as { readonly [N in CollectionName]: Collection }

/** The collections whose records these screens list and count. */
export const listed = {
  customers: 'customers',
  accounts: 'synthetic_accounts',
  payments: 'transactions',
  vrns: 'virtual_reference_numbers',
} as const satisfies Partial<Record<ListedScreen, CollectionName>>
