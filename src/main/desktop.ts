import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { app, type BrowserWindow, dialog, ipcMain, Menu, Notification, shell } from 'electron'
import { version } from '../../package.json' with { type: 'json' }
import type { Notice } from '../api/contract/control.ts'
import type { Desk, MenuPlace } from '../api/contract/desktop.ts'
import { openSandbox, PortTaken, type Sandbox, type SandboxOptions } from '../api/sandbox.ts'
import { type DeskDoor, serveDesk, serveWindow, tellWindow } from './ipc.ts'
import { Memory } from './kept.ts'
import { menuOf } from './menu.ts'
import { filesIn, openFile } from './open-file.ts'
import { sandboxOptions, serveOptions } from './options.ts'
import { freePortAfter } from './ports.ts'
import { hardenEverything, openWindow } from './window.ts'

/**
 * The desktop around a sandbox: which world is open and on which port, the window and its menu, what is handed over from
 * outside, and how it ends. The sandbox itself is the one that the plain Node host runs.
 */

/** Where a world is and, for a new one, how it begins. */
type Wanted = Pick<SandboxOptions, 'data' | 'seed' | 'start' | 'world' | 'clock' | 'pace'>

const DEFAULT_PORT = 4010

const complain = (error: unknown) =>
  dialog.showErrorBox('That could not be done', error instanceof Error ? error.message : String(error))

export class Desktop {
  /** Of the built main process. */
  readonly #folder: string
  readonly #memory = new Memory(app.getPath('userData'))
  readonly #listeners = new Set<(notice: Notice) => void>()
  /** The world that the first start asks for; it may be begun. */
  readonly #first: Wanted
  /** What holds for every world. */
  #options: Omit<ReturnType<typeof sandboxOptions>, keyof Wanted>
  #sandbox: Sandbox | undefined
  #window: BrowserWindow | undefined
  #places: readonly MenuPlace[] = []
  /** Files that were handed over before there was a window. */
  #early: string[]
  #ended: 'no' | 'ending' | 'yes' = 'no'

