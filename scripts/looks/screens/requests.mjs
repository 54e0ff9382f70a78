import { check, click, clickAt, fill, press, selectTab, waitForText } from '../actions.mjs'

export const states = [
  ['requests', '#/requests'],
  ['requests-refused', ({ refused }) => `#/requests/${refused}`],
  ['requests-headers', ({ refused }) => `#/requests/${refused}`, selectTab(/^Headers/)],
  ['requests-answer', ({ refused }) => `#/requests/${refused}`, selectTab(/^Response/)],
  ['requests-copy', ({ refused }) => `#/requests/${refused}`, click('Copy as…', { exact: true })],
  ['requests-none', '#/requests?q=no+such+request'],
  ['requests-methods', '#/requests', click(/^Method/)],
  ['requests-several', '#/requests', clickAt('[data-row]'), press('Shift+ArrowDown', 'Shift+ArrowDown')],
  ['requests-real-time', '#/requests', click('Real time')],
  [
    'requests-real-time-beside',
    ({ refused }) => `#/requests/${refused}`,
    click('Columns'),
    (page) => page.getByRole('menuitemcheckbox', { name: 'Real time' }).click(),
    press('Escape'),
  ],
  ['requests-export', '#/requests', click('Export…')],
  ['requests-unknown', '#/requests/x999'],
  ['replay', ({ refused }) => `#/requests/${refused}?replay=own`],
  ['replay-import', '#/requests?replay=import'],
  [
    'replay-import-broken',
    '#/requests?replay=import',
    fill(/^Or paste/, '<html></html>'),
    click('Replay', { exact: true }),
  ],
  [
    'replay-result',
    '#/requests?replay=own',
    check(/^All requests in the list/),
    click('Replay', { exact: true }),
    waitForText('Replay another…'),
    clickAt('[data-row]'),
  ],
]
