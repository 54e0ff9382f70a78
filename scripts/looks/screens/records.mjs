import { click, clickAt, press, waitFor, waitForExplanation, waitForText, waitForTimeline } from '../actions.mjs'

/** Collections whose records are shown only on the page of a record. */
export const OTHER_COLLECTIONS = [
  'synthetic_account_closing_balances',
  'custodial_account_closing_balances',
  'kyc_evaluations',
  'transaction_events',
  'synthetic_line_items',
  'custodial_line_items',
]

export const states = [
  ['record-authorize', ({ unauthorized }) => `#/transactions/${unauthorized}`],
  ['record-deny', ({ unauthorized }) => `#/transactions/${unauthorized}`, click('Deny…')],
  [
    'record-why',
    ({ unauthorized }) => `#/transactions/${unauthorized}`,
    waitFor('[data-why=main]'),
    press('w'),
    waitForExplanation,
  ],
  ['record-title-why', ({ customer }) => `#/customers/${customer}`, click(/^298,606/), waitForExplanation],
  [
    'record-status-why',
    ({ settled }) => `#/transactions/${settled}`,
    clickAt('[data-standing] button'),
    waitForExplanation,
  ],
  ['record-settled', ({ settled }) => `#/transactions/${settled}`],
  ['record-queued', ({ queued }) => `#/transactions/${queued}`],
  ['record-account', ({ account }) => `#/synthetic_accounts/${account}`],
  ['record-external', ({ external }) => `#/synthetic_accounts/${external}`],
  ['record-vrn', ({ vrn }) => `#/virtual_reference_numbers/${vrn}`],
  ['record-return', ({ returned }) => `#/returns/${returned}`],
  ['record-transfer', ({ transfer }) => `#/transfers/${transfer}`],
  ['record-combined', ({ combined }) => `#/combined_transfers/${combined}`],
  ['record-pool', ({ pool }) => `#/pools/${pool}`],
  ['record-custodial', ({ custodial }) => `#/custodial_accounts/${custodial}`],
  ['record-customer-product', ({ customer_product }) => `#/customer_products/${customer_product}`],
  ['record-product', ({ product }) => `#/products/${product}`],
  ['record-type', ({ type }) => `#/synthetic_account_types/${type}`],
  ...OTHER_COLLECTIONS.map((name) => [`record-${name}`, (uids) => `#/${name}/${uids[name]}`]),
  ['record-unknown', '#/transfers/unknown'],
  ['customer', ({ customer }) => `#/customers/${customer}`],
  ['customer-story', ({ customer }) => `#/customers/${customer}?tab=story`, waitForTimeline],
  ['customer-story-reads', ({ customer }) => `#/customers/${customer}?tab=story&reads=shown`, waitForTimeline],
  ['customer-story-none', ({ customer }) => `#/customers/${customer}?tab=story&q=no+such+entry`, waitForTimeline],
  [
    'customer-story-money',
    ({ customer }) => `#/customers/${customer}?tab=story&without=state&without=request`,
    waitForTimeline,
  ],
  ['customer-story-states', ({ customer }) => `#/customers/${customer}?tab=story&without=money`, waitForTimeline],
  [
    'customer-story-export',
    ({ customer }) => `#/customers/${customer}?tab=story`,
    waitForTimeline,
    click('Export timeline'),
  ],
  ['customer-accounts', ({ customer }) => `#/customers/${customer}?tab=accounts`, waitForText(/^\d+ accounts$/)],
  ['customer-payments', ({ customer }) => `#/customers/${customer}?tab=payments`, waitForText(/^\d+ payments$/)],
  ['customer-vrns', ({ customer }) => `#/customers/${customer}?tab=vrns`, waitForText(/^\d+ VRNs$/)],
]
