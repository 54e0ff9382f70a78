import { describe, expect } from 'vitest'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { sendBytes } from '../api/support.ts'
import { call } from '../support/operator.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { built, IN_BROWSER } from '../support/window.ts'

/** What the window needs of worlds: see test/hosts/window-worlds.test.ts for the window itself. */

function noticesOf(world: Pick<TestSandbox, 'subscribe'>) {
  const types: Notice['type'][] = []
  world.subscribe(({ type }) => void types.push(type))
  return types
}

describe('worlds', IN_BROWSER, () => {
  it('every window learns that a world was created or dropped, also the one of that world', async ({ sandbox }) => {
    const main = noticesOf(sandbox)
    const one = await sandbox.worlds.create({ name: 'one', from: 'empty' })
    const own = noticesOf(one)
    await sandbox.worlds.create({ name: 'two', from: 'empty' })
    await sandbox.worlds.drop('two')
    expect([main, own]).toEqual([
      ['worlds', 'worlds', 'worlds'],
      ['worlds', 'worlds'],
    ])
    await sandbox.worlds.drop('one')
    expect([main.length, own.length]).toEqual([4, 3])
  })

  it('a copy of a named world has that world as its origin, and a copy of the root world `current`', async () => {
    const sandbox = await startSandbox()
    const one = await sandbox.worlds.create({ name: 'one', from: 'current' })
    await call(one, 'worlds.create', { name: 'two', from: 'current' })
    const { worlds } = await call(sandbox, 'worlds.list', {})
    expect(worlds.map(({ from }) => from)).toEqual(['current', { world: 'one' }])
  })

  it('the window of a world that does not exist is served, so that it can say so; its API answers 404', async () => {
    const sandbox = await startSandbox({ window: built })
    const { origin } = new URL(sandbox.api)
    const page = await fetch(`${origin}/worlds/gone/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const [, asset] = /(assets\/[^"]+\.js)"/.exec(await page.text())!
    expect((await fetch(`${origin}/worlds/gone/${asset}`)).status).toBe(200)
    expect((await fetch(`${origin}/worlds/gone/api/v1/customers`)).status).toBe(404)
    expect((await fetch(`${origin}/worlds/gone`, { redirect: 'manual' })).headers.get('location')).toBe('/worlds/gone/')
  })

  it('the address of a world without its slash is refused under another host name, too', async () => {
    const sandbox = await startSandbox({ window: built })
    const ask = 'GET /worlds/one HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'
    const answer = await sendBytes(sandbox, ask)
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
  })

  it('a call without a network to a world that does not exist is refused', async ({ sandbox }) => {
    await sandbox.worlds.create({ name: 'one', from: 'empty' })
    expect(await sandbox.worlds.call('one', 'world.describe', {})).toMatchObject({ ok: true, value: { name: 'one' } })
    expect(await sandbox.worlds.call('gone', 'world.describe', {})).toMatchObject({ ok: false, error: { status: 404 } })
  })
})
