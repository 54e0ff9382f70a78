import type { RailTimeName } from '../../contract/control/payments.ts'
import type { CalendarDate } from './calendar.ts'
import {
  bankingDayAfter,
  bankingDayBefore,
  bankingDayFrom,
  bankingDayWithCutOff,
  closeAfter,
  dateAt,
  instantAt,
  isBankingDay,
  isBetween,
  plusDays,
} from './calendar.ts'

/**
 * One row for each rail: when a payment that begins at an instant becomes pending and when it settles, at both paces.
 * `fast` counts seconds; `real` follows the banking calendar in New York time.
 *
 * Assumed (sibling): a business day ends at 20:00 in New York; standard ACH has its cut-off at 17:00 and settles at 08:30;
 * same-day ACH leaves at 10:00, 14:15 and 16:15; wires leave from 09:00 to 17:00 and arrive while Fedwire is open for
 * customer transfers. The instant of a cut-off is too late. A card authorization that is not settled expires after seven days, in `fast`
 * after three seconds.
 */

export type Pace = 'fast' | 'real'
export type Rail = 'book' | 'ach' | 'wire' | 'instant_payment'

/** In milliseconds. */
export interface Timeline {
  readonly pending_at: number
  readonly settles_at: number
}

export interface AchTerms {
  readonly service_processing?: 'STANDARD' | 'SAMEDAY' | undefined
  readonly effective_entry_date?: CalendarDate | undefined
}

const SECOND = 1_000
const MINUTE = 60_000

type Plan = (t0: number, terms: AchTerms) => Timeline
const after =
  (pending: number, settled: number): Plan =>
  (t0) => ({ pending_at: t0 + pending * SECOND, settles_at: t0 + settled * SECOND })

type AtBothPaces = Readonly<Record<Pace, Plan>>
/** A transfer of the Client. */
interface Originates {
  readonly originated: AtBothPaces
}
/** A payment from outside: pending at once. */
interface Receives {
  readonly received: AtBothPaces
}
/** The Client's return of a received payment, or the reversal of its own. */
interface Returns {
  readonly returned: AtBothPaces
}

interface Rails {
  /** No payments from outside, and no returns. */
  readonly book: Originates
  readonly ach: Originates & Receives & Returns
  readonly wire: Originates & Receives & Returns
  /** The network has no returns. */
  readonly instant_payment: Originates & Receives
  /** Movements outside the application. */
  readonly card: Receives & { readonly expires: AtBothPaces }
  readonly custodian: Receives
}

/** Those on which payments come from outside. */
export type ReceivingRail = Exclude<keyof Rails, 'book'>

export const rails: Rails = {
  book: { originated: both(after(1, 1)) },
  ach: {
    originated: {
      fast: (t0, terms) => (terms.service_processing === 'SAMEDAY' ? after(1, 3) : after(2, 5))(t0, terms),
      real: (t0, terms) => (terms.service_processing === 'SAMEDAY' ? sameDayAch(t0, terms) : standardAch(t0, terms)),
    },
    received: { fast: after(0, 1), real: withNextAch },
    returned: { fast: after(1, 3), real: ourAchReturn },
  },
  wire: {
    originated: { fast: after(1, 2), real: outgoingWire },
    received: { fast: after(0, 1), real: (t0) => ({ pending_at: t0, settles_at: nextFedwireOpening(t0) + MINUTE }) },
    returned: { fast: after(1, 2), real: outgoingWire },
  },
  instant_payment: { originated: { fast: after(1, 2), real: after(1, 3) }, received: both(after(0, 1)) },
  card: {
    received: { fast: after(0, 1), real: withNextAch },
    expires: { fast: after(0, 3), real: after(0, 7 * 86_400) },
  },
  custodian: { received: both(after(0, 1)) },
}

function both(plan: Plan): AtBothPaces {
  return { fast: plan, real: plan }
}

/** After this time without an answer of the other bank an instant payment fails. */
export const INSTANT_TIMES_OUT_MS = 20 * SECOND

