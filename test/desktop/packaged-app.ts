import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { connected, emptyWorldIn, expectCleanEnd } from './electron-app.ts'

/** Starts a packaged or installed app, as an ordinary user. */

/** Of root's tests the user who starts the app, which refuses root: npm run test:electron names one. */
export const user = JSON.parse(process.env.SANDBANK_ORDINARY_USER ?? '{}') as {
  uid?: number
  gid?: number
  env?: object
}

function folderOfUser(): string {
  const folder = createTemporaryFolder()
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
  return folder
}

function endWithTest<C extends ChildProcess>(child: C): C {
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Starts a packaged app, to which no debugger of Node can be attached, but one of its page. */
async function startPackaged(binary: string, data: string, runtime: string) {
  const args = ['--remote-debugging-port=0', `--user-data-dir=${folderOfUser()}`, ...emptyWorldIn(data)]
  const env = { ...process.env, ...user.env, XDG_RUNTIME_DIR: runtime }
  const child = endWithTest(
    spawn(binary, args, { uid: user.uid, gid: user.gid, env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] }),
  )
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  const address = () => /DevTools listening on (ws:\S+)/.exec(said)?.[1]
  await expect.poll(address, { message: 'the app offers its page' }).toBeDefined()
  const browser = await chromium.connectOverCDP(address()!)
  onTestFinished(() => browser.close())
  const pages = (): Page[] => browser.contexts().flatMap((context) => context.pages())
  await expect.poll(() => pages().length).toBe(1)
  return { child, page: pages()[0]! }
}

/** What a user sees of an app that works: its window, its API and its clean end. */
export async function expectWorking(binary: string) {
  const [data, runtime] = [folderOfUser(), folderOfUser()]
  const { child, page } = await startPackaged(binary, data, runtime)
  const api = await connected({ page })
  expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
  expect(page.url()).toMatch(/^app:\/\/sandbank\//)
  expect(await page.evaluate(() => window.sandbox!.call('clock.advance', { by: 'PT1H' }))).toMatchObject({ ok: true })
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expectCleanEnd(data, runtime)
}
