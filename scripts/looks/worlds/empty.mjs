import { openPalette, screen, waitForText } from '../actions.mjs'

/** An empty world. */
export const empty = {
  name: 'empty',
  world: 'empty',
  states: [
    ...['connect', 'requests', 'accounts', 'time', 'inject'].map(screen),
    ...['scenarios', 'snapshots', 'webhooks', 'faults', 'reference', 'settings'].map(screen),
    ...['customers', 'transactions', 'transfers', 'combined_transfers', 'returns', 'vrns'].map((name) => [
      ...screen(name),
      waitForText('--data-raw'),
    ]),
    ['snapshots-history', '#/snapshots?pane=history'],
    ['replay-own', '#/requests?replay=own'],
    ['palette', '#/customers', openPalette()],
    ['inject-no-customer', '#/inject?kind=vrn'],
  ],
}
