import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { EPHEMERAL, electron, emptyWorldIn, root, scenario, start } from './electron-app.ts'

/** What only a real Electron shows: dialogs and their windows, the menu bar, a second start, and a command before Chromium. */

describe.skipIf(!electron)('in a real Electron', () => {
  it('exports go through one dialog of the window, which says what came of it: canceled, failed, saved', async () => {
    const folder = createTemporaryFolder()
    const { page, answer, dialogs } = await start(EPHEMERAL)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('button', { name: 'Export…' }).click()
    const status = page.getByRole('dialog').getByRole('status')
    const download = page.getByRole('button', { name: 'Download' })
    await download.click()
    await expect.poll(() => status.innerText()).toBe('No file was saved.')
    mkdirSync(join(folder, 'taken'))
    await answer(join(folder, 'taken'))
    await download.click()
    const errors = async () => (await dialogs()).filter(({ kind }) => kind === 'error').map(({ text }) => text)
    await expect
      .poll(errors)
      .toEqual([`The file was not saved\n${join(folder, 'taken')} cannot be written (EISDIR): choose another place.`])
    await expect.poll(() => status.innerText()).toBe('No file was saved.')
    await answer(join(folder, 'a.sandbank'))
    await download.click()
    await expect.poll(() => status.innerText()).toMatch(/^.*\.sandbank: \d+ request/)
    expect(readFileSync(join(folder, 'a.sandbank'), 'utf8')).toMatch(/"sandbank":\s*"bundle"/)
    expect(readdirSync(folder).sort()).toEqual(['a.sandbank', 'taken'])
    const name = expect.stringMatching(/\.sandbank$/)
    const asked = { kind: 'save', text: name, buttons: [], hasParent: true, defaultPath: name }
    expect((await dialogs()).filter(({ kind }) => kind === 'save')).toEqual([asked, asked, asked])
  })

  it('dialogs for folders and files belong to a window; those for folders begin where folders can be made', async () => {
    const { app, menu, dialogs } = await start(EPHEMERAL)
    for (const item of ['New World', 'Open World', 'Open Bundle']) await menu('File', item)
    const defaultPath = await app.evaluate(({ app: it }) => it.getPath('home'))
    await expect.poll(dialogs).toMatchObject([
      { text: 'Choose a Folder for the New World', defaultPath, hasParent: true },
      { text: 'Open a World', defaultPath, hasParent: true },
      { text: 'Open a Bundle or a Scenario', hasParent: true },
    ])
  })

  it.skipIf(process.platform === 'darwin')('Alt and the letter of a menu opens it', async () => {
    const { app, page } = await start(EPHEMERAL)
    type Noted = typeof globalThis & { isShown?: boolean }
    await app.evaluate(({ Menu }) => {
      const [file] = Menu.getApplicationMenu()!.items
      file!.submenu!.on('menu-will-show', () => void ((globalThis as Noted).isShown = true))
    })
    // A key of the driver would not reach the menu bar, which gets the keys that the page does not handle.
    const window = await app.browserWindow(page)
    await window.evaluate((it) => it.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'F', modifiers: ['alt'] }))
    await expect.poll(() => app.evaluate(() => (globalThis as Noted).isShown)).toBe(true)
  })

  it('a second start opens a file:// address, and says which of its options were not used', async () => {
    const [folder, data] = [createTemporaryFolder(), createTemporaryFolder()]
    const { page, startAgain, said } = await start(emptyWorldIn(data))
    const path = join(folder, 'my first steps.yaml')
    writeFileSync(path, scenario('My first steps'))
    await startAgain(pathToFileURL(path).href)
    await page.getByRole('heading', { name: 'My first steps' }).waitFor()
    await startAgain(...emptyWorldIn(data))
    await startAgain('--data', folder, '--port', '4999')
    const notUsed = `Not used: --data ${folder} --port 4999`
    await expect
      .poll(said)
      .toEqual([
        `Sandbank is already open\nIts world is in ${data}. ${notUsed}. Quit it first, or choose another world in File and another port in Settings.`,
      ])
  })

  it('a command has only the Node of Electron: no other process, no word of Chromium, no profile', async () => {
    const temporary = createTemporaryFolder()
    const home = { TMPDIR: temporary, HOME: temporary, XDG_CONFIG_HOME: temporary, DISPLAY: '' }
    const env = { ...process.env, XDG_RUNTIME_DIR: createTemporaryFolder(), ...home }
    const run = (...args: string[]) => {
      const child = spawn(electron!, [root, ...SWITCHES, '--', ...args], { env })
      onTestFinished(() => void child.kill('SIGKILL'))
      const output = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (output[name] += text))
      const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
      return { child, output, ended }
    }
    const doctor = await run('doctor').ended
    expect([doctor.code, doctor.stderr.trim()]).toEqual([0, ''])
    expect(doctor.stdout).toMatch(/^ok +Node [\d.]+ of the app$/m)
    const serve = run('serve', '--ephemeral', '--port', '0', '--json')
    await expect.poll(() => serve.output.stdout.trim()).toMatch(/\}$/)
    if (process.platform === 'linux') expect(childrenOf(serve.child.pid!)).toBe('')
    serve.child.kill('SIGINT')
    // Windows has no signals: there the process is killed.
    if (process.platform !== 'win32') expect(await serve.ended).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(temporary)).toEqual([])
  })
})

/** Of the launcher in resources/command/. */
const SWITCHES = process.platform === 'linux' ? ['--no-sandbox', '--no-zygote', '--log-level=3'] : []

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
