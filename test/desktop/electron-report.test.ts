import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { connected, electron, emptyWorldIn, launch, root, start } from './electron-app.ts'

/** The log, the crash reports and *Save a Report*, in a real Electron. */

/** With a library that has nothing to do with the code that writes it. */
async function unzip(path: string): Promise<string> {
  const { resolve } = createRequire(join(root, 'node_modules', 'electron', 'package.json'))
  const { extract } = await import(resolve('@electron-internal/extract-zip'))
  const folder = createTemporaryFolder()
  await extract(path, { dir: folder })
  return folder
}

describe.skipIf(!electron)('in a real Electron', () => {
  it('a report has the versions, the check of the data folder, the log and a picture of each window, without keys', async () => {
    const data = createTemporaryFolder()
    const path = join(createTemporaryFolder(), 'report.zip')
    const env = { SANDBANK_CONTROL_KEY: 'a-control-key-of-this-test' }
    const started = await start(emptyWorldIn(data), { answers: ['Save with Pictures', path], env })
    await connected({ page: await started.nextWindow(() => started.menu('File', 'New Window')) })
    await started.menu('Help', 'Save a Report')
    await expect.poll(() => existsSync(path)).toBe(true)
    const [asked] = await started.dialogs()
    expect(asked).toMatchObject({
      hasParent: true,
      text: expect.stringContaining('pictures of the windows nothing is masked'),
    })
    const folder = await unzip(path)
    expect(readdirSync(folder).sort()).toEqual([
      'about.json',
      'check.txt',
      'sandbank.log',
      'window-1.png',
      'window-2.png',
    ])
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    expect(JSON.parse(read('about.json'))).toMatchObject({
      versions: { electron: expect.any(String) },
      settings: { recent: 1 },
    })
    expect(read('check.txt')).toContain(', 0 of them damaged.')
    expect(read('check.txt')).toContain('"balanced":true')
    expect(read('sandbank.log')).toMatch(/Sandbank .* starts: process .*\n.*The world in .* is open, on port \d+\n/)
    for (const name of ['window-1.png', 'window-2.png'])
      expect(readFileSync(join(folder, name)).toString('latin1', 1, 4)).toBe('PNG')
    expect(['about.json', 'check.txt', 'sandbank.log'].map(read).join()).not.toContain(env.SANDBANK_CONTROL_KEY)

    await started.menu('Help', 'Open Logs')
    expect(await started.shown()).toEqual([join(started.userData, 'logs')])
    await started.quit()
    expect(readFileSync(join(started.userData, 'logs', 'sandbank.log'), 'utf8')).toMatch(/ Sandbank ends\n$/)
  }, 120_000)

  it('a crash of the page leaves a line in the log and a report in its folder, which nothing sends', async () => {
    const started = await start(undefined, { answers: ['Reload'] })
    const logs = join(started.userData, 'logs')
    await started.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
    )
    const log = () => readFileSync(join(logs, 'sandbank.log'), 'utf8')
    await expect.poll(log).toContain('The page of a window crashed: ')
    const files = () => readdirSync(join(logs, 'crashes'), { recursive: true }).map(String)
    await expect.poll(() => files().filter((name) => name.endsWith('.dmp')).length).toBeGreaterThan(0)
    expect(await started.app.evaluate(({ crashReporter }) => crashReporter.getUploadToServer())).toBe(false)
    await started.quit()
  }, 120_000)

  it('looks for no updates in a build without an address to look at, and offers no switch', async () => {
    const started = await start()
    await started.menu('Go', 'Program settings')
    await started.page.getByText('This build has no address at which a newer version could be found.').waitFor()
    expect(await started.page.getByLabel('Look for updates').count()).toBe(0)
    await started.quit()
  }, 120_000)

  it('a start that fails is in the log', async () => {
    const userData = createTemporaryFolder()
    // It may end before the driver is connected.
    await launch(['--data', '/proc/nope', '--port', '0'], { userData, answers: ['Quit'] }).catch(() => undefined)
    expect(readFileSync(join(userData, 'logs', 'sandbank.log'), 'utf8')).toMatch(
      /The world in \/proc\/nope was not opened: .*\n/,
    )
  }, 120_000)
})