/** How long the registration of a VRN takes. */
export const REGISTRATION_TAKES_MS: Readonly<Record<Pace, number>> = { fast: SECOND, real: 2 * SECOND }

/** An approved payment settles no earlier than this after the decision. */
export const DECISION_TAKES_MS = SECOND

/** Of standard ACH. Our ACH returns and the deadlines of returns use it, too. */
const ACH_CUT_OFF = '17:00'
const ACH_SETTLES = '08:30'

/** Without a date: the earliest possible settlement. A future date delays it. */
function standardAch(t0: number, { effective_entry_date }: AchTerms): Timeline {
  const earliest = bankingDayAfter(bankingDayWithCutOff(t0, ACH_CUT_OFF))
  const day = later(earliest, bankingDayFrom(effective_entry_date ?? earliest))
  return { pending_at: instantAt(bankingDayBefore(day), ACH_CUT_OFF), settles_at: instantAt(day, ACH_SETTLES) }
}

const SAME_DAY_WINDOWS = [
  { leaves: '10:00', settles: '13:00' },
  { leaves: '14:15', settles: '17:00' },
  { leaves: '16:15', settles: '18:00' },
] as const

/** The next open window, unless a standard entry for the same date settles earlier. */
function sameDayAch(t0: number, terms: AchTerms): Timeline {
  const today = bankingDayWithCutOff(t0, SAME_DAY_WINDOWS[2].leaves)
  const day = later(today, bankingDayFrom(terms.effective_entry_date ?? today))
  const window = SAME_DAY_WINDOWS.find(({ leaves }) => t0 < instantAt(day, leaves)) ?? SAME_DAY_WINDOWS[0]
  const sameDay = { pending_at: instantAt(day, window.leaves), settles_at: instantAt(day, window.settles) }
  const standard = standardAch(t0, terms)
  return standard.settles_at < sameDay.settles_at ? standard : sameDay
}

function ourAchReturn(t0: number): Timeline {
  const day = bankingDayWithCutOff(t0, ACH_CUT_OFF)
  return { pending_at: instantAt(day, ACH_CUT_OFF), settles_at: instantAt(bankingDayAfter(day), ACH_SETTLES) }
}

function withNextAch(t0: number): Timeline {
  return { pending_at: t0, settles_at: nextAchSettlement(t0) }
}

/** The first settlement of a banking day strictly after this instant. */
function nextAchSettlement(ms: number): number {
  const date = dateAt(ms)
  const today = instantAt(date, ACH_SETTLES)
  return isBankingDay(date) && today > ms ? today : instantAt(bankingDayAfter(date), ACH_SETTLES)
}

const WIRES_OPEN = '09:00'
const WIRE_CUT_OFF = '17:00'

function outgoingWire(t0: number): Timeline {
  const date = dateAt(t0)
  const opens = instantAt(date, WIRES_OPEN)
  const start =
    isBankingDay(date) && isBetween(t0, '00:00', WIRE_CUT_OFF)
      ? Math.max(t0, opens)
      : instantAt(bankingDayAfter(date), WIRES_OPEN)
  return { pending_at: start + MINUTE, settles_at: start + 10 * MINUTE }
}

const FEDWIRE_OPENS_EVENING_BEFORE = '21:00'
const FEDWIRE_CLOSES = '18:45'

/** Fedwire takes customer transfers from 21:00 of the evening before a banking day to 18:45 of that day. */
function nextFedwireOpening(ms: number): number {
  const date = dateAt(ms)
  if (isBankingDay(date) && isBetween(ms, '00:00', FEDWIRE_CLOSES)) return ms
  return Math.max(ms, instantAt(plusDays(bankingDayAfter(date), -1), FEDWIRE_OPENS_EVENING_BEFORE))
}

/** The return of the Client's ACH entry, forced by its data: when the return arrives, and when it settles. */
export const returnTimeline: Readonly<Record<Pace, (settled_at: number) => Timeline>> = {
  fast: after(3, 4) as (settled_at: number) => Timeline,
  real: (settled_at) => lateReturnTimeline(settled_at, 2),
}

