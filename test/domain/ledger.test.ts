import { describe, expect, it } from 'vitest'
import type { LedgerCheck } from '../../src/api/contract/control/ledger.ts'
import { textMessage } from '../../src/api/contract/messages.ts'
import type { Money } from '../../src/api/contract/terms/primitives.ts'
import { openAccounts } from '../../src/api/domain/resources/open-accounts.ts'
import * as ledger from '../../src/api/domain/rules/ledger.ts'
import { checkBooks, release, reserve } from '../../src/api/domain/rules/ledger.ts'
import { Clock } from '../../src/api/store/clock.ts'
import type { Change, Commit } from '../../src/api/store/commit.ts'
import { Store } from '../../src/api/store/store.ts'
import type { Tx } from '../../src/api/store/tx.ts'
import type {
  CustodialAccountRecord,
  CustodialLineItemRecord,
  SyntheticAccountRecord,
  SyntheticLineItemRecord,
  TransactionRecord,
} from '../../src/api/store/world.ts'
import { setUpPayments } from '../support/payments.ts'
import { CAUSE, canonical, createStore, customer } from '../support/world.ts'

/** "The books always balance. Two books (synthetic, custodial), every posting two-sided, checked at each commit." */

type Payment = Parameters<typeof post>[1]

/** A store that checks its books, with the accounts of one Customer; every one of them stands at nothing. */
function books() {
  const kept: Commit[] = []
  const { world } = createStore()
  const log = {
    append: (commit: Commit) => void kept.push(commit),
    place: null,
    oldestFirst: () => [],
    newestFirst: () => kept.toReversed(),
    firstSeq: 0,
  }
  const store = new Store(world, new Clock(world, () => 0), log, checkBooks)
  const act = <T>(work: (tx: Tx) => T): T => store.transact('A', CAUSE, work)
  const opened = act((tx) => {
    tx.synthetic_account_types.put({
      uid: 'G',
      program_uid: 'A',
      name: 'General',
      description: 'General',
      synthetic_account_category: 'general',
    })
    const owner = tx.customers.put(customer(tx))
    const pool = openAccounts(tx, owner)
    const general = tx.synthetic_accounts.findBy('pool_uid', pool.uid)
    const custodial = (type: string) =>
      tx.custodial_accounts.findBy('pool_uid', pool.uid).find((it) => it.type === type)!
    return {
      owner: owner.uid,
      pool: pool.uid,
      master: general.find(({ liability }) => liability)!.uid,
      outside: general.find(({ liability }) => !liability)!.uid,
      dda: custodial('dda').uid,
      cash: custodial('dda_cash_received').uid,
    }
  })
  let paid = 0
  /** What came from outside, or goes there. */
  const payment = (amount: string, way: 'in' | 'out' = 'in', rail: Payment['rail'] = 'wire'): Payment => ({
    uid: `payment ${++paid}`,
    rail,
    originated: false,
    customer_uid: opened.owner,
    pool_uid: opened.pool,
    source_synthetic_account_uid: way === 'in' ? opened.outside : opened.master,
    destination_synthetic_account_uid: way === 'in' ? opened.master : opened.outside,
    us_dollar_amount: amount as Money,
  })
  const account = (tx: Tx, uid: string) => tx.synthetic_accounts.get(uid) ?? tx.custodial_accounts.get(uid)!
  const shown = (uid: string) =>
    act((tx) => {
      const { net_usd_balance, net_usd_pending_balance, net_usd_available_balance, book_balance } = account(tx, uid)
      return [book_balance, net_usd_balance, net_usd_pending_balance, net_usd_available_balance].join(' ')
    })
  const count = () =>
    act((tx) => [tx.synthetic_line_items.size, tx.custodial_line_items.size, tx.transaction_events.size])
  return { world, store, kept, act, payment, shown, count, ...opened }
}
type Books = ReturnType<typeof books>

/** A payment that is held and settles in one commit. */
function post(tx: Tx, payment: Parameters<typeof ledger.post>[1]) {
  reserve(tx, payment)
  ledger.post(tx, payment)
}

