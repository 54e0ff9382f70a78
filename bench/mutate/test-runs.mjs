// Starts Vitest in the copy, with a plan of test files.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folder, tree } from './tree.mjs'

/** The test runs, which have process groups of their own, so that the processes that the tests start end with them. */
const running = new Set()

/** A run that ended without a result, for example because memory was short, proves nothing. */
export async function runTests(name, plan, env) {
  if (plan.files.length === 0) return { isCaught: false }
  const plans = join(folder, 'plans')
  const path = join(plans, `${name}.json`)
  const result = join(plans, `${name}-result.json`)
  mkdirSync(plans, { recursive: true })
  rmSync(result, { force: true })
  writeFileSync(path, JSON.stringify({ ...plan, result }))
  const vitest = [join(tree, 'node_modules/vitest/vitest.mjs'), 'run', '--config=bench/mutate/vitest.config.mjs']
  // Some tests look at what is left in the temporary folder, and a run that is ended leaves much there.
  const temporary = mkdtempSync(join(tmpdir(), 'mutate-'))
  const child = spawn(process.execPath, vitest, {
    cwd: tree,
    env: { ...process.env, ...env, SANDBANK_TEST_PLAN: path, TMPDIR: temporary },
    stdio: plan.record ? ['ignore', 'inherit', 'ignore'] : 'ignore',
    detached: true,
  })
  running.add(child)
  await new Promise((resolve) => child.on('exit', resolve))
  running.delete(child)
  killGroup(child)
  rmSync(temporary, { recursive: true, force: true })
  if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8'))
  if (plan.record) throw new Error('The tests cannot be run in the copy: run them there with npm test')
  return { isCaught: false, by: 'the test run ended without a result' }
}

function killGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All its processes have ended.
  }
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) killGroup(child)
    process.exit(1)
  })
