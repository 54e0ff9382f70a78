import { click, clickAt, openMenuOf, press, screen } from '../actions.mjs'

export const states = [
  ...['customers', 'transactions', 'transfers', 'combined_transfers', 'returns', 'vrns'].map(screen),
  ...['pools', 'custodial_accounts', 'synthetic_accounts', 'products', 'customer_products'].map(screen),
  screen('synthetic_account_types'),
  ['customers-several', '#/customers', clickAt('[data-row]'), press('Shift+ArrowDown', 'Shift+ArrowDown')],
  ...['customers', 'transactions', 'transfers', 'returns', 'combined_transfers', 'vrns'].map((list) => [
    `${list}-details`,
    `#/${list}`,
    clickAt('[data-row]'),
    click('Details'),
  ]),
  ['customers-none', '#/customers?q=no+such+name'],
  ['transactions-menu', '#/transactions', openMenuOf('[data-column=customer] a')],
  ['transactions-filter', '#/transactions', click(/^status/)],
  ['transactions-customer', '#/transactions', click(/^Customer/)],
  ['transactions-filtered', '#/transactions?type=wire&status=settled'],
  ['transactions-chosen', '#/transactions?status=queued&status=settled', click(/^status/)],
  ['transactions-types', '#/transactions', click(/^type/)],
  [
    'transactions-all-filters',
    '#/transactions?status=settled&status=failed&type=ach&net_asset=negative&customer=$customer',
  ],
  ['vrns-several', '#/vrns', clickAt('[data-row]'), press('Shift+ArrowDown', 'Shift+ArrowDown')],
]
