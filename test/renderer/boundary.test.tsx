import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ErrorBoundary } from '../../src/renderer/ui/ErrorBoundary.tsx'

afterEach(cleanup)

function Faulty(): React.ReactNode {
  throw new TypeError("Cannot read properties of undefined (reading 'x')")
}

it('a part that throws is replaced by an error text, and the rest of the window stays', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <>
      <p>the rest</p>
      <ErrorBoundary what="Payments">
        <Faulty />
      </ErrorBoundary>
    </>,
  )
  logged.mockRestore()
  expect(screen.getByRole('alert').textContent).toMatch(
    /^Payments cannot be shown\..*Nothing in the sandbox has changed/,
  )
  expect(screen.queryByText(/TypeError|Cannot read/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Reload the window' })).toBeTruthy()
  expect(screen.getByText('the rest')).toBeTruthy()
})

it('a menu whose code cannot be loaded says so on a click, and opens on a later one', async () => {
  const fail = vi.fn(() => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  vi.doMock('../../src/renderer/ui/Menu.tsx', fail)
  // What the setup of the tests has loaded is forgotten.
  vi.resetModules()
  const { useMessages } = await import('../../src/renderer/data/messages.ts')
  const { RadioMenu } = await import('../../src/renderer/frame/late.tsx')
  const options = [{ value: 'fast', label: 'as fast as possible' }]
  render(<RadioMenu trigger={<button type="button">Pace</button>} value="fast" onChange={() => {}} options={options} />)
  await waitFor(() => expect(fail).toHaveBeenCalled())
  // Loading in the background says nothing.
  await new Promise((done) => setTimeout(done, 100))
  expect(useMessages.getState().failure).toBe(null)
  fireEvent.click(screen.getByRole('button', { name: 'Pace' }))
  await waitFor(() =>
    expect(useMessages.getState().failure).toEqual({
      title: 'The menu cannot be shown.',
      error: expect.stringContaining('Reload the window'),
    }),
  )
  vi.doUnmock('../../src/renderer/ui/Menu.tsx')
  await import('../../src/renderer/ui/Menu.tsx')
  await import('../../src/renderer/ui/Popover.tsx')
  fireEvent.click(screen.getByRole('button', { name: 'Pace' }))
  expect(await screen.findByRole('menuitemradio', { name: 'as fast as possible' })).toBeTruthy()
})
