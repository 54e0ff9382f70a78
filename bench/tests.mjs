// npm run bench:tests: 500 tests of the example, each in a world of its own, 8 at once in Vitest, in 20 random orders; then what a world adds
// to a test: 500 empty tests with and without one. `-- --tests 100 --orders 2` takes less time.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, prepare, root } from '../scripts/prepare.mjs'
import { readOptions } from './support/command.mjs'

const { tests, orders } = readOptions({ tests: 500, orders: 20 })
const AT_ONCE = 8

prepare()
const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
cpSync(join(root, 'examples'), folder, { recursive: true })
mkdirSync(join(folder, 'node_modules'))
symlinkSync(root, join(folder, 'node_modules', 'sandbank'), 'junction')
symlinkSync(join(root, 'node_modules', 'vitest'), join(folder, 'node_modules', 'vitest'), 'junction')

/** The tests of the example, over and over, in one file, whose concurrent tests run at once. */
const example = readFileSync(join(folder, 'vitest', 'rent.test.mjs'), 'utf8')
const perRound = example.match(/^test\(/gm).length
const rounds = Math.ceil(tests / perRound)
const [head] = example.split(/^test\(/m, 1)
const repeated = example
  .slice(head.length)
  .replaceAll(/^test\('/gm, "test.concurrent('")
  .replaceAll(/^(test\.concurrent\('[^\n]*)',/gm, "$1 ' + round,")
const files = {
  example: `${head}\nfor (let round = 0; round < ${rounds}; round++) {\n${repeated}\n}\n`,
  empty: `import { test } from 'vitest'\ntest.concurrent.for(Array.from({ length: ${tests} }, (_, i) => i))('%d', async () => {})\n`,
  worlds: `import { test } from 'sandbank/vitest'\ntest.concurrent.for(Array.from({ length: ${tests} }, (_, i) => i))('%d', async (_, { world }) => world.name)\n`,
}

/** Runs one file; returns the time of its tests in ms, without that of loading it. */
function run(name, options = []) {
  const path = join(folder, 'bench', `${name}.test.mjs`)
  mkdirSync(join(folder, 'bench'), { recursive: true })
  writeFileSync(path, files[name])
  const report = join(folder, 'report.json')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--root', join(folder, 'bench'), `${name}.test.mjs`, '--maxConcurrency', String(AT_ONCE)],
      ...['--reporter=json', `--outputFile=${report}`, '--testTimeout=120000', ...options],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (status !== 0) fail(`A test failed with ${options.join(' ')}:\n${stdout}${stderr}`)
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const [{ startTime, endTime }] = testResults
  return { passed: numPassedTests, ms: endTime - startTime }
}

let passed = 0
for (let seed = 1; seed <= orders; seed++) {
  const result = run('example', ['--sequence.shuffle', `--sequence.seed=${seed}`])
  passed += result.passed
  console.log(`order ${seed}: ${result.passed} tests passed in ${Math.round(result.ms)} ms`)
}
console.log(`${passed} tests of the example in ${orders} orders, ${AT_ONCE} at once: no failure`)

const ROUNDS = 5
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const measure = (name) => median(Array.from({ length: ROUNDS }, () => run(name).ms))
const [empty, worlds] = [measure('empty'), measure('worlds')]
console.log(
  `${tests} empty tests: ${Math.round(empty)} ms; each in a world of its own: ${Math.round(worlds)} ms; overhead of a world: ${((worlds - empty) / tests).toFixed(2)} ms`,
)
