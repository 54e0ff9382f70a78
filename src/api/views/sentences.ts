import { rowOf } from '../contract/collections.ts'
import { MAX_SHOWN, type WorldChanges } from '../contract/control/changes.ts'
import { formatCounterparty } from '../contract/messages.ts'
import { formatAmount } from '../contract/terms/format-amount.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { isNegative, isZero, negate } from '../domain/rules/money.ts'
import { RecordMap } from '../store/record-map.ts'
import type { Steps } from '../store/steps.ts'
import type { TransactionRecord } from '../store/world.ts'
import { type Field, type Pair, type Sides, sideOf, statusOf, titleIn } from './matching.ts'
import { differingFields } from './names.ts'
import { messageIn } from './records.ts'

/** Differences as sentences: each balance with the payments that explain it, then what else differs. */

type ChangedBalances = WorldChanges['balances'][number]
type Sentence = WorldChanges['sentences'][number]

/** More payments of an account are counted. */
const MAX_CAUSES = 3

export function* sentencesOf(
  balances: readonly { readonly pair: Pair; readonly balance: ChangedBalances }[],
  records: readonly Pair[],
  sides: Sides,
  isSame: (field: Field) => boolean,
): Steps<{ readonly sentences: Sentence[]; readonly count: number }> {
  const sentences: Sentence[] = []
  let count = 0
  const payments = yield* paymentsByAccount(records)
  const told = new Set<Pair>()
  for (const { pair, balance } of balances) {
    yield 1
    if (++count > MAX_SHOWN) continue
    const causes = [...new Set(payments.of(pair))]
    const shown = causes.slice(0, MAX_CAUSES)
    for (const cause of shown) told.add(cause)
    const more = causes.length - shown.length
    const texts = [
      balanceText(balance, sides.labels),
      ...shown.map((cause) => describe(cause, sides, isSame)),
      ...(more > 0 ? [`${more === 1 ? '1 other payment differs' : `${more} other payments differ`}`] : []),
    ]
    sentences.push(sentence(pair, texts.join('; ')))
  }
  for (const pair of records) {
    yield 1
    if (told.has(pair) || payments.has(pair) || ++count > MAX_SHOWN) continue
    sentences.push(sentence(pair, describe(pair, sides, isSame)))
  }
  return { sentences, count }
}

const sentence = ({ collection, uid }: Pair, text: string): Sentence => ({
  says: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`,
  collection,
  uid,
})

/** The Transactions by the accounts whose balances they explain. A Transfer says nothing that its Transaction does not. */
function* paymentsByAccount(records: readonly Pair[]) {
  const byAccount = [new Map<Uid, Pair[]>(), new Map<Uid, Pair[]>()] as const
  const transactions = new RecordMap<true>()
  for (const pair of records) {
    yield 1
    if (pair.collection !== 'transactions') continue
    for (const [side, record] of [pair.was, pair.record].entries()) {
      if (!record) continue
      const { transfer_uid, synthetic_account_uid } = record as TransactionRecord
      if (transfer_uid !== null) transactions.set({ collection: 'transfers', uid: transfer_uid }, true)
      if (statusOf(pair.was) === statusOf(pair.record)) continue
      for (const uid of synthetic_account_uid) {
        const own = byAccount[side as 0 | 1].get(uid)
        if (own) own.push(pair)
        else byAccount[side as 0 | 1].set(uid, [pair])
      }
    }
  }
  return {
    of: ({ was, record }: Pair) => [
      ...((was && byAccount[0].get(was.uid)) ?? []),
      ...((record && byAccount[1].get(record.uid)) ?? []),
    ],
    has: ({ collection, uid }: Pair) => transactions.has({ collection, uid }),
  }
}

function balanceText(
  { name, customer, settled, available, pending }: ChangedBalances,
  labels: Sides['labels'],
): string {
  const changes = [settled.change, available.change, pending.change] as const
  const isInFirst = labels !== null && isNegative(changes.find((change) => !isZero(change))!)
  const amount = (change: Money) => formatAmount(isInFirst ? negate(change) : change, true)
  const parts = [
    ...(settled.change === available.change
      ? [isZero(settled.change) ? '' : amount(settled.change)]
      : [named(settled.change, 'settled'), named(available.change, 'available')]),
    named(pending.change, 'pending'),
  ].filter((part) => part !== '')
  function named(change: Money, word: string) {
    return isZero(change) ? '' : `${amount(change)} ${word}`
  }
  const account = name === customer ? name : `${name} of ${customer}`
  return `${account} ${parts.join(', ')}${labels ? ` in ${labels[isInFirst ? 0 : 1]}` : ''}`
}

function describe(pair: Pair, sides: Sides, isSame: (field: Field) => boolean): string {
  const { was, record, collection } = pair
  const { labels } = sides
  const subject = subjectOf(pair, sides)
  const [before, after] = [statusOf(was), statusOf(record)]
  if (!was || !record) {
    const status = wordOf(before ?? after)
    if (labels) return `${subject} is only in ${labels[sideOf(pair)]}${status === null ? '' : `, ${status}`}`
    return was ? `${subject} is gone` : `${subject} is new${status === null ? '' : `, ${status}`}`
  }
  if (before !== after && before !== null && after !== null)
    return labels
      ? `${subject} ${verbOf(before)} in ${labels[0]}, ${verbOf(after)} in ${labels[1]}`
      : `${subject} went from ${wordOf(before)} to ${wordOf(after)}`
  const fields = differingFields(collection, was, record).filter((field) => !isSame(field))
  return `${subject}: ${fields.map(({ field }) => field).join(', ')} ${
    labels ? (fields.length === 1 ? 'differs' : 'differ') : 'changed'
  }`
}

const wordOf = (status: string | null) => status?.replaceAll('_', ' ') ?? null

/** The status as a verb: "settled", "was denied", "waits for a decision", "is pending". */
function verbOf(status: string) {
  if (['settled', 'failed', 'expired', 'completed'].includes(status)) return status
  if (['authorization_denied', 'denied', 'canceled', 'rejected'].includes(status))
    return `was ${status.replace('authorization_', '')}`
  return status === 'authorization_pending' ? 'waits for a decision' : `is ${wordOf(status)}`
}

function subjectOf(pair: Pair, sides: Sides): string {
  const record = (pair.record ?? pair.was)!
  if (pair.collection !== 'transactions') return `${rowOf(pair.collection).one} ${titleIn(sides, pair)}`
  const { type, us_dollar_amount, net_asset } = record as TransactionRecord
  const message = messageIn(pair.collection, record)
  const party = message ? formatCounterparty(message, net_asset) : ''
  const other = /^(?:from|to|by) /.test(party) ? ` ${party}` : party === '' ? '' : ` (${party})`
  return `the ${KINDS[type] ?? wordOf(type)} of ${formatAmount(us_dollar_amount)}${other}`
}

const KINDS: Readonly<Record<string, string>> = { ach: 'ACH payment', ach_return: 'ACH return' }
