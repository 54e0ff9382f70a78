import type { CollectionName } from './collections.ts'

/** What lists of the API leave out unless they are asked for it: the operator sees it all. */
export const includeAll: { readonly [N in CollectionName]?: Readonly<Record<string, boolean>> } = {
  customers: { include_initiated: true },
  transactions: { include_zero: true, show_denied_auths: true, show_expired: true },
}
