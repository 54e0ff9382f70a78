import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { occupyPort } from '../support/ports.ts'
import {
  createClient,
  EPHEMERAL,
  electron,
  emptyWorldIn,
  expectCleanEnd,
  type Kept,
  launch,
  root,
  start,
} from './electron-app.ts'

/** The process of the desktop app, in a real Electron: load, signals, kills, without a window, and on Wayland. */

const isLinux = process.platform === 'linux'
/** There it is killed. */
const hasSignals = process.platform !== 'win32'

function endWithTest<C extends ChildProcess>(child: C): C {
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const customersIn = (page: Page) =>
  page.evaluate(async () => {
    const input = { collection: 'customers', include_initiated: true, limit: 1_000 }
    const reply = await window.sandbox!.call('records.list', input)
    return (reply as unknown as { value: { data: { uid: string }[] } }).value.data.map(({ uid }) => uid)
  })

/** Creates customers from several connections, until the app does not answer any more; returns those that it has confirmed. */
async function writeUntil(page: Page, end: () => Promise<unknown>): Promise<string[]> {
  const { client } = await createClient({ page })
  const confirmed: string[] = []
  const write = async () => {
    const { status, body } = await client
      .post<{ uid: string }>('/customers', {})
      .catch(() => ({ status: 0, body: { uid: '' } }))
    if (status !== 201) return
    confirmed.push(body.uid)
    await write()
  }
  const writing = Promise.all(Array.from({ length: 8 }, write))
  await expect.poll(() => confirmed.length).toBeGreaterThan(20)
  await end()
  await writing
  return confirmed
}

describe.skipIf(!electron)('the process of the desktop app, in a real Electron', () => {
  it('answers 1,000 requests a second while its window is used, and loses none', async () => {
    const { page, menu } = await start()
    const { client } = await createClient({ page })
    const statuses: Promise<number>[] = []
    const send = () => (statuses.length % 10 === 0 ? client.post('/customers', {}) : client.get('/customers?limit=1'))
    const load = setInterval(() => {
      for (let at = 0; at < 20; at++)
        statuses.push(
          send().then(
            ({ status }) => status,
            () => 0,
          ),
        )
      if (statuses.length >= 2_000) clearInterval(load)
    }, 20)
    onTestFinished(() => clearInterval(load))
    for (const name of ['Requests', 'Inject', 'Faults', 'Requests']) {
      await menu('Go', name)
      await page.getByRole('heading', { name, exact: true }).first().waitFor()
      expect(await page.evaluate(() => window.sandbox!.call('clock.read', {}))).toMatchObject({ ok: true })
    }
    await expect.poll(() => statuses.length).toBe(2_000)
    const found = await Promise.all(statuses)
    const created = found.filter((status) => status === 201).length
    expect(found.filter((status) => status !== 200 && status !== 201)).toEqual([])
    expect(created).toBe(200)
    expect(await customersIn(page)).toHaveLength(200)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
  })

  it('has every confirmed record after a quit during writes', async () => {
    const data = createTemporaryFolder()
    const first = await start(emptyWorldIn(data))
    const confirmed = await writeUntil(first.page, first.quit)
    const again = await start(['--data', data, '--port', '0'])
    const stored = await customersIn(again.page)
    expect(confirmed.filter((uid) => !stored.includes(uid))).toEqual([])
    expect(await again.dialogs(), 'the app reports no unclean end').toEqual([])
  })

  it('has every confirmed record after kill -9, and says what it has recovered', async () => {
    const data = createTemporaryFolder()
    const { page, app } = await start(emptyWorldIn(data))
    const confirmed = await writeUntil(page, async () => app.process().kill('SIGKILL'))
    // A kill can end a line in the middle.
    const changes = join(data, 'changes')
    appendFileSync(join(changes, readdirSync(changes).sort().at(-1)!), '{"seq":2,"at":"2026-')
    const again = await start(['--data', data, '--port', '0'], { answers: ['Continue'] })
    const stored = await customersIn(again.page)
    expect(confirmed.filter((uid) => !stored.includes(uid))).toEqual([])
    await expect.poll(again.dialogs).toHaveLength(1)
    const { text } = (await again.dialogs())[0]!
    expect(text).toMatch(/^This world was not closed properly the last time/)
    expect(text).toMatch(/Every change that a response confirmed is there: commit \d+\. Both books balance\./)
    await again.quit()
    expectCleanEnd(data)
  })

  it.skipIf(!hasSignals).each(['SIGINT', 'SIGTERM'] as const)(
    'closes its world at %s before it ends, also if the signal comes again',
    async (signal) => {
      const [data, runtime] = [createTemporaryFolder(), createTemporaryFolder()]
      const { app } = await start(emptyWorldIn(data), { env: { XDG_RUNTIME_DIR: runtime } })
      const child = app.process()
      const ended = once(child, 'exit')
      let hasEnded = false
      void ended.then(() => (hasEnded = true))
      while (!hasEnded) {
        child.kill(signal)
        await setTimeout(1)
      }
      expectCleanEnd(data, runtime)
    },
  )

  it.skipIf(!hasSignals)('ends at a signal while a question is open, here that of a taken port', async () => {
    const data = createTemporaryFolder()
    const { port } = await occupyPort()
    const options = ['--data', data, '--world', 'empty', '--port', String(port)]
    const app = await launch(options, { answers: ['wait'] })
    await expect.poll(() => app.evaluate(() => (globalThis as Kept).desk.dialogs.length)).toBe(1)
    const ended = once(app.process(), 'exit')
    app.process().kill('SIGTERM')
    await ended
    expectCleanEnd(data)
  })

  it.skipIf(!isLinux)('ends cleanly when Ctrl-C is pressed in the terminal of npm start', async () => {
    const [data, runtime, userData] = [createTemporaryFolder(), createTemporaryFolder(), createTemporaryFolder()]
    const npm = process.env.npm_execpath
    const command = npm && existsSync(npm) ? ['npm', 'start', '--'] : [process.execPath, 'scripts/start.mjs']
    const options = [`--user-data-dir=${userData}`, ...emptyWorldIn(data)]
    // The pseudo-terminal: it sends the signal to every process of the foreground.
    const terminal = endWithTest(
      spawn('script', ['-qec', [...command, ...options].join(' '), '/dev/null'], {
        cwd: root,
        env: { ...process.env, XDG_RUNTIME_DIR: runtime, ELECTRON_OVERRIDE_DIST_PATH: dirname(electron) },
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    terminal.stdout.resume()
    const { pid } = await findRunning(runtime)
    const ended = once(terminal, 'exit')
    terminal.stdin.write('\x03')
    await ended
    expect(() => process.kill(pid, 0), 'the app has ended').toThrow('ESRCH')
    expectCleanEnd(data, runtime)
  })

  it('is found by the commands for a running sandbox, and closed when sandbank stop asks for it', async () => {
    const [data, runtime] = [createTemporaryFolder(), createTemporaryFolder()]
    const env = { XDG_RUNTIME_DIR: runtime }
    const { app } = await start(emptyWorldIn(data), { env })
    expect(await runInProcess(['call', 'GET', 'customers'], env)).toMatchObject({ code: 0 })
    expect((await runInProcess(['status'], env)).stdout).toContain('Window   of the desktop app')
    expect(await runInProcess(['open'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the desktop app: start it again to see its window'),
    })
    const over = new Promise<void>((resolve) => app.once('close', () => resolve()))
    expect(await runInProcess(['stop'], env)).toMatchObject({ code: 0, stderr: '' })
    await over
    expect(await runInProcess(['status'], env)).toMatchObject({ code: 3 })
    expectCleanEnd(data, runtime)
  })

  it.skipIf(!isLinux)('shows its window on Wayland', async (context) => {
    if (spawnSync('weston', ['--version']).error) context.skip('weston is not installed')
    const runtime = createTemporaryFolder()
    const weston = [
      '--backend=headless-backend.so',
      '--socket=sandbank',
      '--use-pixman',
      '--no-config',
      '--idle-time=0',
    ]
    const env = { XDG_RUNTIME_DIR: runtime }
    endWithTest(spawn('weston', weston, { env: { ...process.env, ...env }, stdio: 'ignore' }))
    await expect.poll(() => existsSync(join(runtime, 'sandbank'))).toBe(true)
    const onWayland = { ...env, WAYLAND_DISPLAY: 'sandbank', DISPLAY: '' }
    const { app, page, menu, quit } = await start([...EPHEMERAL, '--ozone-platform=wayland'], { env: onWayland })
    await menu('Go', 'Faults')
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    const isShown = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
    await expect.poll(isShown).toBe(true)
    expect(await page.evaluate(() => window.sandbox!.call('clock.advance', { by: 'PT1H' }))).toMatchObject({ ok: true })
    await quit()
  })
})

// ── Commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** As the launcher of an installed app (resources/command/sandbank) starts it, without a display. */
function startCommand(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const chromium = isLinux ? ['--no-sandbox', '--no-zygote', '--log-level=3'] : []
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  const child = endWithTest(
    spawn(electron, [root, ...chromium, '--', ...args], {
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const said = { stdout: '', stderr: '' }
  // On Windows Electron writes a blank line first.
  child.stdout.on('data', (text) => (said.stdout = (said.stdout + text).trimStart()))
  child.stderr.on('data', (text) => (said.stderr += text))
  return { child, said, ended: once(child, 'exit') }
}

describe.skipIf(!electron)('the command of the desktop app, in a real Electron', () => {
  it('serves without a window, and closes its world at a signal', async () => {
    const data = createTemporaryFolder()
    const { child, said, ended } = startCommand(['serve', '--data', data, '--port', '0', '--json'])
    await expect.poll(() => said.stdout).toMatch(/\}\n$/)
    const { api } = JSON.parse(said.stdout) as { api: string }
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
    child.kill('SIGTERM')
    const [code] = await ended
    if (hasSignals) expect(code).toBe(0)
    if (hasSignals) expectCleanEnd(data)
  })

  it('ends with the exit code of the command', async () => {
    const version = startCommand(['--version'])
    expect(await version.ended).toEqual([0, null])
    expect(version.said.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const refused = startCommand(['sevre'])
    expect(await refused.ended).toEqual([2, null])
    expect(refused.said.stderr).toContain('There is no command sevre: did you mean serve?')
  })

  it('ends with exit code 1 at an error that nothing handles, and prints it', async () => {
    const script = join(createTemporaryFolder(), 'fail.cjs')
    writeFileSync(script, "setTimeout(() => { throw new Error('of a timer') }, 1_000)")
    const { said, ended } = startCommand(['serve', '--ephemeral', '--port', '0'], {
      NODE_OPTIONS: `--require ${script}`,
    })
    expect(await ended).toEqual([1, null])
    expect(said.stderr).toContain('Internal error: Error: of a timer')
  })
})

/** What the running sandbox has written for commands. */
async function findRunning(runtime: string): Promise<{ readonly pid: number }> {
  const folder = join(runtime, 'sandbank')
  const names = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [])
  await expect.poll(names).toHaveLength(1)
  return JSON.parse(readFileSync(join(folder, names()[0]!), 'utf8')) as { pid: number }
}