// ── Hold, release, post ──────────────────────────────────────────────────────────────────────────────────────────

describe('what moves a balance', () => {
  it('hold reserves, and writes no line: a deposit is pending, a withdrawal is not available either', () => {
    const { act, payment, shown, count, master, dda, outside, cash } = books()
    act((tx) => reserve(tx, payment('10.00')))
    expect([shown(master), shown(dda)]).toEqual(['0.00 0.00 10.00 0.00', '0.00 0.00 10.00 0.00'])
    act((tx) => reserve(tx, payment('3.50', 'out')))
    expect([shown(master), shown(dda)]).toEqual(['0.00 0.00 6.50 -3.50', '0.00 0.00 6.50 -3.50'])
    expect([shown(outside), shown(cash)]).toEqual(['0.00   ', '0.00   '])
    expect(count()).toEqual([0, 0, 0])
  })

  it.each(['in', 'out'] as const)('release gives back what was held, %s', (way) => {
    const { world, act, payment, shown, master, dda } = books()
    const before = canonical(world)
    const one = payment('10.00', way)
    act((tx) => reserve(tx, one))
    expect(canonical(world)).not.toBe(before)
    act((tx) => release(tx, one))
    expect(canonical(world)).toBe(before)
    expect([shown(master), shown(dda)]).toEqual(['0.00 0.00 0.00 0.00', '0.00 0.00 0.00 0.00'])
  })

  it('post moves the amount that was held in both books, and accounts that show nothing keep their sum', () => {
    const { act, payment, shown, count, master, dda, outside, cash } = books()
    act((tx) => post(tx, payment('10.00')))
    act((tx) => post(tx, payment('12.50', 'out')))
    expect([shown(master), shown(dda)]).toEqual(['-2.50 -2.50 0.00 -2.50', '-2.50 -2.50 0.00 -2.50'])
    expect([shown(outside), shown(cash)]).toEqual(['2.50   ', '2.50   '])
    expect(count()).toEqual([4, 4, 2])
  })

  it('a book transfer moves nothing at the custodian', () => {
    const { act, payment, shown, count, master, dda } = books()
    act((tx) => post(tx, payment('10.00', 'in', 'book')))
    expect([shown(master), shown(dda)]).toEqual(['10.00 10.00 0.00 10.00', '0.00 0.00 0.00 0.00'])
    expect(count()).toEqual([2, 0, 0])
  })

  it('a prenote of 0.00 moves nothing and has no lines', () => {
    const { world, act, payment, count } = books()
    const { seq } = world
    const before = canonical(world)
    const prenote = payment('0.00')
    act((tx) => {
      reserve(tx, prenote)
      release(tx, prenote)
      post(tx, prenote)
    })
    expect([canonical(world), world.seq]).toEqual([before, seq])
    expect(count()).toEqual([0, 0, 0])
  })

  it('cents are exact: a hundred times 0.10 is 10.00', () => {
    const { act, payment, shown, master } = books()
    for (let i = 0; i < 100; i++) act((tx) => post(tx, payment('0.10')))
    expect(shown(master)).toBe('10.00 10.00 0.00 10.00')
  })
})

// ── What a commit may not do ─────────────────────────────────────────────────────────────────────────────────────

interface Deed {
  readonly work: (tx: Tx, world: Books) => void
  readonly says: (world: Books) => string
}

const firstLine = (tx: Tx) => tx.synthetic_line_items.findBy('transaction_uid', 'payment 1')[0]!
const firstCustodialLine = (tx: Tx) => tx.custodial_line_items.findBy('transaction_uid', 'payment 1')[0]!

