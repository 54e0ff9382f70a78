import { describe, expect, it, onTestFinished } from 'vitest'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { httpBridge } from '../../src/renderer/data/http-bridge.ts'

describe('the bridge', () => {
  it('sends the key as a header and returns errors', async () => {
    const sent: Request[] = []
    const answers = [Response.json({ now: 1 }), Response.json({ status: 401, errors: [] }, { status: 401 })]
    const bridge = httpBridge('the key'.replace(' ', '-'), async (path, init) => {
      sent.push(new Request(`http://here${String(path)}`, init))
      return answers.shift()!
    })
    expect(await bridge.call('clock.read', {})).toEqual({ ok: true, value: { now: 1 } })
    expect(await bridge.call('clock.read', {})).toEqual({ ok: false, error: { status: 401, errors: [] } })
    expect(sent.map((request) => [request.method, request.url, request.headers.get('x-control-key')])).toEqual([
      ['POST', 'http://here/control/clock.read', 'the-key'],
      ['POST', 'http://here/control/clock.read', 'the-key'],
    ])
  })

  it('calls the world of its address or another one, and follows its own until that is dropped', async () => {
    const sent: string[] = []
    const connected: boolean[] = []
    const bridge = httpBridge(
      'k',
      async (path) => {
        sent.push(String(path))
        return Response.json({ status: 404, errors: [] }, { status: 404 })
      },
      'one',
    )
    await bridge.call('clock.read', {})
    await bridge.call('clock.read', {}, 'two')
    await bridge.call('clock.read', {}, null)
    expect(sent).toEqual(['/worlds/one/control/clock.read', '/worlds/two/control/clock.read', '/control/clock.read'])
    onTestFinished(
      bridge.subscribe(
        () => {},
        (isConnected) => void connected.push(isConnected),
      ),
    )
    await expect.poll(() => connected).toEqual([false])
    expect(sent.slice(3)).toEqual(['/worlds/one/control/notices?batches=true'])
  })

  it('does not try a refused key again', async () => {
    let knocks = 0
    const connected: boolean[] = []
    const bridge = httpBridge('k', async () => {
      knocks++
      return Response.json({ status: 401, errors: [] }, { status: 401 })
    })
    onTestFinished(
      bridge.subscribe(
        () => {},
        (isConnected) => void connected.push(isConnected),
      ),
    )
    await expect.poll(() => connected).toEqual([false])
    expect(knocks).toBe(1)
  })

  it('reopens the stream when it ends, and reports both', async () => {
    const streams: ReadableStreamDefaultController<Uint8Array>[] = []
    const bridge = httpBridge('k', async () => {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
      return new Response(body)
    })
    const seen: Notice[] = []
    const connected: boolean[] = []
    onTestFinished(
      bridge.subscribe(
        (notices) => void seen.push(...notices),
        (isConnected) => void connected.push(isConnected),
      ),
    )
    await expect.poll(() => connected).toEqual([true])
    // A heartbeat, then an event that is split anywhere, even inside a multi-byte character.
    const bytes = new TextEncoder().encode(': listening\n\ndata: [{"type":"world","é":1}]\n\n')
    for (const byte of bytes) streams[0]!.enqueue(new Uint8Array([byte]))
    await expect.poll(() => seen).toEqual([{ type: 'world', é: 1 }])
    streams[0]!.close()
    await expect.poll(() => connected).toEqual([true, false, true])
    streams[1]!.enqueue(new TextEncoder().encode('data: [{"type":"world"}]\n\n'))
    await expect.poll(() => seen).toHaveLength(2)
  })
})
