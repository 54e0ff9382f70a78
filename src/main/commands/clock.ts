import { type Report, runActions } from './actions.ts'
import { formatClock, formatCount } from './format.ts'
import { formatLine } from './paint.ts'
import { commands } from './table.ts'

/** What `sandbank clock` and its actions print. */

const advance: Report<'clock.advance'> = {
  format: ({ fired, from, to, ran }) =>
    [
      ...fired.map(({ at, record, outcome }) => formatLine([at, record, outcome])),
      `${from} → ${to}: ${formatCount(ran, 'task')} ran`,
    ].join('\n'),
  remarks: ({ silent_webhooks, stopped_by }) => [
    ...silent_webhooks.map(({ message }) => message),
    ...(stopped_by === 'cancel' ? ['It was canceled before its end'] : []),
  ],
  hasFailed: ({ stopped_by }) => stopped_by === 'cancel',
}

export const clock = runActions(commands.clock, {
  '': formatClock,
  advance,
  to: advance,
  freeze: formatClock,
  run: formatClock,
})
