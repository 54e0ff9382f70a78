/** Fetches the binary of Electron with Electron's own script, which keeps the archive in the user's cache. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const INTERRUPTED = 130
const STALLED_AFTER_MS = 60_000
const MB = 1_000_000

/** Electron's own path.txt says the same. */
const BINARY = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'

/** The binary of Electron that is named or installed: its `path`, or neither, or why the one that is named is `missing`. */
export function findElectron() {
  const { ELECTRON_EXEC_PATH: named, ELECTRON_OVERRIDE_DIST_PATH: folder } = process.env
  const installed = join(root, 'node_modules', 'electron')
  const path = named || join(folder || join(installed, 'dist'), BINARY)
  // Without path.txt the package is not unpacked yet. Importing the package would start a download.
  const isThere = existsSync(path) && (named || folder || existsSync(join(installed, 'path.txt')))
  if (isThere) return { path }
  if (!named && !folder) return {}
  return {
    missing: `${named ? 'ELECTRON_EXEC_PATH' : 'ELECTRON_OVERRIDE_DIST_PATH'} names ${path}, which is not there`,
  }
}

/** Returns why it failed, with what to do. Ends this process if it is interrupted. */
export async function fetchElectron() {
  console.error('Fetching Electron, once (about 120 MB) …')
  // Its own folder, because Electron's script leaves its temporary files when it is interrupted.
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-electron-'))
  const child = spawn(process.execPath, [join(root, 'scripts', 'install-electron.mjs')], {
    cwd: root,
    // stdout has the progress.
    stdio: ['ignore', 2, 'pipe'],
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  })
  let errors = ''
  child.stderr.on('data', (text) => (errors += text))
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
    child.kill()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt)
  const [code] = await once(child, 'close')
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  if (isInterrupted) {
    console.error('\nThe download of Electron was interrupted: npm start begins it again')
    process.exit(INTERRUPTED)
  }
  return code === 0 ? undefined : explainFailure(errors)
}

/** Of the system, or else of npm. */
const findProxy = ({ HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, ...env }) =>
  [HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, env.npm_config_https_proxy, env.npm_config_proxy].find(Boolean)

/** Electron's script takes a proxy only if this variable is set, and does not know the settings of npm. */
export function proxySettings(env) {
  const proxy = findProxy(env)
  if (!proxy) return {}
  const no_proxy = env.no_proxy || env.NO_PROXY || env.npm_config_noproxy
  return { ELECTRON_GET_USE_PROXY: 'true', https_proxy: proxy, ...(no_proxy && { no_proxy }) }
}

/** `errors` has the stack of an error, as Electron's script prints it. */
export function explainFailure(errors, env = process.env) {
  const line =
    errors.split('\n').find((one) => /^(?:\w*Error|\[Error)\b.*?: /.test(one)) ?? errors.trim().split('\n')[0] ?? ''
  const reason = line.replace(/^\[?\w*Error\b.*?: /, '').replace(/[.\]]+$/, '')
  if (/ENOSPC|no space left/i.test(line))
    return `a disk is full: Electron needs 120 MB in ${tmpdir()}, as much in its cache, and 300 MB in node_modules`
  const found = /checksum/i.test(line) ? `what was fetched is not the file that was expected (${reason})` : reason
  const proxy = findProxy(env)
  // Without its user and password.
  const by = URL.canParse(proxy ?? '') ? ` by the proxy ${new URL(proxy).host}` : ''
  return `Electron could not be fetched${by}: ${found || 'its script ended without a reason'}. HTTPS_PROXY names a proxy, ELECTRON_MIRROR another source, ELECTRON_OVERRIDE_DIST_PATH the folder of an Electron that is there (docs/desktop.md)`
}

// ── Within Electron's script ─────────────────────────────────────────────────────────────────────────────────────────

/** A `fetch` that shows its progress, ends a download that stands still, and gives each failure its cause. */
export function watchFetch(fetch, { print = createPrinter(process.stdout), stalledAfterMs = STALLED_AFTER_MS } = {}) {
  return async (url, options) => {
    const stall = new AbortController()
    const timer = setTimeout(
      () => stall.abort(new Error(`no byte came within ${stalledAfterMs / 1_000} seconds`)),
      stalledAfterMs,
    )
    const explain = (error) => {
      const reason = stall.signal.reason ?? rootCause(error)
      return new Error(`${new URL(url).origin}: ${reason.message || reason.code}`)
    }
    const response = await fetch(url, { ...options, signal: stall.signal }).catch((error) => {
      clearTimeout(timer)
      throw explain(error)
    })
    if (!response.ok || !response.body) {
      clearTimeout(timer)
      return response
    }
    const total = Number(response.headers.get('content-length'))
    const pass = async function* () {
      let bytes = 0
      try {
        for await (const chunk of response.body) {
          timer.refresh()
          bytes += chunk.length
          print(formatProgress(bytes, total), total > 0 ? bytes / total : 0)
          yield chunk
        }
      } catch (error) {
        throw explain(error)
      } finally {
        clearTimeout(timer)
      }
    }
    return new Response(ReadableStream.from(pass()), response)
  }
}

const formatProgress = (bytes, total) =>
  `Fetching Electron: ${Math.ceil(bytes / MB)}${total > 0 ? ` of ${Math.ceil(total / MB)}` : ''} MB`

/** "fetch failed" says nothing; its cause does. Several addresses of a host fail together. */
function rootCause(error) {
  const cause = error.cause ?? error.errors?.at(-1)
  return cause ? rootCause(cause) : error
}

/** In a terminal one line that changes; elsewhere a line for each tenth. */
function createPrinter(stream) {
  let tenths = 0
  return (line, share) => {
    if (stream.isTTY) stream.write(`\r${line}${share === 1 ? '\n' : ''}`)
    else if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10)
      stream.write(`${line}\n`)
    }
  }
}
