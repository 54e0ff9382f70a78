import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { Preferences } from '../../src/main/preferences.ts'
import { RELEASES, Updates } from '../../src/main/updates.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { findFreePort, occupyPort } from '../support/ports.ts'

const DAY_MS = 86_400_000

function start(feed: string) {
  const lines: string[] = []
  const found: string[] = []
  const preferences = new Preferences(createTemporaryFolder())
  const updates = new Updates({ preferences, feed, log: (line) => lines.push(line), onFound: (one) => found.push(one) })
  return { updates, preferences, lines, found }
}

it('reads the feed only if it is switched on, once a day, and tells each newer version once', async () => {
  let reads = 0
  let newest = '0.1.0'
  const { origin } = await occupyPort((req, res) => {
    reads++
    expect([req.method, req.url]).toEqual(['GET', '/latest.json'])
    res.end(JSON.stringify({ version: newest }))
  })
  const { updates, preferences, lines, found } = start(`${origin}/latest.json`)
  const now = Date.now()
  await updates.look(now)
  expect([reads, updates.newest]).toEqual([0, null])
  preferences.save({ look_for_updates: true })
  await updates.look(now)
  await updates.look(now + DAY_MS - 1)
  expect([reads, updates.newest]).toEqual([1, null])
  newest = '0.10.0'
  await updates.look(now + DAY_MS)
  await updates.look(now + 2 * DAY_MS)
  expect([reads, updates.newest, found, lines]).toEqual([3, '0.10.0', ['0.10.0'], []])
  await updates.look(now - DAY_MS)
  expect(reads, 'the clock was set back').toBe(4)
  preferences.save({ look_for_updates: false })
  await updates.look(now + 9 * DAY_MS)
  expect([reads, updates.newest]).toEqual([4, null])
})

it('reads nothing in a build without a page of releases, also if it was switched on before', async () => {
  const lines: string[] = []
  const preferences = new Preferences(createTemporaryFolder())
  preferences.save({ look_for_updates: true })
  await new Updates({ preferences, log: (line) => lines.push(line), onFound: (one) => lines.push(one) }).look()
  expect([RELEASES, lines, preferences.values.looked_for_updates_at]).toEqual([
    undefined,
    [],
    new Date(0).toISOString(),
  ])
})

it('ignores a feed that is refused, moved, wrong or huge, with a line in the log', async () => {
  const answers: Record<string, RequestListener> = {
    'socket hang up': (req) => req.socket.destroy(),
    '200 is expected, found 302': (_req, res) => res.writeHead(302, { location: '/other' }).end(),
    'Unexpected token': (_req, res) => res.end('<html>'),
    'a version such as 1.2.3 is expected in it': (_req, res) => res.end('{"version":"9.9.9<script>"}'),
    'a version such as 1.2.3': (_req, res) => res.end('null'),
    'more than 65536 bytes': (_req, res) => res.end(' '.repeat(70_000)),
  }
  for (const [reason, answer] of Object.entries(answers)) {
    const { origin } = await occupyPort(answer)
    const { updates, preferences, lines, found } = start(origin)
    preferences.save({ look_for_updates: true })
    await updates.look()
    expect(lines).toEqual([expect.stringContaining(`${origin} was not read: `)])
    expect(lines[0]).toContain(reason)
    expect([found, updates.newest]).toEqual([[], null])
  }
  const { updates, preferences, lines } = start(`http://127.0.0.1:${await findFreePort()}`)
  preferences.save({ look_for_updates: true })
  await Promise.all([updates.look(), updates.look()])
  expect(lines, 'one read at a time').toEqual([expect.stringContaining('ECONNREFUSED')])
  await updates.look()
  expect(lines, 'a read that failed is not that of the day').toHaveLength(2)
})
