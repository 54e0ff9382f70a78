import type { IpcMain, WebContents } from 'electron'
import type { Notice, Reply } from '../api/contract/control.ts'

/** The operator's door over Electron IPC: one handle, one push. Only the main frame of our own window is answered. */
export function serveWindow(
  ipcMain: Pick<IpcMain, 'handle'>,
  contents: Pick<WebContents, 'mainFrame' | 'send' | 'isDestroyed'>,
  sandbox: {
    call(name: string, input: unknown): Promise<Reply>
    subscribe(listener: (notice: Notice) => void): () => void
  },
): () => void {
  ipcMain.handle('sandbox:call', (event, name: unknown, input: unknown) => {
    if (event.senderFrame !== contents.mainFrame) throw new Error('Only the window of Sandbank may call')
    return sandbox.call(String(name), input)
  })
  return sandbox.subscribe((notice) => {
    if (!contents.isDestroyed()) contents.send('sandbox:notice', notice)
  })
}
