import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge, ControlReply } from '../api/contract/control/client.ts'
import type { Notice } from '../api/contract/control/notices.ts'
import type { DesktopBridge, DesktopNotice, DesktopReply } from '../api/contract/desktop.ts'

/** Connects the desktop's window with the main process: one channel for calls and one for notices each. */

/** The world that the window shows; null is the root world. */
const shown = new URLSearchParams(location.search).get('world')

const sandbox: Bridge = {
  call: (name, input, world = shown) => ipcRenderer.invoke('sandbox:call', name, input, world) as Promise<ControlReply>,
  subscribe(onNotices, connected) {
    const unsubscribe = listen<[readonly Notice[], number]>('sandbox:notices', (notices, number) => {
      try {
        onNotices(notices)
      } finally {
        void ipcRenderer.invoke('sandbox:taken', number)
      }
    })
    // IPC within one app does not disconnect; the world may not exist.
    const following = ipcRenderer.invoke('sandbox:follow', shown) as Promise<boolean>
    following.then(
      (isFollowed) => connected?.(isFollowed),
      () => connected?.(false),
    )
    return unsubscribe
  },
}

const desk: DesktopBridge = {
  call: (name, input) => ipcRenderer.invoke('desk:call', name, input) as Promise<DesktopReply>,
  subscribe: (listener) => listen<[DesktopNotice]>('desk:notice', listener),
}

function listen<T extends unknown[]>(channel: string, listener: (...message: T) => void): () => void {
  const onMessage = (_event: unknown, ...message: T) => listener(...message)
  ipcRenderer.on(channel, onMessage)
  return () => void ipcRenderer.off(channel, onMessage)
}

contextBridge.exposeInMainWorld('sandbox', sandbox)
contextBridge.exposeInMainWorld('desk', desk)
