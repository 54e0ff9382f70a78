import fs, { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../package.json' with { type: 'json' }
import { runInProcess } from '../support/cli.ts'
import { electronDouble } from '../support/electron/double.ts'
import { type MenuItem, noBrowser, start, startWithoutWindow } from '../support/electron/start.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { goTo, IN_BROWSER } from '../support/window.ts'
import { type Ground, journeys } from './journeys.ts'

/** The built main process and preload script under Node, with the Electron double and a Chromium as the window. */

const ground: Ground = { folder: createTemporaryFolder, start: (...args) => start(args) }

describe('the desktop app in the Electron double', IN_BROWSER, () => {
  it.each(Object.entries(journeys))(
    '%s',
    async (_name, journey) => {
      await journey(ground)
    },
    60_000,
  )

  it('shows an isolated, sandboxed window without Node', async () => {
    const { double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    expect(double.windows[0]!.asked.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    })
  })

  it('is found by the commands for a running sandbox, until it quits', async () => {
    const before = process.env.XDG_RUNTIME_DIR
    process.env.XDG_RUNTIME_DIR = createTemporaryFolder()
    onTestFinished(() => void (process.env.XDG_RUNTIME_DIR = before))
    const env = { XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR }
    const { double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    expect(await runInProcess(['call', 'GET', 'customers'], env)).toMatchObject({ code: 0 })
    expect((await runInProcess(['status'], env)).stdout).toContain('Window   of the desktop app')
    const opened = await runInProcess(['open'], env)
    expect(opened).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the desktop app: its window is open already'),
    })
    double.quit()
    await double.end
    expect(await runInProcess(['status'], env)).toMatchObject({ code: 1 })
    expect(readdirSync(join(env.XDG_RUNTIME_DIR, 'sandbank'))).toEqual([])
  })

  it('quits when sandbank stop asks it to, and closes its world', async () => {
    const before = process.env.XDG_RUNTIME_DIR
    process.env.XDG_RUNTIME_DIR = createTemporaryFolder()
    onTestFinished(() => void (process.env.XDG_RUNTIME_DIR = before))
    const env = { XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR }
    const data = createTemporaryFolder()
    const { double } = await start(['--data', data, '--port', '0', '--world', 'empty'])
    // Not the command itself, which waits for the end of this process.
    const { nonce } = JSON.parse((await runInProcess(['control', 'sandbox.identify'], env)).stdout) as { nonce: string }
    const stopped = await runInProcess(['control', 'sandbox.stop', `nonce=${nonce}`], env)
    expect(stopped).toMatchObject({ code: 0, stderr: '' })
    await double.end
    expect(readdirSync(join(env.XDG_RUNTIME_DIR, 'sandbank'))).toEqual([])
    expect(readdirSync(data)).not.toContain('lock')
  })

  it('accepts calls only from the main frame of its own window', async () => {
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    await page.evaluate(() => void document.body.append(document.createElement('iframe')))
    const names = await page.frames()[1]!.evaluate(() => Object.keys(window))
    expect(names.filter((name) => ['sandbox', 'desk'].includes(name))).toEqual([])
    for (const channel of ['sandbox:call', 'sandbox:follow', 'desk:call'])
      expect(await double.invokeFromFrame(channel, 'x', {})).toEqual({
        failure: expect.stringMatching(/Only a window of Sandbank may call/),
      })
  })

  it('grants only the permission to write to the clipboard', async () => {
    const { double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    const grants = (permission: string) => {
      let granted: boolean | undefined
      double.permissions.request!({} as never, permission as never, (it) => void (granted = it), {} as never)
      return [granted, double.permissions.check!(null, permission as never, '', {} as never)]
    }
    expect(grants('clipboard-sanitized-write')).toEqual([true, true])
    for (const other of ['media', 'geolocation', 'notifications', 'openExternal', 'clipboard-read', 'fullscreen'])
      expect(grants(other), other).toEqual([false, false])
  })

  it('serves only the files of the window, with a strict content policy', async () => {
    const { double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
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

  it('offers the next free port when its port is in use, remembers it, and shows it', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await expect.poll(() => other.address()).not.toBeNull()
    const usedPort = (other.address() as { port: number }).port
    const userData = createTemporaryFolder()
    const data = createTemporaryFolder()
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ port: usedPort }))
    const { double, page } = await start(['--data', data, '--world', 'empty'], { answers: ['Use'], userData })
    const { text, buttons } = double.dialogs[0]!
    expect(text).toMatch(`Port ${usedPort} is taken by another program`)
    expect(buttons).toEqual([expect.stringMatching(/^Use \d+$/), 'Try Again', 'Quit'])
    const port = Number(buttons[0]!.slice('Use '.length))
    await page.getByText(`http://127.0.0.1:${port}/api/v1`).first().waitFor()
    expect(JSON.parse(readFileSync(join(userData, 'desktop.json'), 'utf8'))).toMatchObject({ port })
  })

  it('reports after a crash what the journal contains, also for a world that is opened later', async () => {
    const data = createTemporaryFolder()
    const first = await start(['--data', data, '--port', '0', '--world', 'empty'])
    await first.page.locator('[data-api-address]').first().waitFor()
    await first.quit()
    const changes = join(data, 'changes')
    mkdirSync(changes, { recursive: true })
    const tearLine = () => {
      const segment =
        readdirSync(changes)
          .filter((name) => name.endsWith('.jsonl'))
          .sort()
          .at(-1) ?? '2.jsonl'
      appendFileSync(join(changes, segment), '{"seq":2,"at":"2026-')
    }
    tearLine()
    const again = await start(['--data', data, '--port', '0'], { answers: ['Continue'] })
    await expect.poll(() => again.said()).toHaveLength(1)
    const [report] = await again.said()
    expect(report).toMatch(/^This world was not closed properly the last time\n.*torn/s)
    expect(report).toMatch(/Every change that a response confirmed is there: commit \d+\. Both books balance\./)
    await again.quit()

    tearLine()
    const other = await start(['--ephemeral', '--port', '0', '--world', 'empty'], {
      answers: [data, 'Discard', 'Continue'],
    })
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
    const data = createTemporaryFolder()
    const { double } = await start(['--data', data, '--port', '0', '--world', 'empty'], { answers: ['Continue'] })
    await expect.poll(() => double.dialogs).toHaveLength(1)
    expect(double.dialogs[0]!.text).toMatch(/^A note on this world\nThe data folder .* is on a network share \(NFS\)/)
  })

  it('does not change a world that cannot be opened, and lets the user choose another', async () => {
    const data = createTemporaryFolder()
    writeFileSync(join(data, 'world.jsonl'), 'not a world\n')
    const good = createTemporaryFolder()
    const started = await start(['--data', data, '--port', '0'], { answers: ['Open Another World…', good, 'Empty'] })
    await started.page.locator('[data-api-address]').first().waitFor()
    expect((await started.said())[0]).toMatch(`The world in ${data} was not opened`)
    expect(readFileSync(join(data, 'world.jsonl'), 'utf8')).toBe('not a world\n')
  })

  it('opens worlds one after the other, also when several are requested at once', async () => {
    const [one, other] = [createTemporaryFolder(), createTemporaryFolder()]
    const first = await start(['--data', other, '--port', '0', '--world', 'empty'])
    await first.quit()
    const { page, double } = await start(['--data', one, '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
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
    double.quit()
    await double.end
    expect(existsSync(join(other, 'lock')), 'no world is open').toBe(false)
  })

  it('shows the root world of another folder, also if it showed another world, which ended with the sandbox', async () => {
    const folder = createTemporaryFolder()
    const first = await start(['--data', folder, '--port', '0', '--world', 'empty'])
    await first.quit()
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    await page.evaluate(() => window.sandbox!.call('worlds.create', { name: 'one' }))
    await page.getByRole('button', { name: /^Switch world/ }).click()
    await page.getByRole('menuitemradio', { name: /^one/ }).click()
    await page.getByRole('button', { name: 'Back to the root world' }).waitFor()
    expect(await page.evaluate(() => window.sandbox!.call('world.describe', {}))).toMatchObject({
      value: { name: 'one' },
    })
    double.answers.push(folder)
    await page.evaluate(() => void window.desk!.call('desk.open_world', {}))
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.locator('[data-api-address]').first().waitFor()
    const described = await page.evaluate(() => window.sandbox!.call('world.describe', {}))
    expect(described).toMatchObject({ value: { name: null, data: folder } })
  })

  it('creates no world in a folder that contains other files', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'thesis.txt'), 'mine')
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
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
    const open = (double.menu() as MenuItem[]).find(({ label }) => label === 'File')!.submenu as MenuItem[]
    open.find(({ label }) => label === 'Open World…')!.click!()
    await expect.poll(() => double.dialogs.at(-1)?.text).toMatch(/contains other files, but no world/)
  })

  it('asks before it discards an ephemeral world', async () => {
    const { page, double } = await start(['--ephemeral', '--port', '0'], { answers: ['Cancel'] })
    const address = page.locator('[data-api-address]').first()
    await address.waitFor()
    const before = await address.innerText()
    const port = await freePort()
    await page.evaluate((to) => window.desk!.call('desk.listen', { port: to }), port)
    expect(double.dialogs.at(-1)?.text).toMatch(/^This world is not saved and will be lost/)
    expect(await address.innerText()).toBe(before)
  })

  it('remembers the position of its window, unless it is off screen', async () => {
    const userData = createTemporaryFolder()
    const args = ['--data', createTemporaryFolder(), '--port', '0']
    const bounds = { x: 40, y: 30, width: 900, height: 700 }
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ bounds, maximized: true }))
    const first = await start([...args, '--world', 'empty'], { userData })
    expect(first.double.windows[0]!.asked).toMatchObject(bounds)
    await expect.poll(() => first.double.windows[0]!.isMaximized()).toBe(true)
    await first.quit()
    expect(JSON.parse(readFileSync(join(userData, 'desktop.json'), 'utf8'))).toMatchObject({ bounds, maximized: true })
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ bounds: { ...bounds, x: 9_000 } }))
    const again = await start(args, { userData })
    expect(again.double.windows[0]!.asked).toMatchObject({ width: 1440, height: 900 })
  })

  it('shows a notification of a failed task, which opens the task', async () => {
    const data = createTemporaryFolder()
    await createFailingTask(data)
    const { page, double } = await start(['--data', data, '--port', '0'])
    await page.locator('[data-api-address]').first().waitFor()
    double.windows[0]!.minimize()
    await page.getByRole('button', { name: '1 hour' }).click()
    await expect.poll(() => double.notifications).toHaveLength(1)
    const [{ title, body, click }] = double.notifications as [(typeof double.notifications)[0]]
    expect(title).toBe('A task failed')
    expect(body).toBe('A task that nobody can do: failed: No runner for tasks of kind fragile')
    click()
    await page.getByText('Failed', { exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/time')
    expect(double.windows[0]!.state).toMatchObject({ minimized: false, focused: true })
    const closed = double.windows[0]!.close()
    click()
    await Promise.all([closed, double.end])
    expect(double.dialogs, 'a click while the world closes uses no closed window').toEqual([])
  })

  it('a system without notifications still shows the failed task in the window', async () => {
    const data = createTemporaryFolder()
    await createFailingTask(data)
    const { page, double } = await start(['--data', data, '--port', '0'], { hasNotifications: false })
    await page.getByRole('button', { name: '1 hour' }).click()
    await goTo(page, '#/time')
    await page.getByText('Failed', { exact: true }).waitFor()
    expect([double.notifications, double.dialogs]).toEqual([[], []])
  })

  it('has a menu with the screens and their keys, About, and the commands for worlds', async () => {
    const { page, double, menu } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
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

  it('shows its window at a second start, opens files from the system, and saves where the user chooses', async () => {
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const [window] = double.windows as [(typeof double.windows)[0]]
    window.minimize()
    const again = await startWithoutWindow(['--no-sandbox'], { before: double })
    await again.end
    expect([again.windows, again.dialogs, again.exits], 'the second start ends at once').toEqual([[], [], []])
    expect(window.state).toMatchObject({ minimized: false, focused: true })

    const path = join(createTemporaryFolder(), 'handed.yaml')
    writeFileSync(path, 'name: Handed over\nteaches: Nothing yet.\nsteps:\n  - advance: PT1H\n')
    let isHandled = false
    double.events.emit('open-file', { preventDefault: () => void (isHandled = true) }, path)
    expect(isHandled, 'macOS does not open the file itself').toBe(true)
    await page.getByRole('heading', { name: 'Handed over' }).waitFor()

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

  it('opens the window again after it has crashed, and the sandbox continues', async () => {
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    const address = page.locator('[data-api-address]').first()
    await address.waitFor()
    const { webContents } = double.windows[0]!
    double.answers.push('Reload Window')
    await page.evaluate(() => void document.body.replaceChildren())
    webContents.emitter.emit('render-process-gone', {}, { reason: 'crashed' })
    await address.waitFor()
    expect(double.dialogs.map(({ text }) => text)).toEqual([
      'The window crashed\nThe sandbox is still running, and nothing is lost (crashed).',
    ])
  })

  it('uses no closed window while the world closes: after a second start, a file, a menu item, a crash', async () => {
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const [window] = double.windows as [(typeof double.windows)[0]]
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

  it('reports why it cannot start, and ignores options of Chromium', async () => {
    const wrong = await startWithoutWindow(['--port', 'http'])
    await wrong.end
    expect(wrong.exits, 'npm start takes 2 for a refusal, and 1 for an Electron that cannot start').toEqual([2])
    expect(wrong.dialogs).toMatchObject([
      { kind: 'error', text: 'Sandbank could not start\n--port: a number from 0 to 65535 is expected; found http' },
    ])
    const { page } = await start(['--no-sandbox', '--password-store=basic', '-Embedding', '--ephemeral', '--port', '0'])
    await page.locator('[data-api-address]').first().waitFor()
  })

  it('offers copy, paste and the address on a right click, and nothing where nothing can be copied', async () => {
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const click = (params: object) =>
      double.windows[0]!.webContents.emitter.emit(
        'context-menu',
        {},
        {
          isEditable: false,
          linkURL: '',
          selectionText: '',
          editFlags: { canCopy: true, canPaste: true },
          ...params,
        },
      )
    click({})
    expect(double.popups).toEqual([])
    click({ isEditable: true })
    click({ selectionText: '12.34' })
    click({ linkURL: 'app://sandbank/index.html#/transfers' })
    click({ linkURL: 'https://example.com/' })
    expect(double.popups.map(({ labels }) => labels)).toEqual([
      ['cut', 'copy', 'paste', 'selectAll'],
      ['copy'],
      ['Open in New Window', 'Copy Address'],
      ['Copy Address'],
    ])
    double.popups[2]!.click('Copy Address')
    expect(double.copied).toEqual(['#/transfers'])
  })

  it('says that the clipboard refused a text', async () => {
    const args = ['--ephemeral', '--port', '0', '--world', 'empty']
    const { page, double } = await start(args, { clipboardError: 'the clipboard is in use' })
    await page.locator('[data-api-address]').first().waitFor()
    const link = { isEditable: false, linkURL: 'https://example.com/', selectionText: '', editFlags: {} }
    double.windows[0]!.webContents.emitter.emit('context-menu', {}, link)
    double.popups[0]!.click('Copy Address')
    await expect
      .poll(() => double.dialogs)
      .toMatchObject([{ text: expect.stringContaining('the clipboard is in use') }])
  })

  it('has the background of its theme, and is maximized only when it can be shown', async () => {
    const userData = createTemporaryFolder()
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ maximized: true }))
    const { page, double } = await start(['--ephemeral', '--port', '0', '--world', 'empty'], { userData })
    const [window] = double.windows as [(typeof double.windows)[0]]
    const paper = /--paper: light-dark\((#\w+), (#\w+)\)/.exec(readFileSync('src/renderer/styles/tokens.css', 'utf8'))
    expect(window.asked.backgroundColor, 'the double has a dark theme').toBe(paper![2])
    await page.locator('[data-api-address]').first().waitFor()
    expect(window.state).toMatchObject({ maximized: true, shown: true })
    expect(window.calls.slice(0, 2)).toEqual(['maximize', 'show'])
  })

  it('closes the world when Windows ends the session', async () => {
    const data = createTemporaryFolder()
    const { page, double } = await start(['--data', data, '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const changes = join(data, 'changes')
    double.windows[0]!.emit('session-end', {})
    const newest = readFileSync(join(changes, readdirSync(changes).sort().at(-1)!), 'utf8')
    expect(newest, 'the time is saved before the listener returns').toMatch(/"name":"close".*\n$/)
    await double.end
    expect(existsSync(join(data, 'lock'))).toBe(false)
  })

  it('an error message does not wait for a click', async () => {
    const { page, double, menu } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'], {
      answers: [join(createTemporaryFolder(), 'gone')],
    })
    const address = page.locator('[data-api-address]').first()
    await address.waitFor()
    await menu('File', 'Open World…')
    await expect.poll(() => double.dialogs.map(({ kind }) => kind)).toEqual(['open', 'error'])
    const api = await address.textContent()
    expect((await fetch(new URL('/health', `http://${api!.replace('http://', '')}`))).status).toBe(200)
  })

  it('opens, when installed, the file of a double click that macOS passes before the app is ready', async () => {
    const path = join(createTemporaryFolder(), 'early steps.yaml')
    writeFileSync(path, 'name: Early steps\nteaches: Nothing yet.\nsteps:\n  - advance: { by: PT1H }\n')
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { page, double } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'], {
      isPackaged: true,
      hasNotifications: false,
      beforeReady: ({ events }) => void events.emit('open-file', { preventDefault: () => {} }, path),
    })
    await page.getByRole('heading', { name: 'Early steps' }).waitFor()
    expect(double.windows[0]!.loaded, 'an installed app loads no other page').toEqual(['app://sandbank/index.html'])
  })

  it("loads the page of Vite's server under npm run dev", async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173')
    onTestFinished(() => void vi.unstubAllEnvs())
    const double = await startWithoutWindow(['--ephemeral', '--port', '0'])
    await expect.poll(() => double.windows[0]?.loaded).toEqual(['http://localhost:5173'])
  })

  it('has the app id of the installer on Windows', async () => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    onTestFinished(() => platform.mockRestore())
    const double = await startWithoutWindow(['--port', 'http'])
    await double.end
    const { appId } = parse(readFileSync('resources/electron-builder.yml', 'utf8')) as { appId: string }
    expect(double.userModelIds).toEqual([appId])
  })

  it('runs what became due while the system was suspended, at the next call', async () => {
    const data = createTemporaryFolder()
    await createFailingTask(data, 'running')
    const { page, double } = await start(['--data', data, '--port', '0'])
    await page.locator('[data-api-address]').first().waitFor()
    expect(double.notifications).toEqual([])
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 8 * 3_600_000)
    onTestFinished(() => clock.mockRestore())
    await page.evaluate(() => window.sandbox!.call('clock.read', {}))
    await expect.poll(() => double.notifications).toMatchObject([{ title: 'A task failed' }])
  })

  it.each([
    ['the user closes the window', ['close', 'closed', 'window-all-closed', 'before-quit', 'before-quit', 'will-quit']],
    ['the system quits the app', ['before-quit', 'before-quit', 'close', 'closed', 'will-quit']],
  ])('the double ends as Electron does when %s: the first before-quit waits for the world', async (how, order) => {
    const { page, double } = await start(['--ephemeral', '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const [window] = double.windows as [(typeof double.windows)[0]]
    const seen: string[] = []
    for (const name of ['close', 'closed']) window.prependListener(name, () => void seen.push(name))
    for (const name of ['window-all-closed', 'before-quit', 'will-quit'])
      double.events.prependListener(name, () => void seen.push(name))
    if (how.startsWith('the user')) await window.close()
    else double.quit()
    await double.end
    expect(seen).toEqual(order)
  })

  it('the double throws where Electron fails or stops: too early, too late, in an error box', () => {
    const { module, becomeReady } = electronDouble({ browser: noBrowser, userData: createTemporaryFolder() })
    expect(() => module.protocol.handle('app', () => new Response())).toThrow('before the app is ready')
    expect(() => new module.BrowserWindow()).toThrow('before the app is ready')
    module.app.getPath('userData')
    expect(() => module.app.setName('x')).toThrow('comes too late')
    becomeReady()
    expect(() => module.protocol.registerSchemesAsPrivileged([])).toThrow('should be called before the app is ready')
    expect(() => module.dialog.showErrorBox('a', 'b')).toThrow('stops the process')
  })

  it('the double finds text as Electron does: refuses none, replaces a search, ends none that did not begin', async () => {
    const { page, double } = await start(['--ephemeral', '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const { webContents } = double.windows[0]!
    expect(() => webContents.findInPage('')).toThrow('Must provide a non-empty search content')
    expect(() => webContents.stopFindInPage('close')).toThrow('conversion failure')
    const ended: number[] = []
    webContents.on('found-in-page', (_event: unknown, { requestId, finalUpdate }: Electron.FoundInPageResult) => {
      if (finalUpdate) ended.push(requestId)
    })
    webContents.findInPage('Faults', { findNext: false })
    webContents.findInPage('Fau', { findNext: true })
    const last = webContents.findInPage('Faults', { findNext: true })
    await expect.poll(() => ended).toEqual([last])
    await double.windows[0]!.close()
    expect(() => webContents.findInPage('x')).toThrow('Object has been destroyed')
  })

  it('the search that another one replaces ends without a result', async () => {
    const { page } = await start(['--ephemeral', '--port', '0', '--world', 'empty'])
    await page.locator('[data-api-address]').first().waitFor()
    const found = await page.evaluate(() => {
      const find = (text: string) => window.desk!.call('desk.find', { text, forward: true, is_first: true })
      return Promise.all([find('Fau'), find('Faults')])
    })
    expect(found).toEqual([
      { ok: true, value: null },
      { ok: true, value: { matches: expect.any(Number), active: 1 } },
    ])
  })

  it('the double throws on a call that it does not support', () => {
    const double = electronDouble({ browser: noBrowser, userData: createTemporaryFolder() })
    expect(() => (double.module.app as unknown as { relaunch(): void }).relaunch()).toThrow(
      'app.relaunch is not doubled',
    )
  })
})

/** In a new world, due after a minute. */
async function createFailingTask(data: string, clock: 'frozen' | 'running' = 'frozen') {
  const sandbox = await startSandbox({ data, world: 'empty', clock })
  const { uid } = sandbox.programs()[0]!
  sandbox.store.operate({ door: 'operator', name: 'test' }, (tx) => {
    const due_at = new Date(Date.parse(tx.now) + 60_000).toISOString()
    tx.inProgram(uid).schedule(
      testTask({ kind: 'fragile', due_at, subject_uid: null, why: 'A task that nobody can do' }),
    )
  })
  await sandbox.close()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await expect.poll(() => server.address()).not.toBeNull()
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
