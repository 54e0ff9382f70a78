// npm run test:electron: runs the journeys of the desktop app in a real Electron, as an ordinary user, on a display of its own if there
// is none, and then those of its package, which root installs. What is missing is fetched or installed where that is possible; else one line
// says what it is, and the exit code is 2. The result is in out/electron-tests.json.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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
/** They end what hangs, also on a busy machine. */
const TEST_WITHIN_MS = 180_000
const POLL_WITHIN_MS = 60_000
const ALL_WITHIN_MINUTES = 14
/** So long have the tests to end their apps. */
const ENDS_WITHIN_MS = 10_000
const POLL_MS = 100
const IS_WINDOWS = process.platform === 'win32'
const PACKAGE = 'test/desktop/electron-package.test.ts'
const JOURNEYS = readdirSync(join(root, 'test', 'desktop'))
  .map((name) => `test/desktop/${name}`)
  .filter((path) => /\/electron[\w-]*\.test\.ts$/.test(path) && path !== PACKAGE)
const RESULT = join(root, 'out', 'electron-tests.json')

/** The process of Vitest, if it runs. */
let running
let isStopping = false
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
  process.on(signal, async () => {
    isStopping = true
    await endTests()
    process.exit(code)
  })

prepare()
rmSync(RESULT, { force: true })
try {
  const electron = requireElectron()
  if (process.platform === 'linux') requireLibraries(electron)
  const versions = readVersions(electron)
  console.log(`Electron ${versions.electron}, Chromium ${versions.chromium.split('.')[0]}`)
  const display = await openDisplay()
  try {
    const user = asOrdinaryUser(electron)
    const env = { ...process.env, ...display.env, ELECTRON_EXEC_PATH: electron }
    const readable = copyUnreadable(user, electron)
    const asUser = { ...user, env: { ...env, ...user.env, ELECTRON_EXEC_PATH: readable.electron } }
    const journeys = await runTests(JOURNEYS, readable, asUser)
    // Root installs the package, and starts it as the other user.
    const asRoot = { env: { ...env, SANDBANK_ORDINARY_USER: JSON.stringify(user) } }
    const ofPackage = await runTests([PACKAGE], { checkout: root, node: process.execPath }, asRoot)
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
async function runTests(files, { checkout, node }, options) {
  const failed = { success: false, numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] }
  if (isStopping) return failed
  const report = join(options.uid === undefined ? join(root, 'out') : options.env.HOME, 'electron-tests.part.json')
  running = spawn(
    node,
    [
      join(checkout, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      // The default loader writes into the checkout, too.
      '--configLoader=runner',
      '--project=node',
      `--testTimeout=${TEST_WITHIN_MS}`,
      `--expect.poll.timeout=${POLL_WITHIN_MS}`,
      // As the tests in a browser: a busy machine can show a page between two steps.
      '--retry=1',
      '--reporter=default',
      `--reporter=${join(checkout, 'scripts', 'report-second-tries.mjs')}`,
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
      ...process.argv.slice(2),
    ],
    // A group of its own, which can be ended as a whole.
    { cwd: checkout, stdio: 'inherit', detached: !IS_WINDOWS, ...options },
  )
  const timer = setTimeout(() => {
    console.error(`FAILED The tests have not ended within ${ALL_WITHIN_MINUTES} minutes`)
    endTests()
  }, ALL_WITHIN_MINUTES * 60_000)
  await once(running, 'close')
  clearTimeout(timer)
  await endTests()
  running = undefined
  if (existsSync(report)) {
    const found = JSON.parse(readFileSync(report, 'utf8'))
    rmSync(report)
    return found
  }
  return failed
}

/** Ends Vitest and its apps, each of which Playwright starts in a group of its own, and waits for them. */
async function endTests() {
  if (!running) return
  const leaders = [running.pid, ...childrenOf(running.pid)]
  const signalAll = (signal) => leaders.filter((leader) => signalGroup(leader, signal)).length
  signalAll('SIGTERM')
  for (let left = ENDS_WITHIN_MS; left > 0 && signalAll(0) > 0; left -= POLL_MS) await delay(POLL_MS)
  signalAll('SIGKILL')
}

/** False if nothing of the group is left. */
function signalGroup(leader, signal) {
  try {
    return process.kill(IS_WINDOWS ? leader : -leader, signal)
  } catch {
    return false
  }
}

/** On Linux; elsewhere none is found. */
function childrenOf(parent) {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid) {
  try {
    return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1])
  } catch {
    // It has ended meanwhile.
    return undefined
  }
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
