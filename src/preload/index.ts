import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge, Notice, Reply } from '../api/contract/control.ts'

/** The bridge of the desktop's window: two channels, no method by name. */
const sandbox: Bridge = {
  call: (name, input) => ipcRenderer.invoke('sandbox:call', name, input) as Promise<Reply>,
  subscribe(onNotice, connected) {
    const listener = (_event: unknown, notice: Notice) => onNotice(notice)
    ipcRenderer.on('sandbox:notice', listener)
    connected?.(true) // Between two processes of one app there is no line to lose.
    return () => void ipcRenderer.off('sandbox:notice', listener)
  },
}

contextBridge.exposeInMainWorld('sandbox', sandbox)
