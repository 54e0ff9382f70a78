import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { ControlReply, Notice } from '../api/contract/control.ts'
import {
  type DesktopMethodName,
  type DesktopNotice,
  type DesktopReply,
  desktopMethods,
} from '../api/contract/desktop.ts'

/** The doors of the window over Electron IPC: two handles, two pushes. Only the main frame of our own window is answered. */

type Contents = Pick<WebContents, 'mainFrame' | 'send' | 'isDestroyed'>

export interface SandboxDoor {
  call(name: string, input: unknown): Promise<ControlReply>
  subscribe(listener: (notice: Notice) => void): () => void
}

export function serveWindow(ipcMain: Pick<IpcMain, 'handle'>, contents: Contents, sandbox: SandboxDoor): () => void {
  ipcMain.handle('sandbox:call', (event, name: unknown, input: unknown) => {
    refuseStrangers(event, contents)
    return sandbox.call(String(name), input)
  })
  return sandbox.subscribe((notice) => {
    if (!contents.isDestroyed()) contents.send('sandbox:notice', notice)
  })
}

export type DeskDoor = { readonly [N in DesktopMethodName]: (input: never) => unknown }

export function serveDesk(ipcMain: Pick<IpcMain, 'handle'>, contents: Contents, desk: DeskDoor) {
  ipcMain.handle('desk:call', async (event, name: unknown, input: unknown): Promise<DesktopReply> => {
    refuseStrangers(event, contents)
    const known = String(name)
    if (!Object.hasOwn(desktopMethods, known)) return { ok: false, error: `There is no ${known} of the desktop` }
    const { input: schema, output } = desktopMethods[known as DesktopMethodName]
    const parsed = schema.safeParse(input ?? {})
    if (!parsed.success) return { ok: false, error: `${known}: ${parsed.error.issues[0]?.message}` }
    try {
      const value = await (desk[known as DesktopMethodName] as (input: unknown) => unknown)(parsed.data)
      return { ok: true, value: output.parse(value) }
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) }
    }
  })
}

export function tellWindow(contents: Contents, notice: DesktopNotice) {
  if (!contents.isDestroyed()) contents.send('desk:notice', notice)
}

function refuseStrangers({ senderFrame }: IpcMainInvokeEvent, { mainFrame }: Contents) {
  if (senderFrame !== mainFrame) throw new Error('Only the window of Sandbank may call')
}
