import type { Category, Force, Person, ProgramSettings } from '../operations.ts'
import { addDays, businessDay, instantOf, nextBankingDay, previousBankingDay, wallTimeAt } from './calendar.ts'
import { type Rail, settlesIn, timesOfLateReturn, timesOfOwnReturn, timesOfReceivedReturn, timesOut } from './rails.ts'
import type { Account, CombinedTransfer, Customer, Payment, State, Task, Vrn, Webhook } from './state.ts'

/**
 * The rules of the specification, written a second time and apart from `src/api/domain`: what a request is answered with, and what
 * becomes of the records as time passes. A method either returns the refusal or changes the state; `uid`s come from responses.
 */

export interface Refusal {
  readonly status: number
  readonly code: number
}

const SECOND = 1000
const HOUR = 3_600_000
/** After this time without an answer of the other bank an instant payment fails. */
const NO_ANSWER_MS = 20 * SECOND

const railName = (rail: Rail): Rail => (rail === 'same_day_ach' ? 'ach' : rail)

const refusals = {
  missingParameter: { status: 400, code: 1003 },
  archivedCustomer: { status: 422, code: 1008 },
  notUpdatable: { status: 422, code: 1011 },
  accountLocked: { status: 422, code: 3008 },
  dailyAmountExhausted: { status: 422, code: 3011 },
  aboveMaximum: { status: 422, code: 3012 },
  belowMinimum: { status: 422, code: 3013 },
  amountNotPositive: { status: 400, code: 3003 },
  sameAccounts: { status: 400, code: 3005 },
  transferProhibited: { status: 422, code: 3006 },
  accountArchived: { status: 422, code: 3007 },
  insufficientFunds: { status: 422, code: 3004 },
  notCancelable: { status: 400, code: 3025 },
  tooLateToCancel: { status: 422, code: 3026 },
  inactiveCustomer: { status: 422, code: 1010 },
  noVrn: { status: 422, code: 30001 },
  vrnAccountIneligible: { status: 422, code: 30002 },
  vrnArchived: { status: 422, code: 30005 },
  vrnLocked: { status: 422, code: 30010 },
  vrnUnlocked: { status: 422, code: 30013 },
  alreadyDecided: { status: 400, code: 6009 },
  windowPassed: { status: 400, code: 6010 },
  notAuthorizable: { status: 400, code: 6011 },
  authorizationDisabled: { status: 403, code: 6012 },
  returnUnsupported: { status: 400, code: 31006 },
  returnIneligible: { status: 400, code: 31014 },
  returnNotSettled: { status: 400, code: 31005 },
  returnOfReturn: { status: 400, code: 31013 },
  returnExists: { status: 422, code: 31004 },
  returnOfPrenote: { status: 400, code: 31012 },
  returnExpired: { status: 400, code: 31007 },
  returnTooLate: { status: 422, code: 31011 },
  returnNotCreated: { status: 422, code: 31002 },
  masterAccount: { status: 422, code: 2003 },
  accountHasBalance: { status: 422, code: 2004 },
  accountHasTransfer: { status: 422, code: 2005 },
  invalidArgument: { status: 400, code: 1007 },
  customerInUse: { status: 422, code: 4016 },
  detailsIncomplete: { status: 422, code: 4111 },
} as const satisfies Readonly<Record<string, Refusal>>

const UNFINISHED = ['queued', 'pending', 'authorization_pending']
/** What another bank can return. */
export const ACH_OF_CLIENT = ['ach', 'initiated_ach_reversal']
/** The banking day of settlement of a return that its account number makes late. */
const LATE_DAYS = 10
const PRESENTED_WITHIN_MS = 180 * 24 * HOUR
const RETURN_TYPES = ['ach_return', 'initiated_ach_return', 'initiated_ach_reversal', 'initiated_wire_return']

/** Accounts are positions in `State.accounts`. */
export interface TransferRequest {
  readonly customer: number
  readonly source: number
  readonly destination: number
  readonly cents: number
  readonly sameDay: boolean
  /** The effective entry date of an ACH. */
  readonly entryDate: string
  readonly isPrenote: boolean
  readonly external: number | null
}
const PLAIN = { sameDay: false, isPrenote: false, external: null }
const MAX_DAYS_AHEAD = 30

/** It is the Customer's money, and not an account of others or of the service. */
export const isLiability = ({ category, role }: Account): boolean => category === 'general' && role !== 'asset'

export interface Balances {
  readonly settled: number
  readonly pending: number
  readonly available: number
}

export class Model {
  readonly state: State

  constructor(state: State) {
    this.state = state
  }

  clone(): Model {
    return new Model(structuredClone(this.state))
  }

