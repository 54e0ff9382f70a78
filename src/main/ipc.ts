import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { ControlReply } from '../api/contract/control/client.ts'
import type { Notice } from '../api/contract/control/notices.ts'
import {
  type DesktopMethodName,
  type DesktopNotice,
  type DesktopReply,
  desktopMethods,
} from '../api/contract/desktop.ts'
import { NoticeBatches } from '../api/sandbox.ts'

/** Serves the windows over Electron IPC: the control methods and the desktop methods. Answers only the main frame of a window. */

type Contents = Pick<WebContents, 'mainFrame' | 'send' | 'isDestroyed'>

/** `world` is the name of a world, or null for the root world. */
type Call = (name: string, input: unknown, world: string | null) => Promise<ControlReply>
/** Returns undefined if there is no such world. */
export type Subscribe = (listener: (notice: Notice) => void, world: string | null) => (() => void) | undefined

/** Sends the notices of one world to a window, in batches: of the world that its page asked for last. */
export class NoticeSender {
  readonly #contents: Contents
  readonly #subscribe: Subscribe
  #world: string | null
  #stop: (() => void) | undefined
  #sent = 0
  #onTaken = () => {}

  constructor(contents: Contents, subscribe: Subscribe, world: string | null) {
    this.#contents = contents
    this.#subscribe = subscribe
    this.#world = world
  }

  get world(): string | null {
    return this.#world
  }

  /** Returns false if there is no such world. */
  follow(world: string | null): boolean {
    this.stop()
    this.#world = world
    const batches = new NoticeBatches((notices) => this.#send(notices))
    const unsubscribe = this.#subscribe(batches.add, world)
    if (!unsubscribe) return false
    this.#stop = () => {
      unsubscribe()
      batches.stop()
    }
    return true
  }

  #send(notices: readonly Notice[]): Promise<void> | undefined {
    if (this.#contents.isDestroyed()) return undefined
    this.#contents.send('sandbox:notices', notices, ++this.#sent)
    return new Promise((resolve) => {
      this.#onTaken = resolve
    })
  }

  /** The page has taken a batch; an earlier one may be of the world that it showed before. */
  onTaken(number: unknown) {
    if (number === this.#sent) this.#onTaken()
  }

  stop() {
    this.#stop?.()
    this.#stop = undefined
  }
}

interface IpcWindow {
  readonly contents: Contents
  readonly notices: NoticeSender
}

interface IpcWindows<W extends IpcWindow> {
  find(contents: WebContents): W | undefined
}

export function serveWindows(ipcMain: Pick<IpcMain, 'handle'>, windows: IpcWindows<IpcWindow>, call: Call) {
  ipcMain.handle('sandbox:call', (event, name: unknown, input: unknown, world: unknown = null) => {
    requireWindow(event, windows)
    return call(String(name), input, nameOf(world))
  })
  ipcMain.handle('sandbox:follow', (event, world: unknown = null) =>
    requireWindow(event, windows).notices.follow(nameOf(world)),
  )
  ipcMain.handle('sandbox:taken', (event, number: unknown) => requireWindow(event, windows).notices.onTaken(number))
}

const nameOf = (world: unknown) => (world === null ? null : String(world))

/** The desktop methods, with the window that calls. */
export type DesktopDoor<W> = { readonly [N in DesktopMethodName]: (input: never, window: W) => unknown }

export function serveDesktop<W extends IpcWindow>(
  ipcMain: Pick<IpcMain, 'handle'>,
  windows: IpcWindows<W>,
  door: DesktopDoor<W>,
) {
  ipcMain.handle('desk:call', async (event, given: unknown, input: unknown): Promise<DesktopReply> => {
    const window = requireWindow(event, windows)
    const name = String(given)
    if (!Object.hasOwn(desktopMethods, name)) return { ok: false, error: `There is no desktop method ${name}` }
    const { input: schema, output } = desktopMethods[name as DesktopMethodName]
    const parsed = schema.safeParse(input ?? {})
    if (!parsed.success) return { ok: false, error: `${name}: ${parsed.error.issues[0]?.message}` }
    try {
      const value = await (door[name as DesktopMethodName] as (input: unknown, window: W) => unknown)(
        parsed.data,
        window,
      )
      return { ok: true, value: output.parse(value) }
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) }
    }
  })
}

export function notifyWindow(contents: Contents, notice: DesktopNotice) {
  if (!contents.isDestroyed()) contents.send('desk:notice', notice)
}

function requireWindow<W extends IpcWindow>({ sender, senderFrame }: IpcMainInvokeEvent, windows: IpcWindows<W>): W {
  const window = windows.find(sender)
  if (!window || senderFrame !== window.contents.mainFrame) throw new Error('Only a window of Sandbank may call')
  return window
}
