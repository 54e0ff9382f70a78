import type { IpcMain } from 'electron'
import { expect, it } from 'vitest'
import { NoticeSender, serveDesktop, serveWindows } from '../../src/main/ipc.ts'

/** Which frames the main process answers. A page cannot send a message from a frame that has no bridge, so the handlers are called here. */

type Handler = Parameters<IpcMain['handle']>[1]

function createIpc() {
  const handlers = new Map<string, Handler>()
  const ipcMain = { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) }
  const calls: unknown[] = []
  const contents = { mainFrame: { id: 1 }, send: () => {}, isDestroyed: () => false } as never as Electron.WebContents
  const notices = new NoticeSender(contents, () => () => {}, null)
  const windows = { find: (sender: unknown) => (sender === contents ? { contents, notices } : undefined) }
  serveWindows(ipcMain, windows, async (...call) => {
    calls.push(call)
    return { ok: true, value: 'answered' } as never
  })
  serveDesktop(ipcMain, windows, { 'desk.read': () => calls.push('desk.read') } as never)
  const invoke = async (channel: string, from: object, ...args: unknown[]) =>
    handlers.get(channel)!({ sender: contents, senderFrame: contents.mainFrame, ...from } as never, ...args)
  return { handlers, calls, invoke }
}

it('answers the main frame of a window on each channel, and no other frame or page', async () => {
  const { handlers, calls, invoke } = createIpc()
  const refusal = 'Only a window of Sandbank may call'
  expect([...handlers.keys()].sort()).toEqual(['desk:call', 'sandbox:call', 'sandbox:follow', 'sandbox:taken'])
  for (const channel of handlers.keys()) {
    await expect(invoke(channel, { senderFrame: { id: 2 } }, 'desk.read', {}), channel).rejects.toThrow(refusal)
    await expect(invoke(channel, { sender: {} }, 'desk.read', {}), channel).rejects.toThrow(refusal)
  }
  expect(calls).toEqual([])
  expect(await invoke('sandbox:call', {}, 'clock.read', {}, 'one')).toEqual({ ok: true, value: 'answered' })
  expect(calls).toEqual([['clock.read', {}, 'one']])
})

it('refuses a desktop method that does not exist, and an input of another form', async () => {
  const { calls, invoke } = createIpc()
  const error = async (name: string, input: unknown) =>
    ((await invoke('desk:call', {}, name, input)) as { error: string }).error
  expect(await error('desk.shut_down', {})).toBe('There is no desktop method desk.shut_down')
  expect(await error('toString', {})).toBe('There is no desktop method toString')
  expect(await error('desk.listen', { port: 'http' })).toMatch(/^desk\.listen: /)
  expect(calls).toEqual([])
})
