import { type Area, type CollectionName, collectionNames, wordsOf } from '../../api/contract/collection-names.ts'
import type { ListedScreen } from './screen-list.ts'

export { type CollectionName, isCollection } from '../../api/contract/collection-names.ts'

/** The collections of the contract, with the screen that lists each. */

const homes: { readonly [A in Area]: ListedScreen } = {
  customers: 'customers',
  accounts: 'accounts',
  payments: 'payments',
  vrns: 'vrns',
  // The line of time lists the tasks, on every screen.
  time: 'now',
  webhooks: 'webhooks',
  program: 'settings',
}

interface Collection {
  readonly one: string
  readonly many: string
  readonly home: ListedScreen
}

export const collections = Object.fromEntries(
  collectionNames.map((name): [CollectionName, Collection] => {
    const { one, many, area } = wordsOf(name)
    return [name, { one, many, home: homes[area] }]
  }),
) as { readonly [N in CollectionName]: Collection }

type ListedArea = 'customers' | 'accounts' | 'payments' | 'vrns'

/** The collection that is listed and counted for an area. */
export const areaCollections = Object.fromEntries(
  collectionNames.filter((name) => wordsOf(name).leadsArea).map((name) => [wordsOf(name).area, name]),
) as { readonly [A in ListedArea]: CollectionName }
