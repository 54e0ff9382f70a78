import { app, BrowserWindow, clipboard, Menu, nativeTheme, protocol, type Rectangle, screen, session } from 'electron'
import { readWindowFile, WINDOW_HEADERS } from '../api/sandbox.ts'
import { appPaths } from './app-paths.ts'
import { showError } from './dialogs.ts'
import { createContextMenu } from './menu.ts'

/** A window: isolated, sandboxed, served from the app's own scheme, and unable to navigate elsewhere. */

const SCHEME = 'app'
const ORIGIN = `${SCHEME}://sandbank`
const HOME = `${ORIGIN}/index.html`

/** Has no effect once the app is ready. */
export const declareScheme = () =>
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])

/** Serves the files of the built window only. */
async function serveWindowFile(folder: string, address: string): Promise<Response> {
  const notFound = new Response('There is no such file of the window', { status: 404 })
  const { origin, host, protocol: scheme, pathname } = new URL(address)
  if (origin !== ORIGIN && `${scheme}//${host}` !== ORIGIN) return notFound
  const file = await readWindowFile(folder, pathname)
  return file ? new Response(file.content, { headers: { ...WINDOW_HEADERS, 'content-type': file.type } }) : notFound
}

interface WindowOptions {
  readonly bounds: Rectangle | null
  readonly maximized: boolean
  /** The page to show. */
  readonly address: string
  /** Opens another window. */
  readonly openPage: (address: string) => void
}

export function openWindow(folder: string, options: WindowOptions): BrowserWindow {
  const { bounds, maximized, address, openPage } = options
  const window = new BrowserWindow({
    ...(bounds && isVisible(bounds) ? bounds : { width: 1440, height: 900 }),
    minWidth: 320,
    minHeight: 480,
    title: 'Sandbank',
    ...(process.platform === 'linux' ? { icon: appPaths(folder).icon } : {}),
    backgroundColor: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
    show: false,
    webPreferences: {
      preload: appPaths(folder).preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  const show = () => {
    if (window.isDestroyed() || window.isVisible()) return
    if (maximized) window.maximize()
    window.show()
  }
  // Earlier it would show an empty window.
  window.once('ready-to-show', show)
  // On Wayland a hidden window is not painted, and is never ready to be shown.
  if (process.platform === 'linux') window.webContents.once('did-finish-load', show)
  window.webContents.on('context-menu', (_event, params) => {
    const items = createContextMenu(params, { copyText, ...(isOwnPage(params.linkURL) ? { openPage } : {}) })
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
  loadPage(window, address)
  return window
}

/** Before Electron 45, `writeText` returns no promise. */
export async function copyText(text: string): Promise<void> {
  try {
    await clipboard.writeText(text)
  } catch (error) {
    showError(error)
  }
}

/** By default of the root world. Loading the app's own files fails only if the window is closed meanwhile. */
export const loadPage = (window: BrowserWindow, address = homeAddress()) => void window.loadURL(address).catch(() => {})

/** `--paper` of the window's themes: shown until its first frame is drawn. */
const PAPER = { light: '#ffffff', dark: '#171715' }

/** `npm run dev` serves the window from a server that reloads changed files. */
export const homeAddress = () => (!app.isPackaged && process.env.ELECTRON_RENDERER_URL) || HOME

/** A page of the app in any world, at any place. */
const isOwnPage = (url: string) => {
  const home = new URL(homeAddress()).href
  return url.startsWith(home) && /^([?#]|$)/.test(url.slice(home.length))
}

/** The name of the world that a page shows; null for the root world. */
export const worldOf = (address: string): string | null => new URL(address).searchParams.get('world')

/** The first page of a world. */
export const addressOfWorld = (world: string | null): string =>
  world === null ? homeAddress() : `${homeAddress()}?world=${encodeURIComponent(world)}`

/** The same size, a little further down and to the right, or at the corner of the display. */
export function cascade(bounds: Rectangle): Rectangle {
  const moved = { ...bounds, x: bounds.x + CASCADE, y: bounds.y + CASCADE }
  const display = screen.getAllDisplays().find(({ workArea }) => overlaps(moved, workArea))
  if (!display) return bounds
  const { x, y, width, height } = display.workArea
  const fits = moved.x + moved.width <= x + width && moved.y + moved.height <= y + height
  return fits ? moved : { ...moved, x, y }
}
const CASCADE = 28

/** Applies to every page of the app. */
export function secureApp(folder: string, openPage: (address: string) => void) {
  protocol.handle(SCHEME, ({ url }) => serveWindowFile(appPaths(folder).window, url))
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide) => decide(isAllowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => isAllowed(permission))
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event, url) => {
      if (!url.startsWith(homeAddress())) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    // A page opens another window of the app, and nothing else.
    contents.setWindowOpenHandler(({ url }) => {
      if (isOwnPage(url)) openPage(url)
      return { action: 'deny' }
    })
  })
}

/** A display may have been disconnected since. */
const isVisible = (bounds: Rectangle) => screen.getAllDisplays().some(({ workArea }) => overlaps(bounds, workArea))

const overlaps = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y