/** A line that is put beside the ledger. */
function putLine(tx: Tx, account: string, us_dollar_amount: string, transaction_uid = 'forged') {
  const { made: _, ...like } = firstLine(tx)
  const amount = us_dollar_amount as Money
  const forged = { uid: tx.uid(), transaction_uid, synthetic_account_uid: account, us_dollar_amount: amount }
  tx.synthetic_line_items.put({ ...like, ...forged })
}
function putCustodialLine(tx: Tx, account: string, us_dollar_amount: string, transaction_uid = 'forged') {
  const { made: _, ...like } = firstCustodialLine(tx)
  const amount = us_dollar_amount as Money
  const forged = { uid: tx.uid(), transaction_uid, custodial_account_uid: account, us_dollar_amount: amount }
  tx.custodial_line_items.put({ ...like, ...forged })
}
/** An account's balances, put beside the ledger; asset accounts show none. */
function put(tx: Tx, uid: string, book_balance: string, net_usd_balance = book_balance) {
  const account = tx.synthetic_accounts.get(uid)
  const balances = { book_balance: book_balance as Money, net_usd_balance: net_usd_balance as Money }
  if (account) tx.synthetic_accounts.put({ ...account, ...balances, ...(account.liability ? {} : SHOWS_NOTHING) })
  else {
    const custodial = tx.custodial_accounts.get(uid)!
    tx.custodial_accounts.put({ ...custodial, ...balances, ...(custodial.liability ? {} : SHOWS_NOTHING) })
  }
}
const SHOWS_NOTHING = { net_usd_balance: null }

/** Lines and balances that are put beside the ledger, by account. */
const forge =
  (lines: Readonly<Record<string, string>>, balances: Readonly<Record<string, string>>) =>
  (tx: Tx, { master, outside }: Books) => {
    const uids: Readonly<Record<string, string>> = { master, outside }
    for (const [account, amount] of Object.entries(lines)) putLine(tx, uids[account] ?? account, amount)
    for (const [account, balance] of Object.entries(balances)) put(tx, uids[account]!, balance)
  }
const lineChanged =
  (line: (tx: Tx) => { uid: string }, collection: string) =>
  ({ act }: Books) =>
    `line item ${act(line).uid} of ${collection} is changed or removed; line items never change`

