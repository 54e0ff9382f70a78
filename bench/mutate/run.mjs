// Runs the tests against single planted defects. All defects of a run are compiled once into a copy of the tree, each behind a switch. A
// first run without a defect notes which tests reach which defect; then each defect is switched on for exactly those tests, the most
// promising first, until one fails. A test that never reaches the changed code cannot notice the change.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseDefects, oneLine } from './sites.mjs'
import { runTests } from './test-runs.mjs'
import { buildTree, folder, hashCheckout, hashFile, readText, sourceFiles, testFiles, tree } from './tree.mjs'

const RESULTS = join(folder, 'results.jsonl')
const NOTES = join(folder, 'reached')

export async function mutate({ defects: count, seed, file, tests, workers, seconds, list, fresh }) {
  const files = sourceFiles().filter(({ path }) => matches(path, file))
  const defects = chooseDefects(files, count, seed)
  if (list) {
    for (const defect of defects) console.log(describe(defect))
    return
  }
  if (fresh) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const checkout = hashCheckout()
  const trial = `${checkout} ${tests} ${seconds}`
  const known = readResults()
  const queue = defects.filter(({ name }) => !known.get(name)?.isCaught && known.get(name)?.trial !== trial)
  console.log(`${defects.length} defects, seed ${seed}: ${queue.length} to be tried`)
  if (queue.length > 0) {
    buildTree(defects, checkout)
    const path = join(folder, `record-${seed}-${count}.json`)
    const record = await recordTests(defects, { path, checkout, tests, workers })
    const tryNext = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const outcome = { ...(await tryDefect(next, record, seconds)), name: next.name, trial }
        known.set(next.name, outcome)
        appendFileSync(RESULTS, `${JSON.stringify(outcome)}\n`)
        console.log(`${outcome.isCaught ? 'caught  ' : 'SURVIVED'} ${describe(next)}  ${outcome.by ?? ''}`)
      }
    }
    await Promise.all(Array.from({ length: workers }, tryNext))
  }
  summarize(defects, known)
}

const describe = ({ path, line, kind, before, after }) =>
  `${path}:${line} ${kind}: ${shorten(before)} → ${shorten(after)}`

function shorten(text) {
  const line = oneLine(text)
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line
}

