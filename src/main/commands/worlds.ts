import { resolve } from 'node:path'
import type { Snapshot } from '../../api/contract/control/snapshots.ts'
import type { CreatedWorld, WorldFrom, WorldInfo } from '../../api/contract/control/worlds.ts'
import { type Action, runAction, table } from './actions.ts'
import { type Input, OptionError } from './command.ts'

/** `sandbank world` and `sandbank snapshot`. */

interface Comparison {
  readonly differences: readonly {
    readonly collection: string
    readonly uid: string
    readonly [key: string]: unknown
  }[]
  readonly total_count: number
}

const worldActions: Readonly<Record<string, Action>> = {
  list: {
    names: [],
    method: 'worlds.list',
    toInput: () => ({}),
    format: ({ worlds }: { worlds: WorldInfo[] }) =>
      worlds.length === 0
        ? 'No worlds besides the one of the sandbox itself'
        : table(worlds.map(({ name, from, at, seq, api }) => [name, formatSource(from), at, `commit ${seq}`, api])),
  },
  create: {
    names: ['NAME'],
    optional: 1,
    method: 'worlds.create',
    toInput: ([name], values) => ({ ...(name !== undefined && { name }), ...toSettings(values) }),
    format: ({ name, api, gui }: CreatedWorld) => `${name}\n\n  API      ${api}\n  Window   ${gui}`,
  },
  drop: {
    names: ['NAME'],
    method: 'worlds.drop',
    toInput: ([name]) => ({ name }),
    format: ({ dropped }: { dropped: boolean }, { names: [name] }) =>
      dropped ? `Dropped ${name}` : `There is no world ${name}`,
    isRefused: ({ dropped }: { dropped: boolean }) => !dropped,
  },
  keep: {
    names: ['NAME', 'FOLDER'],
    method: 'worlds.keep',
    toInput: ([name, folder = '']) => ({ name, folder: resolve(folder) }),
    format: (_answer, { names: [name, folder = ''] }) => `Saved ${name}: sandbank serve --data ${resolve(folder)}`,
  },
  compare: {
    names: ['A', 'B'],
    optional: 1,
    method: 'worlds.compare',
    toInput: ([a, b]) => ({ a, ...(b !== undefined && { b }) }),
    format: formatComparison,
  },
}

const formatSource = (from: WorldFrom) =>
  typeof from === 'string' ? from : Object.entries(from).map(([kind, name]) => `${kind}:${name}`)[0]!

/** `--from` as the control method takes it. */
function toSettings({ from, start, clock, pace, seed }: Input['values']): object {
  const [, kind, name = ''] = /^(snapshot|commit|world):(.+)$/s.exec(String(from ?? '')) ?? []
  if (from !== undefined && kind === undefined && !['demo', 'empty', 'current'].includes(String(from)))
    throw new OptionError('--from: one of demo, empty, current, snapshot:NAME, commit:NUMBER, world:NAME is expected')
  if (kind === 'commit' && !/^\d+$/.test(name)) throw new OptionError('--from: commit:NUMBER is expected')
  const source = kind === undefined ? from : { [kind]: kind === 'commit' ? Number(name) : name }
  return Object.fromEntries(
    Object.entries({ from: source, start: start && toTimestamp(String(start)), clock, pace, seed }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

function toTimestamp(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:?\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new OptionError('--start: an ISO 8601 instant is expected, such as 2026-11-23T14:30:00Z')
}

const snapshotActions: Readonly<Record<string, Action>> = {
  list: {
    names: [],
    method: 'snapshots.list',
    toInput: () => ({}),
    format: ({ snapshots }: { snapshots: Snapshot[] }) =>
      snapshots.length === 0
        ? 'No snapshots'
        : table(snapshots.map(({ name, at = '', seq, trouble }) => [name, at, trouble ?? `commit ${seq}`])),
  },
  keep: {
    names: ['NAME'],
    method: 'snapshots.keep',
    toInput: ([name]) => ({ name }),
    format: ({ name, seq, at }: Snapshot) => `Saved ${name}: commit ${seq}, ${at}`,
  },
  restore: {
    names: ['NAME'],
    method: 'snapshots.restore',
    toInput: ([name]) => ({ name }),
    format: ({ seq, now, changed }: { seq: number; now: string; changed: number }, { names: [name] }) =>
      `Restored ${name} as commit ${seq}: ${changed === 1 ? '1 record' : `${changed} records`} changed, the clock is at ${now}. To undo: sandbank control world.rewind seq=${seq - 1}`,
  },
  delete: {
    names: ['NAME'],
    method: 'snapshots.delete',
    toInput: ([name]) => ({ name }),
    format: ({ deleted }: { deleted: boolean }, { names: [name] }) =>
      deleted ? `Deleted ${name}` : `There is no snapshot ${name}`,
    isRefused: ({ deleted }: { deleted: boolean }) => !deleted,
  },
  compare: {
    names: ['A', 'B'],
    optional: 1,
    method: 'snapshots.compare',
    toInput: ([a, b]) => ({ a, ...(b !== undefined && { b }) }),
    format: formatComparison,
  },
}

export const world = runAction('world', worldActions)
export const snapshot = runAction('snapshot', snapshotActions)

function formatComparison({ differences, total_count }: Comparison): string {
  const lines = differences.map(({ collection, uid, ...rest }) => [collection, uid, JSON.stringify(rest)])
  const shown = differences.length < total_count ? ` (${differences.length} are shown)` : ''
  return [
    ...(lines.length > 0 ? [table(lines)] : []),
    `${total_count === 1 ? '1 record differs' : `${total_count} records differ`}${shown}`,
  ].join('\n')
}