/** Before each of these, 10.00 came in by wire: the master account and the dda stand at 10.00, the others at -10.00. */
const DEEDS: Readonly<Record<string, Deed>> = {
  'an edited line': {
    work: (tx) => tx.synthetic_line_items.put({ ...firstLine(tx), us_dollar_amount: '-9.00' as Money }),
    says: lineChanged(firstLine, 'synthetic_line_items'),
  },
  'a line of which only the description is edited': {
    work: (tx) => tx.synthetic_line_items.put({ ...firstLine(tx), description: textMessage('Something else') }),
    says: lineChanged(firstLine, 'synthetic_line_items'),
  },
  'an edited custodial line': {
    work: (tx) => tx.custodial_line_items.put({ ...firstCustodialLine(tx), status: 'voided' }),
    says: lineChanged(firstCustodialLine, 'custodial_line_items'),
  },
  'a removed line': {
    work: (tx) => tx.synthetic_line_items.remove(firstLine(tx).uid),
    says: lineChanged(firstLine, 'synthetic_line_items'),
  },
  'one line alone, with its account': {
    work: forge({ master: '5.00' }, { master: '15.00' }),
    says: () => 'the line items of forged in synthetic_line_items sum to 5.00; 0.00 is expected',
  },
  'two lines that miss a cent': {
    work: forge({ master: '5.00', outside: '-4.99' }, { master: '15.00', outside: '-14.99' }),
    says: () => 'the line items of forged in synthetic_line_items sum to 0.01; 0.00 is expected',
  },
  'the lines of two payments that only together sum to zero': {
    work: (tx, { master, outside }) => {
      putLine(tx, master, '5.00', 'one')
      putLine(tx, outside, '-5.00', 'another')
      put(tx, master, '15.00')
      put(tx, outside, '-15.00')
    },
    says: () => 'the line items of one in synthetic_line_items sum to 5.00; 0.00 is expected',
  },
  'one line in each book': {
    work: (tx, { master, cash }) => {
      putLine(tx, master, '5.00')
      putCustodialLine(tx, cash, '-5.00')
      put(tx, master, '15.00')
      put(tx, cash, '-15.00')
    },
    says: () => 'the line items of forged in synthetic_line_items sum to 5.00; 0.00 is expected',
  },
  'a custodial line alone': {
    work: (tx, { dda }) => {
      putCustodialLine(tx, dda, '5.00')
      put(tx, dda, '15.00')
    },
    says: () => 'the line items of forged in custodial_line_items sum to 5.00; 0.00 is expected',
  },
  'an account that moved without lines': {
    work: (tx, { master }) => put(tx, master, '10.01'),
    says: ({ master }) => `${master} has a balance of 10.01; its line items sum to 10.00`,
  },
  'an account at the custodian that moved without lines': {
    work: (tx, { dda }) => put(tx, dda, '9.00'),
    says: ({ dda }) => `${dda} has a balance of 9.00; its line items sum to 10.00`,
  },
  'an account without a shown balance that moved without lines': {
    work: (tx, { outside }) => put(tx, outside, '0.00'),
    says: ({ outside }) => `${outside} has a balance of 0.00; its line items sum to -10.00`,
  },
  'a shown balance that is not the sum of the lines': {
    work: (tx, { master }) => put(tx, master, '10.00', '10.01'),
    says: ({ master }) => `${master} has a balance of 10.00; its line items sum to 10.00`,
  },
  'an account that moved by another amount than its lines': {
    work: forge({ master: '5.00', outside: '-5.00' }, { master: '14.00', outside: '-15.00' }),
    says: ({ master }) => `${master} has a balance of 14.00; its line items sum to 15.00`,
  },
  'an account that is opened with money in it': {
    work: (tx, { master }) => {
      const { made: _, ...like } = tx.synthetic_accounts.get(master)!
      tx.synthetic_accounts.put({ ...like, uid: 'born rich' })
    },
    says: () => 'born rich has a balance of 10.00; its line items sum to 0.00',
  },
  'lines without a move': {
    work: forge({ master: '5.00', outside: '-5.00' }, {}),
    says: ({ master }) => `${master} has new line items and an unchanged balance`,
  },
  'lines of which one account did not move': {
    work: forge({ master: '5.00', outside: '-5.00' }, { master: '15.00' }),
    says: ({ outside }) => `${outside} has new line items and an unchanged balance`,
  },
  'lines of an account that is not there': {
    work: forge({ master: '5.00', nowhere: '-5.00' }, { master: '15.00' }),
    says: () => 'nowhere has new line items and an unchanged balance',
  },
}

describe('2: "checked at each commit"', () => {
  const begin = () => {
    const told = books()
    told.act((tx) => post(tx, told.payment('10.00')))
    return told
  }

  it.each(Object.entries(DEEDS))('%s is refused, and leaves nothing', (_what, { work, says }) => {
    const told = begin()
    const { world, store, kept, act } = told
    const message = `The books: ${says(told)} (by the operator test)`
    const heard: Commit[] = []
    store.subscribe((commit) => heard.push(commit))
    const before = { world: canonical(world), seq: world.seq, commits: kept.length }
    let thrown: unknown
    try {
      act((tx) => work(tx, told))
    } catch (error) {
      thrown = error
    }
    expect((thrown as Error | undefined)?.message).toBe(message)
    expect({ world: canonical(world), seq: world.seq, commits: kept.length }).toEqual(before)
    expect(heard).toEqual([])
    // And the store goes on.
    act((tx) => post(tx, told.payment('1.00')))
    expect([kept.length, told.shown(told.master)]).toEqual([before.commits + 1, '11.00 11.00 0.00 11.00'])
  })

  it('one deed spoils everything that was done along with it', () => {
    const told = begin()
    const { world, act, master, payment, shown } = told
    const before = canonical(world)
    expect(() =>
      act((tx) => {
        post(tx, payment('7.00'))
        tx.customers.put(customer(tx))
        put(tx, master, '17.01')
      }),
    ).toThrow(`The books: ${master} has a balance of 17.01; its line items sum to 17.00`)
    expect(canonical(world)).toBe(before)
    expect(shown(master)).toBe('10.00 10.00 0.00 10.00')
  })

  it('pending and available balances may change without line items', () => {
    const { act, master, shown } = begin()
    act((tx) => {
      const pending = { net_usd_pending_balance: '1.00' as Money, net_usd_available_balance: '2.00' as Money }
      tx.synthetic_accounts.put({ ...tx.synthetic_accounts.get(master)!, ...pending })
    })
    expect(shown(master)).toBe('10.00 10.00 1.00 2.00')
  })

  it('several payments of one commit are each checked, and all are stored', () => {
    const { act, kept, master, payment, shown } = begin()
    const before = kept.length
    act((tx) => {
      post(tx, payment('1.00'))
      post(tx, payment('2.00', 'out'))
      post(tx, payment('4.00'))
    })
    expect([kept.length, shown(master)]).toEqual([before + 1, '13.00 13.00 0.00 13.00'])
  })
})

