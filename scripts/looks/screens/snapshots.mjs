import { click, clickAt, fill, waitForText } from '../actions.mjs'

export const states = [
  ['snapshots', '#/snapshots'],
  ['snapshots-taken', '#/snapshots', fill('Save snapshot as', 'before')],
  ['snapshots-name-wrong', '#/snapshots', fill('Save snapshot as', 'a/b')],
  ['snapshots-history', '#/snapshots?pane=history'],
  ['snapshots-history-chosen', '#/snapshots?pane=history', clickAt('[data-row]', 2)],
  ['snapshots-reset', '#/snapshots?pane=reset'],
  ['snapshots-reset-asks', '#/snapshots?pane=reset', click(/^Start over/)],
  ['snapshots-compare', '#/snapshots', click(/^Compare/)],
  ['snapshots-compare-open', '#/snapshots', click(/^Compare/), clickAt('section[aria-label=Comparison] summary')],
  [
    'snapshots-compare-none',
    '#/snapshots',
    click(/^Compare/),
    fill('Filter the differences', 'none of these'),
    waitForText('No difference contains'),
  ],
  ['snapshots-delete', '#/snapshots', click(/^Delete/)],
]
