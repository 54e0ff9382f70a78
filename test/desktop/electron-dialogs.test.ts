import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../package.json' with { type: 'json' }
import { createTemporaryFolder } from '../support/folder.ts'
import { askedIn, electron, root, start } from './electron-app.ts'
import { scenario } from './journeys.ts'

/** What only a real Electron shows: its dialogs, its menu bar, a second start, and a command before Chromium. */

const TIMEOUT = 120_000

describe.skipIf(electron === '')('in a real Electron', () => {
  it(
    'exports go through one dialog of the window, which says what came of it: canceled, failed, saved',
    async () => {
      const folder = createTemporaryFolder()
      const started = await start(['--ephemeral', '--port', '0', '--world', 'empty'])
      const { page } = started
      await page.getByRole('link', { name: 'Requests' }).click()
      await page.getByRole('button', { name: 'Export…' }).click()
      const status = page.getByRole('dialog').getByRole('status')
      const download = page.getByRole('button', { name: 'Download' })
      await download.click()
      await expect.poll(() => status.innerText()).toBe('No file was saved.')
      mkdirSync(join(folder, 'taken'))
      await started.answer(join(folder, 'taken'))
      await download.click()
      await expect
        .poll(started.said)
        .toEqual([`The file was not saved\n${join(folder, 'taken')} cannot be written (EISDIR)`])
      await expect.poll(() => status.innerText()).toBe('No file was saved.')
      await started.answer(join(folder, 'a.sandbank'))
      await download.click()
      await expect.poll(() => status.innerText()).toMatch(/^.*\.sandbank: \d+ request/)
      expect(readFileSync(join(folder, 'a.sandbank'), 'utf8')).toMatch(/"sandbank":\s*"bundle"/)
      expect(readdirSync(folder).sort()).toEqual(['a.sandbank', 'taken'])
      for (const asked of await askedIn(started))
        expect(asked).toEqual({
          title: expect.stringMatching(/^Save .*\.sandbank$/),
          defaultPath: expect.stringMatching(/\.sandbank$/),
          hasParent: true,
        })
    },
    TIMEOUT,
  )

  it(
    'dialogs for folders and files belong to a window; that of a new world begins where folders can be made',
    async () => {
      const started = await start(['--ephemeral', '--port', '0', '--world', 'empty'])
      await started.page.locator('[data-api-address]').first().waitFor()
      for (const item of ['New World', 'Open World', 'Open Bundle']) await started.menu('File', item)
      await expect
        .poll(() => askedIn(started))
        .toMatchObject([
          { title: 'Choose a Folder for the New World', defaultPath: homedir(), hasParent: true },
          { title: 'Open a World', hasParent: true },
          { title: 'Open a Bundle or a Scenario', hasParent: true },
        ])
    },
    TIMEOUT,
  )

  it.skipIf(process.platform === 'darwin')(
    'Alt and the letter of a menu opens it',
    async () => {
      const started = await start(['--ephemeral', '--port', '0', '--world', 'empty'])
      await started.page.locator('[data-api-address]').first().waitFor()
      const shown = () => started.app.evaluate(() => (globalThis as { menuShown?: boolean }).menuShown)
      await started.app.evaluate(({ Menu }) => {
        const [file] = Menu.getApplicationMenu()!.items
        file!.submenu!.on('menu-will-show', () => void ((globalThis as { menuShown?: boolean }).menuShown = true))
      })
      // A key of the driver would not reach the menu bar, which gets the keys that the page does not handle.
      const window = await started.app.browserWindow(started.page)
      await window.evaluate((it) =>
        it.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'F', modifiers: ['alt'] }),
      )
      await expect.poll(shown).toBe(true)
    },
    TIMEOUT,
  )

  it(
    'a second start opens a file:// address, and says which of its options were not used',
    async () => {
      const folder = createTemporaryFolder()
      const data = createTemporaryFolder()
      const started = await start(['--data', data, '--port', '0', '--world', 'empty'])
      const { page } = started
      await page.locator('[data-api-address]').first().waitFor()
      const path = join(folder, 'my first steps.yaml')
      writeFileSync(path, scenario('My first steps'))
      await started.startAgain(pathToFileURL(path).href)
      await page.getByRole('heading', { name: 'My first steps' }).waitFor()
      await started.startAgain('--data', data, '--port', '0', '--world', 'empty')
      await started.startAgain('--data', folder, '--port', '4999')
      await expect
        .poll(started.said)
        .toEqual([
          `Sandbank is already open\nIts world is in ${data}. Not used: --data ${folder} --port 4999. Quit it first, or choose another world in File and another port in Settings.`,
        ])
    },
    TIMEOUT,
  )

  it(
    'a command has only the Node of Electron: no other process, no word of Chromium, no profile, the usual end by a signal',
    async () => {
      const temporary = createTemporaryFolder()
      const home = { TMPDIR: temporary, HOME: temporary, XDG_CONFIG_HOME: temporary, DISPLAY: '' }
      const env = { ...process.env, XDG_RUNTIME_DIR: createTemporaryFolder(), ...home }
      const run = (...args: string[]) => {
        const child = spawn(electron, [root, ...switches, '--', ...args], { env })
        onTestFinished(() => void child.kill('SIGKILL'))
        const output = { stdout: '', stderr: '' }
        for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (output[name] += text))
        const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
        return { child, output, ended }
      }
      const { code, stdout, stderr } = await run('--version').ended
      expect([code, stdout.trim(), stderr.trim()]).toEqual([0, version, ''])
      expect((await run('doctor').ended).stdout).toMatch(/^ok +Node [\d.]+ of the app$/m)
      const serve = run('serve', '--ephemeral', '--port', '0', '--json')
      await expect.poll(() => serve.output.stdout.trim(), { timeout: 30_000 }).toMatch(/\}$/)
      if (process.platform === 'linux') expect(childrenOf(serve.child.pid!)).toEqual('')
      serve.child.kill('SIGINT')
      if (process.platform !== 'win32') expect(await serve.ended).toMatchObject({ code: 0, stderr: '' })
      expect(readdirSync(temporary)).toEqual([])
    },
    TIMEOUT,
  )
})

/** Of the launcher in resources/command/. */
const switches = process.platform === 'linux' ? ['--no-sandbox', '--no-zygote', '--log-level=3'] : []

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
