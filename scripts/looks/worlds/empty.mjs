import { openPalette, screen, waitForText } from '../actions.mjs'

/** An empty world. */
export const empty = {
  name: 'empty',
  world: 'empty',
  states: [
    ...['now', 'requests', 'accounts', 'inject'].map(screen),
    ...['scenarios', 'webhooks', 'faults', 'reference', 'settings'].map(screen),
    ...['customers', 'transactions', 'transfers', 'combined_transfers', 'returns', 'vrns'].map((name) => [
      ...screen(name),
      waitForText('--data-raw'),
    ]),
    ...['line', 'month', 'tasks', 'operations', 'snapshots', 'worlds'].map((pane) => [pane, `#/now?line=${pane}`]),
    ['replay-own', '#/requests?replay=own'],
    ['palette', '#/customers', openPalette()],
    ['inject-no-customer', '#/inject?kind=vrn'],
  ],
}
