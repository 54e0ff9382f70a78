import { callControl, createTraffic } from '../sandbox.mjs'
import { states as accounts } from '../screens/accounts.mjs'
import { states as faults } from '../screens/faults.mjs'
import { states as frame } from '../screens/frame.mjs'
import { states as inject } from '../screens/inject.mjs'
import { states as line } from '../screens/line.mjs'
import { states as lists } from '../screens/lists.mjs'
import { states as now } from '../screens/now.mjs'
import { OTHER_COLLECTIONS, states as records } from '../screens/records.mjs'
import { states as reference } from '../screens/reference.mjs'
import { states as requests } from '../screens/requests.mjs'
import { states as scenarios } from '../screens/scenarios.mjs'
import { states as settings } from '../screens/settings.mjs'

/** The demo world with a few requests: every screen. */
export const demo = {
  name: 'demo',
  world: 'demo',
  prepare: async (sandbox) => {
    await callControl(sandbox, 'snapshots.keep', { name: 'before' })
    const traffic = await createTraffic(sandbox)
    const uidOf = async (collection, fits = () => true) => {
      const { data } = await callControl(sandbox, 'records.list', { collection, limit: 100 })
      return (data.find(fits) ?? data[0])?.uid
    }
    const others = OTHER_COLLECTIONS.map(async (name) => [name, await uidOf(name)])
    return {
      ...traffic,
      unauthorized: await uidOf('transactions', ({ status }) => status === 'authorization_pending'),
      settled: await uidOf('transactions', ({ status }) => status === 'settled'),
      queued: await uidOf('transactions', ({ status }) => status === 'queued'),
      account: await uidOf('synthetic_accounts', ({ master_account }) => master_account),
      external: await uidOf('synthetic_accounts', (account) => account.synthetic_account_category === 'ach_external'),
      vrn: await uidOf('virtual_reference_numbers'),
      returned: await uidOf('returns'),
      transfer: await uidOf('transfers'),
      combined: await uidOf('combined_transfers'),
      pool: await uidOf('pools'),
      custodial: await uidOf('custodial_accounts'),
      customer_product: await uidOf('customer_products'),
      product: await uidOf('products'),
      type: await uidOf('synthetic_account_types'),
      ...Object.fromEntries(await Promise.all(others)),
    }
  },
  states: [
    ...[...now, ...requests, ...lists, ...records, ...accounts, ...line, ...inject],
    ...[...scenarios, ...faults, ...reference, ...settings, ...frame],
  ],
}
