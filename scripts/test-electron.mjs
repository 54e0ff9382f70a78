// npm run test:electron: runs the journeys of the desktop app in a real Electron, as an ordinary user, on a display of its own if there
// is none, and then those of its package, which root installs. What is missing is fetched or installed where that is possible; else one line
// says what it is, and the exit code is 2. The result is in out/electron-tests.json.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import {
  asOrdinaryUser,
  copyUnreadable,
  NoElectronError,
  openDisplay,
  readVersions,
  requireElectron,
  requireLibraries,
} from './real-electron.mjs'

const CANNOT = 2
/** It ends what hangs. */
const TEST_WITHIN_MS = 120_000
const PACKAGE = 'test/desktop/electron-package.test.ts'
const RESULT = join(root, 'out', 'electron-tests.json')

prepare()
rmSync(RESULT, { force: true })
try {
  const electron = requireElectron()
  if (process.platform === 'linux') requireLibraries(electron)
  const versions = readVersions(electron)
  console.log(`Electron ${versions.electron}, Chromium ${versions.chromium.split('.')[0]}`)
  const display = await openDisplay()
  try {
    const user = asOrdinaryUser()
    const env = { ...process.env, ...display.env, ELECTRON_EXEC_PATH: electron }
    const asUser = { ...user, env: { ...env, ...user.env } }
    const journeys = runTests(['test/desktop/electron', `--exclude=${PACKAGE}`], copyUnreadable(user), asUser)
    // Root installs the package, and starts it as the other user.
    const asRoot = { env: { ...env, SANDBANK_ORDINARY_USER: JSON.stringify(user) } }
    const ofPackage = runTests([PACKAGE], { checkout: root, node: process.execPath }, asRoot)
    const result = addUp([journeys, ofPackage])
    writeFileSync(RESULT, JSON.stringify({ ...versions, ...result }))
    process.exitCode = result.success ? 0 : 1
  } finally {
    display.close()
  }
} catch (error) {
  if (!(error instanceof NoElectronError)) throw error
  const reason = `The desktop app was not tested in a real Electron: ${error.message}`
  console.error(reason)
  writeFileSync(
    RESULT,
    JSON.stringify({ reason, success: true, numPassedTests: 0, numFailedTests: 0, testResults: [] }),
  )
  process.exitCode = CANNOT
}

/** Runs files of tests, and returns the report of Vitest: a user who may not write into the checkout writes it elsewhere. */
function runTests(files, { checkout, node }, options) {
  const report = join(options.uid === undefined ? join(root, 'out') : options.env.HOME, 'electron-tests.part.json')
  spawnSync(
    node,
    [
      join(checkout, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      // The default loader writes into the checkout, too.
      '--configLoader=runner',
      '--project=node',
      `--testTimeout=${TEST_WITHIN_MS}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
      ...process.argv.slice(2),
    ],
    { cwd: checkout, stdio: 'inherit', ...options },
  )
  if (existsSync(report)) {
    const found = JSON.parse(readFileSync(report, 'utf8'))
    rmSync(report)
    return found
  }
  return { success: false, numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] }
}

function addUp(reports) {
  const sum = (field) => reports.reduce((total, report) => total + report[field], 0)
  return {
    success: reports.every(({ success }) => success),
    numPassedTests: sum('numPassedTests'),
    numFailedTests: sum('numFailedTests'),
    numPendingTests: sum('numPendingTests'),
    testResults: reports.flatMap(({ testResults }) => testResults),
  }
}
