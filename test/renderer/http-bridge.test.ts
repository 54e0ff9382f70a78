import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { httpBridge, takeKey } from '../../src/renderer/data/http-bridge.ts'

describe('the key', () => {
  beforeEach(() => sessionStorage.clear())
  afterEach(() => history.replaceState(null, '', '/'))

  it('is taken from the address, kept for the tab, and gone from the address', () => {
    history.replaceState(null, '', '/#key=a%2Bb-c_d')
    expect(takeKey(window)).toBe('a+b-c_d')
    expect(location.href).not.toContain('key')
    expect(location.hash).toBe('#/connect')
    expect(takeKey(window)).toBe('a+b-c_d')
    expect(document.cookie).toBe('')
    expect(localStorage).toHaveLength(0)
  })

  it('of a newer address wins', () => {
    history.replaceState(null, '', '/#key=one')
    takeKey(window)
    history.replaceState(null, '', '/#key=two')
    expect(takeKey(window)).toBe('two')
  })

  it('is missing where there is none, and the address stays', () => {
    history.replaceState(null, '', '/#/customers/x')
    expect(takeKey(window)).toBeNull()
    expect(location.hash).toBe('#/customers/x')
  })
})

describe('the bridge', () => {
  it('sends the key as a header and unwraps refusals', async () => {
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

  it('does not knock again with a key that was refused', async () => {
    let knocks = 0
    const said: boolean[] = []
    const bridge = httpBridge('k', async () => {
      knocks++
      return Response.json({ status: 401, errors: [] }, { status: 401 })
    })
    onTestFinished(
      bridge.subscribe(
        () => {},
        (is) => void said.push(is),
      ),
    )
    await expect.poll(() => said).toEqual([false])
    expect(knocks).toBe(1)
  })

  it('opens the stream again when it ends, and says so', async () => {
    const streams: ReadableStreamDefaultController<Uint8Array>[] = []
    const bridge = httpBridge('k', async () => {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
      return new Response(body)
    })
    const seen: Notice[] = []
    const said: boolean[] = []
    onTestFinished(
      bridge.subscribe(
        (notice) => void seen.push(notice),
        (is) => void said.push(is),
      ),
    )
    await expect.poll(() => said).toEqual([true])
    // A heartbeat, then an event that is cut anywhere, also within a character of more than one byte.
    const bytes = new TextEncoder().encode(': listening\n\ndata: {"type":"world","é":1}\n\n')
    for (const byte of bytes) streams[0]!.enqueue(new Uint8Array([byte]))
    await expect.poll(() => seen).toEqual([{ type: 'world', é: 1 }])
    streams[0]!.close()
    await expect.poll(() => said).toEqual([true, false, true])
    streams[1]!.enqueue(new TextEncoder().encode('data: {"type":"world"}\n\n'))
    await expect.poll(() => seen).toHaveLength(2)
  })
})
