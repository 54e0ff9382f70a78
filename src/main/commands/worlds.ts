import { formatJudged } from '../../api/contract/control/judged.ts'
import type { WorldInfo } from '../../api/contract/control/worlds.ts'
import { runActions } from './actions.ts'
import { formatComparison } from './differences.ts'
import { formatCount, formatFields, formatTable } from './format.ts'
import { commands } from './table.ts'

/** What `sandbank world` and `sandbank snapshot` print. */

export const world = runActions(commands.world, {
  list: ({ worlds }) =>
    worlds.length === 0
      ? 'No worlds besides the one of the sandbox itself'
      : formatTable(worlds.map(({ name, from, at, seq, api }) => [name, formatSource(from), at, `commit ${seq}`, api])),
  create: ({ name, api, gui }) => `${name}\n\n${formatFields({ API: api, Window: gui })}`,
  drop: {
    format: ({ dropped }, { words: [name] }) => (dropped ? `Dropped ${name}` : `There is no world ${name}`),
    hasFailed: ({ dropped }) => !dropped,
  },
  keep: ({ folder }, { words: [name] }) => `Saved ${name}: sandbank serve --data ${folder}`,
  compare: (found, { words: [a, b] }) => formatComparison(found, a!, b ?? 'the root world'),
})

const formatSource = (from: WorldInfo['from']) =>
  typeof from === 'string' ? from : Object.entries(from).map(([kind, name]) => `${kind}:${name}`)[0]!

export const snapshot = runActions(commands.snapshot, {
  list: ({ snapshots }) =>
    snapshots.length === 0
      ? 'No snapshots'
      : formatTable(snapshots.map(({ name, at = '', seq, trouble }) => [name, at, trouble ?? `commit ${seq}`])),
  keep: ({ name, seq, at }) => `Saved ${name}: commit ${seq}, ${at}`,
  restore: ({ seq, now, changed }, { words: [name] }) =>
    `Restored ${name} as commit ${seq}: ${formatCount(changed, 'record')} changed, the clock is at ${now}`,
  delete: {
    format: ({ deleted }, { words: [name] }) => (deleted ? `Deleted ${name}` : `There is no snapshot ${name}`),
    hasFailed: ({ deleted }) => !deleted,
  },
  compare: (found, { words: [a, b] }) => formatComparison(found, a!, b ?? 'the current world'),
})

export const migration = runActions(commands.migration, {
  '': (report) => {
    const parts = report.findings.map(({ published, of, count, first, last, there, todo }) =>
      [
        published,
        ...[
          `  ${formatCount(count, of === 'requests' ? 'request' : 'action')}: ${first}${count > 1 ? ` to ${last}` : ''}`,
        ],
        ...[`  There: ${there}`, `  To do: ${todo}`],
      ].join('\n'),
    )
    return [...parts, formatJudged(report)].join('\n\n')
  },
})
