// Runs the tests against single planted defects. All defects of a run are compiled once into a copy of the tree, each behind a switch. A
// first run without a defect notes which tests reach which defect; then each defect is switched on for exactly those tests, the fastest
// first, until one fails. A test that never reaches the changed code cannot notice the change.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../../scripts/prepare.mjs'
import { chooseDefects, plantAll } from './sites.mjs'

const tree = join(root, 'out', 'mutate')

/** Tests that need a browser or Electron, read the text of the sources, or measure what is built. */
const EXCLUDED = [
  /^test\/hosts\/(window|initial-javascript|prepare|start)/,
  /^test\/desktop\//,
  /^test\/(architecture|window-code|docs)/,
  /\.long\.test\./,
]

export async function mutate({ defects: count, seed, file, tests, jobs, list }) {
  const defects = chooseDefects(sourceFiles(file), count, seed)
  if (list) {
    for (const defect of defects) console.log(describe(defect))
    return
  }
  copyTree()
  plant(defects)
  const results = await record(testFiles(tests), jobs)
  const reached = readReached()
  console.log(`\n${defects.length} defects, seed ${seed}; ${results.size} test files run`)
  const queue = defects.map((defect) => ({ defect, plan: planOf(defect, results, reached) }))
  const outcomes = []
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const outcome = {
          ...next,
          ...(await runPlan(`defect-${next.defect.number}`, next.plan, {
            SANDBANK_DEFECT: String(next.defect.number),
          })),
        }
        outcomes.push(outcome)
        console.log(
          `${outcome.isCaught ? 'caught  ' : 'SURVIVED'} ${describe(next.defect)}  ${outcome.by ?? `${next.plan.files.length} test files passed`}`,
        )
      }
    }),
  )
  return summarize(outcomes)
}

const describe = ({ path, line, kind, before, after }) =>
  `${path}:${line} ${kind}: ${oneLine(before)} → ${oneLine(after)}`

const oneLine = (text) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line
}

const filesIn = (folder, base = folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(base, join(parentPath, name)).replaceAll('\\', '/'))
    .sort()

/** `*` is any text without a slash, `**` any text. */
const matcher = (glob) => {
  const pattern = glob
    .split(/(\*\*|\*)/)
    .map((part) => ({ '**': '.*', '*': '[^/]*' })[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('')}$`)
}

function sourceFiles(glob) {
  const pattern = matcher(glob)
  return filesIn(join(root, 'src', 'api'), root)
    .filter((path) => path.endsWith('.ts') && pattern.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const testFiles = (glob) =>
  filesIn(join(root, 'test'), root).filter(
    (path) => /\.test\.tsx?$/.test(path) && matcher(glob).test(path) && !EXCLUDED.some((pattern) => pattern.test(path)),
  )

/** A copy of what git knows or would add, with the packages of the checkout. */
function copyTree() {
  rmSync(tree, { recursive: true, force: true })
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  for (const path of stdout.split('\0').filter((path) => path && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    cpSync(join(root, path), join(tree, path))
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction')
}

function plant(defects) {
  cpSync(join(root, 'bench/mutate/planted.mjs'), join(tree, 'src/planted.mjs'))
  for (const path of new Set(defects.map((defect) => defect.path))) {
    const own = defects.filter((defect) => defect.path === path)
    const module = `${'../'.repeat(path.split('/').length - 2)}planted.mjs`
    writeFileSync(join(tree, path), plantAll(readFileSync(join(root, path), 'utf8'), own, module))
  }
  const { status } = spawnSync(
    process.execPath,
    [join(tree, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'],
    { cwd: tree, stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('The copy with the planted defects cannot be built: see above')
}

/** Runs all tests without a defect. What fails in the copy is named and left out. */
async function record(files, jobs) {
  const folder = join(tree, 'reached')
  mkdirSync(folder)
  const result = await runPlan(
    'record',
    { files: files.map((file) => ({ file })), record: true, workers: jobs },
    { SANDBANK_REACHED: join(folder, 'start'), SANDBANK_REACHED_FOLDER: folder },
  )
  const failed = result.filter(({ isPassed }) => !isPassed)
  if (failed.length > 0)
    console.log(`\nLeft out, because they fail without a defect:\n${failed.map(({ file }) => `  ${file}`).join('\n')}`)
  return new Map(result.filter(({ isPassed }) => isPassed).map((entry) => [entry.file, entry]))
}

/** By defect: the test files that reach it while their tests run. `loaded`: the defects that run while modules are loaded. */
function readReached() {
  const byDefect = new Map()
  const loaded = new Set()
  for (const name of readdirSync(join(tree, 'reached')))
    for (const note of readFileSync(join(tree, 'reached', name), 'utf8').split('\n')) {
      const [phase, number] = note.split(' ')
      if (phase === 'load') loaded.add(Number(number))
      if (phase !== 'run') continue
      if (!byDefect.has(number)) byDefect.set(number, new Set())
      byDefect.get(number).add(relative(tree, decodeURIComponent(name)))
    }
  return { byDefect, loaded }
}

/** The modules of a worker are loaded once for many test files, so a defect at load concerns all of them. */
function planOf({ number }, results, { byDefect, loaded }) {
  const near = byDefect.get(String(number)) ?? new Set()
  const files = [...results.values()].filter(({ file }) => loaded.has(number) || near.has(file))
  const cost = ({ file, duration }) => duration * (near.has(file) ? 1 : 10)
  return { files: files.toSorted((a, b) => cost(a) - cost(b)), workers: 1 }
}

/** The test runs, which have process groups of their own, so that the processes that the tests start end with them. */
const running = new Set()

/** A run that ended without a result, for example because memory was short, proves nothing. */
async function runPlan(name, plan, env) {
  if (plan.files.length === 0) return { isCaught: false }
  const path = join(tree, `${name}.json`)
  const result = join(tree, `${name}-result.json`)
  writeFileSync(path, JSON.stringify({ ...plan, result }))
  const vitest = [join(tree, 'node_modules/vitest/vitest.mjs'), 'run', '--config=bench/mutate/vitest.config.mjs']
  const child = spawn(process.execPath, vitest, {
    cwd: tree,
    env: { ...process.env, ...env, SANDBANK_TEST_PLAN: path },
    stdio: plan.record ? ['ignore', 'inherit', 'ignore'] : 'ignore',
    detached: true,
  })
  running.add(child)
  await new Promise((resolve) => child.on('exit', resolve))
  running.delete(child)
  killGroup(child)
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

function summarize(outcomes) {
  const survivors = outcomes.filter(({ isCaught }) => !isCaught).toSorted((a, b) => a.defect.number - b.defect.number)
  const caught = outcomes.length - survivors.length
  console.log(
    `\n${caught} of ${outcomes.length} caught (${((100 * caught) / outcomes.length).toFixed(1)} %), ${survivors.length} survived`,
  )
  if (survivors.length === 0) return
  console.log('\n| File | Line | Kind | Before | After | Test files that reach it |\n|---|---|---|---|---|---|')
  for (const { defect, plan } of survivors) {
    const cells = [defect.path, defect.line, defect.kind, cell(defect.before), cell(defect.after), plan.files.length]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

const cell = (text) => `\`${oneLine(text).replaceAll('|', '\\|')}\``
