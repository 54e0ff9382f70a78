import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge, ControlReply, Notice } from '../api/contract/control.ts'
import type { DesktopBridge, DesktopNotice, DesktopReply } from '../api/contract/desktop.ts'

/** The bridges of the desktop's window: two channels each, no method by name. */

const sandbox: Bridge = {
  call: (name, input) => ipcRenderer.invoke('sandbox:call', name, input) as Promise<ControlReply>,
  subscribe(onNotice, connected) {
    const stop = hear<Notice>('sandbox:notice', onNotice)
    connected?.(true) // Between two processes of one app there is no line to lose.
    return stop
  },
}

const desk: DesktopBridge = {
  call: (name, input) => ipcRenderer.invoke('desk:call', name, input) as Promise<DesktopReply>,
  subscribe: (listener) => hear<DesktopNotice>('desk:notice', listener),
}

function hear<T>(channel: string, listener: (told: T) => void): () => void {
  const heard = (_event: unknown, told: T) => listener(told)
  ipcRenderer.on(channel, heard)
  return () => void ipcRenderer.off(channel, heard)
}

contextBridge.exposeInMainWorld('sandbox', sandbox)
contextBridge.exposeInMainWorld('desk', desk)
