import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Electron from 'electron'
import type { Browser, CDPSession, Download, Page, Route } from 'playwright-core'
import { MAIN_WORLD, PRELOAD_WORLD, pack, preloadWorld, unpack } from './worlds.ts'

/**
 * Replaces the module `electron` for the built main process: the parts that the app uses, typed by `electron.d.ts`. Any other part
 * throws. A window is a Chromium page with the real preload script and the real window.
 *
 * Differences: the origin is `https:` instead of `app:`, because Playwright cannot answer requests of other schemes; dialogs are answered
 * from a list. The preload script runs in a world of its own, see worlds.ts.
 * Stricter than Electron: an error box, which stops the process until it is clicked, throws once the app is ready; so does a
 * notification where the system has none, which Electron ignores.
 */

const PRELOAD = fileURLToPath(new URL('../../../out/preload/index.cjs', import.meta.url))
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
  /** False on a Linux without a notification service. */
  readonly hasNotifications?: boolean
  /** Why the system's clipboard refuses a text. */
  readonly clipboardError?: string
}

export interface Dialog {
  readonly kind: 'message' | 'open' | 'save' | 'error'
  readonly text: string
  readonly buttons: readonly string[]
}

export function electronDouble({ browser, userData, answers = [], before, ...how }: DoubleOptions) {
  const { isPackaged = false, hasNotifications = true } = how
  const handlers = new Map<string, (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown>()
  const schemes = new Map<string, (request: Request) => Response | Promise<Response>>()
  const dialogs: Dialog[] = []
  const notifications: { title: string; body: string; click(): void }[] = []
  const shown: string[] = []
  const windows: WindowDouble[] = []
  const exits: number[] = []
  const about: Electron.AboutPanelOptionsOptions[] = []
  const permissions: { request?: PermissionRequest; check?: PermissionCheck } = {}
  const popups: PopupDouble[] = []
  const copied: string[] = []
  const userModelIds: string[] = []
  const paths = new Map<string, string>()
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
  const downloads = new EventEmitter()
  let quitting = false
  let hasFolder = false
  const app = only('app', {
    isPackaged,
    setName: (_name: string) => {
      requireNotReady('app.setName')
      if (hasFolder) throw new Error('app.setName comes too late: the folder of the user data has the former name')
    },
    setAppUserModelId: (id: string) => void userModelIds.push(id),
    setPath: (name: string, path: string) => {
      requireNotReady('app.setPath')
      paths.set(name, path)
    },
    isReady: () => isReady,
    getPath: (name: string) => {
      hasFolder = true
      if (name === 'userData') return userData
      if (name === 'downloads') return join(userData, 'Downloads')
      throw new Error(`app.getPath(${name}) is not doubled`)
    },
    dock: undefined,
    requestSingleInstanceLock: (said?: Record<string, unknown>) => {
      // Chromium's own switches come between, and the order is not kept.
      const argv = [...process.argv.slice(0, 1), '--allow-file-access-from-files', ...process.argv.slice(1).reverse()]
      hasFolder = true // The lock is in the folder of the user data.
      if (before === undefined || before.hasEnded?.()) return true
      before.events.emit('second-instance', {}, argv, process.cwd(), structuredClone(said))
      return false
    },
    whenReady: () => ready,
    setAboutPanelOptions: (options: Electron.AboutPanelOptionsOptions) => void about.push(options),
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
    isMaximized() {
      this.#requireAlive()
      return this.#state.maximized
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
    let renderer: Renderer | undefined
    let finds = 0
    const requireAlive = () => {
      if (over) throw new TypeError('Object has been destroyed')
    }
    let opens: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
    let opened: Page | undefined
    const travel = (to: (it: Page) => Promise<unknown>) => {
      requireAlive()
      void page()
        .then(to)
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
        const told = pack(args)
        void page()
          .then(() => renderer?.hear(channel, told))
          .catch(() => {}) // The page is on its way elsewhere.
      },
      // It may be closed meanwhile.
      reload: () => {
        requireAlive()
        emitter.emit('did-navigate')
        void page()
          .then((it) => it.reload())
          .catch(() => {})
      },
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
      findInPage: (text: string, options: Electron.FindInPageOptions = {}) => {
        requireAlive()
        if (typeof text !== 'string' || text === '') throw new Error('Must provide a non-empty search content')
        const requestId = ++finds
        const answer = (found: { matches: number; active: number } | null) => {
          // A request that another one replaced, or that follows no first one, has no final answer.
          if (found === null || requestId !== finds || over) return
          const result = { requestId, selectionArea: { x: 0, y: 0, width: 1, height: 1 } }
          const { matches, active } = found
          emitter.emit('found-in-page', {}, { ...result, matches: 1, activeMatchOrdinal: 0, finalUpdate: false })
          emitter.emit('found-in-page', {}, { ...result, matches, activeMatchOrdinal: active, finalUpdate: true })
        }
        void page()
          .then((it) => it.evaluate(findInPage, { text, isFirst: false, forward: true, ...foundBy(options) }))
          .then(answer)
          .catch(() => {})
        return requestId
      },
      stopFindInPage: (action: string) => {
        requireAlive()
        if (!['clearSelection', 'keepSelection', 'activateSelection'].includes(action))
          throw new TypeError("Error processing argument at index 0, conversion failure from 'action'")
        finds++
        void page()
          .then((it) => it.evaluate(stopFindInPage))
          .catch(() => {})
      },
      on: (name: string, listener: (...args: never[]) => void) => emitter.on(name, listener as never),
      setWindowOpenHandler: (handler: typeof opens) => {
        opens = handler
      },
    }
    return Object.assign(only('webContents', contents as unknown as Record<string, unknown>) as typeof contents, {
      emitter,
      connect: (to: Renderer, it: Page) => {
        renderer = to
        opened = it
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
    // Chromium asks for a menu only if the page did not answer the event.
    await context.exposeBinding('__menu', (_source, params: object) => {
      contents.emitter.emit('context-menu', {}, params)
    })
    await context.addInitScript(MAIN_WORLD)
    const page = await context.newPage()
    contents.connect(await connectRenderer(await context.newCDPSession(page), contents), page)
    await context.route('**/*', (route) => routed(route, contents))
    page.on('download', (download) => void saved(download))
    return page
  }

  /** Calls the handler of a channel. An error becomes text, as in Electron. */
  async function invoke(senderFrame: object, sender: object | undefined, channel: string, args: unknown[]) {
    const handler = handlers.get(channel)
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      return { value: pack(await handler({ senderFrame, sender } as never, ...args)) }
    } catch (error) {
      return { failure: String(error) }
    }
  }

  /** Runs the preload script in its world of each document, and connects its IPC. */
  async function connectRenderer(session: CDPSession, contents: ReturnType<typeof contentsOf>): Promise<Renderer> {
    let world: number | undefined
    const run = async (contextId: number | undefined, name: string, ...args: unknown[]) => {
      const expression = `${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
      if (contextId !== undefined) await session.send('Runtime.evaluate', { contextId, expression }).catch(() => {})
    }
    session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name === PRELOAD_WORLD && auxData?.frameId === mainFrameId) world = id
    })
    session.on('Runtime.bindingCalled', async ({ payload, executionContextId }) => {
      const { id, channel, args } = JSON.parse(payload) as { id: number; channel: string; args: unknown }
      // In Electron the preload script runs in no other frame, and no process waits for the reply of a closed window.
      if (executionContextId !== world || contents.isDestroyed()) return
      const reply = await invoke(contents.mainFrame, contents, channel, unpack(args) as unknown[])
      await run(executionContextId, '__reply', id, reply)
    })
    const { frameTree } = await session.send('Page.getFrameTree')
    const mainFrameId = frameTree.frame.id
    await session.send('Page.enable')
    await session.send('Runtime.enable')
    await session.send('Runtime.addBinding', { name: '__ipc', executionContextName: PRELOAD_WORLD })
    const script = { source: preloadWorld(readFileSync(PRELOAD, 'utf8')), worldName: PRELOAD_WORLD }
    await session.send('Page.addScriptToEvaluateOnNewDocument', script)
    return { hear: (channel, args) => run(world, '__hear', channel, args) }
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

  /** Electron asks where to, unless the app has said so. */
  async function saved(download: Download) {
    let asked: Electron.SaveDialogOptions = {}
    const item = only('downloadItem', {
      getFilename: () => download.suggestedFilename(),
      setSaveDialogOptions: (options: Electron.SaveDialogOptions) => void (asked = options),
    } satisfies Partial<Electron.DownloadItem>)
    downloads.emit('will-download', cancelable(), item)
    dialogs.push({ kind: 'save', text: `${asked.title}\n${asked.defaultPath}`, buttons: [] })
    const path = answered([])
    if (path !== 'Cancel') await download.saveAs(path)
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
    showErrorBox: (title: string, content: string) => {
      if (isReady) throw new Error(`The error box "${title}" stops the process until it is clicked`)
      dialogs.push({ kind: 'error', text: `${title}\n${content}`, buttons: [] })
    },
  } satisfies Doubled<'dialog'>)

  class NotificationDouble extends EventEmitter {
    static isSupported = () => hasNotifications
    readonly #options: Electron.NotificationConstructorOptions
    constructor(options: Electron.NotificationConstructorOptions = {}) {
      super()
      if (!hasNotifications) throw new Error('The system has no notifications: ask Notification.isSupported() first')
      this.#options = options
    }
    show() {
      const { title = '', body = '' } = this.#options
      notifications.push({ title, body, click: () => void this.emit('click') })
    }
  }

  const module = {
    app,
    dialog,
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
        if (how.clipboardError !== undefined) throw new Error(how.clipboardError)
        copied.push(text)
      },
    } satisfies Partial<Electron.Clipboard>),
    nativeTheme: only('nativeTheme', { shouldUseDarkColors: true } satisfies Partial<Electron.NativeTheme>),
    Menu: only('Menu', {
      buildFromTemplate: ((template: Electron.MenuItemConstructorOptions[]) =>
        Object.assign([...template], {
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
        on: ((name: string, listener: (...args: never[]) => void) =>
          downloads.on(name, listener as never)) as unknown as Electron.Session['on'],
        setPermissionRequestHandler: (handler: PermissionRequest | null) => {
          if (handler) permissions.request = handler
        },
        setPermissionCheckHandler: (handler: PermissionCheck | null) => {
          if (handler) permissions.check = handler
        },
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
    shown,
    windows,
    exits,
    about,
    permissions,
    popups,
    copied,
    userModelIds,
    /** The folders that the app has set. */
    paths,
    events,
    end,
    hasEnded: () => hasEnded,
    /** As Electron does after the main module is evaluated. */
    becomeReady: () => becomeReady(),
    menu: () => menu,
    quit: () => app.quit(),
    /** A call of a frame in the page, which has no preload script. */
    invokeFromFrame: (channel: string, ...args: unknown[]) =>
      invoke({ main: false }, windows[0]?.webContents, channel, args),
    /** What the system's protocol handler answers for an address. */
    ask: (address: string) => schemes.get('app')!(new Request(address)),
  }
}

type PermissionRequest = NonNullable<Parameters<Electron.Session['setPermissionRequestHandler']>[0]>
type PermissionCheck = NonNullable<Parameters<Electron.Session['setPermissionCheckHandler']>[0]>

export type ElectronDouble = ReturnType<typeof electronDouble>
export type WindowDouble = ElectronDouble['windows'][number]

/** Every member that is given has the type that Electron gives it. */
type Doubled<K extends 'app' | 'dialog' | 'ipcMain' | 'protocol' | 'screen' | 'shell'> = {
  [M in keyof (typeof Electron)[K]]?: (typeof Electron)[K][M] extends (...args: infer A) => infer R
    ? (...args: A) => R | Awaited<R> | EventEmitter
    : (typeof Electron)[K][M]
}

/** The renderer process of a window. */
interface Renderer {
  hear(channel: string, args: unknown): Promise<void>
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

const foundBy = ({ forward, findNext, matchCase }: Electron.FindInPageOptions) => ({
  ...(forward === undefined ? {} : { forward }),
  ...(findNext === undefined ? {} : { isFirst: findNext }),
  ...(matchCase ? { matchCase } : {}),
})

interface Finding {
  __finding?: { text: string; active: number } | undefined
}

/**
 * Runs in the page, as Chromium's TextFinder: all visible text counts, also that of text fields, but no generated content. It clears
 * the selection and the focus when it shows a match. Difference: matches do not cross elements that are not inline, and nothing is drawn.
 */
function findInPage(request: { text: string; forward: boolean; isFirst: boolean; matchCase?: boolean }) {
  const { forward, isFirst, matchCase = false } = request
  const page = window as unknown as Finding
  if (!isFirst && page.__finding?.text !== request.text) return null
  const fold = (text: string) => (matchCase ? text : text.toLowerCase()).replaceAll(/\s+/g, ' ')
  const isInline = (element: Element) => getComputedStyle(element).display.startsWith('inline')
  const blockOf = (element: Element | null): Element | null =>
    element && isInline(element) ? blockOf(element.parentElement) : element
  const isShown = (element: Element | null) =>
    element?.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) === true &&
    !element.closest('[inert]')

  /** The text of each block in the order of the document, with the place of each node in it. */
  const blocks: { element: Element | null; text: string; nodes: { node: Node; from: number }[] }[] = []
  const add = (element: Element | null, node: Node, text: string) => {
    if (blocks.at(-1)?.element !== element) blocks.push({ element, text: '', nodes: [] })
    const block = blocks.at(-1)!
    block.nodes.push({ node, from: block.text.length })
    block.text += fold(text)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
      const isText = node instanceof HTMLTextAreaElement || /^(text|search|email|url|tel|number)$/.test(node.type)
      if (isText && isShown(node)) add(node, node, node.value)
    } else if (node instanceof Text) {
      const { parentElement } = node
      if (isShown(parentElement) && !parentElement!.closest('script, style, select, textarea'))
        add(blockOf(parentElement), node, node.data)
    }
  }

  const wanted = fold(request.text)
  const matches: { node: Node; at: number }[] = []
  for (const { text, nodes } of blocks)
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      const { node, from } = nodes.findLast((one) => one.from <= at)!
      matches.push({ node, at: at - from })
    }
  const count = matches.length
  if (count === 0) {
    page.__finding = { text: request.text, active: 0 }
    return { matches: 0, active: 0 }
  }

  // It starts at the caret or the selection, if there is one; else at the match before.
  const focused = document.activeElement
  const selection = getSelection()
  const hasSelection = selection !== null && selection.rangeCount > 0
  const field = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement ? focused : null
  const startNode = field ?? selection?.anchorNode ?? document.body
  const startOffset = field?.selectionStart ?? selection?.anchorOffset ?? 0
  const isAfterStart = ({ node, at }: { node: Node; at: number }) =>
    node === startNode
      ? at >= startOffset
      : (startNode.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const following = matches.findIndex(isAfterStart)
  const next = following === -1 ? count : following
  const before = (page.__finding?.active ?? 0) - 1
  const index = hasSelection ? (forward ? next : next - 1) : isFirst ? 0 : forward ? before + 1 : before - 1
  const active = ((index + count) % count) + 1
  page.__finding = { text: request.text, active }
  selection?.removeAllRanges()
  if (focused instanceof HTMLElement) focused.blur()
  matches[active - 1]?.node.parentElement?.scrollIntoView({ block: 'nearest' })
  return { matches: count, active }
}

function stopFindInPage() {
  ;(window as unknown as Finding).__finding = undefined
  getSelection()?.removeAllRanges()
}

const sizeOf = ({ width = 800, height = 600 }: Electron.BrowserWindowConstructorOptions) => ({ width, height })