  constructor(folder: string, args: readonly string[]) {
    const { files, options } = filesIn(args)
    this.#folder = folder
    this.#early = files.map((file) => resolve(file))
    const { data, seed, start, world, clock, pace, ...others } = sandboxOptions(serveOptions(options), process.env)
    this.#first = { data, seed, start, world, clock, pace }
    this.#options = others
    // macOS hands files over in this way, and may do so before the app is ready.
    app.on('open-file', (event, path) => {
      event.preventDefault()
      this.#take(path)
    })
    app.on('second-instance', (_event, argv, where) => {
      this.#comeForward()
      for (const file of filesIn(argv.slice(1)).files) this.#take(resolve(where, file))
    })
    app.on('window-all-closed', () => app.quit())
    app.on('before-quit', (event) => this.#end(event))
  }

  async start() {
    await app.whenReady()
    hardenEverything(this.#folder)
    app.setAboutPanelOptions({ applicationName: 'Sandbank', applicationVersion: version })
    const remarks: string[] = []
    if (!(await this.#open(this.#first, remarks))) return app.quit()
    this.#openWindow()
    if (remarks.length > 0) void this.#sayWhatWasKept(remarks)
    for (const path of this.#early.splice(0)) this.#take(path)
  }

  // ── The world ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** False when the user would rather not. */
  async #open(wanted: Wanted, remarks: string[] = []): Promise<boolean> {
    let world = wanted
    let port = this.#options.port ?? this.#memory.kept.port ?? DEFAULT_PORT
    for (;;) {
      try {
        const library = join(this.#folder, '../../resources/scenarios')
        const tell = (line: string) => {
          remarks.push(line)
          process.stderr.write(`${line}\n`)
        }
        const sandbox = await openSandbox({ ...this.#options, ...world, port, version, library, tell })
        sandbox.subscribe((notice) => this.#hear(notice))
        this.#sandbox = sandbox
        if (sandbox.data !== null) this.#memory.opened(sandbox.data)
        this.#drawMenu()
        return true
      } catch (error) {
        if (error instanceof PortTaken) {
          const other = await this.#askForPort(error)
          if (other === undefined) return false
          port = other
          // It was begun all the same, and how it begins is not asked of it again.
          if (world.data !== null) world = { data: world.data }
        } else {
          const other = await this.#askForWorld(error, world)
          if (other === undefined) return false
          world = other
        }
      }
    }
  }

  async #askForPort({ port }: PortTaken): Promise<number | undefined> {
    const free = await freePortAfter(port, this.#options.host)
    const choices = [...(free === undefined ? [] : [`Use ${free}`]), 'Try Again', 'Quit']
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: `Port ${port} is taken by another program`,
      detail: `Sandbank's API cannot listen there.${free === undefined ? '' : ` Port ${free} is free; it will be remembered, and your app needs the new address.`}`,
      buttons: choices,
      defaultId: 0,
      cancelId: choices.length - 1,
    })
    const chosen = choices[response]
    if (chosen === 'Quit') return undefined
    if (chosen === 'Try Again') return port
    this.#memory.keep({ port: free! })
    this.#options = { ...this.#options, port: undefined }
    return free
  }

  async #askForWorld(error: unknown, world: Wanted): Promise<Wanted | undefined> {
    const choices = ['Try Again', 'Open Another World…', 'Quit']
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: `The world${world.data === null ? '' : ` in ${world.data}`} was not opened`,
      detail: `${error instanceof Error ? error.message : String(error)}\n\nNothing of it was changed.`,
      buttons: choices,
      defaultId: 0,
      cancelId: choices.length - 1,
    })
    if (choices[response] === 'Try Again') return world
    if (choices[response] === 'Quit') return undefined
    const data = await this.#chooseFolder('Open a World')
    return data === undefined ? world : { data }
  }

  /** After a crash: what the journal says, and that nothing that was answered is missing. */
  async #sayWhatWasKept(remarks: readonly string[]) {
    const sandbox = this.#sandbox
    if (!sandbox) return
    const reply = await sandbox.call('ledger.check', {})
    const balanced = reply.ok && (reply.value as { balanced: boolean }).balanced
    await dialog.showMessageBox(this.#window!, {
      type: 'info',
      message: 'Sandbank was not closed the last time',
      detail: `${remarks.join('\n')}\n\nEvery change that was answered is there: commit ${sandbox.store.world.seq}. ${balanced ? 'Both books balance.' : 'The books do not balance: see Accounts and ledger.'}`,
      buttons: ['Go On'],
    })
  }

  /** The world in view makes room for another, or for itself on another port. */
  async #changeTo(wanted: Wanted): Promise<void> {
    const was = this.#sandbox
    this.#sandbox = undefined
    await was?.close()
    const opened = (await this.#open(wanted)) || (was !== undefined && (await this.#open({ data: was.data })))
    if (!opened) return app.quit()
    this.#window?.webContents.reload()
  }

  async #chooseFolder(title: string): Promise<string | undefined> {
    const { canceled, filePaths } = await dialog.showOpenDialog({
      title,
      properties: ['openDirectory', 'createDirectory'],
    })
    return canceled ? undefined : filePaths[0]
  }

