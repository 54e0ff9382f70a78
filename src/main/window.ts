import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, BrowserWindow, protocol, type Rectangle, screen, session } from 'electron'
import { WINDOW_POLICY } from '../api/sandbox.ts'
import { placesOf } from './places.ts'

/** The one window: isolated, sandboxed, served from the app's own scheme, and unable to go anywhere else. */

const SCHEME = 'app'
const ORIGIN = `${SCHEME}://sandbank`
export const HOME = `${ORIGIN}/index.html`

/** Before the app is ready, or it is not heard. */
export const declareScheme = () =>
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** A page and what lies flat beside it: no such path leads anywhere else, on any system. */
const FILE = /^\/(index(\.html)|assets\/[\w-][\w.-]*(\.\w+))$/

/** The files of the built window and nothing else, whatever the address says. */
export async function fileOf(folder: string, address: string): Promise<Response> {
  const nothing = new Response('There is no such file of the window', { status: 404 })
  const { origin, host, protocol: scheme, pathname } = new URL(address)
  if (origin !== ORIGIN && `${scheme}//${host}` !== ORIGIN) return nothing
  const [, path, ofPage, ofAsset] = FILE.exec(pathname) ?? []
  const type = TYPES[ofPage ?? ofAsset ?? '']
  if (!path || !type) return nothing
  try {
    return new Response(await readFile(join(folder, path)), {
      headers: {
        'content-type': type,
        'content-security-policy': WINDOW_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
    })
  } catch {
    return nothing
  }
}

export interface Place {
  readonly bounds: Rectangle | null
  readonly maximized: boolean
}

export function openWindow(folder: string, { bounds, maximized }: Place): BrowserWindow {
  const window = new BrowserWindow({
    ...(bounds && isInSight(bounds) ? bounds : { width: 1440, height: 900 }),
    minWidth: 320,
    minHeight: 480,
    title: 'Sandbank',
    show: false,
    webPreferences: {
      preload: placesOf(folder).preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  // Its files are the app's own: loading them fails only when the window is closed meanwhile.
  window.loadURL(HOME).catch(() => {})
  return window
}

/** For every page there will ever be in this app. */
export function hardenEverything(folder: string) {
  protocol.handle(SCHEME, ({ url }) => fileOf(placesOf(folder).window, url))
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide) => decide(isAllowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => isAllowed(permission))
  // What the window exports goes where the system's own dialog says.
  session.defaultSession.on('will-download', (_event, item) => {
    const name = item.getFilename()
    item.setSaveDialogOptions({ title: `Save ${name}`, defaultPath: join(app.getPath('downloads'), name) })
  })
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event, url) => {
      if (!url.startsWith(HOME)) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}

/** A display may have been taken away since. */
const isInSight = ({ x, y, width, height }: Rectangle) =>
  screen
    .getAllDisplays()
    .some(
      ({ workArea }) =>
        x < workArea.x + workArea.width &&
        x + width > workArea.x &&
        y < workArea.y + workArea.height &&
        y + height > workArea.y,
    )
