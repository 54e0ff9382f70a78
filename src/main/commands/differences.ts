import type { WorldChanges, WorldComparison } from '../../api/contract/control/changes.ts'
import { formatAmount } from '../../api/contract/terms/format-amount.ts'
import { formatCount, formatTable } from './format.ts'

/** What differs between two worlds, or in one before and after: sentences, then balances, then records. */

type Parts = Pick<WorldChanges, 'clock' | 'sentences' | 'balances' | 'records'>

/** `only`: what a record is that one side has. */
export const formatDifferences = (
  { clock, sentences, balances, records, total_count }: Parts & { readonly total_count: Record<string, number> },
  only: { readonly removed: string; readonly created: string } = { removed: 'removed', created: '' },
): string[] =>
  [
    clock.before === clock.after ? '' : `Clock     ${clock.before} → ${clock.after}`,
    [
      ...sentences.map(({ says }) => says),
      ...(total_count.sentences! > sentences.length
        ? [`And ${formatCount(total_count.sentences! - sentences.length, 'more sentence')}.`]
        : []),
    ].join('\n'),
    formatPart('Balances', total_count.balances!, balances.map(balanceRow)),
    formatPart(
      'Records',
      total_count.records!,
      records.map((record) => recordRow(record, only)),
    ),
  ].filter((text) => text !== '')

export function formatPart(title: string, count: number, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const more = count > rows.length ? ` (the first ${rows.length} of ${formatCount(count, 'line')})` : ''
  return `${title}${more}\n${formatTable(rows.map((row) => ['', ...row]))}`
}

const KINDS = ['settled', 'available', 'pending'] as const

function balanceRow({ customer, name, ...balance }: Parts['balances'][number]): readonly string[] {
  const changed = KINDS.filter((kind) => balance[kind].before !== balance[kind].after)
  const texts = changed.map((kind) => {
    const { before, after, change } = balance[kind]
    return `${kind} ${formatAmount(before)} → ${formatAmount(after)} (${formatAmount(change, true)})`
  })
  return [customer, name, texts.join(', ')]
}

function recordRow(
  { collection, uid, name, amount, what, status, fields }: Parts['records'][number],
  only: { readonly removed: string; readonly created: string },
) {
  const change =
    what === 'changed' && status.before === status.after
      ? `${fields.map(({ field }) => field).join(', ')} changed`
      : what === 'changed'
        ? `${status.before} → ${status.after}`
        : [status.before, status.after, only[what]].filter(Boolean).join(', ')
  return [collection, uid, name, amount === null ? '' : formatAmount(amount), change]
}

export function formatComparison(comparison: WorldComparison, a: string, b: string): string {
  const { balances, records, others } = comparison.total_count
  const parts = formatDifferences(comparison, { removed: `only in ${a}`, created: `only in ${b}` })
  if (others > 0) parts.push(`${formatCount(others, 'record')} of bookkeeping ${others === 1 ? 'differs' : 'differ'}`)
  return balances + records + others === 0 ? [...parts, 'No record differs'].join('\n\n') : parts.join('\n\n')
}