  async #openWorld(folder?: string) {
    const data = folder ?? (await this.#chooseFolder('Open a World'))
    if (data !== undefined && data !== this.#sandbox?.data) await this.#changeTo({ data })
  }

  async #newWorld() {
    const data = await this.#chooseFolder('A Folder for the New World')
    if (data === undefined) return
    if (readdirSync(data).length > 0) {
      dialog.showErrorBox('The folder is not empty', `${data} holds files already: choose or create an empty folder.`)
      return
    }
    const kinds = ['demo', 'empty'] as const
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: 'How shall the new world begin?',
      detail: 'The demo has Customers, accounts and a month of payments; the empty one has a Program and nothing else.',
      buttons: ['Demo World', 'Empty World', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
    })
    const world = kinds[response]
    if (world) await this.#changeTo({ data, world })
  }

  // ── The window ───────────────────────────────────────────────────────────────────────────────────────────────────

  #openWindow() {
    const { bounds, maximized } = this.#memory.kept
    const window = openWindow(this.#folder, { bounds, maximized })
    this.#window = window
    serveWindow(ipcMain, window.webContents, {
      call: (name, input) => this.#theSandbox().call(name, input),
      subscribe: (listener) => {
        this.#listeners.add(listener)
        return () => void this.#listeners.delete(listener)
      },
    })
    serveDesk(ipcMain, window.webContents, this.#door())
    window.on('close', () => this.#memory.keep({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }))
    window.webContents.on('render-process-gone', (_event, { reason }) => void this.#openAgain(reason))
  }

  async #openAgain(reason: string) {
    if (reason === 'clean-exit' || !this.#window || this.#window.isDestroyed()) return
    await dialog.showMessageBox(this.#window, {
      type: 'error',
      message: 'The window crashed',
      detail: `The sandbox goes on, and nothing is lost (${reason}).`,
      buttons: ['Open It Again'],
    })
    this.#window.webContents.reload()
  }

  #door(): DeskDoor {
    const read = (): Desk => {
      const { api, data } = this.#theSandbox()
      return { data, port: Number(new URL(api).port), recent: this.#memory.kept.recent }
    }
    return {
      'desk.read': read,
      'desk.listen': async ({ port }: { port: number }) => {
        this.#memory.keep({ port })
        this.#options = { ...this.#options, port: undefined }
        await this.#changeTo({ data: this.#theSandbox().data })
        return read()
      },
      'desk.open_world': async ({ folder }: { folder?: string }) => {
        await this.#openWorld(folder)
        return read()
      },
      'desk.show_folder': () => this.#showFolder(),
      'desk.menu': ({ places }: { places: MenuPlace[] }) => {
        this.#places = places
        this.#drawMenu()
        return {}
      },
    }
  }

  async #showFolder() {
    const data = this.#sandbox?.data ?? null
    return { shown: data !== null && (await shell.openPath(data)) === '' }
  }

  #drawMenu() {
    const commands = {
      newWorld: () => void this.#newWorld().catch(complain),
      openWorld: () => void this.#openWorld().catch(complain),
      openRecent: (folder: string) => void this.#openWorld(folder).catch(complain),
      openFile: () => void this.#chooseFile().catch(complain),
      showFolder: () => void this.#showFolder().catch(complain),
      go: (address: string) => this.#go(address),
    }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(commands, this.#memory.kept.recent, this.#places)))
  }

  async #chooseFile() {
    const { filePaths } = await dialog.showOpenDialog({
      title: 'Open a Bundle or a Scenario',
      properties: ['openFile'],
      filters: [{ name: 'Bundles and scenarios', extensions: ['sandbank', 'yaml', 'yml'] }],
    })
    for (const path of filePaths) this.#take(path)
  }

  #go(address: string) {
    if (this.#window) tellWindow(this.#window.webContents, { type: 'go', address })
  }

  #comeForward() {
    if (this.#window?.isMinimized()) this.#window.restore()
    this.#window?.focus()
  }

  #take(path: string) {
    const window = this.#window
    if (!window) return void this.#early.push(path)
    void openFile(path, {
      call: (name, input) => this.#theSandbox().call(name, input),
      ask: async (message, button) =>
        (await dialog.showMessageBox(window, { message, buttons: [button, 'Cancel'], defaultId: 0, cancelId: 1 }))
          .response === 0,
      complain: (line) => dialog.showErrorBox('The file was not opened', line),
      go: (address) => this.#go(address),
    })
  }

  #hear(notice: Notice) {
    for (const listener of this.#listeners) listener(notice)
    if (notice.type !== 'task_failed' || !Notification.isSupported()) return
    const { task } = notice
    const told = new Notification({ title: 'A task failed', body: `${task.why}: ${task.failed ?? ''}` })
    told.on('click', () => {
      this.#comeForward()
      this.#go('#/time')
    })
    told.show()
  }

  #theSandbox(): Sandbox {
    if (!this.#sandbox) throw new Error('Another world is being opened')
    return this.#sandbox
  }

  // ── The end ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Quitting waits until the last commit is kept and the folder is free. */
  #end(event: { preventDefault(): void }) {
    if (this.#ended === 'yes') return
    event.preventDefault()
    if (this.#ended === 'ending') return
    this.#ended = 'ending'
    const closed = this.#sandbox?.close() ?? Promise.resolve()
    void closed
      .catch((error: unknown) => process.stderr.write(`Closing failed: ${String(error)}\n`))
      .finally(() => {
        this.#ended = 'yes'
        app.quit()
      })
  }
}
