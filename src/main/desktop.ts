import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { app, type BrowserWindow, dialog, ipcMain, Menu, Notification, shell } from 'electron'
import { version } from '../../package.json' with { type: 'json' }
import type { Notice } from '../api/contract/control.ts'
import type { DesktopState, MenuPlace } from '../api/contract/desktop.ts'
import { holdsWorld } from '../api/files.ts'
import { openSandbox, PortTakenError, type Sandbox, type SandboxOptions } from '../api/sandbox.ts'
import { type DeskDoor, serveDesk, serveWindow, tellWindow } from './ipc.ts'
import { Memory } from './kept.ts'
import { commandOf } from './launcher.ts'
import { menuOf } from './menu.ts'
import { filesIn, HandedOver, openFile } from './open-file.ts'
import { sandboxOptions, serveOptions } from './options.ts'
import { placesOf } from './places.ts'
import { freePortAfter, refusalAt } from './ports.ts'
import { hardenEverything, openWindow } from './window.ts'

/**
 * The desktop around a sandbox: which world is open and on which port, the window and its menu, what is handed over from
 * outside, and how it ends. The sandbox itself is the one that the plain Node host runs.
 */

/** Where a world is and, for a new one, how it begins. */
type Wanted = Pick<SandboxOptions, 'data' | 'seed' | 'start' | 'world' | 'clock' | 'pace'>

interface Opening {
  readonly remarks?: string[]
  /** The last button of every question. */
  readonly giveUp?: string
  readonly port?: number
  /** A world that cannot be opened is no question: there is another one to go back to. */
  readonly orThrow?: boolean
}

