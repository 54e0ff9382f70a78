import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Server } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { openSandbox } from '../../src/api/sandbox.ts'
import {
  EPHEMERAL,
  emptyWorldIn,
  type MenuItem,
  shareApp,
  start,
  startWithoutWindow,
} from '../support/electron/start.ts'
import { createTemporaryFolder, isLocked } from '../support/folder.ts'
import { findFreePort } from '../support/ports.ts'
import { startSandbox } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { goTo, IN_BROWSER } from '../support/window.ts'

/**
 * The built main process and preload script under Node, with the Electron double and a Chromium as the window: what a real Electron on one system
 * cannot show, which are events of the other systems, a system that refuses or is suspended, notifications, and the order of calls.
 * electron.test.ts has the rest.
 */

const scenario = (title: string) => `name: ${title}\nteaches: Nothing yet.\nsteps:\n  - advance: { by: PT1H }\n`

const faultsOf = (page: Page) => page.getByRole('heading', { name: 'Faults', exact: true })

function writeScenario(title: string): string {
  const path = join(createTemporaryFolder(), `${title}.yaml`)
  writeFileSync(path, scenario(title))
  return path
}

// ── One window ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the window of the desktop app', IN_BROWSER, () => {
  const shared = shareApp()

  it('offers copy, paste and the address on a right click, nothing where nothing can be copied, and says why it fails', async () => {
    const { double, window } = shared.app
    const click = (params: object) => {
      const nothing = {
        isEditable: false,
        linkURL: '',
        selectionText: '',
        editFlags: { canCopy: true, canPaste: true },
      }
      window.webContents.emitter.emit('context-menu', {}, { ...nothing, ...params })
      return double.popups.splice(0)
    }
    const labels = (params: object) => click(params).map((popup) => popup.labels)
    expect(labels({})).toEqual([])
    expect(labels({ isEditable: true })).toEqual([['cut', 'copy', 'paste', 'selectAll']])
    expect(labels({ selectionText: '12.34' })).toEqual([['copy']])
    expect(labels({ linkURL: 'https://example.com/' })).toEqual([['Copy Address']])
    const [ofPage] = click({ linkURL: 'app://sandbank/index.html#/transfers' })
    expect(ofPage!.labels).toEqual(['Open in New Window', 'Copy Address'])
    ofPage!.click('Copy Address')
    expect(double.clipboard.copied).toEqual(['#/transfers'])
    double.clipboard.error = 'the clipboard is in use'
    ofPage!.click('Copy Address')
    await expect
      .poll(() => double.dialogs.splice(0))
      .toMatchObject([{ text: expect.stringContaining('the clipboard is in use') }])
  })

  it('prints, says why the printer fails, and nothing after Cancel', async () => {
    const { menu, double } = shared.app
    double.system.printFailure = 'Print job canceled'
    await menu('File', 'Print…')
    double.system.printFailure = 'Invalid printer settings'
    await menu('File', 'Print…')
    await expect
      .poll(() => double.dialogs.splice(0).map(({ text }) => text))
      .toEqual(['The action failed\nThe page was not printed: Invalid printer settings'])
  })
})

describe('the place of the window', IN_BROWSER, () => {
  it('is remembered, unless it is off screen; maximized it is shown when it is painted, with the background of its theme', async () => {
    const userData = createTemporaryFolder()
    const settings = join(userData, 'desktop.json')
    const bounds = { x: 40, y: 30, width: 900, height: 700 }
    writeFileSync(settings, JSON.stringify({ bounds, maximized: true }))
    const first = await start(EPHEMERAL, { userData })
    expect(first.window.asked).toMatchObject(bounds)
    const paper = /--paper: light-dark\((#\w+), (#\w+)\)/.exec(readFileSync('src/renderer/styles/tokens.css', 'utf8'))
    expect(first.window.asked.backgroundColor, 'the double has a dark theme').toBe(paper![2])
    expect(first.window.state).toMatchObject({ maximized: true, shown: true })
    expect(first.window.calls.slice(0, 2)).toEqual(['maximize', 'show'])
    await first.quit()
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ bounds, maximized: true })
    writeFileSync(settings, JSON.stringify({ bounds: { ...bounds, x: 9_000 } }))
    const again = await startWithoutWindow(EPHEMERAL, { userData })
    await expect.poll(() => again.windows[0]?.asked).toMatchObject({ width: 1440, height: 900 })
  })
})

