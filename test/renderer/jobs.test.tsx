import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showApp } from './support.tsx'

/** Jobs and advances, which are too short to be seen in a browser. */

async function show(answers: Readonly<Record<string, unknown>> = {}) {
  const fake = showApp('/#/now', answers)
  await screen.findByText('Frozen')
  return fake
}

it('the window shows the advance of another client until it ends', async () => {
  const { notify, calls } = await show()
  const progress = {
    type: 'progress',
    from: '2026-11-20T14:04:18.000Z',
    to: '2026-11-23T14:04:18.000Z',
    now: '2026-11-21T14:04:18.000Z',
    ran: 9,
    left: 9,
  } as const
  act(() => notify({ ...progress, done: false }))
  expect(await screen.findByText('9 of 18 tasks')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(calls.at(-1)).toEqual({ name: 'clock.cancel', input: {} })
  act(() => notify({ ...progress, done: true }))
  expect(await screen.findByText('Frozen')).toBeTruthy()
})

it('the window shows a job on every screen until it ends, and cancels it', async () => {
  const { notify, calls } = await show({ 'work.cancel': { canceled: true } })
  const work = { type: 'work', uid: 'w1', name: 'world.rewind', done: 42_000, of: 95_000, unit: 'commits' } as const
  act(() => notify({ ...work, can_stop: true, over: false }))
  const progress = within(await screen.findByRole('region', { name: 'Rewinding' }))
  expect(progress.getByText('42,000 of 95,000 commits read')).toBeTruthy()
  expect(progress.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42000')
  fireEvent.click(progress.getByRole('button', { name: 'Cancel' }))
  expect(calls.at(-1)).toEqual({ name: 'work.cancel', input: { uid: 'w1' } })
  act(() => notify({ ...work, done: 95_000, can_stop: false, over: false }))
  expect(await progress.findByText('Replacing the current world…')).toBeTruthy()
  expect(progress.queryByRole('button')).toBeNull()
  act(() => notify({ ...work, can_stop: false, over: true }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Rewinding' })).toBeNull())
})

it.each([
  [
    'snapshots.restore',
    { done: 12_340_000, of: 44_000_000, unit: 'bytes' },
    'Restoring a snapshot',
    '12.3 of 44.0 MB read',
  ],
  ['exchanges.replay', { done: 120, of: 300, unit: 'steps' }, 'Replaying', '120 of 300 steps done'],
  ['bundles.export', { done: 1_200, of: null, unit: 'steps' }, 'Exporting a bundle', '1,200 steps done'],
  ['bundles.import', { done: 1_200_000, of: 2_400_000, unit: 'bytes' }, 'Importing a bundle', '1.2 of 2.4 MB read'],
  ['bundles.import', { done: 5, of: 70, unit: 'commits' }, 'Importing a bundle', '5 of 70 commits checked'],
  [
    'snapshots.keep',
    { done: 2_000, of: 9_000, unit: 'records' },
    'Saving a snapshot',
    '2,000 of 9,000 records written',
  ],
  [
    'snapshots.compare',
    { done: 1_000, of: 9_000, unit: 'records' },
    'Comparing two worlds',
    '1,000 of 9,000 records compared',
  ],
] as const)('the window shows the progress of a job in its unit: %s %j', async (name, notice, title, text) => {
  const { notify } = await show()
  act(() => notify({ type: 'work', uid: 'w1', name, ...notice, can_stop: true, over: false }))
  const shown = within(await screen.findByRole('region', { name: title }))
  expect(shown.getByText(text)).toBeTruthy()
})

it('the window shows the first of two jobs until it ends, and then the other', async () => {
  const { notify } = await show()
  const common = { type: 'work', done: 1, of: 9, unit: 'records', can_stop: true } as const
  act(() => notify({ ...common, uid: 'w1', name: 'snapshots.keep', over: false }))
  await screen.findByRole('region', { name: 'Saving a snapshot' })
  act(() => notify({ ...common, uid: 'w2', name: 'snapshots.compare', over: false }))
  act(() => notify({ ...common, uid: 'w1', name: 'snapshots.keep', over: true }))
  act(() => notify({ ...common, uid: 'w2', name: 'snapshots.compare', over: false }))
  await screen.findByRole('region', { name: 'Comparing two worlds' })
  act(() => notify({ ...common, uid: 'w2', name: 'snapshots.compare', over: true }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Comparing two worlds' })).toBeNull())
})