/** `*` is any text without a slash, `**` any text; globs are separated by commas. */
function matches(path, globs) {
  const pattern = globs
    .split(/(\*\*|\*|,)/)
    .map((part) => ({ '**': '.*', '*': '[^/]*', ',': '|' })[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^(?:${pattern.join('')})$`).test(path)
}

/** The last outcome of each defect, by its name. */
function readResults() {
  const lines = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => JSON.parse(line)).map((outcome) => [outcome.name, outcome]))
}

/**
 * Runs the tests without a defect: which files pass, how long they take and what they reach. A test file that the last run recorded is
 * not run again while it is the same. What fails in the copy is named and left out.
 */
async function recordTests(defects, { path: recordPath, checkout, tests, workers }) {
  const old = existsSync(recordPath) ? JSON.parse(readFileSync(recordPath, 'utf8')) : { defects: [], files: {} }
  const hashes = new Map(testFiles().map((path) => [path, hashFile(path)]))
  const isWanted = (path) => hashes.has(path) && matches(path, tests)
  const record = {
    defects: Object.keys(old.files).length > 0 ? old.defects : defects.map(({ name }) => name),
    files: Object.fromEntries(
      Object.entries(old.files).filter(([path, { hash, isPassed }]) => isPassed && hashes.get(path) === hash),
    ),
  }
  const missing = [...hashes.keys()].filter((path) => isWanted(path) && !record.files[path])
  if (missing.length > 0) {
    rmSync(NOTES, { recursive: true, force: true })
    mkdirSync(NOTES)
    const results = await runTests(
      'record',
      { files: missing.map((file) => ({ file })), record: true, workers },
      { SANDBANK_REACHED: join(NOTES, 'start'), SANDBANK_REACHED_FOLDER: NOTES },
    )
    for (const { file, isPassed, duration } of results)
      record.files[file] = { checkout, hash: hashes.get(file), isPassed, duration, ...readNotes(file, defects) }
    writeFileSync(recordPath, JSON.stringify(record))
  }
  const failed = Object.keys(record.files).filter((file) => !record.files[file].isPassed)
  if (failed.length > 0)
    console.log(`\nLeft out, because they fail without a defect:\n${failed.map((file) => `  ${file}`).join('\n')}`)
  const files = Object.entries(record.files)
    .filter(([file, { isPassed }]) => isPassed && isWanted(file))
    .map(([file, entry]) => ({ ...entry, file, run: new Set(entry.run) }))
  return {
    files,
    loaded: new Set(files.flatMap(({ load }) => load)),
    isRecorded: (name) => record.defects.includes(name),
    /** The sources may have changed since a test file was recorded. */
    async stillPasses(file) {
      const entry = record.files[file]
      if (!entry || entry.checkout === checkout) return true
      const { isCaught } = await runTests(`check-${encodeURIComponent(file)}`, { files: [{ file }], workers: 1 }, {})
      if (!isCaught) entry.checkout = checkout
      else {
        console.log(`left out, because it fails without a defect: ${file}`)
        entry.isPassed = false
        files.splice(0, files.length, ...files.filter((other) => other.file !== file))
      }
      writeFileSync(recordPath, JSON.stringify(record))
      return !isCaught
    },
  }
}

/** `load`: the defects that run while the modules of a test file are loaded; `run`: while its tests run. */
function readNotes(file, defects) {
  const path = join(NOTES, encodeURIComponent(join(tree, file)))
  const notes = existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(/^(load|run) (\d+);$/gm)] : []
  const during = (wanted) => [
    ...new Set(notes.filter(([, phase]) => phase === wanted).map(([, , number]) => defects[number].name)),
  ]
  return { load: during('load'), run: during('run') }
}

/**
 * The test files for a defect: first those that have its name, are quick, use the same rare words as the code around it, and reach few
 * defects. The modules of a worker are loaded once for many test files, so a defect at load concerns all of them.
 */
function planOf(defect, { files, loaded, isRecorded }, seconds) {
  const isEverywhere = loaded.has(defect.name) || !isRecorded(defect.name)
  const nearby = wordsNear(defect)
  const cost = ({ file, duration, run }) =>
    ((500 + duration) * (isEverywhere ? 100 : run.size)) /
    (0.05 + likeness(nearby, file) + (isNamedAfter(file, defect.path) ? 1 : 0)) ** 2
  const reaching = files.filter(({ run }) => isEverywhere || run.has(defect.name)).toSorted((a, b) => cost(a) - cost(b))
  let left = seconds * 1000
  return {
    files: reaching
      .filter(({ duration }, at) => at === 0 || (left -= duration) > 0)
      .map(({ file, duration }) => ({ file, duration })),
    workers: 1,
  }
}

function isNamedAfter(test, source) {
  const [a, b] = [test, source].map((path) => /([^/.]+)\.[^/]*$/.exec(path)[1])
  return a.startsWith(b) || b.startsWith(a)
}

const wordsOf = (text) => new Set(text.match(/\w{4,}/g))

const wordsNear = ({ path, line }) =>
  wordsOf(
    [
      path,
      ...readText(path)
        .split('\n')
        .slice(Math.max(0, line - 15), line + 3),
    ].join('\n'),
  )

const likeness = (words, file) => {
  const { byFile, counts } = wordsOfTests()
  return [...words].reduce((sum, word) => sum + (byFile.get(file).has(word) ? 1 / counts.get(word) : 0), 0)
}

const wordsOfTests = once(() => {
  const byFile = new Map(testFiles().map((file) => [file, wordsOf(`${file}\n${readText(file)}`)]))
  const counts = new Map()
  for (const words of byFile.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { byFile, counts }
})

function once(compute) {
  let value
  return () => (value ??= compute())
}

async function tryDefect(defect, record, seconds) {
  const plan = planOf(defect, record, seconds)
  const env = { SANDBANK_DEFECT: String(defect.number) }
  const outcome = { ...(await runTests(`defect-${defect.number}`, plan, env)), files: plan.files.length }
  if (!outcome.isCaught) return outcome
  const [file] = outcome.by.split(':')
  return (await record.stillPasses(file)) ? outcome : tryDefect(defect, record, seconds)
}

function summarize(defects, known) {
  const survivors = defects.filter(({ name }) => !known.get(name).isCaught)
  const caught = defects.length - survivors.length
  console.log(
    `\n${caught} of ${defects.length} caught (${((100 * caught) / defects.length).toFixed(1)} %), ${survivors.length} survived`,
  )
  if (survivors.length === 0) return
  console.log('\n| File | Kind | Before | After | Test files that reach it |\n|---|---|---|---|---|')
  for (const { path, line, kind, before, after, name } of survivors)
    console.log(`| ${[`${path}:${line}`, kind, cell(before), cell(after), known.get(name).files].join(' | ')} |`)
}

const cell = (text) => `\`${shorten(text).replaceAll('|', '\\|')}\``
