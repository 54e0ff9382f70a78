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
  const set = () => fake.asked.filter(({ name }) => name === 'faults.set').map(({ input }) => input)
  return { ...fake, set }
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add' }))

describe('a fault', () => {
  it('that does not fit is not set: what is wrong stands beside its field', async () => {
    const { set } = show()
    type('kind', 'status')
    type('status', '200')
    type('times', 'twice')
    add()
    const status = screen.getByLabelText('status')
    expect(status.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(status)
    expect(document.getElementById(status.getAttribute('aria-describedby')!)?.textContent).toBe(
      '“200” does not fit; expected is a whole number, 400 to 599',
    )
    expect(screen.getByText('“twice” does not fit; expected is a whole number, at least 1')).toBeTruthy()
    expect(set()).toEqual([])
    type('status', '503')
    type('times', '2')
    add()
    await waitFor(() => expect(set()).toEqual([{ faults: [{ kind: 'status', status: 503, times: 2 }] }]))
  })

  it.each([
    ['/customers/abc', '', 'No endpoint is written so'],
    ['/pools', 'POST', 'There is no POST here'],
    ['/nothing*', '', 'No endpoint is written so'],
    ['/customers/{uid}', 'PUT', null],
    ['/customers*', 'DELETE', null],
    ['', 'DELETE', null],
  ])('on the path %j of %j is doubted where no request will meet with it', (path, method, doubt) => {
    show()
    type('method', method)
    type('path', path)
    if (doubt === null) expect(screen.queryByText(/no request will meet with it/)).toBe(null)
    else expect(screen.getByText(/no request will meet with it/).textContent).toContain(doubt)
  })

  it('that an app most often has to stand is set by one press', async () => {
    const { set } = show()
    fireEvent.click(screen.getByRole('button', { name: 'Set: An answer is lost' }))
    await waitFor(() =>
      expect(set()).toEqual([
        { faults: [{ kind: 'drop_after_commit', method: 'POST', path: '/transfers', times: 1 }] },
      ]),
    )
  })

  it('of another hand is seen as soon as it is told', async () => {
    const { table, tell } = show()
    await screen.findByText('No fault is set')
    table['faults.list'] = { faults: [{ kind: 'rate_limit', path: '/transfers', met: 2 }] }
    tell({ type: 'faults' })
    await screen.findByText('rate_limit, 60 per minute on /transfers')
    expect(screen.getByText('met by 2 requests')).toBeTruthy()
  })
})
