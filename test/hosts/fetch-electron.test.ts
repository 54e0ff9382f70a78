import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
// @ts-expect-error: the scripts are plain JavaScript, so that they run without a build.
import { explainFailure, watchFetch } from '../../scripts/fetch-electron.mjs'
import { findFreePort, occupyPort } from '../support/ports.ts'

async function download(origin: string, stalledAfterMs = 60_000) {
  const lines: string[] = []
  const print = (line: string, share: number) => void lines.push(`${line}, ${share}`)
  const response = await watchFetch(fetch, { print, stalledAfterMs })(`${origin}/electron.zip`)
  return { text: await response.text(), last: lines.at(-1) }
}

it('the download of Electron shows its progress, and fails with the cause: refused, cut off, or no byte for a while', async () => {
  const serve = async (answer: RequestListener) => (await occupyPort(answer)).origin
  const whole = await serve((_req, res) => res.writeHead(200, { 'content-length': 3 }).end('zip'))
  expect(await download(whole)).toEqual({ text: 'zip', last: 'Fetching Electron: 1 of 1 MB, 1' })

  const cut = await serve((_req, res) => {
    res.writeHead(200, { 'content-length': 3 }).write('z')
    res.socket!.end()
  })
  await expect(download(cut)).rejects.toThrow(`${cut}: other side closed`)

  const silent = await serve((_req, res) => void res.writeHead(200, { 'content-length': 3 }).write('z'))
  await expect(download(silent, 200)).rejects.toThrow(`${silent}: no byte came within 0.2 seconds`)

  const missing = await serve((_req, res) => res.writeHead(404).end('none'))
  expect(await download(missing), 'its own script says so').toEqual({ text: 'none', last: undefined })

  const port = await findFreePort()
  await expect(download(`http://127.0.0.1:${port}`)).rejects.toThrow(`connect ECONNREFUSED 127.0.0.1:${port}`)
})

it.each([
  [
    'Error: http://a.test: connect ECONNREFUSED 127.0.0.1:9',
    {},
    /^Electron could not be fetched: http:.*ECONNREFUSED 127/,
  ],
  [
    'Error: getaddrinfo ENOTFOUND github.com',
    {},
    /^Electron could not be fetched: getaddrinfo ENOTFOUND github\.com\. HTTPS_PROXY/,
  ],
  [
    'Error: connect ECONNREFUSED',
    { HTTPS_PROXY: 'http://ada:secret@proxy.test:8080' },
    /^Electron could not be fetched by the proxy proxy\.test:8080: connect ECONNREFUSED\. HTTPS_PROXY names a proxy/,
  ],
  [
    'Error: Generated checksum for "e.zip" did not match',
    {},
    /: what was fetched is not the file that was expected \(Gen/,
  ],
  ['Error: ENOSPC: no space left on device, write', {}, /^a disk is full: Electron needs 120 MB in /],
])('a download that fails with "%s" says in one line what to do', (error, env, line) => {
  const said = explainFailure(`/x/install.js:1\n  throw error\n\n${error}\n    at x.js:1`, env)
  expect(said).toMatch(line)
  expect(said).not.toMatch(/\n|secret/)
})