describe('checkBooks by itself', () => {
  const line = (account: string, us_dollar_amount: string, more: object = {}): Change => ({
    collection: 'synthetic_line_items',
    uid: `line of ${account}`,
    was: null,
    record: {
      uid: `line of ${account}`,
      transaction_uid: 'T',
      synthetic_account_uid: account,
      us_dollar_amount,
      ...more,
    } as SyntheticLineItemRecord,
  })
  const account = (uid: string, was: string | undefined, is: string, shows: string | null = is): Change => {
    const of = (book_balance: string, net_usd_balance: string | null) =>
      ({ uid, book_balance, net_usd_balance }) as SyntheticAccountRecord
    return {
      collection: 'synthetic_accounts',
      uid,
      was: was === undefined ? null : of(was, was),
      record: of(is, shows),
    }
  }

  const reversed = (changes: readonly Change[]) =>
    changes.map(({ record, was, ...change }) => ({ ...change, record: was, was: record }))
  const payment = [line('a', '-5.00'), line('b', '5.00'), account('a', '0.00', '-5.00'), account('b', '1.00', '6.00')]
  const rewind = (changes: readonly Change[]) => () => checkBooks({ changes: reversed(changes), goes_on_from: 1 })

  it('a rewind removes line items and changes balances by as much', () => {
    expect(rewind(payment)).not.toThrow()
    expect(rewind([...payment, account('c', undefined, '0.00')])).not.toThrow()
  })

  it.each<[string, Change[], string]>([
    ['without one of the lines', payment.slice(1), 'the line items of T in synthetic_line_items sum to -5.00'],
    ['without one of the accounts', payment.slice(0, 3), 'b has new line items and an unchanged balance'],
    ['without the lines', payment.slice(2), 'a has a balance of 0.00; its line items sum to -5.00'],
    ['that removes an account with money', [account('c', undefined, '5.00')], 'c has a balance of 0.00'],
  ])('a rewind %s is refused', (_what, changes, says) => {
    expect(rewind(changes)).toThrow(says)
  })

  it('an account of one book is not taken for one of the other book, whose uid it has', () => {
    const inCustodialBook = { ...account('a', '0.00', '-5.00'), collection: 'custodial_accounts' } as const
    expect(() => checkBooks({ changes: [...payment.filter((it) => it.uid !== 'a'), inCustodialBook] })).toThrow('a has')
  })
})

// ── The proof afterwards ─────────────────────────────────────────────────────────────────────────────────────────

