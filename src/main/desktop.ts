import { existsSync, readdirSync } from 'node:fs'
import { release } from 'node:os'
import { app, ipcMain, Menu, shell } from 'electron'
import { version } from '../../package.json' with { type: 'json' }
import type { Clock } from '../api/contract/control/clock.ts'
import type { Notice } from '../api/contract/control/notices.ts'
import { isDeepLink } from '../api/contract/deep-links.ts'
import type { ContextMenuItem, DesktopChoices, DesktopState, MenuPlace } from '../api/contract/desktop.ts'
import { escapeControlsInLines } from '../api/contract/terms/texts.ts'
import { holdsWorld } from '../api/files.ts'
import { openSandbox, PortTakenError, type Sandbox, type SandboxOptions } from '../api/sandbox.ts'
import { appPaths } from './app-paths.ts'
import { AppWindow, AppWindows } from './app-window.ts'
import { splitArguments } from './arguments.ts'
import { parseInput } from './commands/parse.ts'
import { serve } from './commands/table.ts'
import { createDeepLinks } from './deep-links.ts'
import * as dialogs from './dialogs.ts'
import { type DesktopDoor, type Subscribe, serveDesktop, serveWindows } from './ipc.ts'
import { LogFile } from './log-file.ts'
import { createMenu } from './menu.ts'
import { Notifications } from './notifications.ts'
import { openFile, readSecondStart, resolveFile } from './open-file.ts'
import { toSandboxOptions } from './options.ts'
import { explainUnusablePort, findFreePort } from './ports.ts'
import { Preferences } from './preferences.ts'
import { printPage, savePageAsPdf } from './print.ts'
import { createReport, takePictures } from './report.ts'
import { writeRuntimeFile } from './runtime-files.ts'
import { saveFile } from './save-file.ts'
import { terminalCommand } from './terminal-command.ts'
import { AppTray, type TrayFacts } from './tray.ts'
import { RELEASES, Updates } from './updates.ts'
import { addressOfWorld, cascade, copyText, homeAddress, openWindow, secureApp } from './window.ts'

/**
 * The Electron host: which world is open on which port, the windows and their menu, files that the system opens, and quitting.
 * It runs the same sandbox as the plain Node host.
 */

/** Where a world is and, for a new one, its initial settings. */
type WorldOptions = Pick<SandboxOptions, 'data' | 'seed' | 'start' | 'world' | 'clock' | 'pace'>

interface OpenOptions {
  /** The last button of each question. */
  readonly cancel?: string
  readonly port?: number
  /** Throw if the world cannot be opened, instead of asking: the previous world can be opened again. */
  readonly throwErrors?: boolean
}

interface Remark {
  readonly line: string
  readonly isAfterCrash: boolean
}

const DEFAULT_PORT = 4010
const portOf = ({ api }: Sandbox) => Number(new URL(api).port)

const notOpened = ({ data }: WorldOptions) => `The world${data === null ? '' : ` in ${data}`} was not opened`

interface PageMenu {
  readonly items: readonly (ContextMenuItem | null)[]
  readonly at: { readonly x: number; readonly y: number } | null
}

