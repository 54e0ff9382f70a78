// npm start: installs and builds what is missing, then opens the desktop app; where there is no Electron binary or no
// display, says so in one line and serves the window to the browser. `npm start -- --port 4020` passes options on.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const FETCH_WITHIN_MS = 180_000
let stopping = false
/** Electron that ends so soon, and not well, could not start at all. */
const STARTS_WITHIN_MS = 5_000

prepare()
const args = process.argv.slice(2)
const wantsTerminal = args.some((arg) => ['--help', '-h', '--json'].includes(arg))
const missing = wantsTerminal ? undefined : (noDisplay() ?? noBinary())
if (wantsTerminal) serve([])
else if (missing) instead(missing)
else desktop()

function noDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return undefined
  return 'there is no display'
}

/** Electron's own package says by path.txt whether its binary is there; asking the package would start a download. */
function binary() {
  const electron = join(root, 'node_modules', 'electron')
  const named = join(electron, 'path.txt')
  if (!existsSync(named)) return undefined
  const path = join(electron, 'dist', readFileSync(named, 'utf8').trim())
  return existsSync(path) ? path : undefined
}

function noBinary() {
  if (binary()) return undefined
  console.error('Fetching Electron, once (about 100 MB) …')
  spawnSync(process.execPath, [join(root, 'node_modules', 'electron', 'install.js')], {
    cwd: root,
    stdio: 'ignore',
    timeout: FETCH_WITHIN_MS,
  })
  return binary() ? undefined : "Electron's binary could not be fetched"
}

function desktop() {
  const started = Date.now()
  let ended = false
  const child = spawn(binary(), [root, ...args], { stdio: 'inherit' })
  forward(child)
  const end = (code, failed) => {
    if (ended) return
    ended = true
    if (failed && Date.now() - started < STARTS_WITHIN_MS) instead('Electron could not start on this machine')
    else process.exit(code)
  }
  child.on('error', () => end(1, true))
  // A signal that we did not pass on is a crash, and so is a code.
  child.on('exit', (code, signal) => end(code ?? 1, !stopping && (code !== 0 || signal !== null)))
}

function instead(reason) {
  console.error(`No desktop app: ${reason}. The window is served to the browser instead.`)
  serve(noDisplay() ? [] : ['--open'])
}

function serve(more) {
  const child = spawn(process.execPath, [join(root, 'out', 'main', 'cli.js'), 'serve', ...more, ...args], {
    stdio: 'inherit',
  })
  forward(child)
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)))
}

/** A signal to npm start is meant for the sandbox, which ends cleanly. */
function forward(child) {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      stopping = true
      child.kill(signal)
    })
}
