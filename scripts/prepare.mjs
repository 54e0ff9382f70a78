// Prepares a checkout: installs packages when they differ from package-lock.json, and builds when the sources have changed. Takes some
// milliseconds when nothing is to do.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmCommand } from './npm-command.mjs'

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
  // npm ci would delete the content of the linked folder.
  const folder = join(root, 'node_modules')
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      `${folder} is a link to packages that differ from package-lock.json: remove the link (rm node_modules) and run this again`,
    )
  console.error('Installing packages (npm ci) …')
  // Also with NODE_ENV=production: Electron and the tests are dev dependencies.
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed: see above')
}

/** Compares with npm's own record of what it installed. Optional packages may belong to another platform. */
function isInstalled() {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return false
  return Object.entries(packagesOf(join(root, 'package-lock.json')) ?? {}).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  )
}

const packagesOf = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined)

function build() {
  const stamp = join(root, 'out', '.sandbank-build')
  const sources = [
    ...['src', 'resources'].flatMap((folder) => filesIn(join(root, folder)).map((path) => `${folder}/${path}`)),
    ...['package.json', 'package-lock.json', 'electron.vite.config.ts'],
    ...['scripts/library.mjs', 'scripts/types.mjs', 'scripts/generated.mjs'],
  ]
  const current = hash(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  console.error('Building …')
  npm(['run', '--silent', 'build'], 'The build failed: see above')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, current)
}

export function npm(args, errorText) {
  const { command, args: all, shell } = npmCommand(args)
  const { status } = spawnSync(command, all, { cwd: root, stdio: ['ignore', 2, 2], shell })
  if (status !== 0) fail(errorText)
}

export function fail(line) {
  console.error(line)
  process.exit(1)
}

/** All files of a folder and its subfolders, by their paths from it, with slashes and in their order. */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort()

function hash(paths) {
  const sum = createHash('sha256').update(process.version)
  for (const path of paths) {
    const full = join(root, path)
    sum.update(`\0${path}\0`).update(existsSync(full) ? readFileSync(full) : '')
  }
  return sum.digest('hex')
}
