import { click, clickAt, fill, waitForText } from '../actions.mjs'

export const states = [
  ['snapshots', '#/snapshots'],
  ['snapshots-taken', '#/snapshots', fill('Keep this world as', 'before')],
  ['snapshots-name-wrong', '#/snapshots', fill('Keep this world as', 'a/b')],
  ['snapshots-history', '#/snapshots?pane=history'],
  ['snapshots-history-chosen', '#/snapshots?pane=history', clickAt('[data-row]', 2)],
  ['snapshots-again', '#/snapshots?pane=again'],
  ['snapshots-again-asks', '#/snapshots?pane=again', click(/^Begin again/)],
  ['snapshots-compare', '#/snapshots', click(/^Compare/)],
  ['snapshots-compare-open', '#/snapshots', click(/^Compare/), clickAt('section[aria-label=Comparison] summary')],
  [
    'snapshots-compare-none',
    '#/snapshots',
    click(/^Compare/),
    fill('Filter the differences', 'none of these'),
    waitForText('None holds'),
  ],
  ['snapshots-delete', '#/snapshots', click(/^Delete/)],
]
