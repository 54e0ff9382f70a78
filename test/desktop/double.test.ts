import fs, { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../package.json' with { type: 'json' }
import { runInProcess } from '../support/cli.ts'
import type { WindowDouble } from '../support/electron/double.ts'
import {
  EPHEMERAL,
  emptyWorldIn,
  type MenuItem,
  shareApp,
  start,
  startWithoutWindow,
} from '../support/electron/start.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { findFreePort, occupyPort } from '../support/ports.ts'
import { startSandbox } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { goTo, IN_BROWSER } from '../support/window.ts'
import { testDeskJourneys } from './desk-journeys.ts'
import { type Ground, scenario, testJourneys } from './journeys.ts'

/** The built main process and preload script under Node, with the Electron double and a Chromium as the window. */

describe('the desktop app in the Electron double', IN_BROWSER, () => {
  const ground: Ground = {
    folder: createTemporaryFolder,
    start: (args, until) => start(args, until ? { until } : {}),
  }
  testJourneys(ground, 60_000)
  testDeskJourneys(ground, 60_000)
})

const faultsOf = (page: Page) => page.getByRole('heading', { name: 'Faults', exact: true })

function writeScenario(title: string): string {
  const path = join(createTemporaryFolder(), `${title}.yaml`)
  writeFileSync(path, scenario(title))
  return path
}

// ── One window ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the window of the desktop app', IN_BROWSER, () => {
  const shared = shareApp()

  it('is isolated, sandboxed and without Node', () => {
    expect(shared.app.window.asked.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    })
  })

  it('may call from its main frame only', async () => {
    const { page, double } = shared.app
    await page.evaluate(() => void document.body.append(document.createElement('iframe')))
    const names = await page.frames()[1]!.evaluate(() => Object.keys(window))
    expect(names.filter((name) => ['sandbox', 'desk'].includes(name))).toEqual([])
    for (const channel of ['sandbox:call', 'sandbox:follow', 'desk:call'])
      expect(await double.invokeFromFrame(channel, 'x', {})).toEqual({
        failure: expect.stringMatching(/Only a window of Sandbank may call/),
      })
  })

  it('gets only the permission to write to the clipboard', () => {
    const { permissions } = shared.app.double
    const grants = (permission: string) => {
      let granted: boolean | undefined
      permissions.request!({} as never, permission as never, (it) => void (granted = it), {} as never)
      return [granted, permissions.check!(null, permission as never, '', {} as never)]
    }
    expect(grants('clipboard-sanitized-write')).toEqual([true, true])
    for (const other of ['media', 'geolocation', 'notifications', 'openExternal', 'clipboard-read', 'fullscreen'])
      expect(grants(other), other).toEqual([false, false])
  })

  it('gets only its own files, with a strict content policy', async () => {
    const { double } = shared.app
    const index = await double.ask('app://sandbank/index.html')
    expect(index.status).toBe(200)
    expect(index.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/)
    for (const address of [
      'app://sandbank/../main/index.js',
      'app://sandbank/assets/..%2f..%2fmain/index.js',
      'app://sandbank/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
      'app://sandbank/assets/..%5c..%5cmain%5cindex.js',
      'app://sandbank/assets/',
      'app://elsewhere/index.html',
      'app://sandbank/assets/%00.js',
      'app://sandbank/%E0%A4%A.html',
    ])
      expect((await double.ask(address)).status, address).toBe(404)
  })

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

  it('has a native menu with the commands of a row, and shows no menu of its own', async () => {
    const { page, double, nextWindow, close } = shared.app
    await goTo(page, '#/settings')
    await page.getByRole('heading', { name: 'Program settings' }).waitFor()
    const api = await page.locator('[data-api-address]').first().innerText()
    expect((await fetch(`${api.trim()}/customers`)).status).toBe(401)
    await goTo(page, '#/requests')
    const path = page.locator('main [data-row] [data-column=path]').first()
    const openMenu = async (open: () => Promise<unknown>) => {
      const { length } = double.popups
      await open()
      await expect.poll(() => double.popups.length).toBe(length + 1)
      expect(await page.getByRole('menu').count()).toBe(0)
      return double.popups[length]!
    }
    const ofRow = await openMenu(() => path.click({ button: 'right' }))
    expect(ofRow.labels).toEqual([
      'Open',
      'Open in a new window',
      'separator',
      'Copy uid',
      'Copy row',
      'Copy row with headers',
      'Copy value',
      'Copy as curl',
      'separator',
      'Filter by this value',
    ])
    expect(ofRow.at, 'at the pointer').toBeNull()
    expect(ofRow.items[0]).toMatchObject({ accelerator: 'Enter', registerAccelerator: false })
    ofRow.close()
    const again = await openMenu(() => path.click({ button: 'right' }))
    again.click('Filter by this value')
    await expect.poll(() => page.url()).toContain('q=%2Fcustomers')
    // By keyboard it is below its row.
    await page.getByRole('grid').focus()
    const byKey = await openMenu(() => page.keyboard.press('Shift+F10'))
    const { y, height } = (await page.locator('main [data-row]').first().boundingBox())!
    expect(byKey.at!.y).toBe(Math.round(y + height))
    const opened = await nextWindow(async () => byKey.click('Open in a new window'))
    await expect.poll(() => opened.url()).toMatch(/#\/requests\/x?\w+/)
    await close(opened)
    const ofHeader = await openMenu(() => page.getByRole('columnheader', { name: 'Path' }).click({ button: 'right' }))
    ofHeader.click('Hide column')
    await page.getByRole('columnheader', { name: 'Path' }).waitFor({ state: 'detached' })
    // A link elsewhere has the menu of the system.
    const ofLink = await openMenu(() => page.getByRole('link', { name: 'Faults' }).click({ button: 'right' }))
    expect(ofLink.labels).toEqual(['Open in New Window', 'Copy Address'])
    const faults = await nextWindow(async () => ofLink.click('Open in New Window'))
    await faultsOf(faults).waitFor()
    await close(faults)
  })

  it('has a menu with the screens and their keys, About, and the commands for worlds', async () => {
    const { page, double, menu } = shared.app
    const under = (label: string) =>
      (double.menu() as MenuItem[]).find((one) => one.label === label)?.submenu as (MenuItem & { role?: string })[]
    await expect.poll(() => under('Go').length).toBeGreaterThan(10)
    await page.keyboard.press('?')
    const listed = page.getByRole('heading', { name: 'Go to' }).locator('..').locator('dl > div')
    await listed.first().waitFor()
    const keys = await listed.evaluateAll((rows) =>
      rows.map((row) => {
        const strokes = [...row.querySelectorAll('kbd')].map(({ textContent }) => textContent)
        return `${row.querySelector('dd')!.textContent}    ${strokes.join(' ')}`
      }),
    )
    await page.keyboard.press('Escape')
    const places = under('Go').slice(3)
    expect(places.map(({ label }) => label)).toEqual(keys)
    for (const { label } of places) {
      const [name] = label!.split('    ')
      await menu('Go', label!)
      await expect.poll(() => page.title()).toMatch(`Sandbank · ${name}`)
    }
    expect(under('File').flatMap(({ label }) => label ?? [])).toEqual([
      'New Window',
      'New World…',
      'Open World…',
      'Recent Worlds',
      'Open Bundle or Scenario…',
      'Open Data Folder',
      'Print…',
      'Save as PDF…',
      ...(process.platform === 'darwin' ? [] : ['Settings…']),
    ])
    expect(under('Edit').map(({ role, label }) => role ?? label ?? '')).toEqual(
      expect.arrayContaining(['undo', 'copy', 'paste', 'selectAll', 'Find…']),
    )
    expect(double.about).toEqual([{ applicationName: 'Sandbank', applicationVersion: version }])
    const roles = (double.menu() as { role?: string; submenu?: { role?: string }[] }[]).flatMap(
      ({ role, submenu = [] }) => [role, ...submenu.map((item) => item.role)],
    )
    expect(roles).toEqual(expect.arrayContaining(['about', 'toggleDevTools']))
  })

  it('a search that another one replaces ends without a result', async () => {
    const found = await shared.app.page.evaluate(() => {
      const find = (text: string) => window.desk!.call('desk.find', { text, forward: true, is_first: true })
      return Promise.all([find('Fau'), find('Faults')])
    })
    expect(found).toEqual([
      { ok: true, value: null },
      { ok: true, value: { matches: expect.any(Number), active: 1 } },
    ])
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

  it('asks before it discards a world that is not saved', async () => {
    const { page, double } = shared.app
    const address = page.locator('[data-api-address]').first()
    const before = await address.innerText()
    const port = await findFreePort()
    double.answers.push('Cancel')
    await page.evaluate((to) => window.desk!.call('desk.listen', { port: to }), port)
    expect(double.dialogs.splice(0).at(-1)?.text).toMatch(/^This world is not saved and will be lost/)
    expect(await address.innerText()).toBe(before)
  })

  it('is opened again after it has crashed, and the sandbox continues', async () => {
    const { page, double, window } = shared.app
    double.answers.push('Reload Window')
    await page.evaluate(() => void document.body.replaceChildren())
    window.webContents.emitter.emit('render-process-gone', {}, { reason: 'crashed' })
    await page.locator('[data-api-address]').first().waitFor()
    expect(double.dialogs.splice(0).map(({ text }) => text)).toEqual([
      'The window crashed\nThe sandbox is still running, and nothing is lost (crashed).',
    ])
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

// ── Several windows ──────────────────────────────────────────────────────────────────────────────────────────────────

async function startWithTwo(userData = createTemporaryFolder()) {
  const started = await start(emptyWorldIn(createTemporaryFolder()), { userData })
  const second = await started.nextWindow(() => started.menu('File', 'New Window'))
  const windows = started.double.windows as [WindowDouble, WindowDouble]
  return { ...started, second, windows }
}

/** Creates the world `one`, and shows it in the window. */
async function showWorldOne(page: Page) {
  await page.evaluate(async () => {
    await window.sandbox!.call('worlds.create', { name: 'one' })
    location.assign('/index.html?world=one#/faults')
  })
  await page.getByRole('button', { name: 'Back to the root world' }).waitFor()
}

describe('the windows of the desktop app', IN_BROWSER, () => {
  it('the menu and a second start act on the window that was used last, and use none that is closed', async () => {
    const { page, second, windows, menu, startAgain, double } = await startWithTwo()
    expect(windows.map(({ state }) => state.focused)).toEqual([false, true])
    windows[0].focus()
    await menu('Go', 'Faults')
    await faultsOf(page).waitFor()
    windows[1].focus()
    await menu('File', 'Settings…')
    await second.getByRole('heading', { name: 'Program settings' }).waitFor()
    await menu('Go', 'Back')
    await second.getByText('First request').first().waitFor()
    await menu('Go', 'Forward')
    await second.getByRole('heading', { name: 'Program settings' }).waitFor()
    expect(await faultsOf(page).count()).toBe(1)
    windows[1].minimize()
    await startAgain('--no-sandbox')
    expect(windows[1].state).toMatchObject({ minimized: false, focused: true })
    expect(windows[0].state.focused).toBe(false)

    await windows[0].close()
    expect(double.hasEnded()).toBe(false)
    const reply = await second.evaluate(() => window.sandbox!.call('clock.advance', { by: 'PT1H' }))
    expect(reply).toMatchObject({ ok: true })
    await menu('Go', 'Faults')
    await faultsOf(second).waitFor()
    await menu('Edit', 'Find…')
    await second.getByRole('search', { name: 'Find on this screen' }).waitFor()
    await startAgain()
    expect(windows[1].state.focused).toBe(true)
    await windows[1].close()
    await double.end
    expect(double.dialogs, 'closing the last window quits').toEqual([])
  })

  it('open beside the window that they are opened from, and the place of the one used last is remembered', async () => {
    const userData = createTemporaryFolder()
    const settings = join(userData, 'desktop.json')
    writeFileSync(settings, JSON.stringify({ bounds: { x: 40, y: 50, width: 1200, height: 800 } }))
    const { windows, quit, nextWindow, menu } = await startWithTwo(userData)
    expect(windows[1].asked).toMatchObject({ x: 68, y: 78, width: 1200, height: 800 })
    windows[1].moveTo(700, 270)
    await nextWindow(() => menu('File', 'New Window'))
    expect(windows.at(-1)!.asked, 'it would leave the display').toMatchObject({ x: 0, y: 0, width: 1200 })
    windows[0].focus()
    windows[0].moveTo(300, 200)
    await quit()
    const { bounds } = JSON.parse(readFileSync(settings, 'utf8')) as { bounds: object }
    expect(bounds).toEqual({ x: 300, y: 200, width: 1200, height: 800 })
  })

  it('all show the root world when another world is opened; the other worlds of the former sandbox have ended', async () => {
    const { page, second, answer, menu, said } = await startWithTwo()
    await showWorldOne(second)
    const data = createTemporaryFolder()
    await answer(data, 'Empty World')
    await menu('File', 'New World…')
    await second.getByRole('button', { name: 'Back to the root world' }).waitFor({ state: 'detached' })
    for (const it of [page, second]) {
      await it.locator('[data-api-address]').first().waitFor()
      const described = () => it.evaluate(() => window.sandbox!.call('world.describe', {}))
      await expect.poll(described).toMatchObject({ value: { name: null, data, seq: 1 } })
    }
    expect(await said()).toHaveLength(2)
  })

  it('a file is opened in a window that shows the root world', async () => {
    const { page, startAgain, nextWindow } = await start()
    await showWorldOne(page)
    const opened = await nextWindow(() => startAgain(writeScenario('Steps')))
    await opened.getByRole('heading', { name: 'Steps' }).waitFor()
    expect(opened.url()).not.toContain('world=')
    expect(page.url()).toMatch(/world=one#\/faults$/)
  })
})

// ── Worlds ───────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the world of the desktop app', IN_BROWSER, () => {
  it('offers the next free port when its port is in use, remembers it, and shows it', async () => {
    const { port: usedPort } = await occupyPort()
    const userData = createTemporaryFolder()
    const settings = join(userData, 'desktop.json')
    writeFileSync(settings, JSON.stringify({ port: usedPort }))
    const args = ['--data', createTemporaryFolder(), '--world', 'empty']
    const { double, page } = await start(args, { answers: ['Use'], userData })
    const { text, buttons } = double.dialogs[0]!
    expect(text).toMatch(`Port ${usedPort} is taken by another program`)
    expect(buttons).toEqual([expect.stringMatching(/^Use \d+$/), 'Try Again', 'Quit'])
    const port = Number(buttons[0]!.slice('Use '.length))
    await page.getByText(`http://127.0.0.1:${port}/api/v1`).first().waitFor()
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ port })
  })

  it('reports after a crash what the journal contains, also if it is opened later', async () => {
    const data = createTemporaryFolder()
    await (await startSandbox({ data, world: 'empty' })).close()
    const changes = join(data, 'changes')
    mkdirSync(changes, { recursive: true })
    const tearLine = () => {
      const segments = readdirSync(changes).filter((name) => name.endsWith('.jsonl'))
      appendFileSync(join(changes, segments.sort().at(-1) ?? '2.jsonl'), '{"seq":2,"at":"2026-')
    }
    tearLine()
    const again = await start(['--data', data, '--port', '0'], { answers: ['Continue'] })
    await expect.poll(() => again.said()).toHaveLength(1)
    const [report] = await again.said()
    expect(report).toMatch(/^This world was not closed properly the last time\n.*torn/s)
    expect(report).toMatch(/Every change that a response confirmed is there: commit \d+\. Both books balance\./)
    await again.quit()

    tearLine()
    const other = await start(EPHEMERAL, { answers: [data, 'Discard', 'Continue'] })
    await other.menu('File', 'Open World…')
    await expect.poll(async () => (await other.said()).at(-1)).toMatch(/^This world was not closed properly.*torn/s)
  })

  it.runIf(process.platform === 'linux')('shows a remark that is not about a crash as what it is', async () => {
    const NFS = 26_985
    const statfs = vi.spyOn(fs, 'statfsSync').mockReturnValue({ type: NFS } as never)
    syncBuiltinESMExports()
    onTestFinished(() => {
      statfs.mockRestore()
      syncBuiltinESMExports()
    })
    const { double } = await start(emptyWorldIn(createTemporaryFolder()), { answers: ['Continue'] })
    await expect.poll(() => double.dialogs).toHaveLength(1)
    expect(double.dialogs[0]!.text).toMatch(/^A note on this world\nThe data folder .* is on a network share \(NFS\)/)
  })

  it('is not changed if it cannot be opened, and the user chooses another', async () => {
    const data = createTemporaryFolder()
    writeFileSync(join(data, 'world.jsonl'), 'not a world\n')
    const answers = ['Open Another World…', createTemporaryFolder(), 'Empty']
    const { said } = await start(['--data', data, '--port', '0'], { answers })
    expect((await said())[0]).toMatch(`The world in ${data} was not opened`)
    expect(readFileSync(join(data, 'world.jsonl'), 'utf8')).toBe('not a world\n')
  })

  it('is closed before another one is opened, also when several are requested at once', async () => {
    const [one, other] = [createTemporaryFolder(), createTemporaryFolder()]
    await (await startSandbox({ data: other, world: 'empty' })).close()
    const { page, double, quit } = await start(emptyWorldIn(one))
    double.answers.push(other, other, other)
    const refusals: string[] = []
    page.on('console', (message) => void refusals.push(message.text()))
    await page.evaluate(() => {
      // A call between two worlds waits.
      setInterval(() => window.sandbox!.call('clock.read', {}).catch((error) => console.log(`refused: ${error}`)), 1)
      for (let i = 0; i < 3; i++) void window.desk!.call('desk.open_world', {})
    })
    const open = () =>
      page
        .evaluate(async () => (await window.desk!.call('desk.read', {})) as { value: { data: string } })
        .then(({ value }) => value.data, String)
    await expect.poll(open, { timeout: 20_000 }).toBe(other)
    expect(existsSync(join(one, 'lock')), 'the first world is closed').toBe(false)
    expect(refusals.filter((line) => line.startsWith('refused'))).toEqual([])
    await quit()
    expect(existsSync(join(other, 'lock')), 'no world is open').toBe(false)
  })

  it('is not created in a folder that contains other files; the message does not wait for a click', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'thesis.txt'), 'mine')
    const { page, double, menu } = await start()
    const opened = (path: string) => page.evaluate((to) => window.desk!.call('desk.open_world', { folder: to }), path)
    const chosen = (path: string) => {
      double.answers.push(path)
      return page.evaluate(() => window.desk!.call('desk.open_world', {}))
    }
    const refused = (words: string) => ({ ok: false, error: expect.stringContaining(words) })
    expect(await opened(createTemporaryFolder()), 'only a dialog opens another folder').toEqual(
      refused('is not one of the recent worlds'),
    )
    expect(await chosen(folder)).toEqual(refused('contains other files, but no world'))
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
    const gone = join(folder, 'gone')
    expect(await chosen(gone)).toEqual(refused('no longer exists'))
    expect(existsSync(gone)).toBe(false)
    double.answers.push(folder)
    await menu('File', 'Open World…')
    await expect.poll(() => double.dialogs.at(-1)?.text).toMatch(/contains other files, but no world/)
    expect(double.dialogs.at(-1)?.kind).toBe('error')
    const api = await page.locator('[data-api-address]').first().innerText()
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
  })

  it('is closed when Windows ends the session', async () => {
    const data = createTemporaryFolder()
    const { window, double } = await start(emptyWorldIn(data))
    const changes = join(data, 'changes')
    window.emit('session-end', {})
    const newest = readFileSync(join(changes, readdirSync(changes).sort().at(-1)!), 'utf8')
    expect(newest, 'the time is saved before the listener returns').toMatch(/"name":"close".*\n$/)
    await double.end
    expect(existsSync(join(data, 'lock'))).toBe(false)
  })

  it('is found by the commands for a running sandbox, and closed when sandbank stop asks for it', async () => {
    const before = process.env.XDG_RUNTIME_DIR
    const env = { XDG_RUNTIME_DIR: createTemporaryFolder() }
    Object.assign(process.env, env)
    onTestFinished(() => void (process.env.XDG_RUNTIME_DIR = before))
    const data = createTemporaryFolder()
    const { double } = await start(emptyWorldIn(data))
    expect(await runInProcess(['call', 'GET', 'customers'], env)).toMatchObject({ code: 0 })
    expect((await runInProcess(['status'], env)).stdout).toContain('Window   of the desktop app')
    expect(await runInProcess(['open'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the desktop app: start it again to see its window'),
    })
    // Not the command itself, which waits for the end of this process.
    const { nonce } = JSON.parse((await runInProcess(['control', 'sandbox.identify'], env)).stdout) as { nonce: string }
    const stopped = await runInProcess(['control', 'sandbox.stop', `nonce=${nonce}`], env)
    expect(stopped).toMatchObject({ code: 0, stderr: '' })
    await double.end
    expect(await runInProcess(['status'], env)).toMatchObject({ code: 1 })
    expect(readdirSync(join(env.XDG_RUNTIME_DIR, 'sandbank'))).toEqual([])
    expect(readdirSync(data)).not.toContain('lock')
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
    const { page, double, window } = await start(emptyWorldIn(createTemporaryFolder()), {
      isPackaged: true,
      beforeReady: ({ events }) => void events.emit('open-file', { preventDefault }, early),
    })
    await page.getByRole('heading', { name: 'Early steps' }).waitFor()
    expect(window.loaded, 'an installed app loads no other page').toEqual(['app://sandbank/index.html'])
    await goTo(page, '#/faults')
    await faultsOf(page).waitFor()
    double.events.emit('open-file', { preventDefault }, late)
    await page.getByRole('heading', { name: 'Late steps' }).waitFor()
    expect(double.recentDocuments).toEqual([early, late])
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
  })

  it('use no closed window while the world closes: after a second start, a file, a menu item, a crash', async () => {
    const { window, double } = await start(emptyWorldIn(createTemporaryFolder()))
    const { webContents } = window
    const go = (double.menu() as MenuItem[]).find(({ label }) => label === 'Go')!.submenu as MenuItem[]
    const closed = window.close()
    expect(() => window.focus(), 'Electron throws, too').toThrow('Object has been destroyed')
    double.events.emit('second-instance', {}, [], '/', { files: ['/x/a.sandbank'] })
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
    const wrong = await startWithoutWindow(['--port', 'http'])
    await wrong.end
    expect(wrong.exits, 'npm start takes 2 for a refusal, and 1 for an Electron that cannot start').toEqual([2])
    expect(wrong.dialogs).toMatchObject([
      { kind: 'error', text: 'Sandbank could not start\n--port: a number from 0 to 65535 is expected; found http' },
    ])
    const { appId } = parse(readFileSync('resources/electron-builder.yml', 'utf8')) as { appId: string }
    expect(wrong.userModelIds).toEqual([appId])
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
    const { page, double, close, nextWindow } = await start(emptyWorldIn(createTemporaryFolder()), { userData })
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
    await page.getByRole('button', { name: '1 hour' }).click()
    await expect.poll(() => double.notifications).toHaveLength(1)
    const [{ title, body, click }] = double.notifications as [(typeof double.notifications)[0]]
    expect(title).toBe('A task failed')
    expect(body).toBe('A task that nobody can do: failed: No runner for tasks of kind fragile')
    click()
    await page.getByText('Failed', { exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/time')
    expect(window.state).toMatchObject({ minimized: false, focused: true })
    double.system.hasNotifications = false
    await page.getByRole('button', { name: '1 hour' }).click()
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
