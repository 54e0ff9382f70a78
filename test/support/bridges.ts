import { onTestFinished } from 'vitest'
import { type Bridge, type ControlReply, createControlClient } from '../../src/api/contract/control/client.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { NoticeSender, serveWindows } from '../../src/main/ipc.ts'

/**
 * The two transports of the control API. The tests of control methods run over IPC; test/control/transports.test.ts shows that HTTP
 * answers the same.
 */

export type MakeBridge = (sandbox: Sandbox) => Bridge

/** The control API as the window calls it. */
export const controlOf = (sandbox: Sandbox) => createControlClient(ipcBridge(sandbox))

/** HTTP with fetch: the key in a header, notices by a streaming fetch. */
export const httpBridge: MakeBridge = (sandbox) => ({
  async call(name, input) {
    const response = await fetch(`${sandbox.control}/${name}`, {
      method: 'POST',
      headers: { 'x-control-key': sandbox.control_key, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const body = (await response.json()) as never
    return response.ok ? { ok: true, value: body } : { ok: false, error: body }
  },
  subscribe(onNotices, connected) {
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    void listen(sandbox, stop.signal, onNotices, connected).catch(() => {})
    return () => stop.abort()
  },
})

async function listen(
  sandbox: Sandbox,
  signal: AbortSignal,
  onNotices: (notices: readonly Notice[]) => void,
  connected?: (is: boolean) => void,
) {
  const response = await fetch(`${sandbox.control}/notices?batches=true`, {
    headers: { 'x-control-key': sandbox.control_key },
    signal,
  })
  connected?.(true)
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop()!
    for (const event of events) if (event.startsWith('data: ')) onNotices(JSON.parse(event.slice(6)) as Notice[])
  }
}

/** IPC: `serveWindows` of the main process, with fakes for Electron's ipcMain and window. */
export const ipcBridge: MakeBridge = (sandbox) => {
  const frame = {}
  const listeners = new Set<(notices: readonly Notice[]) => void>()
  const handlers: Record<string, (event: unknown, name?: unknown, input?: unknown) => Promise<ControlReply>> = {}
  const contents = {
    mainFrame: frame,
    isDestroyed: () => false,
    send: (_channel: string, batch: readonly Notice[], number: number) => {
      // Electron copies what it sends to another process.
      for (const listener of listeners) listener(structuredClone(batch))
      setImmediate(() => void handlers['sandbox:taken']!({ senderFrame: frame }, number as never))
    },
  } as never
  const notices = new NoticeSender(contents, (listener) => sandbox.subscribe(listener), null)
  serveWindows(
    {
      handle: (channel: string, take: never) => {
        handlers[channel] = take
      },
    } as never,
    { find: () => ({ contents, notices }) },
    (name, input) => sandbox.call(name, input),
  )
  notices.follow(null)
  onTestFinished(() => notices.stop())
  return {
    call: async (name, input) =>
      structuredClone(await handlers['sandbox:call']!({ senderFrame: frame }, name, structuredClone(input))),
    subscribe(onNotices, connected) {
      listeners.add(onNotices)
      connected?.(true)
      return () => void listeners.delete(onNotices)
    },
  }
}
