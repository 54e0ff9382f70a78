import { cleanup, render, screen } from '@testing-library/react'
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
