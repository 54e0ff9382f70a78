import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Electron from 'electron'
import type { Browser, Page, Route } from 'playwright-core'

/**
 * Replaces the module `electron` for the built main process: the parts that the app uses, typed by `electron.d.ts`. Any other part
 * throws. A window is a Chromium page with the real preload script and the real window.
 *
 * Differences: the origin is `https:` instead of `app:`, because Playwright cannot answer requests of other schemes; dialogs are answered
 * from a list; the preload script runs in the JavaScript world of the page, so the rules of Electron's contextBridge are not tested.
 * Stricter than Electron: an error box, which stops the process until it is clicked, throws once the app is ready; so does a
 * notification where the system has none, which Electron ignores.
 */

const PRELOAD = readFileSync(fileURLToPath(new URL('../../../out/preload/index.cjs', import.meta.url)), 'utf8')
const STANDS_FOR = ['https://sandbank.app.invalid', 'app://sandbank'] as const

export interface DoubleOptions {
  readonly browser: Browser
  readonly userData: string
  /** The answers to dialogs in their order: the chosen path, or the beginning of a button's label. */
  readonly answers?: string[]
  /** The instance of the app that was started before this one. It has the lock until its process ends. */
  readonly before?: { readonly events: EventEmitter; hasEnded?(): boolean } | undefined
  /** An installed app: the arguments come without the app's folder. */
  readonly isPackaged?: boolean
}

export interface Dialog {
  readonly kind: 'message' | 'open' | 'save' | 'error'
  readonly text: string
  readonly buttons: readonly string[]
}

