import { check, click, clickAt, clickExact, fill, press, selectTab, waitForText } from '../actions.mjs'

export const states = [
  ['requests', '#/requests'],
  ['requests-refused', '#/requests/$refused'],
  [
    'requests-try',
    '#/requests/$refused',
    (page) => page.getByRole('button', { name: '1 business day' }).click({ modifiers: ['Alt'] }),
    waitForText('Balances'),
  ],
  ['requests-headers', '#/requests/$refused', selectTab(/^Headers/)],
  ['requests-answer', '#/requests/$refused', selectTab(/^Response/)],
  ['requests-none', '#/requests?q=no+such+request'],
  ['requests-methods', '#/requests', click(/^Method/)],
  ['requests-several', '#/requests', clickAt('[data-row]'), press('Shift+ArrowDown', 'Shift+ArrowDown')],
  ['requests-real-time', '#/requests', click('Real time')],
  [
    'requests-real-time-beside',
    '#/requests/$refused',
    click('Columns'),
    (page) => page.getByRole('menuitemcheckbox', { name: 'Real time' }).click(),
    press('Escape'),
  ],
  ['requests-export', '#/requests', click('Export…')],
  ['requests-unknown', '#/requests/x999'],
  ['replay', '#/requests/$refused?replay=own'],
  ['replay-import', '#/requests?replay=import'],
  ['replay-import-broken', '#/requests?replay=import', fill(/^Or paste/, '<html></html>'), clickExact('Replay')],
  [
    'replay-result',
    '#/requests?replay=own',
    check(/^All requests in the list/),
    clickExact('Replay'),
    waitForText('Replay another…'),
    clickAt('[data-row]'),
  ],
]
