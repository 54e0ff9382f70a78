// Makes a fresh checkout ready with nothing but Node and npm: installs what is missing, builds what is stale. What is
// fresh is left alone, so a second run costs some milliseconds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const NEEDED = [20, 19]

export function prepare() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]))
    fail(`Node ${process.versions.node} is too old: Sandbank needs ${NEEDED.join('.')} or later (https://nodejs.org)`)
  install()
  build()
}

function install() {
  if (isInstalled()) return
  // npm ci would empty the folder that it leads to, which is another's.
  const folder = join(root, 'node_modules')
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      `${folder} is a link, and what it leads to is not what package-lock.json asks for: remove the link (rm node_modules) and run this again`,
    )
  console.error('Installing packages (npm ci) …')
  // Electron's host and the tests are dev dependencies: wanted here whatever NODE_ENV says.
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed: see above')
}

/** npm itself notes what it installed. Optional packages are another platform's, or npm has seen to them. */
function isInstalled() {
  const noted = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (!noted) return false
  return Object.entries(packagesOf(join(root, 'package-lock.json')) ?? {}).every(
    ([path, { version, optional }]) => path === '' || optional || noted[path]?.version === version,
  )
}

const packagesOf = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined)

function build() {
  const stamp = join(root, 'out', '.sandbank-build')
  const sources = [
    ...filesIn('src'),
    ...filesIn('resources'),
    'electron.vite.config.ts',
    'package.json',
    'package-lock.json',
  ]
  const wanted = hash(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Building …')
  npm(['run', '--silent', 'build', '--', '--logLevel', 'warn'], 'The build failed: see above')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

export function npm(args, complaint) {
  // npm tells its children where it is; without it (node scripts/… by hand) the one on the path is taken.
  const cli = process.env.npm_execpath
  const [command, ...before] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  const { status } = spawnSync(command, [...before, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (status !== 0) fail(complaint)
}

export function fail(line) {
  console.error(line)
  process.exit(1)
}

function filesIn(folder) {
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      return statSync(join(root, path)).isDirectory() ? filesIn(path) : [path]
    })
}

function hash(paths) {
  const sum = createHash('sha256').update(process.version)
  for (const path of paths) {
    const full = join(root, path)
    sum.update(`\0${path}\0`).update(existsSync(full) ? readFileSync(full) : '')
  }
  return sum.digest('hex')
}
