import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { Bridge, ControlReply } from '../../src/api/contract/control/client.ts'
import { useFeed } from '../../src/renderer/data/feed.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { ClockBar } from '../../src/renderer/frame/ClockBar.tsx'
import { fakeBridge, Refused } from './support.tsx'

afterEach(cleanup)

it('nothing is said about the clock until it is known', async () => {
  useFeed.setState({ clock: null })
  const { container } = render(<ClockBar />)
  expect(container.querySelector('header')!.hasAttribute('data-unknown')).toBe(true)
  onTestFinished(connect(fakeBridge().bridge))
  await waitFor(() => expect(container.querySelector('header')!.hasAttribute('data-unknown')).toBe(false))
  expect(screen.getByText('Frozen')).toBeTruthy()
})

it('a late error is shown beside the field, and the form stays open', async () => {
  const fake = fakeBridge()
  let answer: (reply: ControlReply) => void = () => {}
  const bridge: Bridge = {
    ...fake.bridge,
    call: (name, input) =>
      name === 'clock.advance'
        ? new Promise((resolve) => {
            answer = resolve
          })
        : fake.bridge.call(name, input),
  }
  onTestFinished(connect(bridge))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  render(<ClockBar />)
  fireEvent.click(screen.getByRole('button', { name: 'Custom…' }))
  const field = await screen.findByLabelText('A duration or a time in New York')
  fireEvent.change(field, { target: { value: '1 month' } })
  fireEvent.submit(field.closest('form')!)
  // Longer than the window waits before it shows the progress of another client's advance.
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(screen.getByLabelText('A duration or a time in New York')).toBe(field)
  act(() => answer({ ok: false, error: new Refused(400, 1007, '"1 month" is no amount of time').body }))
  expect((await screen.findByRole('alert')).textContent).toContain('"1 month" is no amount of time')
})

it('an advance that is clicked before the previous one has answered runs next', async () => {
  const fake = fakeBridge()
  const calls: unknown[] = []
  const bridge: Bridge = {
    ...fake.bridge,
    call: (name, input) => {
      if (name === 'clock.advance') calls.push(input)
      return fake.bridge.call(name, input)
    },
  }
  onTestFinished(connect(bridge))
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  render(<ClockBar />)
  fireEvent.click(screen.getByRole('button', { name: '1 hour' }))
  fireEvent.click(screen.getByRole('button', { name: '1 business day' }))
  await waitFor(() => expect(calls).toEqual([{ by: 'PT1H' }, { business_days: 1 }]))
})