// ── Worlds ───────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the world of the desktop app', IN_BROWSER, () => {
  it.runIf(process.platform !== 'win32')('shows a remark that is not about a crash as what it is', async () => {
    const { listen } = Server.prototype
    const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
      if (!String(args[0]).includes('lock.')) return listen.apply(this, args as never)
      queueMicrotask(() => this.emit('error', new Error('This file system has no sockets')))
      return this
    })
    onTestFinished(() => spy.mockRestore())
    const { double } = await start(emptyWorldIn(createTemporaryFolder()), { answers: ['Continue'] })
    await expect.poll(() => double.dialogs).toHaveLength(1)
    expect(double.dialogs[0]!.text).toMatch(/^A note on this world\nThe data folder .* opens without a lock/)
  })

  it('is closed when Windows ends the session', async () => {
    const data = createTemporaryFolder()
    const { window, double } = await start(emptyWorldIn(data))
    const changes = join(data, 'changes')
    window.emit('session-end', {})
    const newest = readFileSync(join(changes, readdirSync(changes).sort().at(-1)!), 'utf8')
    expect(newest, 'the time is saved before the listener returns').toMatch(/"name":"close".*\n$/)
    await double.end
    expect(readdirSync(data).filter((name) => name.startsWith('lock'))).toEqual([])
  })
})

// ── Start and end ────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the start and the end of the desktop app', IN_BROWSER, () => {
  it('opens files from the system, on macOS also before it is ready, and saves where the user chooses', async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    onTestFinished(() => void vi.unstubAllEnvs())
    const [early, late] = [writeScenario('Early steps'), writeScenario('Late steps')]
    let handled = 0
    const preventDefault = () => void handled++
    const [one, other] = [createTemporaryFolder(), createTemporaryFolder()]
    const { page, double, window } = await start(emptyWorldIn(one), {
      isPackaged: true,
      beforeReady: ({ events }) => void events.emit('open-file', { preventDefault }, early),
    })
    await page.getByRole('heading', { name: 'Early steps' }).waitFor()
    expect(window.loaded, 'an installed app loads no other page').toEqual(['app://sandbank/index.html'])
    await goTo(page, '#/faults')
    await faultsOf(page).waitFor()
    double.events.emit('open-file', { preventDefault }, late)
    await page.getByRole('heading', { name: 'Late steps' }).waitFor()
    expect(double.recentDocuments).toEqual([one, early, late])
    expect(handled, 'macOS does not open the files itself').toBe(2)

    const target = join(createTemporaryFolder(), 'mine.sandbank')
    double.answers.push(target)
    await goTo(page, '#/requests')
    await page.getByRole('button', { name: 'Export…' }).click()
    await page.getByRole('button', { name: 'Download' }).click()
    await expect.poll(() => existsSync(target)).toBe(true)
    const { kind, text } = double.dialogs.at(-1)!
    expect([kind, text]).toEqual(['save', expect.stringMatching(/^Save .*\.sandbank\n.*Downloads.*\.sandbank$/)])
    await expect.poll(() => readFileSync(target, 'utf8')).toMatch(/"sandbank":\s*"bundle"/)

    await (await openSandbox({ version: 'test', data: other, port: 0, world: 'empty', report: () => {} })).close()
    double.events.emit('open-file', { preventDefault }, other)
    await expect.poll(() => isLocked(other)).toBe(true)
    await expect.poll(() => [isLocked(one), double.recentDocuments.at(-1)]).toEqual([false, other])
  })

  it('use no closed window while the world closes: after a second start, a file, a menu item, a crash', async () => {
    const { window, double } = await start(emptyWorldIn(createTemporaryFolder()))
    const { webContents } = window
    const go = (double.menu() as MenuItem[]).find(({ label }) => label === '&Go')!.submenu as MenuItem[]
    const closed = window.close()
    expect(() => window.focus(), 'Electron throws, too').toThrow('Object has been destroyed')
    double.events.emit('second-instance', {}, ['sandbank-desktop', 'a.sandbank'], '/x', {})
    double.events.emit('open-file', { preventDefault: () => {} }, '/x/a.yaml')
    webContents.emitter.emit('render-process-gone', {}, { reason: 'crashed' })
    for (const { click } of go) click?.()
    await Promise.all([closed, double.end])
    expect([double.dialogs, double.exits]).toEqual([[], []])
    const next = await startWithoutWindow(['--port', 'http'], { before: double })
    await next.end
    expect(next.exits, 'the lock is free when the process has ended').toEqual([2])
  })

  it('reports why it cannot start, with the app id of the installer on Windows', async () => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    onTestFinished(() => platform.mockRestore())
    // It would declare the scheme with a path in the temporary folder: the double refuses that.
    vi.stubEnv('PORTABLE_EXECUTABLE_FILE', 'C:\\Sandbank.exe')
    onTestFinished(() => void vi.unstubAllEnvs())
    const wrong = await startWithoutWindow(['--port', 'http'], { isPackaged: true })
    await wrong.end
    expect(wrong.exits, 'npm start takes 2 for a refusal, and 1 for an Electron that cannot start').toEqual([2])
    expect(wrong.dialogs).toMatchObject([
      { kind: 'error', text: 'Sandbank could not start\n--port: a number from 0 to 65535 is expected; found http' },
    ])
    const { appId } = parse(readFileSync('resources/electron-builder.yml', 'utf8')) as { appId: string }
    expect(wrong.userModelIds).toEqual([appId])
  })

  it('starts without crash reports if their folder cannot be made, and says so in the log', async () => {
    const userData = createTemporaryFolder()
    mkdirSync(join(userData, 'logs'))
    writeFileSync(join(userData, 'logs', 'crashes'), '')
    const { quit } = await start(EPHEMERAL, { userData })
    await quit()
    expect(readFileSync(join(userData, 'logs', 'sandbank.log'), 'utf8')).toContain(
      'There will be no crash reports: EEXIST',
    )
  })

  it("ignores options of Chromium, and loads the page of Vite's server under npm run dev", async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    onTestFinished(() => void vi.unstubAllEnvs())
    const double = await startWithoutWindow(['--no-sandbox', '--password-store=basic', '-Embedding', ...EPHEMERAL])
    await expect.poll(() => double.windows[0]?.loaded).toEqual(['http://localhost:5173'])
  })
})

