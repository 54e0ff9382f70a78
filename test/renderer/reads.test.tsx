import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { Bridge } from '../../src/api/contract/control/client.ts'
import { useFeed } from '../../src/renderer/data/feed.ts'
import { useRecords } from '../../src/renderer/data/live-list.ts'
import { listenToHash } from '../../src/renderer/data/route.ts'
import { connect, useQuery } from '../../src/renderer/data/sandbox.ts'
import { useAccounts } from '../../src/renderer/screens/accounts/use-ledger.ts'
import { changeDraft, dropDraft, dropSaved, getDraft } from '../../src/renderer/screens/settings/draft.ts'
import { fakeBridge, program } from './support.tsx'

afterEach(cleanup)

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

it('accounts that change while all are being read are read again, and none is shown before that', async () => {
  const accounts = [{ uid: 'a', balance: '1.00' }]
  const calls: object[] = []
  let release = () => {}
  const gate = new Promise<void>((done) => {
    release = done
  })
  const fake = fakeBridge()
  const bridge: Bridge = {
    ...fake.bridge,
    call: async (name, input) => {
      if (name !== 'ledger.accounts') return fake.bridge.call(name, input)
      calls.push(input as object)
      const value = { accounts: structuredClone(accounts) }
      if (calls.length === 1) await gate
      return { ok: true, value }
    },
  }
  onTestFinished(connect(bridge))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  const shown = renderHook(() => useAccounts(program.uid, undefined))
  await waitFor(() => expect(calls).toHaveLength(1))
  accounts.push({ uid: 'b', balance: '2.00' })
  const cause = { door: 'request', name: 'POST /synthetic_accounts' } as const
  const collections = ['synthetic_accounts']
  const at = '2026-11-20T14:04:18.000Z'
  act(() => fake.notify({ type: 'commit', seq: 2, operation: 2, at, cause, collections, uids: ['b'] }))
  await waitFor(() => expect(useFeed.getState().changed).toEqual(['b']))
  expect(shown.result.current.accounts).toBeUndefined()
  release()
  await waitFor(() => expect(shown.result.current.accounts?.map(({ uid }) => uid)).toEqual(['a', 'b']))
  expect(calls).toEqual([{ program_uid: program.uid }, { program_uid: program.uid, uid: ['b'] }])
})

it('accounts are read by one call at a time: an older answer never replaces a newer one', async () => {
  let balance = '1.00'
  let gate = Promise.resolve()
  let release = () => {}
  const fake = fakeBridge()
  const call: Bridge['call'] = async (name, input) => {
    if (name !== 'ledger.accounts') return fake.bridge.call(name, input)
    const value = { accounts: [{ uid: 'a', balance }] }
    await gate
    return { ok: true, value }
  }
  onTestFinished(connect({ ...fake.bridge, call }))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  const shown = renderHook(() => useAccounts(program.uid, undefined))
  const showsBalance = (wanted: string) =>
    waitFor(() => expect(shown.result.current.accounts).toEqual([{ uid: 'a', balance: wanted }]))
  await showsBalance('1.00')
  const change = async (seq: number) => {
    balance = `${seq}.00`
    const collections = ['synthetic_accounts']
    act(() => fake.notify({ type: 'omitted', requests: [], doors: ['request'], seq, collections, uids: null }))
    await waitFor(() => expect(useFeed.getState().seq).toBe(seq))
  }
  gate = new Promise((done) => {
    release = done
  })
  await change(2)
  gate = Promise.resolve()
  await change(3)
  await act(nextTurn)
  release()
  await act(nextTurn)
  await showsBalance('3.00')
})

it('a call that waits begins once it no longer has to', async () => {
  const fake = fakeBridge()
  onTestFinished(connect(fake.bridge))
  const count = () => fake.calls.filter(({ name }) => name === 'ledger.check').length
  const query = renderHook(({ waits }) => useQuery('ledger.check', {}, [], { waits }), {
    initialProps: { waits: true },
  })
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  expect(count()).toBe(0)
  query.rerender({ waits: false })
  await waitFor(() => expect(count()).toBe(1))
  query.rerender({ waits: true })
  query.rerender({ waits: false })
  expect(count()).toBe(1)
})

it('accounts that are still loading are not shown as none', async () => {
  // Loaded late: the chart library needs what support.tsx sets up.
  const { Accounts } = await import('../../src/renderer/screens/accounts/Accounts.tsx')
  location.hash = '#/accounts'
  onTestFinished(listenToHash())
  const fake = fakeBridge()
  const never = new Promise<never>(() => {})
  const call: Bridge['call'] = (name, input) => (name === 'ledger.accounts' ? never : fake.bridge.call(name, input))
  onTestFinished(connect({ ...fake.bridge, call }))
  render(<Accounts />)
  await waitFor(() => expect(document.querySelector('[data-footer]')?.textContent).toBe('settled, USD–'))
})