/** 100.00 came in, 30.00 went out, 20.00 was put aside, and 5.00 is on its way out. */
async function proven() {
  const told = await setUpPayments()
  const { sandbox, customer, fund, account, pay, advance, list } = told
  const of = await customer()
  const funded = await fund(of, '100.00')
  const mill = await account(of, 'ach_external')
  const savings = await account(of, 'general')
  const harbor = await account(of, 'wire_external')
  const out = (await pay(of, of.master, mill, '30.00')).transaction_uids[0]!
  await advance({ until: 'idle' })
  const aside = (await pay(of, of.master, savings, '20.00')).transaction_uids[0]!
  await advance({ until: 'idle' })
  const waiting = (await pay(of, of.master, harbor, '5.00')).transaction_uids[0]!

  const { collections } = sandbox.store.world
  const synthetic = collections.synthetic_line_items.inOrder()
  const custodial = collections.custodial_line_items.inOrder()
  const [dda] = (await list<{ uid: string }>('/custodial_accounts?type=dda')).map(({ uid }) => uid)
  const lineOf = (payment: string, account: string) =>
    (synthetic.find((it) => it.transaction_uid === payment && it.synthetic_account_uid === account) ??
      custodial.find((it) => it.transaction_uid === payment && it.custodial_account_uid === account))!.uid
  /** Behind the store's back. */
  const edit = {
    line: (uid: string, more: Partial<SyntheticLineItemRecord> | Partial<CustodialLineItemRecord> | undefined) => {
      const own = collections.synthetic_line_items.get(uid)
      if (own) collections.synthetic_line_items.set(uid, more && ({ ...own, ...more } as SyntheticLineItemRecord))
      else {
        const other = collections.custodial_line_items.get(uid)!
        collections.custodial_line_items.set(uid, more && ({ ...other, ...more } as CustodialLineItemRecord))
      }
    },
    account: (uid: string, more: Partial<Record<keyof SyntheticAccountRecord, unknown>> | undefined) => {
      const own = collections.synthetic_accounts.get(uid)
      if (own) collections.synthetic_accounts.set(uid, more && ({ ...own, ...more } as SyntheticAccountRecord))
      else {
        const other = collections.custodial_accounts.get(uid)!
        collections.custodial_accounts.set(uid, more && ({ ...other, ...more } as CustodialAccountRecord))
      }
    },
    transaction: (uid: string, more: Partial<TransactionRecord>) =>
      collections.transactions.set(uid, { ...collections.transactions.get(uid)!, ...more }),
  }
  const check = async () => {
    const reply = await sandbox.call('ledger.check', {})
    expect(reply).toMatchObject({ ok: true })
    return (reply as { value: LedgerCheck }).value
  }
  return {
    ...told,
    of,
    pool: of.pool,
    master: of.master,
    mill,
    savings,
    harbor,
    dda: dda!,
    collections,
    funded,
    out,
    aside,
    waiting,
    lineOf,
    edit,
    check,
  }
}
type Proven = Awaited<ReturnType<typeof proven>>

