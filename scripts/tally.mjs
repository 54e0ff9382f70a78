// The last line of CI: tests and checks counted together. A run that left no report counts as failed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const read = (name) => {
  const path = join(root, 'out', name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
const tests = read('tests.json')
const checks = read('checks.json')
const passed = (tests?.numPassedTests ?? 0) + (checks?.passed ?? 0)
const skipped = (tests?.numPendingTests ?? 0) + (tests?.numTodoTests ?? 0)
// A file that cannot even be loaded fails as a suite, without a test of its own.
const failed = (tests ? Math.max(tests.numFailedTests, tests.success ? 0 : 1) : 1) + (checks?.failed ?? 1)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