const DEFAULT_PORT = 4010
const portOf = ({ api }: Sandbox) => Number(new URL(api).port)

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const complain = (error: unknown) => dialog.showErrorBox('That could not be done', wordsOf(error))
const whatIsShut = ({ data }: Wanted) => `The world${data === null ? '' : ` in ${data}`} was not opened`

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
  #insteadOf: DesktopState['instead_of'] = null
  #window: BrowserWindow | undefined
  #places: readonly MenuPlace[] = []
  /** Files that were handed over while there was no window or no world. */
  #early: string[]
  /** The change of worlds that is under way. */
  #changing: Promise<unknown> = Promise.resolve()
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
    app.on('second-instance', (_event, _argv, _where, said) => {
      this.#comeForward()
      const { data } = HandedOver.safeParse(said)
      for (const file of data?.files ?? []) this.#take(file)
    })
    app.on('window-all-closed', () => app.quit())
    app.on('before-quit', (event) => this.#end(event))
  }

  async start() {
    await app.whenReady()
    hardenEverything(this.#folder)
    app.setAboutPanelOptions({ applicationName: 'Sandbank', applicationVersion: version })
    const remarks: string[] = []
    const opening = this.#open(this.#first, { remarks })
    this.#changing = opening
    if (!(await opening)) return app.quit()
    this.#openWindow()
    if (remarks.length > 0) this.#sayWhatWasKept(remarks).catch(complain)
    this.#takeEarly()
  }

  // ── The world ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** False when the user would rather not. */
  async #open(wanted: Wanted, { remarks = [], giveUp = 'Quit', orThrow, ...how }: Opening = {}): Promise<boolean> {
    const usual = this.#options.port ?? this.#memory.kept.port ?? DEFAULT_PORT
    let world = wanted
    let port = how.port ?? usual
    let insteadOf = how.port === undefined ? this.#insteadOf : null
    while (this.#ended === 'no') {
      try {
        const { library } = placesOf(this.#folder)
        const report = (line: string) => {
          remarks.push(line)
          process.stderr.write(`${line}\n`)
        }
        const sandbox = await openSandbox({ ...this.#options, ...world, port, version, library, report })
        sandbox.subscribe((notice) => this.#hear(notice))
        this.#sandbox = sandbox
        this.#insteadOf = insteadOf
        if (sandbox.data !== null) this.#memory.opened(sandbox.data)
        if (port !== usual) this.#remember(port)
        this.#drawMenu()
        return true
      } catch (error) {
        if (error instanceof PortTakenError) {
          const other = await this.#askForPort(error, giveUp)
          if (other === undefined) return false
          if (other !== port) insteadOf = { port, why: 'it was taken by another program' }
          port = other
          // It was begun all the same, and how it begins is not asked of it again.
          if (world.data !== null) world = { data: world.data }
        } else {
          if (orThrow) throw new Error(`${whatIsShut(world)}. ${wordsOf(error)}`)
          const other = await this.#askForWorld(error, world, giveUp)
          if (other === undefined) return false
          world = other
        }
      }
    }
    return false
  }

  /** Only one that has worked; it is then the one for every world. */
  #remember(port: number) {
    this.#memory.keep({ port })
    this.#options = { ...this.#options, port: undefined }
  }

  async #askForPort({ port }: PortTakenError, giveUp: string): Promise<number | undefined> {
    const free = await freePortAfter(port, this.#options.host)
    const choices = [...(free === undefined ? [] : [`Use ${free}`]), 'Try Again', giveUp]
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: `Port ${port} is taken by another program`,
      detail: `Sandbank's API cannot listen there.${free === undefined ? '' : ` Port ${free} is free; it will be remembered, and your app needs the new address.`}`,
      buttons: choices,
      defaultId: 0,
      cancelId: choices.length - 1,
    })
    const chosen = choices[response]
    if (chosen === giveUp) return undefined
    return chosen === 'Try Again' ? port : free
  }

  async #askForWorld(error: unknown, world: Wanted, giveUp: string): Promise<Wanted | undefined> {
    const choices = ['Try Again', 'Open Another World…', giveUp]
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: whatIsShut(world),
      detail: `${wordsOf(error)}\n\nNothing of it was changed.`,
      buttons: choices,
      defaultId: 0,
      cancelId: choices.length - 1,
    })
    if (choices[response] === 'Try Again') return world
    if (choices[response] === giveUp) return undefined
    try {
      return (await this.#worldIn(await this.#chooseFolder('Open a World'))) ?? world
    } catch (refusal) {
      complain(refusal)
      return world
    }
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

  /** One change after the other, or two would open beside each other. */
  #change(wanted: Wanted, port?: number): Promise<unknown> {
    const turn = this.#changing.then(() => this.#changeTo(wanted, port))
    this.#changing = turn.catch(() => {})
    return turn
  }

  /** The world in view makes room for another, or for itself on another port; where that fails it comes back. */
  async #changeTo(wanted: Wanted, port?: number): Promise<void> {
    const was = this.#sandbox
    if (this.#ended !== 'no' || (was?.data === wanted.data && port === undefined)) return
    if (was?.data === null && !(await this.#mayForget())) return
    this.#sandbox = undefined
    await was?.close().catch(complain)
    const back = was?.data ? { data: was.data } : undefined
    const how = { orThrow: back !== undefined, giveUp: back ? `Back to ${back.data}` : 'Quit' }
    let failure: unknown
    const opened = await this.#open(wanted, { ...how, ...(port === undefined ? {} : { port }) }).catch((error) => {
      failure = error
      return false
    })
    if (!opened && !(was && back && (await this.#open(back, { port: portOf(was) })))) return app.quit()
    if (failure === undefined) this.#window?.webContents.reload()
    this.#takeEarly()
    if (failure !== undefined) throw failure
  }

  /** Nothing of an ephemeral world is kept anywhere. */
  async #mayForget(): Promise<boolean> {
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: 'This world is kept nowhere and will be gone',
      detail: 'It was begun with --ephemeral. A bundle, exported from Requests, would keep it.',
      buttons: ['Let It Go', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    })
    return response === 0
  }

  async #chooseFolder(title: string): Promise<string | undefined> {
    const { canceled, filePaths } = await dialog.showOpenDialog({
      title,
      properties: ['openDirectory', 'createDirectory'],
    })
    return canceled ? undefined : filePaths[0]
  }

  async #openWorld(folder?: string) {
    const world = await this.#worldIn(folder ?? (await this.#chooseFolder('Open a World')))
    if (world) await this.#change(world)
  }

  async #newWorld(kind?: 'demo' | 'empty') {
    const data = await this.#chooseFolder('A Folder for the New World')
    if (data !== undefined && holdsWorld(data))
      throw new Error(`${data} holds a world already: open it, or choose an empty folder.`)
    const world = await this.#worldIn(data, kind)
    if (world) await this.#change(world)
  }

  /** It is looked at first, so that nothing is closed in vain. */
  async #listen(port: number) {
    const sandbox = this.#theSandbox()
    if (port === portOf(sandbox)) return this.#remember(port)
    const refusal = await refusalAt(port, this.#options.host)
    if (refusal !== undefined) throw new Error(refusal)
    await this.#change({ data: sandbox.data }, port)
  }

  /** What a folder holds; an empty one may begin a world, and no other becomes one by mistake. */
  async #worldIn(data: string | undefined, kind?: 'demo' | 'empty'): Promise<Wanted | undefined> {
    if (data === undefined || holdsWorld(data)) return data === undefined ? undefined : { data }
    if (!existsSync(data) || readdirSync(data).length > 0) {
      this.#memory.forget(data)
      this.#drawMenu()
      const found = existsSync(data) ? 'holds other files, and no world' : 'is not there any more'
      throw new Error(`${data} ${found}: choose the folder of a world, or an empty one for a new world.`)
    }
    if (kind) return { data, world: kind }
    const kinds = ['demo', 'empty'] as const
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: 'How shall the new world begin?',
      detail: `In ${data}. The demo has Customers, accounts and a month of payments; the empty one has a Program and nothing else.`,
      buttons: ['Demo World', 'Empty World', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
    })
    const world = kinds[response]
    return world && { data, world }
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
    window.webContents.on('render-process-gone', (_event, { reason }) => void this.#openAgain(reason).catch(complain))
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
    const { cli } = placesOf(this.#folder)
    const read = (): DesktopState => {
      const sandbox = this.#theSandbox()
      return {
        data: sandbox.data,
        port: portOf(sandbox),
        instead_of: this.#insteadOf,
        recent: this.#memory.kept.recent,
        command: commandOf({ packaged: app.isPackaged, resources: process.resourcesPath, cli }),
      }
    }
    return {
      'desk.read': read,
      'desk.listen': async ({ port }: { port: number }) => {
        await this.#listen(port)
        return read()
      },
      'desk.open_world': async ({ folder }: { folder?: string }) => {
        await this.#openWorld(folder)
        return read()
      },
      'desk.new_world': async ({ world }: { world: 'demo' | 'empty' }) => {
        await this.#newWorld(world)
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
    if (!window || !this.#sandbox) return void this.#early.push(path)
    openFile(path, {
      call: (name, input) => this.#theSandbox().call(name, input),
      ask: async (message, button) =>
        (await dialog.showMessageBox(window, { message, buttons: [button, 'Cancel'], defaultId: 0, cancelId: 1 }))
          .response === 0,
      complain: (line) => dialog.showErrorBox('The file was not opened', line),
      go: (address) => this.#go(address),
    }).catch(complain)
  }

  #takeEarly() {
    for (const path of this.#early.splice(0)) this.#take(path)
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
    void this.#changing
      .then(() => this.#sandbox?.close())
      .catch((error: unknown) => process.stderr.write(`Closing failed: ${String(error)}\n`))
      .finally(() => {
        this.#ended = 'yes'
        app.quit()
      })
  }
}
