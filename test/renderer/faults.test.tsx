import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { Faults } from '../../src/renderer/screens/faults/Faults.tsx'
import { fakeBridge } from './support.tsx'

afterEach(cleanup)

function show(faults: readonly object[] = []) {
  const fake = fakeBridge({ 'faults.list': { faults }, 'faults.set': { faults } })
  onTestFinished(connect(fake.bridge))
  render(<Faults />)
  const set = () => fake.calls.filter(({ name }) => name === 'faults.set').map(({ input }) => input)
  return { ...fake, set }
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add' }))

describe('a fault', () => {
  it('that is invalid is not set, and its fields show the errors', async () => {
    const { set } = show()
    type('kind', 'status')
    type('status', '200')
    type('times', 'twice')
    add()
    const status = screen.getByLabelText('status')
    expect(status.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(status)
    expect(document.getElementById(status.getAttribute('aria-describedby')!)?.textContent).toBe(
      '“200” is invalid. Enter a whole number, 400 to 599.',
    )
    expect(screen.getByText('“twice” is invalid. Enter a whole number, at least 1.')).toBeTruthy()
    expect(set()).toEqual([])
    type('status', '503')
    type('times', '2')
    add()
    await waitFor(() => expect(set()).toEqual([{ faults: [{ kind: 'status', status: 503, times: 2 }] }]))
  })

  it.each([
    ['/customers/abc', '', 'No endpoint has this path'],
    ['/pools', 'POST', 'No endpoint has POST on this path'],
    ['/nothing*', '', 'No endpoint has this path'],
    ['/customers/{uid}', 'PUT', null],
    ['/customers*', 'DELETE', null],
    ['', 'DELETE', null],
  ])('on the path %j with method %j gets a warning if no request matches', (path, method, warning) => {
    show()
    type('method', method)
    type('path', path)
    if (warning === null) expect(screen.queryByText(/will never apply/)).toBe(null)
    else expect(screen.getByText(/will never apply/).textContent).toContain(warning)
  })

  it('from the common faults is added with one click', async () => {
    const { set } = show()
    fireEvent.click(screen.getByRole('button', { name: 'Add: Lost response' }))
    await waitFor(() =>
      expect(set()).toEqual([
        { faults: [{ kind: 'drop_after_commit', method: 'POST', path: '/transfers', times: 1 }] },
      ]),
    )
  })

  it('from another client is shown as soon as its notice arrives', async () => {
    const { replies, notify } = show()
    await screen.findByText('No active faults')
    replies['faults.list'] = { faults: [{ kind: 'rate_limit', path: '/transfers', met: 2 }] }
    notify({ type: 'faults' })
    await screen.findByText('rate_limit, 60 per minute on /transfers')
    expect(screen.getByText('applied to 2 requests')).toBeTruthy()
  })
})