it('changes of the settings stay if they are made while others are being saved', () => {
  for (const [path, value] of Object.entries({ name: 'Harbor', authorization_hours: '12', products: [] }))
    changeDraft('P', path, value)
  const saved = getDraft('P')
  changeDraft('P', 'authorization_hours', '24')
  changeDraft('P', 'strict', true)
  dropSaved('P', saved)
  expect(getDraft('P')).toEqual({ authorization_hours: '24', strict: true })
  dropDraft('P')
})

it('a record of a list that changes while its last change is being read is read again', async () => {
  const row = { uid: 'a', status: 'due' }
  const list = () => ({ total_count: 1, count: 1, data: [structuredClone(row)] })
  let read = () => {}
  let gate: Promise<void> | undefined
  const fake = fakeBridge()
  const call: Bridge['call'] = async (name, input) => {
    if (name !== 'records.list') return fake.bridge.call(name, input)
    const value = list()
    if ('uids' in (input as object)) read()
    await gate
    return { ok: true, value }
  }
  onTestFinished(connect({ ...fake.bridge, call }))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  const source = { collection: 'webhook_deliveries', fields: ['uid', 'status'] } as const
  const shown = renderHook(() => useRecords(source, program.uid))
  await waitFor(() => expect(shown.result.current.rows).toEqual([{ uid: 'a', status: 'due' }]))
  const change = async (seq: number, status: string) => {
    row.status = status
    const collections = ['webhook_deliveries']
    const omitted = { type: 'omitted' as const, requests: [], doors: ['request' as const] }
    act(() => fake.notify({ ...omitted, seq, collections, uids: ['a'] }))
    await waitFor(() => expect(useFeed.getState().seq).toBe(seq))
  }
  let answer = () => {}
  gate = new Promise((done) => {
    answer = done
  })
  const isRead = new Promise<void>((done) => {
    read = done
  })
  await change(2, 'waiting')
  await isRead
  await change(3, 'held')
  gate = undefined
  answer()
  await waitFor(() => expect(shown.result.current.rows).toEqual([{ uid: 'a', status: 'held' }]), { timeout: 5_000 })
})

it('a record of a list whose change could not be read is read again with the next change', async () => {
  const row = { uid: 'a', status: 'due' }
  const fake = fakeBridge()
  let fails = false
  let refused = 0
  const call: Bridge['call'] = async (name, input) => {
    if (name !== 'records.list') return fake.bridge.call(name, input)
    if (fails) throw new Error(`no answer ${++refused}`)
    const { uids } = input as { uids?: readonly string[] }
    const data = uids?.includes(row.uid) === false ? [] : [structuredClone(row)]
    return { ok: true, value: { total_count: data.length, count: data.length, data } }
  }
  onTestFinished(connect({ ...fake.bridge, call }))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  const source = { collection: 'webhook_deliveries', fields: ['uid', 'status'] } as const
  const shown = renderHook(() => useRecords(source, program.uid))
  await waitFor(() => expect(shown.result.current.rows).toEqual([{ uid: 'a', status: 'due' }]))
  const change = (seq: number, uid: string) =>
    act(() => {
      const omitted = { type: 'omitted' as const, requests: [], doors: ['request' as const] }
      fake.notify({ ...omitted, seq, collections: ['webhook_deliveries'], uids: [uid] })
    })
  fails = true
  row.status = 'held'
  change(2, 'a')
  await waitFor(() => expect(shown.result.current.error).toBeDefined(), { timeout: 5_000 })
  expect(refused).toBe(1)
  fails = false
  change(3, 'b')
  await waitFor(() => expect(shown.result.current.rows).toEqual([{ uid: 'a', status: 'held' }]), { timeout: 5_000 })
  expect(shown.result.current.error).toBeUndefined()
})

it('a list is read again if too many of its records changed to be named', async () => {
  const page = (...uids: string[]) => ({
    total_count: uids.length,
    count: uids.length,
    data: uids.map((uid) => ({ uid })),
  })
  const fake = fakeBridge({ 'records.list': page('a') })
  onTestFinished(connect(fake.bridge))
  const source = { collection: 'customers', fields: ['uid'] } as const
  const list = renderHook(() => useRecords(source, program.uid))
  await waitFor(() => expect(list.result.current.rows).toEqual([{ uid: 'a' }]))
  fake.replies['records.list'] = page('b', 'a')
  const omitted = { type: 'omitted' as const, requests: [], doors: ['request' as const], seq: 9 }
  act(() => fake.notify({ ...omitted, collections: ['products'], uids: null }))
  await waitFor(() => expect(useFeed.getState().seq).toBe(9))
  expect(list.result.current.rows).toHaveLength(1)
  act(() => fake.notify({ ...omitted, collections: ['customers'], uids: null }))
  await waitFor(() => expect(list.result.current.rows).toEqual([{ uid: 'b' }, { uid: 'a' }]))
})
