// The last line of CI: tests, long tests, journeys in a real Electron and checks counted together. A run without a report counts as one failure.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './prepare.mjs'

const read = (name) => {
  const path = join(root, 'out', name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** A file that cannot be loaded fails as a suite, without a test of its own. */
const countTests = (report) => ({
  passed: report?.numPassedTests ?? 0,
  failed: report ? Math.max(report.numFailedTests, report.success ? 0 : 1) : 1,
  skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
})

/** Vitest prints its failures far above the last lines, which may be all that is kept of the output. */
const printFailures = (report) => {
  for (const file of report?.testResults ?? []) {
    if (file.message) console.log(`FAILED ${relative(root, file.name)}: ${file.message.slice(0, 2000)}`)
    for (const test of file.assertionResults.filter(({ status }) => status === 'failed'))
      console.log(
        `FAILED ${relative(root, file.name)}: ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 4000)}`,
      )
  }
}

const checks = read('checks.json')
const electron = read('electron-tests.json')
const tests = [read('tests.json'), read('long-tests.json'), electron]
tests.forEach(printFailures)
if (electron?.reason !== undefined) console.log(electron.reason)
else if (electron)
  console.log(
    `Electron ${electron.electron}, Chromium ${electron.chromium.split('.')[0]}: ${electron.numPassedTests} journeys passed`,
  )
const runs = [...tests.map(countTests), { passed: checks?.passed ?? 0, failed: checks?.failed ?? 1, skipped: 0 }]
const sum = (field) => runs.reduce((total, run) => total + run[field], 0)
const skipped = sum('skipped')
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
