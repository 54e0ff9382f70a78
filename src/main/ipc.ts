import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { ControlReply } from '../api/contract/control/client.ts'
import type { Notice } from '../api/contract/control/notices.ts'
import {
  type DesktopMethodName,
  type DesktopNotice,
  type DesktopReply,
  desktopMethods,
} from '../api/contract/desktop.ts'

/** Serves the window over Electron IPC: the control methods and the desktop methods. Answers only the window's main frame. */

type Contents = Pick<WebContents, 'mainFrame' | 'send' | 'isDestroyed'>

/** `world` is the name of a world, or null for the root world. */
export interface WindowSandbox {
  call(name: string, input: unknown, world: string | null): Promise<ControlReply>
  /** Returns undefined if there is no such world. */
  subscribe(listener: (notice: Notice) => void, world: string | null): (() => void) | undefined
}

/** Sends the notices of one world: the root world, until the window follows another. */
export function serveWindow(ipcMain: Pick<IpcMain, 'handle'>, contents: Contents, sandbox: WindowSandbox): () => void {
  const follow = (world: string | null) =>
    sandbox.subscribe((notice) => {
      if (!contents.isDestroyed()) contents.send('sandbox:notice', notice)
    }, world)
  let stop = follow(null)
  ipcMain.handle('sandbox:call', (event, name: unknown, input: unknown, world: unknown = null) => {
    requireOwnWindow(event, contents)
    return sandbox.call(String(name), input, worldOf(world))
  })
  ipcMain.handle('sandbox:follow', (event, world: unknown = null) => {
    requireOwnWindow(event, contents)
    stop?.()
    stop = follow(worldOf(world))
    return stop !== undefined
  })
  return () => stop?.()
}

const worldOf = (world: unknown) => (world === null ? null : String(world))

export type DesktopDoor = { readonly [N in DesktopMethodName]: (input: never) => unknown }

export function serveDesktop(ipcMain: Pick<IpcMain, 'handle'>, contents: Contents, door: DesktopDoor) {
  ipcMain.handle('desk:call', async (event, given: unknown, input: unknown): Promise<DesktopReply> => {
    requireOwnWindow(event, contents)
    const name = String(given)
    if (!Object.hasOwn(desktopMethods, name)) return { ok: false, error: `There is no desktop method ${name}` }
    const { input: schema, output } = desktopMethods[name as DesktopMethodName]
    const parsed = schema.safeParse(input ?? {})
    if (!parsed.success) return { ok: false, error: `${name}: ${parsed.error.issues[0]?.message}` }
    try {
      const value = await (door[name as DesktopMethodName] as (input: unknown) => unknown)(parsed.data)
      return { ok: true, value: output.parse(value) }
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) }
    }
  })
}

export function notifyWindow(contents: Contents, notice: DesktopNotice) {
  if (!contents.isDestroyed()) contents.send('desk:notice', notice)
}

function requireOwnWindow({ senderFrame }: IpcMainInvokeEvent, { mainFrame }: Contents) {
  if (senderFrame !== mainFrame) throw new Error('Only the window of Sandbank may call')
}