export function electronDouble({ browser, userData, answers = [], before, ...how }: DoubleOptions) {
  const { isPackaged = false } = how
  const handlers = new Map<string, (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown>()
  const schemes = new Map<string, (request: Request) => Response | Promise<Response>>()
  const dialogs: Dialog[] = []
  const notifications: { title: string; body: string; click(): void; fail(error: string): void }[] = []
  const trays: TrayDouble[] = []
  const recentDocuments: string[] = []
  const shown: string[] = []
  const windows: WindowDouble[] = []
  const exits: number[] = []
  const popups: PopupDouble[] = []
  /** `hasNotifications`: false on a Linux without a notification service. */
  const system: { hasNotifications: boolean; printFailure?: string } = { hasNotifications: true }
  /** What was copied, and why the system refuses a text, if it does. */
  const clipboard: { readonly copied: string[]; error?: string } = { copied: [] }
  const userModelIds: string[] = []
  let menu: Electron.MenuItemConstructorOptions[] = []
  let hasEnded = false
  let resolveEnd = () => {}
  const end = new Promise<void>((resolve) => {
    resolveEnd = resolve
  })
  const ended = () => {
    hasEnded = true
    resolveEnd()
  }
  let isReady = false
  let becomeReady = () => {}
  const ready = new Promise<void>((resolve) => {
    becomeReady = () => {
      isReady = true
      resolve()
    }
  })
  const requireReady = (what: string) => {
    if (!isReady) throw new Error(`${what} cannot be used before the app is ready`)
  }
  const requireNotReady = (what: string) => {
    if (isReady) throw new Error(`${what} should be called before the app is ready`)
  }

  const events = new EventEmitter()
  let quitting = false
  let hasFolder = false
  const app = only('app', {
    isPackaged,
    setName: (_name: string) => {
      requireNotReady('app.setName')
      if (hasFolder) throw new Error('app.setName comes too late: the folder of the user data has the former name')
    },
    setAppUserModelId: (id: string) => void userModelIds.push(id),
    isReady: () => isReady,
    getPath: (name: string) => {
      hasFolder = true
      if (name === 'userData' || name === 'home') return userData
      if (name === 'logs') return join(userData, 'logs')
      if (name === 'downloads') return join(userData, 'Downloads')
      throw new Error(`app.getPath(${name}) is not doubled`)
    },
    setPath: (_name: string, _path: string) => {},
    addRecentDocument: (path: string) => void recentDocuments.push(path),
    requestSingleInstanceLock: (said?: Record<string, unknown>) => {
      // Chromium's own switches come between, and the order is not kept.
      const argv = [...process.argv.slice(0, 1), '--allow-file-access-from-files', ...process.argv.slice(1).reverse()]
      hasFolder = true // The lock is in the folder of the user data.
      if (before === undefined || before.hasEnded?.()) return true
      before.events.emit('second-instance', {}, argv, process.cwd(), structuredClone(said))
      return false
    },
    whenReady: () => ready,
    setAboutPanelOptions: () => {},
    on: (name: string, listener: (...args: never[]) => void) => events.on(name, listener as never),
    // Browser::Quit() in Electron's browser.cc: before-quit, then close of each window, then will-quit. A quit emits window-all-closed only
    // if the user closed the last window before it.
    quit: () => {
      if (quitting) return
      const event = cancelable()
      events.emit('before-quit', event)
      if (event.defaultPrevented) return
      quitting = true
      void Promise.all(windows.map((window) => window.close())).then(() => {
        events.emit('will-quit', cancelable())
        ended()
      })
    },
    // Destroys the windows without `close`. The process is gone after the first call.
    exit: (code = 0) => {
      if (exits.length === 0) exits.push(code)
      quitting = true
      for (const window of windows) window.destroy()
      ended()
    },
  } satisfies Doubled<'app'>)

  class WindowDouble extends EventEmitter {
    readonly #contents: ReturnType<typeof contentsOf>
    readonly page: Promise<Page>
    readonly asked: Electron.BrowserWindowConstructorOptions
    readonly loaded: string[] = []
    #state = { maximized: false, minimized: false, focused: false, destroyed: false, shown: false }

    constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
      super()
      requireReady('BrowserWindow')
      this.asked = options
      this.#place = { x: options.x ?? 0, y: options.y ?? 0, ...sizeOf(options) }
      this.#contents = contentsOf(() => this.page)
      this.page = pageOf(options, this.#contents)
      windows.push(this)
      events.emit('web-contents-created', cancelable(), this.#contents)
    }

    /** What the app called, in this order. */
    readonly calls: string[] = []
    #isPainted = false
    #place = { x: 0, y: 0, width: 0, height: 0 }

    /** Electron throws at any use of a destroyed window but isDestroyed(). */
    #requireAlive() {
      if (this.#state.destroyed) throw new TypeError('Object has been destroyed')
    }
    get webContents() {
      this.#requireAlive()
      return this.#contents
    }

    async loadURL(url: string) {
      this.#requireAlive()
      this.loaded.push(url)
      this.#contents.emitter.emit('did-navigate')
      const page = await this.page
      await page.goto(url.replace(STANDS_FOR[1], STANDS_FOR[0]))
      this.#isPainted = true
      if (!this.#state.destroyed) this.emit('ready-to-show')
    }
    /** As the user or a quit closes it. */
    async close() {
      if (this.#state.destroyed) return
      this.emit('close', cancelable())
      await this.destroy()
    }
    /** Without `close`, as app.exit() does. */
    async destroy() {
      if (this.#state.destroyed) return
      this.#state.destroyed = true
      this.#state.focused = false
      this.#contents.end()
      this.emit('closed')
      if (!quitting && windows.every((window) => window.isDestroyed())) events.emit('window-all-closed')
      await (await this.page).context().close()
    }
    get state() {
      return { ...this.#state }
    }
    show() {
      this.#requireAlive()
      this.#state.shown = true
      this.calls.push('show')
      this.#takeFocus()
    }
    maximize() {
      this.#requireAlive()
      this.#state.maximized = true
      this.calls.push('maximize')
      this.#state.shown = true // maximize() also shows a hidden window.
      if (!this.#isPainted) throw new Error('maximize() shows a window that is not painted yet')
    }
    minimize() {
      this.#requireAlive()
      this.#state.minimized = true
      this.loseFocus()
    }
    restore() {
      this.#requireAlive()
      this.#state.minimized = false
    }
    focus() {
      this.#requireAlive()
      this.#takeFocus()
    }
    /** One window has the focus; the one that loses it is told first. */
    #takeFocus() {
      if (this.#state.focused) return
      for (const other of windows) other.loseFocus()
      this.#state.focused = true
      this.emit('focus')
      events.emit('browser-window-focus', {}, this)
    }
    loseFocus() {
      if (!this.#state.focused) return
      this.#state.focused = false
      if (!this.#state.destroyed) this.emit('blur')
    }
    /** As the user moves it. */
    moveTo(x: number, y: number) {
      this.#requireAlive()
      this.#place = { ...this.#place, x, y }
    }
    isFocused() {
      this.#requireAlive()
      return this.#state.focused
    }
    isMaximized() {
      this.#requireAlive()
      return this.#state.maximized
    }
    isVisible() {
      this.#requireAlive()
      return this.#state.shown
    }
    isMinimized() {
      this.#requireAlive()
      return this.#state.minimized
    }
    isDestroyed() {
      return this.#state.destroyed
    }
    getNormalBounds() {
      this.#requireAlive()
      return { ...this.#place }
    }
  }

  /** What the page may do of its own accord goes through these, as Chromium's navigation goes through Electron. */
  function contentsOf(page: () => Promise<Page>) {
    const emitter = new EventEmitter()
    const mainFrame = { main: true }
    let over = false
    const requireAlive = () => {
      if (over) throw new TypeError('Object has been destroyed')
    }
    let opens: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
    let opened: Page | undefined
    /** The page may be closed meanwhile, or on its way elsewhere. */
    const travel = (work: (it: Page) => Promise<unknown>) => {
      requireAlive()
      void page()
        .then(work)
        .catch(() => {})
    }
    const contents = {
      get mainFrame() {
        requireAlive()
        return mainFrame
      },
      isDestroyed: () => over,
      send: (channel: string, ...args: unknown[]) => {
        requireAlive()
        const message = { channel, values: structuredClone(args) }
        travel((it) =>
          it.evaluate((heard) => (window as unknown as Hearing).__hear(heard.channel, heard.values), message),
        )
      },
      reload: () => {
        emitter.emit('did-navigate')
        travel((it) => it.reload())
      },
      getTitle: () => {
        requireAlive()
        return 'Sandbank · Connect'
      },
      printToPDF: async (_options: Electron.PrintToPDFOptions) => (await page()).pdf(),
      print: (_options: Electron.WebContentsPrintOptions, done: (isDone: boolean, reason: string) => void) =>
        done(system.printFailure === undefined, system.printFailure ?? ''),
      getZoomFactor: () => {
        requireAlive()
        return 1
      },
      getURL: () => {
        requireAlive()
        const url = opened?.url() ?? ''
        return url === 'about:blank' ? '' : url.replace(STANDS_FOR[0], STANDS_FOR[1])
      },
      navigationHistory: only('webContents.navigationHistory', {
        goBack: () => travel((it) => it.evaluate(() => history.back())),
        goForward: () => travel((it) => it.evaluate(() => history.forward())),
      } satisfies Partial<Electron.NavigationHistory>),
      on: (name: string, listener: (...args: never[]) => void) => emitter.on(name, listener as never),
      once: (name: string, listener: (...args: never[]) => void) => emitter.once(name, listener as never),
      setWindowOpenHandler: (handler: typeof opens) => {
        opens = handler
      },
    }
    return Object.assign(only('webContents', contents as unknown as Record<string, unknown>) as typeof contents, {
      emitter,
      connect: (to: Page) => {
        opened = to
      },
      /** A page that the app allows to open a window itself would share its process. */
      opens: (url: string) => {
        const { action } = opens({ url: url.replace(STANDS_FOR[0], STANDS_FOR[1]) })
        if (action !== 'deny') throw new Error(`setWindowOpenHandler with ${action} is not doubled`)
      },
      end: () => {
        over = true
      },
    })
  }

  async function pageOf(
    options: Electron.BrowserWindowConstructorOptions,
    contents: ReturnType<typeof contentsOf>,
  ): Promise<Page> {
    const context = await browser.newContext({ viewport: sizeOf(options) })
    await context.exposeBinding('__open', (_source, url: string) => contents.opens(url))
    await context.exposeBinding('__menu', (_source, { linkURL, ...params }: { linkURL: string }) => {
      contents.emitter.emit('context-menu', {}, { ...params, linkURL: linkURL.replace(...STANDS_FOR) })
    })
    await context.exposeBinding('__invoke', ({ page: from, frame }, channel: string, args: unknown[]) =>
      // The main frame of a window that is open: no process waits for the reply of a closed one.
      contents.isDestroyed() || frame !== from.mainFrame()
        ? new Promise(() => {})
        : invoke(contents.mainFrame, contents, channel, args),
    )
    await context.addInitScript(`(${inPage})((require, module, exports) => {\n${PRELOAD}\n})`)
    const page = await context.newPage()
    contents.connect(page)
    await context.route('**/*', (route) => routed(route, contents))
    return page
  }

  /** Calls the handler of a channel. An error becomes text, as in Electron. */
  async function invoke(senderFrame: object, sender: object | undefined, channel: string, args: unknown[]) {
    const handler = handlers.get(channel)
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      return { value: structuredClone(await handler({ senderFrame, sender } as never, ...args)) }
    } catch (error) {
      return { failure: String(error) }
    }
  }

  async function routed(route: Route, contents: ReturnType<typeof contentsOf>) {
    const request = route.request()
    const url = request.url()
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) {
      const isOurs = url.startsWith(`${STANDS_FOR[0]}/index.html`)
      const event = cancelable()
      if (!isOurs) contents.emitter.emit('will-navigate', event, url.replace(STANDS_FOR[0], STANDS_FOR[1]))
      if (event.defaultPrevented) return route.abort('aborted')
    }
    const handler = schemes.get('app')
    if (!url.startsWith(STANDS_FOR[0]) || !handler) return route.abort('failed')
    const response = await handler(new Request(url.replace(STANDS_FOR[0], STANDS_FOR[1])))
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  function answered(options: readonly string[]): string {
    const answer = answers.shift()
    if (answer === undefined) throw new Error(`No answer for the dialog: ${dialogs.at(-1)?.text}`)
    if (options.length === 0) return answer
    const chosen = options.find((option) => option.startsWith(answer))
    if (chosen === undefined) throw new Error(`There is no ${answer} among ${options.join(', ')}`)
    return chosen
  }
  const dialog = only('dialog', {
    showMessageBox: (async (...args: unknown[]) => {
      requireReady('dialog')
      if (args.length === 2 && (args[0] as WindowDouble).isDestroyed()) throw new TypeError('Object has been destroyed')
      const { message, detail, buttons = [] } = args.at(-1) as Electron.MessageBoxOptions
      const text = [message, detail].filter(Boolean).join('\n')
      // Until the user clicks: nothing may wait for it.
      if (buttons.join() === 'OK') {
        dialogs.push({ kind: 'error', text, buttons })
        return new Promise(() => {})
      }
      dialogs.push({ kind: 'message', text, buttons })
      return { response: buttons.indexOf(answered(buttons)), checkboxChecked: false }
    }) as unknown as typeof Electron.dialog.showMessageBox,
    showOpenDialog: (async (...args: unknown[]) => {
      dialogs.push({ kind: 'open', text: (args.at(-1) as Electron.OpenDialogOptions).title ?? '', buttons: [] })
      const path = answered([])
      return { canceled: path === 'Cancel', filePaths: path === 'Cancel' ? [] : [path] }
    }) as unknown as typeof Electron.dialog.showOpenDialog,
    showSaveDialog: (async (...args: unknown[]) => {
      const { title = '', defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions
      dialogs.push({ kind: 'save', text: `${title}\n${defaultPath}`, buttons: [] })
      const path = answered([])
      return { canceled: path === 'Cancel', filePath: path === 'Cancel' ? '' : path }
    }) as unknown as typeof Electron.dialog.showSaveDialog,
    showErrorBox: (title: string, content: string) => {
      if (isReady) throw new Error(`The error box "${title}" stops the process until it is clicked`)
      dialogs.push({ kind: 'error', text: `${title}\n${content}`, buttons: [] })
    },
  } satisfies Doubled<'dialog'>)

  class NotificationDouble extends EventEmitter {
    static isSupported = () => system.hasNotifications
    readonly #options: Electron.NotificationConstructorOptions
    constructor(options: Electron.NotificationConstructorOptions = {}) {
      super()
      if (!system.hasNotifications)
        throw new Error('The system has no notifications: ask Notification.isSupported() first')
      this.#options = options
    }
    show() {
      const { title = '', body = '' } = this.#options
      notifications.push({
        title,
        body,
        click: () => void this.emit('click'),
        fail: (error) => void this.emit('failed', {}, error),
      })
    }
  }

  /** The menu that a click shows, or on Linux the one that was set. */
  class TrayDouble extends EventEmitter {
    readonly icon: string
    menu: (Electron.MenuItemConstructorOptions[] & EventEmitter) | undefined
    isDestroyed = false
    constructor(icon: string) {
      super()
      requireReady('Tray')
      readFileSync(icon)
      this.icon = icon
      trays.push(this)
    }
    setToolTip(_text: string) {}
    setContextMenu(menu: typeof this.menu) {
      this.menu = menu
    }
    popUpContextMenu(menu: typeof this.menu) {
      if (process.platform === 'linux') throw new Error('popUpContextMenu does nothing on Linux')
      this.menu = menu
    }
    destroy() {
      this.isDestroyed = true
    }
  }

  const module = {
    app,
    Tray: TrayDouble,
    dialog,
    crashReporter: only('crashReporter', {
      start: ({ uploadToServer } = {}) => {
        requireNotReady('crashReporter.start')
        if (uploadToServer !== false) throw new Error('Crash reports stay on this machine')
      },
    } satisfies Partial<Electron.CrashReporter>),
    BrowserWindow: WindowDouble,
    Notification: NotificationDouble,
    ipcMain: only('ipcMain', {
      handle: (channel: string, handler: (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown) => {
        if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
        handlers.set(channel, handler)
      },
    } satisfies Doubled<'ipcMain'>),
    clipboard: only('clipboard', {
      writeText: async (text: string) => {
        if (clipboard.error !== undefined) throw new Error(clipboard.error)
        clipboard.copied.push(text)
      },
    } satisfies Partial<Electron.Clipboard>),
    nativeTheme: only('nativeTheme', { shouldUseDarkColors: true } satisfies Partial<Electron.NativeTheme>),
    Menu: only('Menu', {
      buildFromTemplate: ((template: Electron.MenuItemConstructorOptions[]) =>
        Object.assign([...template], {
          once: () => {},
          popup: (options: Electron.PopupOptions = {}) => {
            if ((options.window as unknown as WindowDouble | undefined)?.isDestroyed())
              throw new TypeError('Object has been destroyed')
            popups.push(popupDouble(template, options))
          },
        })) as unknown as typeof Electron.Menu.buildFromTemplate,
      setApplicationMenu: (set: Electron.Menu | null) => {
        menu = set as unknown as Electron.MenuItemConstructorOptions[]
      },
    } satisfies Partial<typeof Electron.Menu>),
    protocol: only('protocol', {
      registerSchemesAsPrivileged: (_schemes: Electron.CustomScheme[]) =>
        requireNotReady('protocol.registerSchemesAsPrivileged'),
      handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) => {
        requireReady('protocol.handle')
        schemes.set(scheme, handler)
      },
    } satisfies Doubled<'protocol'>),
    screen: only('screen', {
      getAllDisplays: () => {
        requireReady('screen')
        return [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] as Electron.Display[]
      },
    } satisfies Doubled<'screen'>),
    session: {
      defaultSession: only('session.defaultSession', {
        setPermissionRequestHandler: () => {},
        setPermissionCheckHandler: () => {},
      } satisfies Partial<Electron.Session>),
    },
    shell: only('shell', {
      openPath: async (path: string) => {
        shown.push(path)
        return ''
      },
    } satisfies Doubled<'shell'>),
  }

  return {
    module,
    answers,
    dialogs,
    notifications,
    trays,
    recentDocuments,
    shown,
    windows,
    exits,
    popups,
    clipboard,
    system,
    userModelIds,
    events,
    end,
    hasEnded: () => hasEnded,
    /** As Electron does after the main module is evaluated. */
    becomeReady: () => becomeReady(),
    menu: () => menu,
    quit: () => app.quit(),
  }
}

export type ElectronDouble = ReturnType<typeof electronDouble>
export type WindowDouble = ElectronDouble['windows'][number]

/** Every member that is given has the type that Electron gives it. */
type Doubled<K extends 'app' | 'dialog' | 'ipcMain' | 'protocol' | 'screen' | 'shell'> = {
  [M in keyof (typeof Electron)[K]]?: (typeof Electron)[K][M] extends (...args: infer A) => infer R
    ? (...args: A) => R | Awaited<R> | EventEmitter
    : (typeof Electron)[K][M]
}

/** What the init script adds to a page. */
interface Hearing {
  __hear(channel: string, args: unknown[]): void
  __invoke(channel: string, args: unknown[]): Promise<{ value?: unknown; failure?: string }>
  __open(url: string): Promise<void>
  __menu(params: object): Promise<void>
}

type PopupDouble = ReturnType<typeof popupDouble>

/** A context menu that is open, until an item is clicked or it is closed. */
function popupDouble(
  items: readonly Electron.MenuItemConstructorOptions[],
  { x, y, window, callback }: Electron.PopupOptions,
) {
  return {
    items,
    window,
    at: x === undefined ? null : { x, y },
    labels: items.map(({ role, label, type }) => role ?? label ?? type),
    click: (label: string) => {
      const item = items.find((one) => one.label === label)
      if (!item) throw new Error(`There is no ${label} in the menu`)
      ;(item.click as (() => void) | undefined)?.()
      callback?.()
    },
    close: () => callback?.(),
  }
}

/** What is not doubled is not undefined, but a failure with its name. */
function only<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, key, receiver) {
      if (typeof key === 'string' && !(key in target) && key !== 'then')
        throw new Error(`${name}.${key} is not doubled`)
      return Reflect.get(target, key, receiver)
    },
  })
}

function cancelable() {
  const event = {
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true
    },
  }
  return event
}

/**
 * Runs in each page before its own scripts: what Electron and its preload script do there. The preload script runs in no other frame.
 * Values of IPC are cloned, which refuses functions and symbols.
 */
function inPage(preload: (require: (name: string) => object, module: object, exports: object) => void) {
  if (window !== window.top) return
  const host = window as unknown as Hearing
  window.open = (url) => {
    void host.__open(new URL(String(url), location.href).href)
    return null
  }
  // Chromium asks for a menu only if the page did not answer the event.
  window.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented) return
    const target = event.target as Element
    const linkURL = target.closest<HTMLAnchorElement>('a[href]')?.href ?? ''
    const isEditable = target.matches('input, textarea')
    const editFlags = { canCopy: true, canPaste: true }
    void host.__menu({ isEditable, linkURL, selectionText: String(getSelection()), editFlags })
  })
  type Listener = (event: object, ...args: unknown[]) => void
  const listeners = new Map<string, readonly Listener[]>()
  const of = (channel: string) => listeners.get(channel) ?? []
  host.__hear = (channel, args) => {
    for (const listener of of(channel)) listener({}, ...args)
  }
  const freeze = (value: unknown) => {
    if (Object(value) === value) Object.values(Object.freeze(value as object)).forEach(freeze)
    return value
  }
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: object) =>
        Object.defineProperty(window, name, { value: freeze(api), enumerable: true }),
    },
    ipcRenderer: {
      invoke: async (channel: string, ...args: unknown[]) => {
        const { value, failure } = await host.__invoke(channel, structuredClone(args))
        if (failure !== undefined) throw new Error(`Error invoking remote method '${channel}': ${failure}`)
        return value
      },
      on: (channel: string, listener: Listener) => void listeners.set(channel, [...of(channel), listener]),
      off: (channel: string, listener: Listener) =>
        void listeners.set(
          channel,
          of(channel).filter((it) => it !== listener),
        ),
    },
  }
  const requireElectron = (name: string) => {
    if (name !== 'electron') throw new Error(`A sandboxed preload script may not require ${name}`)
    return electron
  }
  preload(requireElectron, { exports: {} }, {})
}

const sizeOf = ({ width = 800, height = 600 }: Electron.BrowserWindowConstructorOptions) => ({ width, height })
