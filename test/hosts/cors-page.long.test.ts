import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { sharedBrowser } from '../support/browser.ts'
import { startSandbox } from '../support/sandbox.ts'

/** `--cors` as a browser applies it: pages of two origins in Chromium call the same sandbox. */

/** Serves an empty page on a port of its own; returns its origin. */
async function servePage(): Promise<string> {
  const server = createServer((_req, res) => void res.setHeader('content-type', 'text/html').end('<title>page</title>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const found = await sharedBrowser()

it.skipIf('reason' in found)(
  'a page of the named origin calls the API; other pages and the control API do not',
  async () => {
    if ('reason' in found) return
    const [named, other] = [await servePage(), await servePage()]
    const sandbox = await startSandbox({ cors: [named] })
    const token = await sandbox.client().signIn()
    const page = await found.browser.newPage()
    onTestFinished(() => page.close())

    /** What the page can read of the response; the browser's error if it reads nothing. */
    const request = (url: string, headers: Record<string, string>, body: object) =>
      page.evaluate(
        async ([url, headers, body]) => {
          try {
            const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
            const response = await fetch(url, { ...sent, body: JSON.stringify(body) })
            return [response.status, response.headers.get('x-trace-id')]
          } catch (error) {
            return String(error)
          }
        },
        [url, headers, body] as const,
      )
    const create = (trace: string) =>
      request(`${sandbox.api}/customers`, { authorization: token, 'x-trace-id': trace }, { email: 'ada@example.test' })
    const control = () => request(`${sandbox.control}/clock.read`, { 'x-control-key': sandbox.control_key }, {})

    await page.goto(named)
    const trace = randomUUID()
    expect(await create(trace)).toEqual([201, trace])
    expect(await create(trace)).toEqual([409, trace])
    expect(await control()).toBe('TypeError: Failed to fetch')
    const { seq } = sandbox.store.world

    await page.goto(other)
    expect(await create(randomUUID())).toBe('TypeError: Failed to fetch')
    expect(await control()).toBe('TypeError: Failed to fetch')
    expect(sandbox.store.world.seq).toBe(seq)
  },
)
