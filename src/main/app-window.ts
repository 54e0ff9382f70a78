import { type BrowserWindow, Menu, type WebContents } from 'electron'
import type { ContextMenuItem, DesktopNotice, FoundInPage } from '../api/contract/desktop.ts'
import { NoticeSender, notifyWindow, type Subscribe } from './ipc.ts'
import { createPageMenu } from './menu.ts'
import { loadPage, worldOf } from './window.ts'

/** One window of the app: the world that it shows, and what its page is told. */
export class AppWindow {
  readonly browserWindow: BrowserWindow
  /** Still there when the window is closed, unlike `browserWindow.webContents`, which then throws. */
  readonly contents: WebContents
  readonly search: ReturnType<typeof createPageSearch>
  readonly notices: NoticeSender
  #isPageReady = false
  /** The address to show as soon as the page is loaded. */
  #waitingAddress: string | undefined

  constructor(browserWindow: BrowserWindow, address: string, subscribe: Subscribe) {
    this.browserWindow = browserWindow
    this.contents = browserWindow.webContents
    this.search = createPageSearch(this.contents)
    this.notices = new NoticeSender(this.contents, subscribe, worldOf(address))
    browserWindow.once('closed', () => this.notices.stop())
    // Also by the menu's Reload; not when only the fragment changes.
    this.contents.on('did-navigate', () => {
      this.#isPageReady = false
    })
  }

  /** Null for the root world. */
  get world(): string | null {
    return this.notices.world
  }

  /** Shows a place in the world of the window. Waits for a page that is still loading, which would not receive the notice. */
  go(address: string) {
    if (!this.#isPageReady) this.#waitingAddress = address
    else this.notify({ type: 'go', address })
  }

  notify(notice: DesktopNotice) {
    notifyWindow(this.contents, notice)
  }

  /** The page sends its menu when it listens to notices. */
  onPageReady() {
    this.#isPageReady = true
    if (this.#waitingAddress !== undefined) this.go(this.#waitingAddress)
    this.#waitingAddress = undefined
  }

  reload() {
    this.#isPageReady = false
    this.contents.reload()
  }

  /** After the sandbox was replaced: its other worlds ended with it. */
  showRootWorld() {
    if (this.world === null) return this.reload()
    this.#isPageReady = false
    loadPage(this.browserWindow)
  }

  focus() {
    if (this.browserWindow.isMinimized()) this.browserWindow.restore()
    this.browserWindow.focus()
  }

  /** Resolves with the position of the item that was clicked. */
  showMenu(items: readonly (ContextMenuItem | null)[], at: { readonly x: number; readonly y: number } | null) {
    return new Promise<number | null>((resolve) => {
      const zoom = this.contents.getZoomFactor()
      const place = at ? { x: Math.round(at.x * zoom), y: Math.round(at.y * zoom) } : {}
      Menu.buildFromTemplate(createPageMenu(items, resolve)).popup({
        window: this.browserWindow,
        ...place,
        // A click may be reported after the end of the menu.
        callback: () => setImmediate(() => resolve(null)),
      })
    })
  }
}

/** Finds text in the page. A search that is replaced or stopped before its result is known returns null. */
function createPageSearch(contents: WebContents) {
  let pending: { readonly id: number; resolve(found: FoundInPage | null): void } | undefined
  const end = (found: FoundInPage | null) => {
    pending?.resolve(found)
    pending = undefined
  }
  // Earlier events of a request do not have all matches yet.
  contents.on('found-in-page', (_event, { requestId, finalUpdate, matches, activeMatchOrdinal }) => {
    if (finalUpdate && requestId === pending?.id) end({ matches, active: activeMatchOrdinal })
  })
  return {
    /** In Electron `findNext` is true for the first request of a text, and false for the next and previous match. */
    find(text: string, options: { readonly forward: boolean; readonly findNext: boolean }) {
      end(null)
      const id = contents.findInPage(text, options)
      return new Promise<FoundInPage | null>((resolve) => {
        pending = { id, resolve }
      })
    },
    stop() {
      end(null)
      contents.stopFindInPage('clearSelection')
    },
  }
}

/** The windows of the app: all show worlds of the same sandbox. The one that was used last comes first. */
export class AppWindows {
  #windows: readonly AppWindow[] = []

  get all(): readonly AppWindow[] {
    return this.#windows
  }

  get lastUsed(): AppWindow | undefined {
    return this.#windows[0]
  }

  add(window: AppWindow) {
    const others = () => this.#windows.filter((other) => other !== window)
    this.#windows = [window, ...this.#windows]
    window.browserWindow.on('focus', () => {
      this.#windows = [window, ...others()]
    })
    // Any use of a closed window throws.
    window.browserWindow.once('closed', () => {
      this.#windows = others()
    })
  }

  find(contents: WebContents): AppWindow | undefined {
    return this.#windows.find((window) => window.contents === contents)
  }

  showing(world: string | null): AppWindow | undefined {
    return this.#windows.find((window) => window.world === world)
  }
}
