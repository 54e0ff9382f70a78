import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Refused, showApp } from './support.tsx'

afterEach(cleanup)

const amounts = (before: string, after: string, change: string) => ({ before, after, change })
const none = amounts('0.00', '0.00', '0.00')
const record = {
  collection: 'transactions',
  uid: 'paymentInB',
  matched_uid: 'paymentInA',
  name: 'Rent',
  amount: '10.00',
  status: { before: 'settled', after: 'pending' },
  what: 'changed',
  fields: [{ field: 'status', before: 'settled', after: 'pending' }],
  folded: [{ field: 'uid', before: 'paymentInA', after: 'paymentInB' }],
}
const comparison = {
  clock: { before: '2026-11-20T14:04:18.000Z', after: '2026-11-20T14:04:18.000Z' },
  sentences: [{ says: 'Primary of Ada +10.00 in one.', collection: 'synthetic_accounts', uid: 'account' }],
  balances: [
    {
      synthetic_account_uid: 'account',
      matched_uid: null,
      name: 'Primary',
      customer: 'Ada',
      settled: amounts('10.00', '0.00', '-10.00'),
      available: none,
      pending: none,
    },
  ],
  records: [record],
  others: [],
  total_count: { sentences: 3, balances: 1, records: 1, others: 7 },
}
const worlds = ['one', 'two'].map((name) => ({
  name,
  from: 'current',
  at: comparison.clock.before,
  seq: 1,
  records: 1,
}))

it('a comparison says what differs in words, then in money, and links a matched payment by its uid in each world', async () => {
  showApp('/#/compare?a=one&b=two', { 'worlds.list': { worlds }, 'worlds.compare': comparison })
  const said = await screen.findByRole('status', { name: 'In words' })
  expect(said.textContent).toBe('Primary of Ada +10.00 in one.and 2 other sentences')
  const pane = within(screen.getByRole('region', { name: 'Comparison' }))
  const balance = pane.getByRole('row', { name: /^Primary of Ada/ })
  expect(balance.textContent).toMatch(/settled10\.000\.00\u221210\.00$/)
  const links = within(pane.getByRole('row', { name: /^Transaction Rent/ })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/worlds/one/#/transactions/paymentInA',
    '/worlds/two/#/transactions/paymentInB',
  ])
  expect(pane.getByText(/^7 other differences/)).toBeTruthy()
})

it('a snapshot that was deleted is named, and is not asked for again', async () => {
  const { calls } = showApp('/#/compare?of=snapshots&a=gone', {
    'snapshots.list': { snapshots: [{ name: 'kept' }] },
    'snapshots.compare': new Refused(404, 1001, 'Page Not Found'),
  })
  expect(await screen.findByText('There is no snapshot “gone”.')).toBeTruthy()
  await waitFor(() => expect(calls.some(({ name }) => name === 'snapshots.list')).toBe(true))
  expect(calls.filter(({ name }) => name === 'snapshots.compare')).toEqual([])
})
