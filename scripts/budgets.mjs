// How large each part may be. `npm run check` fails above a number: a change that needs more raises it in its own commit and says why; one
// that deletes lowers it. `node scripts/budgets.mjs` prints the table.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/** Lines of hand-written files, the longest path that contains a file counts. */
export const LINES = {
  'src/api/contract': 14_450,
  'src/api/control': 3_740,
  'src/api/domain': 7_100,
  'src/api/http': 3_880,
  'src/api/replay': 5_450,
  'src/api/scenarios': 3_280,
  'src/api/store': 6_610,
  'src/api/system': 210,
  'src/api/time': 710,
  'src/api/views': 4_760,
  'src/api/webhooks': 980,
  'src/api/worlds': 1_300,
  'src/main': 8_710,
  'src/renderer/actions': 770,
  'src/renderer/components': 6_290,
  'src/renderer/data': 2_670,
  'src/renderer/forms': 2_070,
  'src/renderer/frame': 6_910,
  'src/renderer/screens': 15_480,
  'src/renderer/ui': 4_670,
  src: 3_030,
  test: 73_430,
  bench: 12_080,
  scripts: 3_980,
}
/** The part of the window's JavaScript that its first screen loads. */
const FIRST_SCREEN = 0.3
/** Pairs of files that share a run of six lines, or one file that has it twice. */
const REPEATED = 26
/** What a user installs, unpacked. */
const PACKAGE_MB = 8

const HAND_WRITTEN = /\.(?:ts|tsx|css|html|mjs|py)$/

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : HAND_WRITTEN.test(path) ? [path] : []
  })
}

const placeOf = (path) =>
  Object.keys(LINES)
    .filter((place) => path.startsWith(`${place}/`))
    .sort((a, b) => b.length - a.length)[0]

function countLines() {
  const counts = new Map(Object.keys(LINES).map((place) => [place, 0]))
  for (const path of ['src', 'test', 'bench', 'scripts'].flatMap(filesIn)) {
    const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1
    counts.set(placeOf(path), counts.get(placeOf(path)) + lines)
  }
  return counts
}

/** The scripts that the page names; what the screens need more is loaded after the first one is shown. */
function measureFirstScreen() {
  const built = join(root, 'out', 'renderer')
  if (!existsSync(built)) return undefined
  const sum = (names) => names.reduce((bytes, name) => bytes + statSync(join(built, 'assets', name)).size, 0)
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const first = [...page.matchAll(/"\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name)
  return sum(first) / sum(readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.js')))
}

const RUN = 6
/** Imports, brackets and the like are alike everywhere. */
const saysLittle = (line) => line.length < 8 || /^(?:import|export \*|\} from) /.test(line)

function findRepeated() {
  const seen = new Map()
  const pairs = new Set()
  for (const path of ['src', 'test', 'bench', 'scripts'].flatMap(filesIn)) {
    const lines = readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !saysLittle(line))
    for (let at = 0; at + RUN <= lines.length; at++) {
      const run = lines.slice(at, at + RUN).join('\n')
      if (seen.has(run)) pairs.add(`${seen.get(run)} and ${path}`)
      else seen.set(run, path)
    }
  }
  return [...pairs]
}

function sizeOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats?.size ?? 0
  return readdirSync(path).reduce((bytes, name) => bytes + sizeOf(join(path, name)), 0)
}

function measurePackage() {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return files.reduce((bytes, path) => bytes + sizeOf(join(root, path)), 0) / 1e6
}

/** The files that grew most since the commit before. */
function whereItGrew(place) {
  const { stdout = '', status } = spawnSync('git', ['diff', '--numstat', 'HEAD~1', '--', place], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) return ''
  const grown = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([added, removed, path]) => ({ path, by: Number(added) - Number(removed) }))
    .filter(({ path, by }) => by > 0 && path && placeOf(path) === place)
    .sort((a, b) => b.by - a.by)
  return grown.length === 0
    ? ''
    : `; it grew in ${grown
        .slice(0, 3)
        .map(({ path, by }) => `${path} (+${by})`)
        .join(', ')}`
}

export function budgetErrors(limits = LINES) {
  const errors = []
  for (const [place, lines] of countLines())
    if (lines > limits[place])
      errors.push(
        `${place} has ${lines} lines, ${lines - limits[place]} more than its budget of ${limits[place]}${whereItGrew(place)}. Delete, or raise the number in scripts/budgets.mjs and say why`,
      )
  const part = measureFirstScreen()
  if (part > FIRST_SCREEN)
    errors.push(
      `The first screen of the window loads ${Math.round(part * 100)} % of its JavaScript, more than its budget of ${FIRST_SCREEN * 100} %: import what it does not need on demand`,
    )
  const size = measurePackage()
  if (size > PACKAGE_MB) errors.push(`The package has ${size.toFixed(1)} MB, more than its budget of ${PACKAGE_MB} MB`)
  const repeated = findRepeated()
  if (repeated.length > REPEATED)
    errors.push(
      `${repeated.length} pairs of files share ${RUN} lines, more than the budget of ${REPEATED}: write each once. They are ${repeated.join(', ')}`,
    )
  return errors
}

if (process.argv[1] === join(root, 'scripts', 'budgets.mjs')) {
  const counts = [...countLines()]
  for (const [place, lines] of counts)
    console.log(`${place.padEnd(26)} ${String(lines).padStart(6)} of ${LINES[place]}`)
  const sum = (names) => counts.filter(([place]) => place.startsWith(names)).reduce((all, [, lines]) => all + lines, 0)
  console.log(`src ${sum('src')}, test ${sum('test')}, bench and scripts ${sum('bench') + sum('scripts')}`)
  const part = Math.round((measureFirstScreen() ?? 0) * 100)
  console.log(`first screen ${part} % of the JavaScript, at most ${FIRST_SCREEN * 100} %`)
  console.log(`package ${measurePackage().toFixed(1)} MB, at most ${PACKAGE_MB} MB`)
  console.log(`${findRepeated().length} pairs of files share ${RUN} lines, at most ${REPEATED}`)
}
