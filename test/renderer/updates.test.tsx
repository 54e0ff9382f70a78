import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { UpdatesRow } from '../../src/renderer/screens/settings/About.tsx'

afterEach(cleanup)

type Props = Parameters<typeof UpdatesRow>[0]

/** Renders the row with what the desktop app knows; returns the calls of its methods. */
function renderRow(known: Partial<Props['state']>): unknown[] {
  const calls: unknown[] = []
  const call = async (...given: unknown[]) => {
    calls.push(given)
    return { ok: true, value: {} }
  }
  vi.stubGlobal('desk', { call })
  onTestFinished(() => void vi.unstubAllGlobals())
  const desktop = {
    isBusy: false,
    run: (_part: string, work: () => Promise<unknown>) => work(),
    failureOf: () => undefined,
  }
  const state = { look_for_updates: false, newest_version: null, releases: 'https://example.test/releases', ...known }
  render(<UpdatesRow {...({ desktop, state } as unknown as Props)} />)
  return calls
}

it('the switch for updates is saved, and a newer version leads to its page', () => {
  const calls = renderRow({ newest_version: '9.0.0' })
  fireEvent.click(screen.getByLabelText('Look for updates'))
  fireEvent.click(screen.getByRole('button', { name: 'Open the page of releases' }))
  expect(screen.getByText('Version 9.0.0 can be had.')).toBeTruthy()
  expect(calls).toEqual([
    ['desk.choose', { look_for_updates: true }],
    ['desk.open_releases', {}],
  ])
})

it('a build without a page of releases says that it looks for no updates', () => {
  renderRow({ releases: null, newest_version: '9.0.0' })
  expect(screen.getByText('It looks for no updates.')).toBeTruthy()
  expect(screen.queryByLabelText('Look for updates')).toBeNull()
  expect(screen.queryByText(/9\.0\.0/)).toBeNull()
})
