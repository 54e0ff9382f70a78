// npm start: installs and builds what is missing, then opens the desktop app. Without Electron's binary or a display it prints one line
// that says so, and serves the window to the browser. `npm start -- --port 4020` passes options to the app.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchElectron, findElectron } from './fetch-electron.mjs'
import { prepare, root } from './prepare.mjs'

/** Electron did not start at all when it fails within this time. */
const STARTS_WITHIN_MS = 5_000
/** The exit codes of an app that did start. */
const REFUSED = 2
const INTERRUPTED = 130
const WITH_CHANNEL = ['inherit', 'inherit', 'inherit', 'ipc']
let isStopping = false

prepare()
const args = process.argv.slice(2)
const wantsTerminal = args.some((arg) => ['--help', '-h', '--json'].includes(arg))
const missing = wantsTerminal ? undefined : (findNoDisplay() ?? (await findNoBinary()))
if (wantsTerminal) serve([])
else if (missing) serveInstead(missing)
else startDesktop()

/** Why there is no display; undefined if there is one. */
function findNoDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return undefined
  return 'there is no display'
}

/** Why there is no binary; undefined if there is one, which may have been fetched. */
async function findNoBinary() {
  const { path, missing } = findElectron()
  if (path !== undefined || missing !== undefined) return missing
  return (await fetchElectron()) ?? (findElectron().path ? undefined : 'its script fetched no Electron')
}

function startDesktop() {
  const started = Date.now()
  let ended = false
  // With this variable Electron would run as Node, without a window.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(findElectron().path, [root, ...args], { stdio: WITH_CHANNEL, env })
  endTogether(child)
  const end = (code, failed) => {
    if (ended) return
    ended = true
    if (failed && Date.now() - started < STARTS_WITHIN_MS) serveInstead(explainFailedStart())
    else process.exit(code)
  }
  child.on('error', () => end(1, true))
  // An exit code or a signal is a crash, unless we sent the signal, or the app refused its options.
  child.on('exit', (code) => end(code ?? 1, !isStopping && code !== 0 && code !== REFUSED && code !== INTERRUPTED))
}

/** Ubuntu 24.04 and later allow the user namespaces of Chromium's sandbox only to programs with a profile. */
function explainFailedStart() {
  const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
  if (!existsSync(restriction) || readFileSync(restriction, 'utf8').trim() !== '1')
    return 'Electron could not start on this machine'
  return 'this system gives the sandbox of Electron no user namespaces. Install the deb, which has a profile for AppArmor, or run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
}

function serveInstead(reason) {
  console.error(`No desktop app: ${reason}. The window is served to the browser instead.`)
  serve(findNoDisplay() ? [] : ['--open'])
}

function serve(more) {
  const child = spawn(process.execPath, [join(root, 'out', 'main', 'cli.js'), 'serve', ...more, ...args], {
    stdio: WITH_CHANNEL,
  })
  endTogether(child)
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)))
}

/**
 * A signal to this process alone ends the sandbox, too. It is asked by its channel: the terminal signals it as well, and a second signal
 * would end it before it has saved. On Windows a signal would terminate it. Without this process the channel closes, too.
 */
function endTogether(child) {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      isStopping = true
      if (child.connected) child.disconnect()
    })
}