/** Assumed (invented): a return that is late by data follows the banking calendar at both paces. */
export function lateReturnTimeline(settled_at: number, days: number): Timeline {
  const day = dateAt(settled_at)
  return {
    pending_at: instantAt(bankingDayAfter(day, days - 1), ACH_CUT_OFF),
    settles_at: instantAt(bankingDayAfter(day, days), ACH_SETTLES),
  }
}

/** When the bank statement is posted: at the close of the business day in which the money moved; in `fast` at once. */
export const statementPostedAt: Readonly<Record<Pace, (settled_at: number) => number>> = {
  fast: (settled_at) => settled_at,
  real: closeAfter,
}

// ── The times of a rail ──────────────────────────────────────────────────────────────────────────────────────────

export type RailUse = 'ach sent' | 'same-day ach sent' | 'ach received' | 'wire sent' | 'wire received'

interface RailTime {
  readonly at: number
  readonly name: RailTimeName
}

/** When a rail opens, closes, sends and settles for a banking day. Only the pace `real` follows these times. */
export function railTimesFor(use: RailUse, date: CalendarDate): RailTime[] {
  const time = (name: RailTimeName, of: string, on = date): RailTime => ({ at: instantAt(on, of), name })
  switch (use) {
    case 'ach sent':
      return [time('ACH settlement', ACH_SETTLES), time('ACH cut-off', ACH_CUT_OFF)]
    case 'same-day ach sent':
      return SAME_DAY_WINDOWS.flatMap(({ leaves, settles }) => [
        time('same-day ACH cut-off', leaves),
        time('same-day ACH settlement', settles),
      ])
    case 'ach received':
      return [time('ACH settlement', ACH_SETTLES)]
    case 'wire sent':
      return [time('wires open', WIRES_OPEN), time('wire cut-off', WIRE_CUT_OFF)]
    case 'wire received':
      return [
        time('Fedwire opens', FEDWIRE_OPENS_EVENING_BEFORE, plusDays(date, -1)),
        time('Fedwire closes', FEDWIRE_CLOSES),
      ]
  }
}

/** From these times of a banking day on, what is sent leaves later. */
export const cutOffs: readonly { readonly name: RailTimeName; readonly time: string }[] = [
  ...SAME_DAY_WINDOWS.map(({ leaves }) => ({ name: 'same-day ACH cut-off', time: leaves }) as const),
  { name: 'ACH cut-off', time: ACH_CUT_OFF },
  { name: 'wire cut-off', time: WIRE_CUT_OFF },
]

// ── Deadlines of returns ─────────────────────────────────────────────────────────────────────────────────────────

/**
 * The period in which a return is possible: two banking days, sixty calendar days, or five banking days for a reversal.
 */
export type Frame = '2 banking days' | '60 days' | 'reversal'

interface Deadline {
  /** From this instant on there is not enough time left to submit it. */
  readonly late_from: number
  /** From this instant on the period is over. */
  readonly expired_from: number
}

/** The same at both paces. */
export function returnDeadline(frame: Frame, settled_at: number): Deadline {
  const settled = dateAt(settled_at)
  switch (frame) {
    case '2 banking days':
      return {
        late_from: instantAt(bankingDayAfter(settled), ACH_CUT_OFF),
        expired_from: instantAt(bankingDayAfter(settled, 2), ACH_SETTLES),
      }
    case '60 days': {
      const last = bankingDayAfter(plusDays(settled, 60))
      return { late_from: instantAt(bankingDayBefore(last), ACH_CUT_OFF), expired_from: instantAt(last, ACH_SETTLES) }
    }
    case 'reversal': {
      const last = bankingDayAfter(settled, 5)
      return { late_from: instantAt(last, ACH_CUT_OFF), expired_from: instantAt(plusDays(last, 1), '00:00') }
    }
  }
}

const later = (a: CalendarDate, b: CalendarDate): CalendarDate => (a > b ? a : b)
