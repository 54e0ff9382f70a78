import { expect, it } from 'vitest'
import { explainFaults } from '../../src/renderer/format/faults.ts'

it('drop_after_commit says that a refused request committed nothing', () => {
  expect(explainFaults('drop_after_commit')).toContain('The request is committed, but')
  expect(explainFaults('latency, drop_after_commit', true)).toContain('nothing is committed')
  expect(explainFaults('drop_after_commit', true)).not.toContain('The request is committed')
})
