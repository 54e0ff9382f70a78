import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPENS_WITHIN_MS, Openings } from '../../src/api/control/openings.ts'
import { openingAddress } from '../../src/main/open-browser.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

describe('the files of the window', () => {
  it.each(['GET', 'HEAD', 'POST'])('%s: GET and HEAD read them; everything else is the API', async (method) => {
    const window = createTemporaryFolder()
    mkdirSync(join(window, 'assets'))
    writeFileSync(join(window, 'index.html'), '<title>window</title>')
    writeFileSync(join(window, 'assets', 'a.js'), '"script"')
    const { origin } = new URL((await startSandbox({ window })).api)
    for (const [path, text] of [
      ['/', '<title>window</title>'],
      ['/assets/a.js', '"script"'],
    ] as const) {
      const response = await fetch(`${origin}${path}`, { method })
      const body = await response.text()
      if (method === 'GET') expect(body).toContain(text)
      else if (method === 'HEAD')
        expect([response.status, response.headers.get('content-length')]).toEqual([200, `${text.length}`])
      else expect([response.status, body]).toEqual([404, expect.stringContaining('"errors"')])
    }
  })
})

describe('an address that opens the window without the key in it', () => {
  async function start() {
    const window = createTemporaryFolder()
    writeFileSync(join(window, 'index.html'), '<title>window</title>')
    const sandbox = await startSandbox({ window, control_key: 'a key with "quotes" & more' })
    const { origin } = new URL(sandbox.api)
    const open = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, init)
    /** `fetch` sets its own Host. */
    const openAt = async (host: string, path: string) => {
      const [response] = await once(get(`${origin}${path}`, { headers: { host } }), 'response')
      response.resume()
      return { status: response.statusCode as number }
    }
    return { sandbox, open, openAt }
  }

  it('leads to the window once, in the world that was asked; the page is stored nowhere and names no referrer', async () => {
    const { sandbox, open, openAt } = await start()
    const world = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    for (const [asked, start] of [
      [sandbox, '/#key='],
      [world, '/worlds/one/#key='],
    ] as const) {
      const { path } = await call(asked, 'sandbox.open', {})
      expect(path).toMatch(/^\/open\/[\w-]{24}$/)
      const others = [
        await open(path, { method: 'HEAD' }),
        await open(path, { method: 'POST' }),
        await openAt('evil.example', path),
        await open(path, { headers: { origin: 'http://evil.example' } }),
        await open(path.slice(0, -1)),
      ]
      expect(others.map(({ status }) => status)).toEqual([404, 404, 403, 403, 404])
      const first = await open(path)
      expect(first.status).toBe(200)
      expect(await first.text()).toContain(`content="0; url=${start}a key with &quot;quotes&quot; &amp; more"`)
      const { headers } = first
      expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      const second = await open(path)
      expect([second.status, second.headers.get('cache-control')]).toEqual([404, 'no-store'])
      expect(await second.text()).toContain('<code>sandbank open</code> opens it again')
    }
    const log = JSON.stringify(await call(sandbox, 'exchanges.list', { limit: 100 }))
    expect(log).not.toContain('quotes')
  })

  it('is valid for a minute', () => {
    let now = 0
    const openings = new Openings(() => now)
    const [early, late] = ['/#a', '/#b'].map((address) => openings.add(address).replace('/open/', ''))
    now = OPENS_WITHIN_MS - 1
    expect(openings.take(early!)).toBe('/#a')
    now = OPENS_WITHIN_MS
    expect([OPENS_WITHIN_MS, openings.take(late!)]).toEqual([60_000, undefined])
  })

  it('is of this machine where a sandbox listens on all addresses', () => {
    expect(openingAddress('http://0.0.0.0:4010', '/open/x')).toBe('http://127.0.0.1:4010/open/x')
    expect(openingAddress('http://[::]:4010', '/open/x')).toBe('http://[::1]:4010/open/x')
    expect(openingAddress('http://localhost', '/open/x')).toBe('http://localhost/open/x')
  })
})
