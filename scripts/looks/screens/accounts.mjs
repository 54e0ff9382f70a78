import { click, clickAt } from '../actions.mjs'

export const states = [
  ['accounts', '#/accounts'],
  ['accounts-account', ({ account }) => `#/accounts?account=${account}`],
  ['accounts-table', '#/accounts', click('Table')],
  ['accounts-as-of', '#/accounts', click(/^As of: now/)],
  ['accounts-earlier', '#/accounts', click(/^As of: now/), (page) => page.getByRole('menuitemradio').last().click()],
  ['accounts-export', '#/accounts', click('Export CSV')],
  ['accounts-none', '#/accounts?q=no+such+account'],
  ['accounts-all', '#/accounts', click('all', { exact: true })],
  ['accounts-why', '#/accounts', clickAt('[aria-label=Balances] [data-why]')],
  ['accounts-custodial', ({ custodial }) => `#/accounts?account=${custodial}`],
  ['accounts-external', ({ external }) => `#/accounts?account=${external}`],
  ['accounts-unknown', '#/accounts?account=unknown'],
]
