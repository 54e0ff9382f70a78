import { click, clickAt, clickExact } from '../actions.mjs'

export const states = [
  ['accounts', '#/accounts'],
  ['accounts-account', '#/accounts?account=$account'],
  ['accounts-table', '#/accounts', click('Table')],
  ['accounts-as-of', '#/accounts', click(/^As of: now/)],
  ['accounts-earlier', '#/accounts', click(/^As of: now/), (page) => page.getByRole('menuitemradio').last().click()],
  ['accounts-export', '#/accounts', click('Export CSV')],
  ['accounts-none', '#/accounts?q=no+such+account'],
  ['accounts-all', '#/accounts', clickExact('all')],
  ['accounts-why', '#/accounts', clickAt('[aria-label=Balances] [data-why]')],
  ['accounts-custodial', '#/accounts?account=$custodial'],
  ['accounts-external', '#/accounts?account=$external'],
  ['accounts-unknown', '#/accounts?account=unknown'],
]