const DAMAGES: Readonly<Record<string, { wound: (world: Proven) => void; problems: (world: Proven) => string[] }>> = {
  'a running balance': {
    wound: ({ edit, lineOf, funded, master }) =>
      edit.line(lineOf(funded, master), { running_us_dollar_balance: '99.00' as Money }),
    problems: ({ lineOf, funded, master }) => [
      `line item ${lineOf(funded, master)} shows a running balance of 99.00; the line items up to it sum to 100.00`,
    ],
  },
  'a running balance at the custodian': {
    wound: ({ edit, lineOf, out, dda }) => edit.line(lineOf(out, dda), { running_us_dollar_balance: '70.01' as Money }),
    problems: ({ lineOf, out, dda }) => [
      `line item ${lineOf(out, dda)} shows a running balance of 70.01; the line items up to it sum to 70.00`,
    ],
  },
  'the amount of a line': {
    wound: ({ edit, lineOf, aside, savings }) =>
      edit.line(lineOf(aside, savings), { us_dollar_amount: '21.00' as Money }),
    problems: ({ lineOf, aside, savings, pool }) => [
      `line item ${lineOf(aside, savings)} shows a running balance of 20.00; the line items up to it sum to 21.00`,
      `the line items of ${aside} in the synthetic book sum to 1.00; 0.00 is expected`,
      `${savings} has a balance of 20.00; its line items sum to 21.00`,
      `${savings} shows 20.00; its line items sum to 21.00`,
      `${savings} shows 20.00 available; settled minus pending withdrawals is 21.00`,
      `Pool ${pool} has 71.00 in the synthetic book and 70.00 in the custodial book`,
    ],
  },
  'a line that is gone': {
    wound: ({ edit, lineOf, out, dda }) => edit.line(lineOf(out, dda), undefined),
    problems: ({ out, dda, pool }) => [
      `the line items of ${out} in the custodial book sum to 30.00; 0.00 is expected`,
      `${dda} has a balance of 70.00; its line items sum to 100.00`,
      `${dda} shows 70.00; its line items sum to 100.00`,
      `${dda} shows 65.00 available; settled minus pending withdrawals is 95.00`,
      `Pool ${pool} has 70.00 in the synthetic book and 100.00 in the custodial book`,
    ],
  },
  'a line that stands with another account': {
    wound: ({ edit, lineOf, aside, savings, mill }) =>
      edit.line(lineOf(aside, savings), { synthetic_account_uid: mill }),
    problems: ({ lineOf, aside, savings, mill, pool }) => [
      `line item ${lineOf(aside, savings)} shows a running balance of 20.00; the line items up to it sum to 50.00`,
      `${mill} has a balance of 30.00; its line items sum to 50.00`,
      `${savings} has a balance of 20.00; its line items sum to 0.00`,
      `${savings} shows 20.00; its line items sum to 0.00`,
      `${savings} shows 20.00 available; settled minus pending withdrawals is 0.00`,
      `Pool ${pool} has 50.00 in the synthetic book and 70.00 in the custodial book`,
    ],
  },
  'a line that belongs to another payment': {
    wound: ({ edit, lineOf, aside, savings, out }) => edit.line(lineOf(aside, savings), { transaction_uid: out }),
    problems: ({ aside, out }) => [
      `the line items of ${out} in the synthetic book sum to 20.00; 0.00 is expected`,
      `the line items of ${aside} in the synthetic book sum to -20.00; 0.00 is expected`,
    ],
  },
  'the sum that an account keeps without showing it': {
    wound: ({ edit, mill }) => edit.account(mill, { book_balance: '31.00' }),
    problems: ({ mill }) => [`${mill} has a balance of 31.00; its line items sum to 30.00`],
  },
  'a shown balance': {
    wound: ({ edit, master }) => edit.account(master, { net_usd_balance: '49.00' }),
    problems: ({ master }) => [`${master} shows 49.00; its line items sum to 50.00`],
  },
  'a shown balance at the custodian': {
    wound: ({ edit, dda }) => edit.account(dda, { net_usd_balance: '70.10' }),
    problems: ({ dda }) => [`${dda} shows 70.10; its line items sum to 70.00`],
  },
  'what is pending': {
    wound: ({ edit, master }) => edit.account(master, { net_usd_pending_balance: '0.00' }),
    problems: ({ master }) => [`${master} shows 0.00 pending; its open payments sum to -5.00`],
  },
  'what is available': {
    wound: ({ edit, dda }) => edit.account(dda, { net_usd_available_balance: '70.00' }),
    problems: ({ dda }) => [`${dda} shows 70.00 available; settled minus pending withdrawals is 65.00`],
  },
  'a payment on its way that is forgotten': {
    wound: ({ edit, waiting }) => edit.transaction(waiting, { open_for: [] }),
    problems: ({ master, dda }) =>
      [
        [master, '45.00', '50.00'],
        [dda, '65.00', '70.00'],
      ].flatMap(([uid, shows, is]) => [
        `${uid} shows -5.00 pending; its open payments sum to 0.00`,
        `${uid} shows ${shows} available; settled minus pending withdrawals is ${is}`,
      ]),
  },
  'the amount of a payment on its way': {
    wound: ({ edit, waiting }) => edit.transaction(waiting, { us_dollar_amount: '6.00' as Money }),
    problems: ({ master, dda }) =>
      [
        [master, '45.00', '44.00'],
        [dda, '65.00', '64.00'],
      ].flatMap(([uid, shows, is]) => [
        `${uid} shows -5.00 pending; its open payments sum to -6.00`,
        `${uid} shows ${shows} available; settled minus pending withdrawals is ${is}`,
      ]),
  },
  'a posting, whole in itself, in one book alone': {
    wound: ({ edit, collections, master, mill, lineOf, out }) => {
      const last = Math.max(...collections.synthetic_line_items.inOrder().map(({ made }) => made))
      for (const [n, account, amount, running] of [
        [1, master, '-10.00', '40.00'],
        [2, mill, '10.00', '40.00'],
      ] as const) {
        const like = collections.synthetic_line_items.get(lineOf(out, account))!
        const uid = `forged ${n}`
        const forged = { uid, transaction_uid: 'forged', us_dollar_amount: amount as Money, made: last + n }
        const line = { ...like, ...forged, running_us_dollar_balance: running as Money }
        collections.synthetic_line_items.set(uid, line)
      }
      edit.account(mill, { book_balance: '40.00' })
      edit.account(master, { book_balance: '40.00', net_usd_balance: '40.00', net_usd_available_balance: '35.00' })
    },
    problems: ({ pool }) => [`Pool ${pool} has 60.00 in the synthetic book and 70.00 in the custodial book`],
  },
}

