import { describe, expect, it } from 'vitest'
import {
  type AnyMessage,
  formatCounterparty,
  formatMessage,
  isMessage,
  sentences,
  textMessage,
  textOf,
} from '../../src/api/contract/messages.ts'
import { outcomeGlyph, taskKinds } from '../../src/api/contract/tasks.ts'

const transfer = (source_account_name: string, destination_account_name: string): AnyMessage => ({
  code: 'transfer',
  facts: { source_account_name, destination_account_name },
})
const received = (code: string, rail: string, counterparty_name: string): AnyMessage => ({
  code,
  facts: { rail, counterparty_name },
})
const payment = { us_dollar_amount: '12.34', transaction_type: 'book_transfer', transaction_uid: 'EhrQZJNjCd79LLYq' }
const ada = { customer_name: 'Ada Harbor', customer_uid: 'dMn5Pw7RkZx2cVb4' }

describe('the sentences of the public API stay as they are', () => {
  it.each<[AnyMessage, string]>([
    [transfer('Payroll', 'Northern "Mill" Co'), 'Transfer from "Payroll" to "Northern "Mill" Co"'],
    [{ code: 'line', facts: { movement: 'debit', direction: 'to', account_name: 'Growth' } }, 'Debit to "Growth"'],
    [{ code: 'line', facts: { movement: 'credit', direction: 'from', account_name: 'A' } }, 'Credit from "A"'],
    [{ code: 'line', facts: { movement: 'deposit', direction: 'to', account_name: 'A' } }, 'Deposit to "A"'],
    [{ code: 'line', facts: { movement: 'withdrawal', direction: 'from', account_name: 'A' } }, 'Withdrawal from "A"'],
    [received('received_credit', 'wire', 'Grand Hotel'), 'Wire credit from Grand Hotel'],
    [received('received_credit', 'instant_payment', 'Ruth'), 'Instant payment credit from Ruth'],
    [received('received_debit', 'ach', 'Streamline'), 'ACH debit by Streamline'],
    [
      { code: 'ach_return', facts: { ach_return_code: 'R01', original: transfer('A', 'B') } },
      'ACH return R01 of Transfer from "A" to "B"',
    ],
    [
      {
        code: 'requested_return',
        facts: { return_type: 'initiated_wire_return', direction: 'debit', account_uid: 'uKxm' },
      },
      'Wire return debited from uKxm',
    ],
    [
      {
        code: 'requested_return',
        facts: { return_type: 'initiated_ach_reversal', direction: 'credit', account_uid: 'uKxm' },
      },
      'ACH reversal credited to uKxm',
    ],
    [
      { code: 'paper_check', facts: { ...ada, street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' } },
      'Paper check to Ada Harbor, 1 Quay, Ames, IA, 50010',
    ],
    [
      { code: 'paper_check', facts: { ...ada, customer_name: null, city: null, state: 'IA' } },
      'Paper check to Customer dMn5Pw7RkZx2cVb4, IA',
    ],
    [textMessage('Opening balance'), 'Opening balance'],
    [{ code: 'pool', facts: ada }, 'Ada Harbor dMn5'],
    [{ code: 'pool', facts: { ...ada, customer_name: null } }, 'Customer dMn5Pw7RkZx2cVb4 dMn5'],
  ])('%j', (message, text) => {
    expect(formatMessage(message)).toBe(text)
    expect(textOf(message)).toBe(text)
  })
})

describe('why a task is scheduled', () => {
  it.each<[AnyMessage, string, string]>([
    [{ code: 'payment_sent', facts: payment }, '12.34 by book transfer (EhrQZJNjCd79LLYq) is sent', 'it is sent'],
    [{ code: 'payment_ends', facts: payment }, '12.34 by book transfer (EhrQZJNjCd79LLYq) ends', 'it ends'],
    [
      { code: 'return_arrives', facts: payment },
      'A return of 12.34 by book transfer (EhrQZJNjCd79LLYq) arrives',
      'A return of it arrives',
    ],
    [
      { code: 'authorization_closes', facts: payment },
      'The window to authorize 12.34 by book transfer (EhrQZJNjCd79LLYq) closes',
      'The window to authorize it closes',
    ],
    [
      { code: 'payment_sent', facts: { ...payment, us_dollar_amount: '1234567.80' } },
      '1,234,567.80 by book transfer (EhrQZJNjCd79LLYq) is sent',
      'it is sent',
    ],
    [{ code: 'archival_continues', facts: {} }, 'Archival continues', 'Archival continues'],
  ])('%j, with and without the name of the payment', (message, text, short) => {
    expect(formatMessage(message)).toBe(text)
    expect(formatMessage(message, () => 'it')).toBe(short)
  })
})

describe('the counterparty of a payment', () => {
  it.each<[AnyMessage, string, string]>([
    [transfer('Payroll', 'Northern "Mill" Co'), 'negative', 'to Northern "Mill" Co'],
    [transfer('Mill', 'Payroll'), 'positive', 'from Mill'],
    [transfer('Growth', 'Operations'), 'neutral', 'Growth → Operations'],
    [received('received_credit', 'wire', 'Grand Hotel'), 'positive', 'from Grand Hotel'],
    [received('received_debit', 'ach', 'Streamline'), 'negative', 'by Streamline'],
    [
      { code: 'ach_return', facts: { ach_return_code: 'R01', original: transfer('A', 'B') } },
      'positive',
      'R01 of Transfer from "A" to "B"',
    ],
    [textMessage('Opening balance'), 'positive', 'Opening balance'],
  ])('%j, %s: %s', (message, netAsset, text) => {
    expect(formatCounterparty(message, netAsset)).toBe(text)
  })
})

describe('isMessage', () => {
  it.each([
    [textMessage('a'), true],
    [{ code: 'archived', facts: {} }, true],
    [{ code: 'unknown', facts: {} }, false],
    [{ code: 'toString', facts: {} }, false],
    [{ code: 'text' }, false],
    [{ code: 'C01', corrected_data: 'x' }, false],
    ['text', false],
    [null, false],
    [undefined, false],
  ])('%j: %s', (value, expected) => expect(isMessage(value)).toBe(expected))

  it('a text is its own text, and anything else has none', () => {
    expect(textOf('a')).toBe('a')
    expect([textOf(null), textOf(undefined), textOf(7), textOf({})]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('a message without a sentence is refused', () => {
    expect(() => formatMessage({ code: 'unknown', facts: {} })).toThrow('There is no sentence for the message unknown')
  })
})

describe('outcomes', () => {
  it.each(Object.entries(taskKinds))('%s ends with outcomes that have a sentence', (_kind, { outcomes }) => {
    for (const code of outcomes) expect(Object.hasOwn(sentences, code)).toBe(true)
  })

  it.each<[AnyMessage, string]>([
    [{ code: 'pending', facts: {} }, 'under-way'],
    [{ code: 'settled', facts: {} }, 'done'],
    [{ code: 'failed', facts: {} }, 'broken'],
    [{ code: 'failed_with', facts: { error: 'no' } }, 'broken'],
    [{ code: 'returned', facts: { ach_return_code: 'R01' } }, 'broken'],
    [{ code: 'returned_before', facts: {} }, 'stopped'],
    [{ code: 'archival_waits', facts: { payment_count: 1 } }, 'stopped'],
    [{ code: 'archived', facts: {} }, 'closed'],
    [{ code: 'registration', facts: { registration_status: 'failed' } }, 'broken'],
    [{ code: 'registration', facts: { registration_status: 'registered' } }, 'done'],
    [textMessage('mended'), 'done'],
  ])('%j is drawn as %s', (message, glyph) => expect(outcomeGlyph(message)).toBe(glyph))
})
