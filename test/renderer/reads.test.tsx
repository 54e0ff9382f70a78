import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { Bridge } from '../../src/api/contract/control/client.ts'
import { useFeed } from '../../src/renderer/data/feed.ts'
import { listenToHash } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { useAccounts } from '../../src/renderer/screens/accounts/use-accounts.ts'
import { changeDraft, dropDraft, dropSaved, getDraft } from '../../src/renderer/screens/settings/draft.ts'
import { fakeBridge, program } from './support.tsx'

/** What comes while an answer is on its way. */

afterEach(cleanup)

it('accounts that change while all of them are being read are read once more, and none is shown before all are', async () => {
  const accounts = [{ uid: 'a', balance: '1.00' }]
  const asked: object[] = []
  let release = () => {}
  const gate = new Promise<void>((done) => {
    release = done
  })
  const fake = fakeBridge()
  const bridge: Bridge = {
    ...fake.bridge,
    call: async (name, input) => {
      if (name !== 'ledger.accounts') return fake.bridge.call(name, input)
      asked.push(input as object)
      const value = { accounts: structuredClone(accounts) }
      if (asked.length === 1) await gate
      return { ok: true, value }
    },
  }
  onTestFinished(connect(bridge))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  const shown = renderHook(() => useAccounts(program.uid, undefined))
  await waitFor(() => expect(asked).toHaveLength(1))
  accounts.push({ uid: 'b', balance: '2.00' })
  const cause = { door: 'request', name: 'POST /synthetic_accounts' } as const
  const at = '2026-11-20T14:04:18.000Z'
  act(() => fake.tell({ type: 'commit', seq: 2, at, cause, collections: ['synthetic_accounts'], uids: ['b'] }))
  await waitFor(() => expect([...useFeed.getState().changed]).toEqual(['b']))
  expect(shown.result.current.accounts).toBeUndefined()
  release()
  await waitFor(() => expect(shown.result.current.accounts?.map(({ uid }) => uid)).toEqual(['a', 'b']))
  expect(asked).toEqual([{ program_uid: program.uid }, { program_uid: program.uid }])
})

it('accounts that are not read yet are not said to be none', async () => {
  // It draws charts: what these ask for as they are read is put there by the support of these tests.
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

it('what is typed into the settings while they are being saved stays', () => {
  changeDraft('P', () => ({ values: { name: 'Harbor', authorization_hours: '12' }, products: [] }))
  const sent = getDraft('P')
  changeDraft('P', (draft) => ({ ...draft, values: { ...draft.values, authorization_hours: '24', strict: true } }))
  dropSaved('P', sent)
  expect(getDraft('P')).toEqual({ values: { authorization_hours: '24', strict: true } })
  dropDraft('P')
})
