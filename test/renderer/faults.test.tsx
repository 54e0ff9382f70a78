import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { explainFaults, formatFault } from '../../src/renderer/format/faults.ts'
import { Faults } from '../../src/renderer/screens/faults/Faults.tsx'
import { fakeBridge } from './support.tsx'

afterEach(cleanup)

it.each([
  ['/customers/abc', '', 'No endpoint has this path'],
  ['/pools', 'POST', 'No endpoint has POST on this path'],
  ['/nothing*', '', 'No endpoint has this path'],
  ['/customers/{uid}', 'PUT', null],
  ['/customers*', 'DELETE', null],
  ['', 'DELETE', null],
])('a fault on the path %j with method %j gets a warning if no request matches', (path, method, warning) => {
  onTestFinished(connect(fakeBridge().bridge))
  render(<Faults />)
  fireEvent.change(screen.getByLabelText('method'), { target: { value: method } })
  fireEvent.change(screen.getByLabelText('path'), { target: { value: path } })
  if (warning === null) expect(screen.queryByText(/will never apply/)).toBe(null)
  else expect(screen.getByText(/will never apply/).textContent).toContain(warning)
})

it('a fault is described in one line', () => {
  expect(formatFault({ kind: 'latency', ms: 1500, jitter_ms: 20, rate: 0.5, times: 3, method: 'GET' })).toBe(
    'latency 1,500 ms plus up to 20 ms on every GET, 50 % of them, for 3 requests',
  )
  expect(formatFault({ kind: 'status', until: '2026-11-20T14:04:18.000Z' })).toBe(
    'status 500 on every request, until 20 Nov 2026 09:04:18 ET',
  )
  expect(explainFaults('latency, drop_after_commit')).toContain('the caller does not know')
  expect(explainFaults('something new')).toBe('')
})

it('drop_after_commit says that a refused request committed nothing', () => {
  expect(explainFaults('drop_after_commit')).toContain('The request is committed, but')
  expect(explainFaults('latency, drop_after_commit', true)).toContain('nothing is committed')
  expect(explainFaults('drop_after_commit', true)).not.toContain('The request is committed')
})