describe('ledger.check: "recomputed from line items, not from cached balances"', () => {
  it('proves sound books, and counts what it looked at', async () => {
    const { check } = await proven()
    expect(await check()).toEqual({
      balanced: true,
      checked: {
        programs: 1,
        synthetic_line_items: 6,
        custodial_line_items: 4,
        synthetic_accounts: 5,
        custodial_accounts: 3,
        pools: 1,
        transactions: 4,
      },
      problems: [],
    })
  })

  it.each(Object.entries(DAMAGES))('finds %s, and says where', async (_what, { wound, problems }) => {
    const told = await proven()
    const expected = problems(told)
    wound(told)
    const { balanced, problems: found } = await told.check()
    expect(balanced).toBe(false)
    expect([...found].sort()).toEqual([...expected].sort())
  })

  it('looks, and mends nothing', async () => {
    const { check, edit, master, sandbox } = await proven()
    edit.account(master, { net_usd_balance: '49.00' })
    const { world } = sandbox.store
    const before = { world: canonical(world), seq: world.seq }
    const first = await check()
    expect(await check()).toEqual(first)
    expect({ world: canonical(world), seq: world.seq }).toEqual(before)
  })

  it('finds damage in any Program', async () => {
    const { check, sandbox, collections, edit, master } = await proven()
    expect(await sandbox.call('programs.create', { name: 'Elsewhere' })).toMatchObject({ ok: true })
    const [, elsewhere] = sandbox.programs()
    const opened = sandbox.store.transact(elsewhere!.uid, CAUSE, (tx) =>
      openAccounts(tx, tx.customers.put(customer(tx))),
    )
    expect(await check()).toMatchObject({ balanced: true, checked: { programs: 2, custodial_accounts: 6 } })
    const theirs = collections.synthetic_accounts.inOrder().find((it) => it.pool_uid === opened.uid && it.liability)!
    edit.account(theirs.uid, { net_usd_balance: '1.00' })
    edit.account(master, { net_usd_pending_balance: '0.00' })
    expect((await check()).problems.sort()).toEqual(
      [
        `${theirs.uid} shows 1.00; its line items sum to 0.00`,
        `${master} shows 0.00 pending; its open payments sum to -5.00`,
      ].sort(),
    )
  })

  it('finds an account that is gone, though its lines are there', async () => {
    const { check, edit, mill } = await proven()
    edit.account(mill, undefined)
    const { balanced, problems } = await check()
    expect([balanced, problems.join()]).toEqual([false, expect.stringContaining(mill)])
  })

  it('finds an account that is gone, though a payment on its way concerns it', async () => {
    const { check, edit, harbor } = await proven()
    edit.account(harbor, undefined)
    const { balanced, problems } = await check()
    expect([balanced, problems.join()]).toEqual([false, expect.stringContaining(harbor)])
  })
})