  // ── Time ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs what is due up to this instant, in the order in which it is due; what is due at once, as it was scheduled. */
  advanceTo(at: number) {
    for (;;) {
      const due = this.state.tasks.filter((task) => task.at <= at)
      const [next] = due.sort((a, b) => a.at - b.at || a.order - b.order)
      if (!next) break
      this.state.now = Math.max(this.state.now, next.at)
      this.change(() => this.#run(next))
    }
    this.state.now = Math.max(this.state.now, at)
  }

  /** Every request and every call of the operator begins with what is due. */
  runDue() {
    this.advanceTo(this.state.now)
  }

  #schedule(kind: Task['kind'], at: number, of: number) {
    this.state.tasks.push({ kind, at, of, order: ++this.state.taskCount })
  }

  #unschedule(of: number, kinds: readonly Task['kind'][]) {
    this.state.tasks = this.state.tasks.filter((task) => task.of !== of || !kinds.includes(task.kind))
  }

  #run(task: Task) {
    this.state.tasks = this.state.tasks.filter((one) => one !== task)
    const run = {
      'decide kyc': () => this.#decideKyc(task.of),
      activate: () => this.#activate(task.of),
      open: () => this.#open(task.of),
      begin: () => this.#begin(task.of),
      finish: () => this.#finish(task.of),
      'receive return': () => this.#receiveReturn(task.of),
      'close authorization': () => this.#closeAuthorization(task.of),
      register: () => this.#register(task.of),
      'continue combined transfer': () => this.#continueCombined(task.of),
      'continue archival': () => this.#continueArchival(task.of),
      'finish archival': () => this.#finishArchival(task.of),
    }
    run[task.kind]()
  }

  // ── Customers and accounts ─────────────────────────────────────────────────────────────────────────────────────

  createCustomer(uid: string, person: Person) {
    this.state.customers.push({ uid, person, status: 'initiated', kyc: null, pool: null, refundTo: null })
  }

  /** Onboards a Customer to the first Product. */
  checkOnboard(customer: Customer): Refusal | undefined {
    if (customer.status === 'active') return refusals.customerInUse
    if (customer.status === 'archived') return refusals.archivedCustomer
    if (customer.status !== 'initiated') return refusals.inactiveCustomer
    return customer.person === 'empty' ? refusals.detailsIncomplete : undefined
  }

  onboard(of: number) {
    this.state.customers[of]!.status = 'queued'
    this.#schedule('decide kyc', this.state.now + SECOND, of)
  }

  #decideKyc(of: number) {
    const customer = this.state.customers[of]!
    const [status, kyc] = (
      {
        Smith: ['manual_review', 'manual_review'],
        Johnson: ['rejected', 'denied'],
        minor: ['rejected', 'denied'],
        approved: ['identity_verified', 'approved'],
        empty: ['identity_verified', 'approved'],
      } as const
    )[customer.person]
    Object.assign(customer, { status, kyc })
    if (status === 'identity_verified') this.#schedule('activate', this.state.now + SECOND, of)
  }

  /** A verified Customer gets its accounts. */
  #activate(of: number) {
    this.state.customers[of]!.status = 'active'
    const account = { uid: null, customer: of, category: 'general', force: 'none', status: 'active' } as const
    this.state.accounts.push({ ...account, name: 'asset', role: 'asset' })
    this.state.accounts.push({ ...account, name: 'master', role: 'master' })
  }

  checkOpenAccount(customer: Customer): Refusal | undefined {
    if (customer.status === 'archived') return refusals.archivedCustomer
    return customer.status === 'active' ? undefined : refusals.inactiveCustomer
  }

  openAccount(uid: string | null, name: string, customer: number, category: Category, force: Force) {
    const isLater = force === 'open later' || force === 'fail to open'
    const status = isLater ? 'initiated' : 'active'
    const count = this.state.accounts.push({ uid, name, customer, category, force, role: 'opened', status })
    if (isLater) this.#schedule('open', this.state.now + SECOND, count - 1)
  }

  #open(of: number) {
    const account = this.state.accounts[of]!
    account.status = account.force === 'fail to open' ? 'failed' : 'active'
  }

  checkArchiveAccount(of: number): Refusal | undefined {
    const account = this.state.accounts[of]!
    const { status } = this.state.customers[account.customer]!
    if (status === 'archived') return refusals.archivedCustomer
    if (status === 'pending_archival') return refusals.inactiveCustomer
    if (account.role !== 'opened') return refusals.masterAccount
    if (account.category === 'general' && this.balances([of]).settled !== 0) return refusals.accountHasBalance
    return this.#hasUnfinished(of) ? refusals.accountHasTransfer : undefined
  }

  /** The simulation names no destination for the money, which several external accounts require. */
  checkArchiveCustomer(customer: Customer): Refusal | undefined {
    const { status } = customer
    if (status === 'archived') return refusals.archivedCustomer
    if (status === 'rejected' || status === 'pending_archival') return refusals.notUpdatable
    const external = this.state.accounts.filter(
      (one) => this.state.customers[one.customer] === customer && one.category !== 'general' && one.status === 'active',
    )
    return external.length > 1 ? refusals.missingParameter : undefined
  }

  /** Queued transfers are canceled, and what is free is refunded at once. */
  archiveCustomer(of: number) {
    const { customers, accounts, transfers, payments } = this.state
    for (const [at, { payment }] of transfers.entries()) {
      const { customer, status } = payments[payment]!
      if (customer === of && status === 'queued') this.cancel(at)
    }
    const external = accounts.findIndex(
      (one) => one.customer === of && one.category !== 'general' && one.status === 'active',
    )
    Object.assign(customers[of]!, { status: 'pending_archival', refundTo: external < 0 ? null : external })
    this.#unschedule(of, ['decide kyc', 'activate'])
    this.#continueArchival(of)
  }

  generalAccountsOf = (of: number): number[] =>
    this.state.accounts.flatMap((one, at) => (one.customer === of && isLiability(one) ? [at] : []))

  #hasUnfinishedPayments = (of: number): boolean =>
    this.state.payments.some((one) => one.customer === of && UNFINISHED.includes(one.status))

  /** Nothing continues below zero. What is free goes to the external account by ACH, or as a check. */
  #continueArchival(of: number) {
    const { accounts, customers } = this.state
    const { status } = customers[of]!
    if (status !== 'pending_archival' && status !== 'archived') return
    const own = this.generalAccountsOf(of)
    if (own.some((at) => this.balances([at]).settled < 0)) return
    const free = own.filter((at) => this.balances([at]).available > 0)
    if (free.length === 0) {
      if (status === 'archived') return
      if (!this.#hasUnfinishedPayments(of)) this.#scheduleEndOfArchival(of)
      return
    }
    const to = this.#refundAccountOf(of)
    for (const from of free) {
      const { available } = this.balances([from])
      if (to !== null) {
        const refund = {
          ...PLAIN,
          customer: of,
          source: from,
          destination: to,
          cents: available,
          entryDate: wallTimeAt(this.state.now).date,
        }
        this.#startTransfer(null, null, refund, true)
      } else {
        const asset = accounts.findIndex((one) => one.customer === of && one.role === 'asset')
        const parties = { customer: of, source: from, destination: asset }
        const check = this.#addPayment({
          uid: null,
          type: 'other',
          rail: 'ach',
          cents: available,
          status: 'pending',
          ...parties,
        })
        this.#tellChanges()
        this.#settle(check)
      }
    }
  }

  /** After a refund by ACH that failed or came back, only checks are mailed. */
  #refundAccountOf(of: number): number | null {
    const { accounts, customers, payments } = this.state
    const { refundTo } = customers[of]!
    const isLost = payments.some(
      (one) =>
        one.customer === of &&
        one.isRefund &&
        (one.status === 'failed' ||
          payments.some(({ type, transfer }) => type === 'ach_return' && transfer === one.transfer)),
    )
    return isLost || refundTo === null || accounts[refundTo]!.status !== 'active' ? null : refundTo
  }

  /** At the close of a business day, when no ACH of the Customer can come back any more. */
  #scheduleEndOfArchival(of: number) {
    const { now, pace, payments } = this.state
    const ends = payments
      .filter((one) => one.customer === of && ACH_OF_CLIENT.includes(one.type) && !one.isReceived)
      .filter(({ settledAt }) => settledAt !== null)
      .map(({ settledAt }) => timesOfReceivedReturn(pace, settledAt!).end)
    this.#unschedule(of, ['finish archival'])
    this.#schedule('finish archival', instantOf(businessDay(Math.max(now, ...ends), '20:00'), '20:00'), of)
  }

  #finishArchival(of: number) {
    const { payments, tasks } = this.state
    if (this.#hasUnfinishedPayments(of)) return
    const isExpected = ({ customer, force }: Payment) => customer === of && force !== 'late return'
    if (tasks.some((one) => one.kind === 'receive return' && isExpected(payments[one.of]!))) return
    if (this.generalAccountsOf(of).some((at) => this.balances([at]).settled !== 0)) return this.#continueArchival(of)
    this.state.customers[of]!.status = 'archived'
    for (const [at, account] of this.state.accounts.entries()) {
      if (account.customer !== of || account.status === 'failed') continue
      account.status = account.status === 'initiated' ? 'failed' : 'archived'
      this.#unschedule(at, ['open'])
    }
    this.#archiveVrns((account) => this.state.accounts[account]!.customer === of)
  }

  /** A VRN is an alias of an account and ends with it. */
  #archiveVrns(isConcerned: (account: number) => boolean) {
    for (const [index, vrn] of this.state.vrns.entries())
      if (vrn.status === 'active' && isConcerned(vrn.account)) this.changeVrn(index, 'archive vrn')
  }

  /** An archival goes on when a payment has ended. */
  #afterEnd(payment: number) {
    const { customer } = this.state.payments[payment]!
    const { status } = this.state.customers[customer]!
    if (status === 'pending_archival' || status === 'archived')
      this.#schedule('continue archival', this.state.now, customer)
  }

  archiveAccount(of: number) {
    this.state.accounts[of]!.status = 'archived'
    this.#archiveVrns((account) => account === of)
  }

  #hasUnfinished = (account: number) =>
    this.state.payments.some(
      (one) => UNFINISHED.includes(one.status) && (one.source === account || one.destination === account),
    )

  /**
   * Of one account, or of several as a whole. Settled payments are the balance; what is on its way out is no longer available, and what
   * comes in not yet.
   */
  balances(accounts: readonly number[]): Balances {
    let settled = 0
    let incoming = 0
    let outgoing = 0
    for (const { source, destination, cents, status } of this.state.payments) {
      const [leaves, arrives] = [accounts.includes(source), accounts.includes(destination)]
      if (leaves === arrives) continue
      if (status === 'settled') settled += arrives ? cents : -cents
      if (!UNFINISHED.includes(status)) continue
      if (arrives) incoming += cents
      else outgoing += cents
    }
    return { settled, pending: incoming - outgoing, available: settled - outgoing }
  }

  // ── Transfers ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** The rail is that of the external account. */
  railOf(from: Account, to: Account, sameDay: boolean): Rail {
    const external = [from, to].find(({ category }) => category !== 'general')
    if (!external) return 'book'
    if (external.category === 'wire_external') return 'wire'
    if (external.category === 'instant_payment_external') return 'instant'
    return sameDay ? 'same_day_ach' : 'ach'
  }

  checkTransfer(asked: TransferRequest): Refusal | undefined {
    const { customers, accounts, settings } = this.state
    const { customer, cents, entryDate, isPrenote } = asked
    const source = accounts[asked.source]!
    const destination = accounts[asked.destination]!
    if (cents === 0 && !isPrenote) return refusals.amountNotPositive
    if (source === destination) return refusals.sameAccounts
    const externals = [source, destination].filter(({ category }) => category !== 'general')
    if (externals.length === 2 || [source, destination].some(({ role }) => role === 'asset'))
      return refusals.transferProhibited
    if (source.category === 'wire_external' || source.category === 'instant_payment_external')
      return refusals.transferProhibited
    const { status } = customers[customer]!
    if (status === 'archived') return refusals.archivedCustomer
    // In archival its accounts are locked.
    if (status === 'pending_archival') return refusals.accountLocked
    if (status !== 'active') return refusals.inactiveCustomer
    if (source.customer !== customer || destination.customer !== customer) return refusals.transferProhibited
    if (source.status !== 'active' || destination.status !== 'active') return refusals.accountArchived
    const rail = this.railOf(source, destination, false)
    const today = wallTimeAt(this.state.now).date
    if (rail === 'ach' && (entryDate < today || entryDate > addDays(today, MAX_DAYS_AHEAD)))
      return refusals.invalidArgument
    if (cents === 0 && rail !== 'ach') return refusals.amountNotPositive
    const limited = externals.length > 0 ? this.#checkLimits(customer, rail, cents) : undefined
    if (limited) return limited
    if (source.category !== 'general') return undefined
    if (destination.category === 'ach_external' && !settings.pre_funding) return undefined
    return cents > this.balances([asked.source]).available ? refusals.insufficientFunds : undefined
  }

  /** A day is one of New York. Canceled and failed transfers do not count. */
  #checkLimits(customer: number, rail: Rail, cents: number): Refusal | undefined {
    const { settings, transfers, payments, now } = this.state
    if (!settings.limits) return undefined
    if (cents > settings.limits.maximum) return refusals.aboveMaximum
    if (cents > 0 && cents < settings.limits.minimum) return refusals.belowMinimum
    const { date } = wallTimeAt(now)
    const today = transfers
      .map(({ payment }) => payments[payment]!)
      .filter((one) => one.customer === customer && railName(one.rail) === rail)
      .filter(
        ({ status, createdAt }) => !['canceled', 'failed'].includes(status) && wallTimeAt(createdAt).date === date,
      )
    const sum = today.reduce((total, one) => total + one.cents, 0)
    return sum + cents > settings.limits.daily ? refusals.dailyAmountExhausted : undefined
  }

  transfer(uid: string | null, paymentUid: string | null, asked: TransferRequest) {
    this.#startTransfer(uid, paymentUid, asked, false)
  }

  /** A refund is an ACH to an external account of any category, and waits in no queue. */
  #startTransfer(uid: string | null, paymentUid: string | null, asked: TransferRequest, isRefund: boolean) {
    const { accounts, transfers, now, pace, settings } = this.state
    const { customer, cents, sameDay, entryDate, external: externalUid } = asked
    const [source, destination] = [accounts[asked.source]!, accounts[asked.destination]!]
    const rail = isRefund ? 'ach' : this.railOf(source, destination, sameDay)
    const external = [source, destination].find(({ category }) => category !== 'general')
    const start = isRefund ? now : now + settings.queue_minutes * 60 * SECOND
    const times = timesOut(rail, pace, start, entryDate)
    const payment = this.#addPayment({
      uid: paymentUid,
      type: { book: 'book_transfer', ach: 'ach', same_day_ach: 'ach', wire: 'wire', instant: 'instant_payment' }[rail],
      rail,
      customer,
      source: asked.source,
      destination: asked.destination,
      cents,
      transfer: transfers.length,
      status: 'queued',
      force: external?.force ?? 'none',
      isRefund,
    })
    transfers.push({ uid, rail, payment, external: externalUid })
    const hasNoAnswer = rail === 'instant' && external?.force === 'time out'
    this.#schedule('begin', times.pending, payment)
    this.#schedule('finish', hasNoAnswer ? start + NO_ANSWER_MS : times.end, payment)
  }

  // ── Combined Transfers ─────────────────────────────────────────────────────────────────────────────────────────

  combine(asked: Omit<CombinedTransfer, 'account' | 'status'>) {
    this.state.combined.push({ ...asked, account: null, status: 'queued' })
    this.#scheduleStep(this.state.combined.length - 1)
  }

  #scheduleStep(of: number) {
    this.#schedule('continue combined transfer', this.state.now + SECOND, of)
  }

  /** First the counterparty, then the Transfer. */
  #continueCombined(of: number) {
    const one = this.state.combined[of]!
    if (one.status === 'queued') {
      if (this.checkOpenAccount(this.state.customers[one.customer]!)) {
        one.status = 'failed'
        return
      }
      one.status = 'pending'
      one.account = this.state.accounts.length
      this.openAccount(null, one.name, one.customer, 'ach_external', 'none')
      this.#scheduleStep(of)
      return
    }
    const [source, destination] = one.isDebit ? [one.account!, one.general] : [one.general, one.account!]
    const { customer, cents, entryDate } = one
    const asked = { ...PLAIN, customer, source, destination, cents, entryDate }
    const refusal = this.checkTransfer(asked)
    one.status = refusal ? 'failed' : 'completed'
    if (!refusal) this.transfer(null, null, asked)
  }

  checkCancel(of: number): Refusal | undefined {
    const { rail, payment } = this.state.transfers[of]!
    const { status, isRefund } = this.state.payments[payment]!
    if (isRefund || rail === 'book' || rail === 'instant') return refusals.notCancelable
    if (status === 'queued') return undefined
    return status === 'pending' ? refusals.tooLateToCancel : refusals.notCancelable
  }

  cancel(of: number) {
    const { payment } = this.state.transfers[of]!
    this.state.payments[payment]!.status = 'canceled'
    this.#unschedule(payment, ['begin', 'finish'])
    this.#afterEnd(payment)
  }

  #addPayment(
    given: Pick<Payment, 'uid' | 'type' | 'rail' | 'customer' | 'source' | 'destination' | 'cents' | 'status'> &
      Partial<Payment>,
  ): number {
    this.state.payments.push({
      createdAt: this.state.now,
      transfer: null,
      vrn: null,
      settledAt: null,
      settledIndex: null,
      railSettlesAt: this.state.now,
      force: 'none',
      isReceived: false,
      isRefund: false,
      authorization: null,
      authorizeBy: null,
      returnedBy: null,
      returnCode: null,
      comesBackAt: null,
      ...given,
    })
    return this.state.payments.length - 1
  }

  #begin(of: number) {
    const payment = this.state.payments[of]!
    if (payment.status === 'queued') payment.status = 'pending'
  }

  #finish(of: number) {
    const payment = this.state.payments[of]!
    const isRejected = payment.force === 'reject' || payment.force === 'time out'
    const fails = payment.force === 'fail' || (isRejected && payment.rail === 'instant')
    if (!fails) return this.#settle(of)
    payment.status = 'failed'
    this.#afterEnd(of)
  }

  #settle(of: number) {
    const { pace, now } = this.state
    const payment = this.state.payments[of]!
    Object.assign(payment, { status: 'settled', settledAt: now })
    payment.settledIndex = ++this.state.settledCount
    this.#afterEnd(of)
    const { force, type } = payment
    const isReturned =
      force === 'return' || force === 'late return' || (force === 'return of debits' && this.#isDebit(payment))
    if (type === 'ach' ? !isReturned : type !== 'initiated_ach_reversal' || force !== 'refuse reversal') return
    // A later change of the pace does not change when it comes back.
    const { pending, end } =
      force === 'late return' ? timesOfLateReturn(now, LATE_DAYS) : timesOfReceivedReturn(pace, now)
    payment.comesBackAt = end
    this.#schedule('receive return', pending, of)
  }

  /** A debit collects money from the external account. */
  #isDebit = ({ source }: Payment): boolean => this.state.accounts[source]!.category !== 'general'

  settleNow(of: number) {
    this.#unschedule(of, ['begin', 'finish'])
    // A queued one begins in the same commit, of which there is an event, too.
    if (this.state.payments[of]!.status === 'queued') this.state.payments[of]!.status = 'pending'
    this.#tellChanges()
    this.#settle(of)
  }

  failNow(of: number) {
    this.#unschedule(of, ['begin', 'finish'])
    this.state.payments[of]!.status = 'failed'
    this.#afterEnd(of)
  }

  // ── Payments from outside ──────────────────────────────────────────────────────────────────────────────────────

  /** A Customer in archival still receives. */
  checkReceive(customer: Customer, type: string, vrn: Vrn | undefined, after?: number): Refusal | undefined {
    if (customer.status === 'archived') return refusals.archivedCustomer
    const of = this.state.customers.indexOf(customer)
    if (!this.state.accounts.some((one) => one.customer === of)) return refusals.inactiveCustomer
    const isUnreachable = type === 'instant_payment' && vrn && vrn.registration !== 'registered'
    const cannotWait = type === 'instant_payment' && after !== undefined
    return isUnreachable || cannotWait ? refusals.invalidArgument : undefined
  }

  receive(
    uid: string,
    type: string,
    customer: number,
    cents: number,
    account: number,
    vrn: number | null,
    after?: number,
  ) {
    const { settings, now, pace, accounts, vrns } = this.state
    const asset = accounts.findIndex((one) => one.customer === customer && one.role === 'asset')
    const rail = ({ ach: 'ach', wire: 'wire', instant_payment: 'instant' } as const)[type]!
    const railSettlesAt = after === undefined ? settlesIn(rail, pace, now) : now + after * SECOND
    const payment = this.#addPayment({
      uid,
      type,
      rail,
      customer,
      vrn,
      railSettlesAt,
      source: cents > 0 ? asset : account,
      destination: cents > 0 ? account : asset,
      cents: Math.abs(cents),
      status: 'pending',
      isReceived: true,
    })
    const alias = vrn === null ? undefined : vrns[vrn]!
    const one = this.state.payments[payment]!
    if (alias && (alias.isLocked || alias.status === 'archived')) {
      Object.assign(one, { status: 'authorization_denied', authorization: 'auto_denied' })
      this.#afterEnd(payment)
    } else if (alias && settings.client_authorization && rail !== 'instant') {
      // The Client is asked about wires and ACH only.
      const authorizeBy = now + settings.authorization_hours * HOUR
      Object.assign(one, { status: 'authorization_pending', authorization: 'client_approval_pending', authorizeBy })
      this.#schedule('close authorization', authorizeBy, payment)
    } else this.#schedule('finish', railSettlesAt, payment)
  }

  checkAuthorize(of: number): Refusal | undefined {
    const { authorization, authorizeBy } = this.state.payments[of]!
    if (!this.state.settings.client_authorization) return refusals.authorizationDisabled
    if (authorization === null) return refusals.notAuthorizable
    if (['client_approved', 'client_denied', 'auto_denied'].includes(authorization)) return refusals.alreadyDecided
    return authorizeBy !== null && this.state.now >= authorizeBy ? refusals.windowPassed : undefined
  }

  authorize(of: number, approve: boolean) {
    this.#unschedule(of, ['close authorization'])
    this.#decide(of, approve, approve ? 'client_approved' : 'client_denied')
  }

  #closeAuthorization(of: number) {
    const approve = this.state.settings.unanswered_authorization === 'approve'
    this.#decide(of, approve, approve ? 'client_unanswered_auto_approved' : 'client_unanswered_auto_denied')
  }

  #decide(of: number, approve: boolean, authorization: string) {
    const payment = this.state.payments[of]!
    Object.assign(payment, { authorization, status: approve ? 'pending' : 'authorization_denied' })
    if (approve) this.#schedule('finish', Math.max(payment.railSettlesAt, this.state.now + SECOND), of)
    else this.#afterEnd(of)
  }

  // ── Returns ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The other bank returns an ACH of the Client; the uid is learnt later. */
  #receiveReturn(of: number) {
    if (this.#isReturned(of)) this.#afterEnd(of)
    else this.#addReceivedReturn(of, null)
  }

  checkReceiveReturn(of: number): Refusal | undefined {
    const { type, status, isReceived } = this.state.payments[of]!
    const isOfClient = ACH_OF_CLIENT.includes(type) && !isReceived
    const isReturnable = isOfClient && status === 'settled' && !this.#isReturned(of)
    return isReturnable ? undefined : refusals.invalidArgument
  }

  receiveReturn(uid: string, of: number) {
    this.#addReceivedReturn(of, uid)
  }

  #addReceivedReturn(of: number, uid: string | null) {
    const original = this.state.payments[of]!
    const { customer, source, destination, cents, transfer, rail, comesBackAt } = original
    const payment = this.#addPayment({
      uid,
      type: 'ach_return',
      rail,
      customer,
      cents,
      transfer,
      source: this.#openOf(destination),
      destination: this.#openOf(source),
      status: 'pending',
    })
    original.returnedBy = payment
    const isForcedByR02 = uid === null && original.force !== 'return of debits'
    original.returnCode = this.#isDebit(original) && !isForcedByR02 ? 'R01' : null
    this.#schedule('finish', uid === null ? comesBackAt! : settlesIn('ach', this.state.pace, this.state.now), payment)
  }

  /** The master account replaces an archived one. */
  #openOf(of: number): number {
    const account = this.state.accounts[of]!
    if (!isLiability(account) || account.status !== 'archived') return of
    const { customer } = account
    return this.state.accounts.findIndex((one) => one.customer === customer && one.role === 'master')
  }

  /** A return that failed left the money where it was, so the payment can be returned again. */
  #isReturned(of: number): boolean {
    const { returnedBy } = this.state.payments[of]!
    return returnedBy !== null && this.state.payments[returnedBy]!.status !== 'failed' && !this.#isRefused(returnedBy)
  }

  /** By the other bank, with a return of its own. */
  #isRefused(of: number): boolean {
    const { type, returnedBy } = this.state.payments[of]!
    return (
      type === 'initiated_ach_reversal' && returnedBy !== null && this.state.payments[returnedBy]!.status === 'settled'
    )
  }

  /** A debit that came back with R01, at most twice. */
  canRePresent(of: number): boolean {
    const { accounts, payments, now } = this.state
    const { type, transfer, returnCode, returnedBy, source, destination } = payments[of]!
    if (type !== 'ach' || returnedBy === null || returnCode !== 'R01') return false
    const presented = payments.filter((one) => one.transfer === transfer && one.type === 'ach')
    if (presented.at(-1) !== payments[of] || presented.length > 2) return false
    const isOpen = [source, destination].every((account) => accounts[account]!.status === 'active')
    const hasTime = now < presented[0]!.settledAt! + PRESENTED_WITHIN_MS
    return isOpen && hasTime && payments[returnedBy]!.status === 'settled'
  }

  rePresent(of: number) {
    const { pace, now, payments } = this.state
    const { customer, source, destination, cents, transfer, force } = payments[of]!
    const times = timesOut('ach', pace, now, wallTimeAt(now).date)
    const payment = this.#addPayment({
      uid: null,
      type: 'ach',
      rail: 'ach',
      customer,
      cents,
      transfer,
      source,
      destination,
      status: 'queued',
      // A failure is decided for the first presentment.
      force: force === 'fail' ? 'none' : force,
    })
    this.#schedule('begin', times.pending, payment)
    this.#schedule('finish', times.end, payment)
  }

  checkReturn(of: number): Refusal | undefined {
    const { type, status, isReceived, settledAt, destination, cents, customer } = this.state.payments[of]!
    const owner = this.state.customers[customer]!.status
    if (owner === 'archived') return refusals.archivedCustomer
    if (owner === 'pending_archival') return refusals.inactiveCustomer
    if (RETURN_TYPES.includes(type)) return refusals.returnOfReturn
    // A wire is final once it is sent.
    if (type === 'wire' && !isReceived) return refusals.returnIneligible
    if (type !== 'ach' && type !== 'wire') return refusals.returnUnsupported
    if (status !== 'settled') return refusals.returnNotSettled
    if (this.#isReturned(of)) return refusals.returnExists
    if (cents === 0) return refusals.returnOfPrenote
    const late = this.#checkReturnTime(settledAt!, type === 'ach' && !isReceived)
    if (late) return late
    // The money that came in goes out again, so it must still be there.
    const isOutgoing = isLiability(this.state.accounts[destination]!)
    return isOutgoing && cents > this.balances([destination]).available ? refusals.returnNotCreated : undefined
  }

  /** A reversal within five banking days, a return for want of authorization (R10) or a refused credit (R23) within 60 days. */
  #checkReturnTime(settledAt: number, isReversal: boolean): Refusal | undefined {
    const { now } = this.state
    const { date } = wallTimeAt(settledAt)
    if (isReversal) {
      const last = nextBankingDay(date, 5)
      if (now < instantOf(last, '17:00')) return undefined
      return now < instantOf(addDays(last, 1), '00:00') ? refusals.returnTooLate : refusals.returnExpired
    }
    const last = nextBankingDay(addDays(date, 60))
    if (now < instantOf(previousBankingDay(last), '17:00')) return undefined
    return now < instantOf(last, '08:30') ? refusals.returnTooLate : refusals.returnExpired
  }

  return(uid: string, paymentUid: string, of: number) {
    const { pace, now } = this.state
    const original = this.state.payments[of]!
    const { type, isReceived, customer, source, destination, cents, rail, transfer } = original
    const times = timesOfOwnReturn(rail, pace, now)
    const payment = this.#addPayment({
      uid: paymentUid,
      type: type === 'wire' ? 'initiated_wire_return' : isReceived ? 'initiated_ach_return' : 'initiated_ach_reversal',
      rail,
      customer,
      cents,
      transfer,
      source: this.#openOf(destination),
      destination: this.#openOf(source),
      status: 'queued',
      force: original.force === 'refuse reversal' ? 'refuse reversal' : 'none',
    })
    original.returnedBy = payment
    original.returnCode = null
    this.state.returns.push({ uid, original: of, payment })
    this.#schedule('begin', times.pending, payment)
    this.#schedule('finish', times.end, payment)
  }

  // ── VRNs ───────────────────────────────────────────────────────────────────────────────────────────────────────

  checkOpenVrn(of: number): Refusal | undefined {
    const { status, customer } = this.state.accounts[of]!
    const owner = this.state.customers[customer]!.status
    if (owner === 'archived') return refusals.archivedCustomer
    if (owner === 'pending_archival') return refusals.inactiveCustomer
    return isLiability(this.state.accounts[of]!) && status === 'active' ? undefined : refusals.vrnAccountIneligible
  }

  openVrn(uid: string, account: number, fails: boolean) {
    this.state.vrns.push({ uid, account, fails, status: 'active', isLocked: false, registration: 'pending' })
    this.#schedule(
      'register',
      this.state.now + (this.state.pace === 'fast' ? 1 : 2) * SECOND,
      this.state.vrns.length - 1,
    )
  }

  #register(of: number) {
    const vrn = this.state.vrns[of]!
    vrn.registration = vrn.fails ? 'failed' : 'registered'
  }

  checkChangeVrn(of: number, kind: 'lock vrn' | 'unlock vrn' | 'archive vrn'): Refusal | undefined {
    const { status, isLocked } = this.state.vrns[of]!
    if (kind === 'archive vrn') return undefined
    if (status === 'archived') return refusals.vrnArchived
    if (kind === 'lock vrn') return isLocked ? refusals.vrnLocked : undefined
    return isLocked ? undefined : refusals.vrnUnlocked
  }

  changeVrn(of: number, kind: 'lock vrn' | 'unlock vrn' | 'archive vrn') {
    const vrn = this.state.vrns[of]!
    if (kind === 'archive vrn') {
      vrn.status = 'archived'
      this.#unschedule(of, ['register'])
    } else vrn.isLocked = kind === 'lock vrn'
  }

  configure(settings: ProgramSettings) {
    Object.assign(this.state.settings, settings)
  }

  // ── Webhooks ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** The world becomes this one, without events. */
  replace(other: Model) {
    Object.assign(this.state, other.clone().state)
    this.#seen = this.#statuses()
  }

  /** What changes by one commit, with the events that tell of it. */
  change(act: () => void) {
    this.#seen = this.#statuses()
    act()
    this.#tellChanges()
  }

  #tellChanges() {
    const now = this.#statuses()
    for (const [topic, statuses] of Object.entries(now))
      for (const [of, status] of statuses.entries()) {
        const was = this.#seen[topic]?.[of]
        if (was === undefined ? topic !== 'customers' : was !== status) this.#tellChange(topic, of, was, status)
      }
    this.#seen = now
  }

  #tellChange(topic: string, of: number, was: string | undefined, status: string) {
    if (was === undefined) {
      this.#tell(topic, 'created', of)
      // It is denied in the commit that creates it.
      if (status !== 'authorization_denied') return
      return this.#tell(topic, 'status_change', of, `authorization_pending to ${status}`)
    }
    const isVrn = topic === 'virtual_reference_number'
    this.#tell(topic, isVrn ? 'registration_status_change' : 'status_change', of, `${was} to ${status}`)
    const isInstant = topic === 'transfers' && this.state.transfers[of]!.rail === 'instant'
    if (isInstant && status === 'settled') this.#tell(topic, 'rtp_settlement', of)
  }

  #seen: Statuses = {}

  #statuses(): Statuses {
    const { customers, accounts, payments, transfers, vrns } = this.state
    return {
      customers: customers.map(({ status }) => status as string),
      synthetic_accounts: accounts.map(({ status }) => status as string),
      transactions: payments.map(({ status }) => status as string),
      transfers: transfers.map(({ payment }) => payments[payment]!.status as string),
      virtual_reference_number: vrns.map(({ registration }) => registration as string),
    }
  }

  #tell(topic: string, type: string, of: number, change?: string) {
    const wanting = this.state.webhooks.filter((webhook) => wants(webhook, `${topic}.${type}`))
    const event = this.state.events.push([topic, of, type, ...(change ? [change] : [])].join(' ')) - 1
    for (const { hasAddress, owed } of wanting) if (hasAddress) owed.push(event)
  }

  createWebhook(uid: string | null, hasAddress: boolean, topics: Webhook['topics']) {
    this.state.webhooks.push({ uid, hasAddress, topics, owed: [], wasMoved: false })
    this.#seen = this.#statuses()
  }

  /** It goes on with these events, or from now on. */
  moveWebhook(of: number, events: readonly number[]) {
    const webhook = this.state.webhooks[of]!
    webhook.wasMoved = true
    if (!webhook.hasAddress) return
    const isWanted = (event: number) => wants(webhook, nameOfEvent(this.state.events[event]!))
    webhook.owed = [...new Set([...webhook.owed, ...events.filter(isWanted)])]
  }

  deleteWebhook(of: number) {
    this.state.webhooks = this.state.webhooks.filter((_, at) => at !== of)
  }
}

/** By topic, in the order of the records. */
type Statuses = Readonly<Record<string, readonly string[]>>

const nameOfEvent = (event: string) => {
  const [topic, , type] = event.split(' ')
  return `${topic}.${type}`
}

const wants = ({ topics }: Webhook, name: string): boolean =>
  topics === null || topics.includes(name) || topics.includes(name.split('.')[0]!)
