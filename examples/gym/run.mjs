// The gym: tasks with a grade. `node examples/gym/run.mjs --help` says how it is used.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** `07-wire-refused`, … */
export const taskNames = () => readdirSync(folder).filter((name) => /^\d\d-/.test(name))

export const readTask = (name, file) => readFileSync(join(folder, name, file), 'utf8')

/** Three scenarios in one file. */
export const wrongSolutions = (name) => readTask(name, 'wrong.yaml').split(/^---\n/m)

/** Starts a task in a world. */
export async function startTask(world, name) {
  expectPassed(await world.control.scenarios.run({ text: readTask(name, 'start.yaml'), into: 'present' }))
}

/** Runs a scenario in the world as it is. */
export const runScenario = (world, text) => world.control.scenarios.run({ text, into: 'present', reset: false })

/** What is wrong with the state of the world; nothing if the task is solved. */
export async function gradeTask(world, name) {
  return findFailures(await runScenario(world, readTask(name, 'grade.yaml')))
}

export function expectPassed(run) {
  if (run.state !== 'passed') throw new Error(`${run.title}: ${findFailures(run).join('; ')}`)
}

function findFailures({ result }) {
  return result.steps.flatMap(({ ok, title, trouble, checks }) => {
    const failed = checks.filter((check) => !check.ok).map(show)
    return ok ? [] : [`${title}: ${[trouble, ...failed].filter(Boolean).join(', ')}`]
  })
}

const show = ({ what, expected, actual }) =>
  `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`

// ── As a command ─────────────────────────────────────────────────────────────────────────────────────────────────────

const HELP = `node examples/gym/run.mjs            solves all tasks by their references, in a sandbox of its own
node examples/gym/run.mjs start 07   puts the running sandbox where the task begins, and prints the task; sandbank undo takes it back
node examples/gym/run.mjs grade 07   says whether it is solved there, and if not, why`

async function connect() {
  const { connectSandbox } = await import('sandbank')
  const cli = join(dirname(fileURLToPath(import.meta.resolve('sandbank/package.json'))), 'out/main/cli.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'status', '-o', 'json'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr.trim())
  const { api, control_key } = JSON.parse(stdout)
  return connectSandbox({ url: api, control_key })
}

async function solveAll() {
  const { startSandbox } = await import('sandbank')
  const sandbox = await startSandbox({ world: 'empty' })
  try {
    for (const name of taskNames()) {
      await startTask(sandbox, name)
      expectPassed(await runScenario(sandbox, readTask(name, 'solution.yaml')))
      printGrade(name, await gradeTask(sandbox, name))
    }
  } finally {
    await sandbox.close()
  }
}

function printGrade(name, wrong) {
  console.log([`${wrong.length === 0 ? 'solved    ' : 'not solved'} ${name}`, ...wrong].join('\n  '))
  if (wrong.length > 0) process.exitCode = 1
}

async function main(action, number = '') {
  if (action === undefined) return solveAll()
  const name = taskNames().find((one) => one.startsWith(`${number.padStart(2, '0')}-`))
  if (['help', '--help', '-h'].includes(action)) return console.log(HELP)
  if (!['start', 'grade'].includes(action) || name === undefined) {
    console.error(HELP)
    process.exitCode = 2
    return
  }
  const sandbox = await connect()
  if (action === 'grade') return printGrade(name, await gradeTask(sandbox, name))
  await startTask(sandbox, name)
  console.log(readTask(name, 'task.md'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(...process.argv.slice(2))
