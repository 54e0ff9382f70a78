import { ApiError } from '../../contract/errors.ts'
import type { Resolution } from '../../contract/resources/mock-transactions.ts'
import { parseAmountOfTime, parseDuration, parseInstant } from '../../contract/terms/amounts-of-time.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import { plusBankingDays } from './calendar.ts'
import { type ReceivingRail, rails, type Timeline } from './rails.ts'

/**
 * When a simulated payment begins and settles: by its rail, or when its caller says.
 *
 * Assumed (invented): the caller may choose any instant up to 366 days ahead, also one at which no bank works.
 */
export function timelineOf(
  tx: Tx,
  rail: ReceivingRail,
  { resolve_at, after }: Resolution,
  plan = rails[rail].received,
): Timeline {
  const now = toMs(tx.now)
  const usual = plan[tx.pace](now, {})
  const [name, text] = resolve_at == null ? ['after', after] : ['resolve_at', resolve_at]
  if (text == null) return usual
  const refuse = (found: string) => {
    throw new ApiError('invalidArgument', `${name}: ${found}`, undefined, [name])
  }
  if (resolve_at != null && after != null) refuse('after is given, too; give one of them')
  if (!WAITING.has(rail)) refuse(`a payment by ${rail} does not wait; leave it out`)
  const settles_at = resolve_at == null ? instantAfter(text, now, refuse) : parseInstant(text, name)
  if (settles_at <= now) refuse(`${toTimestamp(settles_at)} is not after ${tx.now}, the present; give a later instant`)
  if (settles_at > now + HORIZON_DAYS * DAY_MS)
    refuse(`${text} is more than ${HORIZON_DAYS} days ahead; give an earlier instant`)
  return { pending_at: usual.pending_at, settles_at }
}

/** The others settle at once. */
const WAITING: ReadonlySet<ReceivingRail> = new Set(['ach', 'wire', 'card'])
const HORIZON_DAYS = 366
const DAY_MS = 86_400_000

function instantAfter(text: string, now: number, refuse: (found: string) => void): number {
  const amount = parseAmountOfTime(text, now)
  if (amount && 'by' in amount) return now + parseDuration(amount.by)
  if (amount && 'business_days' in amount) return plusBankingDays(now, amount.business_days)
  refuse(`"${text.slice(0, 100)}" is no amount of time such as 36h or 3 banking days`)
  return now
}
