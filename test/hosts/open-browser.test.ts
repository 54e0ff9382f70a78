import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openBrowser, REDIRECT_MS } from '../../src/main/open-browser.ts'

it('the file that --open passes to the browser is removed after a minute', () => {
  const exits = process.listenerCount('exit')
  const later: { ms: number; work: () => void }[] = []
  const urls: string[] = []
  openBrowser('http://127.0.0.1:4010/#key=x', {
    start: (url) => void urls.push(url),
    after: (ms, work) => void later.push({ ms, work }),
  })
  const file = fileURLToPath(urls[0]!)
  expect(readFileSync(file, 'utf8')).toContain('url=http://127.0.0.1:4010/#key=x')
  expect(later.map(({ ms }) => ms)).toEqual([REDIRECT_MS])
  expect(REDIRECT_MS).toBe(60_000)
  later[0]!.work()
  expect([existsSync(file), process.listenerCount('exit')]).toEqual([false, exits])
})
