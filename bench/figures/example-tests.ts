import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/process.ts'
import { figure } from './rounds.ts'

/**
 * The tests of the example for Vitest, over and over, each in a world of its own and several at once, in random orders; and what a world
 * adds to a test: empty tests with and without one.
 */

export interface ExampleTests {
  /** Tests of the example that passed, in all orders. */
  readonly passed: number
  /** For each empty test, without and with a world. */
  readonly emptyMs: number
  readonly worldMs: number
}

const AT_ONCE = 8
const ROUNDS = 5

interface Options {
  readonly tests: number
  readonly orders: number
  readonly print: (line: string) => void
}

/** Throws when a test fails. */
export function runExampleTests({ tests, orders, print }: Options): ExampleTests {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'))
  try {
    copyExample(folder)
    const files = writeTests(folder, tests)
    let passed = 0
    for (let seed = 1; seed <= orders; seed++) {
      const result = run(folder, files.example, ['--sequence.shuffle', `--sequence.seed=${seed}`])
      passed += result.passed
      print(`order ${seed}: ${result.passed} tests passed in ${Math.round(result.ms)} ms`)
    }
    const msOf = (name: string) => figure(Array.from({ length: ROUNDS }, () => run(folder, name).ms)).median / tests
    return { passed, emptyMs: msOf(files.empty), worldMs: msOf(files.worlds) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const describeExampleTests = (orders: number, { passed, emptyMs, worldMs }: ExampleTests): string =>
  `${passed} tests of the example in ${orders} orders, ${AT_ONCE} at once: no failure; ` +
  `an empty test takes ${emptyMs.toFixed(2)} ms, in a world of its own ${worldMs.toFixed(2)} ms`

function copyExample(folder: string) {
  cpSync(join(root, 'examples'), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  mkdirSync(join(folder, 'bench'))
  symlinkSync(root, join(folder, 'node_modules', 'sandbank'), 'junction')
  symlinkSync(join(root, 'node_modules', 'vitest'), join(folder, 'node_modules', 'vitest'), 'junction')
}

/** Tests of one file run at once if they are concurrent. Returns the names of the files. */
function writeTests(folder: string, tests: number) {
  const example = readFileSync(join(folder, 'vitest', 'rent.test.mjs'), 'utf8')
  const [head = ''] = example.split(/^test\(/m, 1)
  const repeated = example
    .slice(head.length)
    .replaceAll(/^test\('/gm, "test.concurrent('")
    .replaceAll(/^(test\.concurrent\('[^\n]*)',/gm, "$1 ' + round,")
  const rounds = Math.ceil(tests / example.match(/^test\(/gm)!.length)
  const each = `test.concurrent.for(Array.from({ length: ${tests} }, (_, i) => i))`
  const texts = {
    example: `${head}\nfor (let round = 0; round < ${rounds}; round++) {\n${repeated}\n}\n`,
    empty: `import { test } from 'vitest'\n${each}('%d', async () => {})\n`,
    worlds: `import { test } from 'sandbank/vitest'\n${each}('%d', async (_, { world }) => world.name)\n`,
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, 'bench', `${name}.test.mjs`), text)
  return { example: 'example.test.mjs', empty: 'empty.test.mjs', worlds: 'worlds.test.mjs' }
}

/** Runs one file; returns the time of its tests, without that of loading it. */
function run(folder: string, file: string, options: readonly string[] = []): { passed: number; ms: number } {
  const report = join(folder, 'report.json')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--root', join(folder, 'bench'), file, '--maxConcurrency', String(AT_ONCE)],
      ...['--reporter=json', `--outputFile=${report}`, '--testTimeout=120000', ...options],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (status !== 0) throw new Error(`A test failed with ${options.join(' ')}:\n${stdout}${stderr}`)
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    testResults: { startTime: number; endTime: number }[]
  }
  const { startTime, endTime } = testResults[0]!
  return { passed: numPassedTests, ms: endTime - startTime }
}