describe('an app that serves without a window', IN_BROWSER, () => {
  it('has the address of today in the tray, which opens a window; so does the dock', async () => {
    const userData = createTemporaryFolder()
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ keep_serving: true }))
    const { page, double, menu, close, nextWindow } = await start(emptyWorldIn(createTemporaryFolder()), { userData })
    const [tray] = double.trays
    // Linux has its menu beforehand.
    const open = () => {
      if (process.platform !== 'linux') tray!.emit(process.platform === 'darwin' ? 'click' : 'right-click')
      return tray!.menu
    }
    const item = (label: string) => open()?.find((one) => one.label?.startsWith(label)) as MenuItem | undefined
    const port = await findFreePort()
    await page.evaluate((to) => void window.desk!.call('desk.listen', { port: to }), port)
    await expect.poll(() => item('Copy')?.label).toBe(`Copy http://127.0.0.1:${port}/api/v1`)
    item('Copy')!.click!()
    expect(double.clipboard.copied).toEqual([`http://127.0.0.1:${port}/api/v1`])
    await close(page)
    const settings = await nextWindow(() => menu('File', 'Settings'))
    await settings.getByRole('heading', { name: 'Program settings' }).first().waitFor()
    await close(settings)
    const second = await nextWindow(async () => item('Open Window')!.click!())
    await close(second)
    const third = await nextWindow(async () => double.events.emit('activate'))
    await third.evaluate(() => window.desk!.call('desk.choose', { keep_serving: false }))
    expect(tray!.isDestroyed).toBe(true)
    await close(third)
    await double.end
  })
})

// ── Tasks ────────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('a failed task', IN_BROWSER, () => {
  /** A world with a task that is due after a minute, and another one that is due an hour later. */
  async function createFailingTasks(clock: 'frozen' | 'running' = 'frozen') {
    const data = createTemporaryFolder()
    const sandbox = await startSandbox({ data, world: 'empty', clock })
    const { uid } = sandbox.programs()[0]!
    sandbox.store.operate({ door: 'operator', name: 'test' }, (tx) => {
      for (const minutes of [1, 61]) {
        const due_at = new Date(Date.parse(tx.now) + minutes * 60_000).toISOString()
        const task = testTask({ kind: 'fragile', due_at, subject_uid: null, why: 'A task that nobody can do' })
        tx.inProgram(uid).schedule(task)
      }
    })
    await sandbox.close()
    return ['--data', data, '--port', '0']
  }

  it('is shown as a notification, which opens the task; in the window if the system has none', async () => {
    const { page, double, window } = await start(await createFailingTasks())
    window.minimize()
    await page.getByRole('button', { name: '1 hour', exact: true }).click()
    await expect.poll(() => double.notifications).toHaveLength(1)
    const [{ title, body, click }] = double.notifications as [(typeof double.notifications)[0]]
    expect(title).toBe('A task failed')
    expect(body).toBe('A task that nobody can do: failed: No runner for tasks of kind fragile')
    click()
    await page.getByText('Failed, not retried by itself').waitFor()
    await page.getByRole('tab', { name: /^Tasks/, selected: true }).waitFor()
    expect(window.state).toMatchObject({ minimized: false, focused: true })
    double.system.hasNotifications = false
    await page.getByRole('button', { name: '1 hour', exact: true }).click()
    const scheduled = page.getByRole('grid', { name: 'Scheduled tasks' })
    const failed = scheduled.locator('[data-row]').filter({ hasText: 'No runner for tasks of kind fragile' })
    await expect.poll(() => failed.count()).toBe(2)
    expect([double.notifications.length, double.dialogs]).toEqual([1, []])
    const closed = window.close()
    click()
    await Promise.all([closed, double.end])
    expect(double.dialogs, 'a click while the world closes uses no closed window').toEqual([])
  })

  // The last one: with it the time of this process goes back.
  it('that became due while the system was suspended runs at the next call', async () => {
    const { page, double, window: first } = await start(await createFailingTasks('running'))
    first.minimize()
    expect(double.notifications).toEqual([])
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 8 * 3_600_000)
    onTestFinished(() => clock.mockRestore())
    await page.evaluate(() => window.sandbox!.call('clock.read', {}))
    await expect.poll(() => double.notifications.at(0)).toMatchObject({ title: 'A task failed' })
  })
})
