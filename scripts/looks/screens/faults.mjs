import { click, clickExact, fill, select, waitForText } from '../actions.mjs'
import { callControl } from '../sandbox.mjs'

/** Faults as another client sets them. */
const SEVERAL = [
  { kind: 'latency', ms: 200, jitter_ms: 50, method: 'GET' },
  { kind: 'status', status: 503, method: 'POST', path: '/transfers', times: 3, rate: 0.25 },
  { kind: 'rate_limit', per_minute: 60, until: '2026-12-01T15:00:00.000Z' },
]

export const states = [
  ['faults', '#/faults'],
  ...['status', 'drop_before_commit', 'drop_after_commit', 'rate_limit', 'slow_body'].map((kind) => [
    `faults-${kind}`,
    '#/faults',
    select('kind', kind),
  ]),
  [
    'faults-wrong',
    '#/faults',
    select('kind', 'status'),
    fill('path', '/nowhere'),
    fill('status', '200'),
    fill('times', 'twice'),
    clickExact('Add'),
  ],
  [
    'faults-set',
    '#/faults',
    select('kind', 'drop_after_commit'),
    fill('path', '/customers'),
    clickExact('Add'),
    click(/fault active/),
  ],
  [
    'faults-several',
    '#/faults',
    (_page, sandbox) => callControl(sandbox, 'faults.set', { faults: SEVERAL }),
    waitForText('503'),
  ],
  [
    'faults-clear',
    '#/faults',
    (_page, sandbox) => callControl(sandbox, 'faults.clear'),
    waitForText('No active faults'),
  ],
]