export class Desktop {
  /** The folder of the built main process. */
  readonly #folder: string
  readonly #preferences = new Preferences(app.getPath('userData'))
  readonly #log = new LogFile(app.getPath('logs'))
  readonly #updates = new Updates({
    preferences: this.#preferences,
    log: (line) => this.#log.write(line),
    onFound: (newest) => this.#notifications.showUpdate(newest, version),
  })
  readonly #listeners = new Set<(notice: Notice) => void>()
  /** The world of the command line; the start creates it if it does not exist. */
  readonly #firstWorld: WorldOptions
  /** Options that apply to every world. */
  #options: Omit<ReturnType<typeof toSandboxOptions>, keyof WorldOptions>
  #sandbox: Sandbox | undefined
  /** On the data folder of the current world, until they are shown. */
  #remarks: Remark[] = []
  #insteadOf: DesktopState['instead_of'] = null
  readonly #windows = new AppWindows()
  readonly #tray: AppTray
  #places: readonly MenuPlace[] = []
  /** Files and addresses to open as soon as there is a world. */
  #waitingFiles: string[]
  /** Ends when the world is open. Changes of the world run one after the other. */
  #changing: Promise<unknown> = Promise.resolve()
  #phase: 'running' | 'closing' | 'closed' = 'running'
  readonly #quits = new AbortController()

  constructor(folder: string, args: readonly string[]) {
    const { files, options } = splitArguments(args)
    this.#folder = folder
    this.#logErrors()
    this.#tray = new AppTray(appPaths(folder).tray, {
      readFacts: () => this.#readTrayFacts(),
      copy: copyText,
      openWindow: () => this.#showWindow()?.focus(),
      quit: () => app.quit(),
    })
    this.#waitingFiles = files.map((file) => resolveFile(file))
    const { values } = parseInput('serve', serve, options, process.env)
    const { data, seed, start, world, clock, pace, ...others } = toSandboxOptions(values, process.env)
    this.#firstWorld = { data, seed, start, world, clock, pace }
    this.#options = others
    // macOS opens files and addresses with these events, possibly before the app is ready.
    const onOpen = (event: { preventDefault(): void }, path: string) => {
      event.preventDefault()
      this.#openFile(path)
    }
    app.on('open-file', onOpen)
    app.on('open-url', onOpen)
    app.on('second-instance', (_event, argv, workingFolder, given) => {
      this.#showWindow()?.focus()
      const second = readSecondStart(given, argv, workingFolder)
      for (const file of second.files) this.#openFile(file)
      if (second.options.length > 0 && second.options.join() !== options.join())
        dialogs.showUnusedOptions(second.options, this.#sandbox?.data ?? data)
    })
    app.on('window-all-closed', () => {
      if (!this.#preferences.values.keep_serving) app.quit()
    })
    // A click on the icon in the dock of macOS.
    app.on('activate', () => this.#showWindow()?.focus())
    app.on('browser-window-focus', () => this.#notifications.markSeen())
    app.on('before-quit', (event) => this.#quit(event))
  }

  #logErrors() {
    const { electron, chrome, node } = process.versions
    this.#log.write(
      `Sandbank ${version} starts: process ${process.pid}, Electron ${electron}, Chromium ${chrome}, Node ${node}, ${process.platform} ${process.arch}`,
    )
    dialogs.prepareDialogs((line) => this.#log.write(line), this.#quits.signal)
    process.on('uncaughtExceptionMonitor', (error) => this.#log.write(`Internal error: ${error.stack ?? error}`))
    app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
      if (reason !== 'clean-exit') this.#log.write(`A process of the app ended: ${type}, ${reason}, ${exitCode}`)
    })
  }

  /** In the log and on the console. */
  #report(line: string) {
    this.#log.write(line)
    process.stderr.write(`${escapeControlsInLines(line)}\n`)
  }

  async start() {
    await app.whenReady()
    secureApp(this.#folder, (address) => this.#openWindow(address))
    this.#serveWindows()
    app.setAboutPanelOptions({ applicationName: 'Sandbank', applicationVersion: version })
    const opening = this.#open(this.#firstWorld)
    this.#changing = opening
    if (!(await opening)) return app.quit()
    if (this.#phase !== 'running') return
    this.#showWindow()
    this.#tray.show(this.#preferences.values.keep_serving)
    this.#updates.start()
    this.#showRemarks().catch(dialogs.showError)
    this.#openWaitingFiles()
  }

  // ── The world ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Returns false if the user cancels, or the app quits. */
  async #open(options: WorldOptions, { cancel = 'Quit', ...how }: OpenOptions = {}): Promise<boolean> {
    const usualPort = this.#options.port ?? this.#preferences.values.port ?? DEFAULT_PORT
    let world = options
    let port = how.port ?? usualPort
    let insteadOf = how.port === undefined ? this.#insteadOf : null
    while (this.#phase === 'running') {
      try {
        this.#sandbox = await this.#openSandbox(world, port)
        this.#log.redact = this.#sandbox.redact
        this.#log.write(`The world in ${this.#sandbox.data ?? 'memory'} is open, on port ${portOf(this.#sandbox)}`)
        this.#insteadOf = insteadOf
        const { data } = this.#sandbox
        if (data !== null) this.#preferences.addRecent(data)
        // macOS lists it beside the files.
        if (data !== null) app.addRecentDocument(data)
        if (port !== usualPort) this.#rememberPort(port)
        this.#drawMenu()
        return true
      } catch (error) {
        if (error instanceof PortTakenError) {
          const free = await findFreePort(error.port, this.#options.host)
          const nextPort = await dialogs.askForPort(this.#parent, error.port, free, cancel)
          if (nextPort === undefined) return false
          if (nextPort !== port) insteadOf = { port, why: 'it was taken by another program' }
          port = nextPort
          // The folder holds the new world by now, which refuses the settings of a new one.
          if (world.data !== null) world = { data: world.data }
        } else {
          if (how.throwErrors) throw new Error(`${notOpened(world)}. ${dialogs.errorMessage(error)}`)
          this.#log.write(`${notOpened(world)}: ${dialogs.errorMessage(error)}`)
          const nextWorld = await this.#askForWorld(error, world, cancel)
          if (nextWorld === undefined) return false
          world = nextWorld
        }
      }
    }
    return false
  }

  async #openSandbox(world: WorldOptions, port: number): Promise<Sandbox> {
    const { library, docs } = appPaths(this.#folder)
    const remarks: Remark[] = []
    let isOpen = false
    const report: SandboxOptions['report'] = (line, about) => {
      if (!isOpen) remarks.push({ line, isAfterCrash: about === 'after crash' })
      this.#report(line)
    }
    const onStop = () => app.quit()
    const sandbox = await openSandbox({ ...this.#options, ...world, port, version, library, docs, report, onStop })
    isOpen = true
    this.#remarks = remarks
    this.#notifications.reset()
    sandbox.subscribe((notice) => this.#onNotice(notice))
    // Commands find it as they find sandbank serve.
    const removeFile = writeRuntimeFile({ ...sandbox, gui: null, version }, process.env)
    const close = () => {
      removeFile?.()
      return sandbox.close()
    }
    return { ...sandbox, close }
  }

  /** Called only with a port that works. From now on every world uses it. */
  #rememberPort(port: number) {
    this.#preferences.save({ port })
    this.#options = { ...this.#options, port: undefined }
  }

  async #askForWorld(error: unknown, world: WorldOptions, cancel: string): Promise<WorldOptions | undefined> {
    const answer = await dialogs.askAfterFailedOpening(this.#parent, error, notOpened(world), cancel)
    if (answer !== 'open another') return answer && world
    try {
      return (await this.#worldIn(await dialogs.chooseFolder(this.#parent, 'Open a World'))) ?? world
    } catch (refusal) {
      dialogs.showError(refusal)
      return world
    }
  }

  /** Shows the remarks on the world that was opened. After a crash it also checks the ledger. */
  async #showRemarks() {
    const sandbox = this.#sandbox
    const remarks = this.#remarks.splice(0)
    const window = this.#windows.lastUsed?.browserWindow
    if (!sandbox || !window || remarks.length === 0) return
    const lines = remarks.map(({ line }) => line)
    if (!remarks.some(({ isAfterCrash }) => isAfterCrash)) return dialogs.showRemarks(window, lines)
    const reply = await sandbox.call('ledger.check', {})
    const balanced = reply.ok && (reply.value as { balanced: boolean }).balanced
    const opened = this.#windows.lastUsed?.browserWindow
    if (opened) await dialogs.showRecovery(opened, lines, sandbox.store.world.seq, balanced)
  }

  #change(world: WorldOptions, port?: number): Promise<unknown> {
    const change = this.#changing.then(() => this.#changeTo(world, port))
    this.#changing = change.catch(() => {})
    return change
  }

  /** Closes the current world and opens another one, or the same one on another port. If that fails, opens the previous one. */
  async #changeTo(world: WorldOptions, port?: number): Promise<void> {
    const current = this.#sandbox
    if (this.#phase !== 'running' || (current?.data === world.data && port === undefined)) return
    if (current?.data === null && !(await dialogs.askToDiscardWorld(this.#parent))) return
    this.#sandbox = undefined
    await current?.close().catch(dialogs.showError)
    const previous = current?.data ? { data: current.data } : undefined
    const how = { throwErrors: previous !== undefined, cancel: previous ? `Reopen ${previous.data}` : 'Quit' }
    let failure: unknown
    const opened = await this.#open(world, { ...how, ...(port === undefined ? {} : { port }) }).catch((error) => {
      failure = error
      return false
    })
    if (!opened && !(current && previous && (await this.#open(previous, { port: portOf(current) })))) return app.quit()
    if (failure === undefined) for (const window of this.#windows.all) window.showRootWorld()
    this.#showWindow()
    this.#showRemarks().catch(dialogs.showError)
    this.#openWaitingFiles()
    if (failure !== undefined) throw failure
  }

  async #openWorld(folder?: string) {
    const world = await this.#worldIn(folder ?? (await dialogs.chooseFolder(this.#parent, 'Open a World')))
    if (world) await this.#change(world)
  }

  async #createWorld(kind?: 'demo' | 'empty') {
    const data = await dialogs.chooseFolder(this.#parent, 'Choose a Folder for the New World')
    if (data !== undefined && holdsWorld(data))
      throw new Error(`${data} already contains a world: open it, or choose an empty folder.`)
    const world = await this.#worldIn(data, kind)
    if (world) await this.#change(world)
  }

  /** Checks the port first, so that an unusable one does not close the world. */
  async #listen(port: number) {
    const sandbox = this.#requireSandbox()
    if (port === portOf(sandbox)) return this.#rememberPort(port)
    const refusal = await explainUnusablePort(port, this.#options.host)
    if (refusal !== undefined) throw new Error(refusal)
    await this.#change({ data: sandbox.data }, port)
  }

  /** The world of a folder, or a new one in an empty folder. Refuses a folder with other files. */
  async #worldIn(data: string | undefined, kind?: 'demo' | 'empty'): Promise<WorldOptions | undefined> {
    if (data === undefined) return undefined
    if (holdsWorld(data)) return { data }
    if (!existsSync(data) || readdirSync(data).length > 0) {
      this.#preferences.removeRecent(data)
      this.#drawMenu()
      const found = existsSync(data) ? 'contains other files, but no world' : 'no longer exists'
      throw new Error(`${data} ${found}: choose the folder of a world, or an empty one for a new world.`)
    }
    const world = kind ?? (await dialogs.askForWorldKind(this.#parent, data))
    return world && { data, world }
  }

  // ── The windows ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Of the dialogs. */
  get #parent() {
    return this.#windows.lastUsed?.browserWindow
  }

  #serveWindows() {
    // An error would reach the window with Electron's own text in front.
    serveWindows(ipcMain, this.#windows, async (name, input, world) => {
      if (!this.#sandbox) await this.#changing
      const sandbox = this.#requireSandbox()
      return world === null ? sandbox.call(name, input) : sandbox.worlds.call(world, name, input)
    })
    serveDesktop(ipcMain, this.#windows, this.#door())
  }

  readonly #subscribe: Subscribe = (listener, world) => {
    if (world !== null) return this.#sandbox?.worlds.get(world)?.subscribe(listener)
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The first window is where the last one was. */
  #openWindow(address = homeAddress()): AppWindow {
    const { bounds, maximized } = this.#preferences.values
    const last = this.#windows.lastUsed?.browserWindow
    const place = last ? { bounds: cascade(last.getNormalBounds()), maximized: false } : { bounds, maximized }
    const openPage = (other: string) => void this.#openWindow(other)
    const browserWindow = openWindow(this.#folder, { ...place, address, openPage })
    const window = new AppWindow(browserWindow, address, this.#subscribe)
    this.#windows.add(window)
    browserWindow.on('close', () => {
      if (this.#phase === 'running' && window === this.#windows.lastUsed) this.#rememberPlace(window)
    })
    // Windows may end the process as soon as the listener returns: close() saves the time before it waits.
    browserWindow.on('session-end', () => {
      this.#sandbox?.close().catch(() => {})
      app.quit()
    })
    window.contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit') return
      this.#log.write(`The page of a window crashed: ${reason}, ${exitCode}`)
      reloadAfterCrash(window, reason).catch(dialogs.showError)
    })
    return window
  }

  #rememberPlace({ browserWindow }: AppWindow) {
    this.#preferences.save({ bounds: browserWindow.getNormalBounds(), maximized: browserWindow.isMaximized() })
  }

  async #readTrayFacts(): Promise<TrayFacts> {
    const sandbox = this.#phase === 'running' ? this.#sandbox : undefined
    if (!sandbox) return { api: null, data: null, clock: null }
    const clock = await sandbox.call('clock.read', {})
    return { api: sandbox.api, data: sandbox.data, clock: clock.ok ? (clock.value as Clock) : null }
  }

  #readState(): DesktopState {
    const sandbox = this.#requireSandbox()
    const { cli } = appPaths(this.#folder)
    const { recent, keep_serving, notify, look_for_updates } = this.#preferences.values
    return {
      data: sandbox.data,
      port: portOf(sandbox),
      instead_of: this.#insteadOf,
      recent,
      keep_serving,
      notify,
      look_for_updates,
      releases: RELEASES ?? null,
      newest_version: this.#updates.newest,
      command: terminalCommand({ packaged: app.isPackaged, resources: process.resourcesPath, cli }),
    }
  }

  #door(): DesktopDoor<AppWindow> {
    const readStateAfter = (change: Promise<void>) => change.then(() => this.#readState())
    return {
      'desk.read': () => this.#readState(),
      'desk.choose': async (choices: Partial<DesktopChoices>) => {
        this.#preferences.save(choices)
        this.#tray.show(this.#preferences.values.keep_serving)
        void this.#updates.look()
        return this.#readState()
      },
      'desk.open_releases': async () => {
        if (RELEASES !== undefined) await shell.openExternal(RELEASES)
        return {}
      },
      'desk.listen': ({ port }: { port: number }) => readStateAfter(this.#listen(port)),
      'desk.open_world': ({ folder }: { folder?: string }) => {
        // A page must not choose what is opened: the user chose the recent folders in a dialog.
        if (folder !== undefined && !this.#preferences.values.recent.includes(folder))
          throw new Error(`${folder} is not one of the recent worlds: choose it in the dialog of Open`)
        return readStateAfter(this.#openWorld(folder))
      },
      'desk.new_world': ({ world }: { world: 'demo' | 'empty' }) => readStateAfter(this.#createWorld(world)),
      'desk.show_folder': () => this.#showFolder(),
      'desk.save_file': ({ name, text }: { name: string; text: string }, window) => saveOf(window, name, text),
      'desk.menu': ({ places }: { places: MenuPlace[] }, window) => {
        this.#places = places
        this.#drawMenu()
        window.onPageReady()
        return {}
      },
      'desk.find': ({ text, forward, is_first }: { text: string; forward: boolean; is_first: boolean }, window) =>
        window.search.find(text, { forward, findNext: is_first }),
      'desk.stop_find': (_input, window) => {
        window.search.stop()
        return {}
      },
      'desk.context_menu': async ({ items, at }: PageMenu, window) => ({ chosen: await window.showMenu(items, at) }),
    }
  }

  async #showFolder() {
    const data = this.#sandbox?.data ?? null
    if (data !== null) await openFolder(data)
    return { shown: data !== null }
  }

  async #saveReport() {
    const withPictures = await dialogs.askForReport(this.#parent)
    if (withPictures === undefined) return
    const pictures = withPictures ? await takePictures(this.#windows.all) : []
    const { bounds, maximized, port, recent } = this.#preferences.values
    const about = {
      version,
      versions: process.versions,
      system: {
        platform: process.platform,
        release: release(),
        arch: process.arch,
        locale: app.getLocale(),
      },
      is_packaged: app.isPackaged,
      settings: { port, bounds, maximized, recent: recent.length },
    }
    const report = await createReport({ sandbox: this.#requireSandbox(), log: this.#log, about, pictures })
    const name = `sandbank-report-${new Date().toISOString().slice(0, 10)}.zip`
    const path = await dialogs.chooseNewFile(this.#parent, name)
    if (path !== undefined) await saveFile(path, report)
  }

  #drawMenu() {
    const run = (work: () => Promise<unknown>) => void work().catch(dialogs.showError)
    const last = () => this.#windows.lastUsed
    // A new window has no page yet that could be printed or searched.
    const inWindow = (work: (window: AppWindow) => Promise<unknown>) =>
      run(async () => (last() ? work(last()!) : this.#showWindow()))
    const commands = {
      // Of the same page: from there the user goes elsewhere.
      newWindow: () => void this.#openWindow(last()?.contents.getURL()),
      newWorld: () => run(() => this.#createWorld()),
      openWorld: () => run(() => this.#openWorld()),
      openRecent: (folder: string) => run(() => this.#openWorld(folder)),
      openFile: () => run(() => this.#chooseFiles()),
      showFolder: () => run(() => this.#showFolder()),
      saveReport: () => run(() => this.#saveReport()),
      showLogs: () => run(() => openFolder(this.#log.folder)),
      print: () => inWindow(({ browserWindow }) => printPage(browserWindow)),
      savePdf: () => inWindow(({ browserWindow }) => savePageAsPdf(browserWindow)),
      go: (address: string) => this.#showWindow()?.go(address),
      find: () => inWindow(async (window) => window.notify({ type: 'find' })),
      back: () => last()?.contents.navigationHistory.goBack(),
      forward: () => last()?.contents.navigationHistory.goForward(),
    }
    const { recent } = this.#preferences.values
    Menu.setApplicationMenu(Menu.buildFromTemplate(createMenu(commands, recent, this.#places)))
  }

  async #chooseFiles() {
    for (const path of await dialogs.chooseFiles(this.#parent)) this.#openFile(path)
  }

  /** The window that was used last, or a new one; none while the app closes, or before its first world is open. */
  #showWindow(): AppWindow | undefined {
    if (this.#phase !== 'running') return undefined
    return this.#windows.lastUsed ?? (this.#sandbox && this.#openWindow())
  }

  /** Shows a place of a world; by default of the root world, where files are opened and tasks fail. */
  #navigate(address: string, world: string | null = null) {
    if (this.#phase !== 'running') return
    const window = this.#windows.showing(world) ?? this.#openWindow(addressOfWorld(world))
    window.focus()
    window.go(address)
  }

  readonly #ask = async (question: string, button: string, isDangerous = false): Promise<boolean> => {
    const window = this.#windows.lastUsed?.browserWindow
    return window !== undefined && dialogs.askToOpenFile(window, question, button, isDangerous)
  }

  readonly #links = createDeepLinks({
    // A web page chose the moment: Enter, which the user may be typing, cancels.
    ask: (question, button) => this.#ask(question, button, true),
    hasWorld: (name) => this.#sandbox?.worlds.get(name) !== undefined,
    showRefusal: async (line) => {
      const window = this.#windows.lastUsed?.browserWindow
      if (window) await dialogs.showAddressError(window, line)
    },
    openBundle: (path) => this.#readFile(path, async () => true),
    go: (address, world) => this.#navigate(address, world),
  })

  /** A file, a `sandbank://` address or, of the recent documents of macOS, the folder of a world. */
  #openFile(path: string) {
    const window = this.#showWindow()
    if (!window || !this.#sandbox) return void this.#waitingFiles.push(path)
    const opening = isDeepLink(path)
      ? this.#links.open(path)
      : holdsWorld(path)
        ? this.#openWorld(path)
        : this.#readFile(path, this.#ask)
    opening.catch(dialogs.showError)
  }

  #readFile(path: string, ask: (question: string, button: string) => Promise<boolean>): Promise<void> {
    return openFile(path, {
      call: (name, input) => this.#requireSandbox().call(name, input),
      ask,
      showError: dialogs.showFileError,
      go: (address) => {
        // Of macOS and Windows.
        app.addRecentDocument(path)
        this.#navigate(address)
      },
    })
  }

  #openWaitingFiles() {
    for (const path of this.#waitingFiles.splice(0)) this.#openFile(path)
  }

  #onNotice(notice: Notice) {
    for (const listener of this.#listeners) listener(notice)
    this.#notifications.onNotice(notice)
    if (notice.type === 'task_failed')
      this.#log.writeNewest(`Task ${notice.task.uid} failed: ${notice.task.failed ?? ''}`)
  }

  readonly #notifications = new Notifications({
    isWanted: () =>
      this.#phase === 'running' &&
      this.#preferences.values.notify &&
      !this.#windows.all.some(({ browserWindow }) => browserWindow.isFocused()),
    call: async (name, input) => this.#requireSandbox().call(name, input),
    go: (address) => this.#navigate(address),
    report: (line) => this.#report(line),
  })

  #requireSandbox(): Sandbox {
    if (!this.#sandbox) throw new Error('Another world is being opened')
    return this.#sandbox
  }

  // ── Quitting ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Quits only when the last commit is saved and the data folder is unlocked. */
  #quit(event: { preventDefault(): void }) {
    if (this.#phase === 'closed') return
    event.preventDefault()
    if (this.#phase === 'closing') return
    this.#phase = 'closing'
    // The end waits for a change of the world, which waits for its questions.
    this.#quits.abort()
    // Later the windows close in the order in which they were opened.
    const { lastUsed } = this.#windows
    if (lastUsed) this.#rememberPlace(lastUsed)
    void this.#changing
      .then(() => this.#sandbox?.close())
      .catch((error: unknown) => this.#report(`Closing failed: ${String(error)}`))
      .finally(() => {
        this.#log.flush()
        this.#log.write('Sandbank ends')
        this.#phase = 'closed'
        app.quit()
      })
  }
}

async function saveOf({ browserWindow }: AppWindow, name: string, text: string): Promise<{ saved: boolean }> {
  const path = await dialogs.chooseNewFile(browserWindow, name)
  if (path === undefined) return { saved: false }
  try {
    await saveFile(path, text)
    return { saved: true }
  } catch (error) {
    dialogs.showSaveError(error)
    return { saved: false }
  }
}

async function reloadAfterCrash(window: AppWindow, reason: string) {
  if (window.browserWindow.isDestroyed()) return
  await dialogs.showWindowCrash(window.browserWindow, reason)
  if (!window.browserWindow.isDestroyed()) window.reload()
}

async function openFolder(folder: string) {
  const failure = await shell.openPath(folder)
  if (failure !== '') throw new Error(`${folder} was not opened: ${failure}`)
}
