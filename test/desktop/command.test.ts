import { execFileSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { version } from '../../package.json' with { type: 'json' }
import { commandArguments, terminalCommand } from '../../src/main/terminal-command.ts'
import { runInProcess, start } from '../support/cli.ts'
import { startWithoutWindow } from '../support/electron/start.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'

/** The headless command of an installed app: its own binary with arguments after `--`. */

const LAUNCHER = fileURLToPath(new URL('../../resources/command/sandbank', import.meta.url))

const HOST = fileURLToPath(new URL('../support/electron/command-host.mjs', import.meta.url))

const signals = ['SIGTERM', 'SIGINT'] as const

/** Starts the built main process in the Electron double while a desktop app is open, and collects its stdout. */
async function startCommand(args: readonly string[]) {
  const lines: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...more) => {
    if (text !== '') lines.push(String(text))
    for (const done of more) if (typeof done === 'function') queueMicrotask(done)
    return true
  })
  const before = signals.map((signal) => process.listeners(signal))
  onTestFinished(() => {
    stdout.mockRestore()
    signals.forEach((signal, at) => {
      for (const listener of process.listeners(signal))
        if (!before[at]!.includes(listener)) process.off(signal, listener)
    })
  })
  const double = await startWithoutWindow(args, { before: { events: new EventEmitter() } })
  return { double, lines }
}

describe('the command of an installed app', () => {
  it('serves without a window while a desktop app is open, until the system ends it', async () => {
    const { double, lines } = await startCommand(['--', 'serve', '--ephemeral', '--port', '0', '--json'])
    await expect.poll(() => lines).toHaveLength(1)
    const { api, gui } = JSON.parse(lines[0]!) as { api: string; gui: string }
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
    expect(await (await fetch(gui)).text(), 'it serves the window to a browser').toMatch('<div id="root">')
    expect([double.windows, double.dialogs, double.exits]).toEqual([[], [], []])
    double.quit()
    double.quit()
    await double.end
    expect(double.exits).toEqual([0])
    await expect(fetch(api)).rejects.toThrow()
  })

  it('runs every other command with its exit code, in a temporary profile of Chromium, which it removes at its end', async () => {
    const exits = process.listeners('exit')
    const { double, lines } = await startCommand(['--', '--version'])
    await double.end
    expect([lines, double.exits, double.windows]).toEqual([[`${version}\n`], [0], []])
    const profile = double.paths.get('sessionData')!
    expect(existsSync(profile)).toBe(true)
    const added = process.listeners('exit').filter((listener) => !exits.includes(listener))
    for (const listener of added) (listener as () => void)()
    expect(existsSync(profile)).toBe(false)
  })

  it('ends with the exit code of a refusal', async () => {
    const complaints = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
    onTestFinished(() => complaints.mockRestore())
    const { double } = await startCommand(['--', 'sevre'])
    await double.end
    expect(double.exits).toEqual([2])
    expect(complaints.mock.calls).toEqual([['There is no command sevre: did you mean serve? See sandbank --help\n']])
  })

  it.each(signals)('exits with 130 when %s stops it before its folder or file is complete', async (signal) => {
    const sandbox = await startSandbox({ world: 'empty' })
    const exported = (await sandbox.call('bundles.export', {})) as { value: { text: string } }
    const folder = createTemporaryFolder()
    const [file, data] = [join(folder, 'a.sandbank'), join(folder, 'data')]
    writeFileSync(file, exported.value.text)
    const { double, lines } = await startCommand(['--', 'import', file, '--data', data])
    process.emit(signal, signal)
    expect([existsSync(data), lines], 'the import is not complete').toEqual([false, []])
    await double.end
    expect(double.exits).toEqual([130])
    // Only the double: the process goes on.
    await expect.poll(() => lines).toHaveLength(1)
  })

  it.runIf(process.platform !== 'win32')(
    'exits with 130 when SIGTERM stops replay, and leaves only complete changes in the data folder',
    async () => {
      const folder = createTemporaryFolder()
      const data = join(folder, 'data')
      await (await startSandbox({ data, world: 'empty' })).close()
      const calls = Array.from({ length: 2_000 }, (_, at) => {
        const headers = `-H 'content-type: application/json' -H 'authorization: Bearer x' -H 'x-trace-id: trace-${at}'`
        return `curl -X POST http://127.0.0.1:4010/api/v1/customers ${headers} -d '{}'\n`
      })
      writeFileSync(join(folder, 'calls.txt'), calls.join(''))
      // In a process of its own, which ends when the app exits.
      const args = ['--', 'replay', join(folder, 'calls.txt'), '--data', data]
      const { child, ended } = start(args, {}, { cli: HOST })
      const changed = () =>
        readdirSync(join(data, 'changes')).reduce((sum, name) => sum + statSync(join(data, 'changes', name)).size, 0)
      await expect.poll(changed, { timeout: 30_000, interval: 5 }).toBeGreaterThan(20_000)
      child.kill('SIGTERM')
      const { code, stdout } = await ended
      expect([code, stdout]).toEqual([130, ''])
      const checked = await runInProcess(['check', data])
      expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('the books balance') })
      expect(readdirSync(join(data, 'changes')).filter((name) => name.includes('torn'))).toEqual([])
    },
    60_000,
  )

  it('consists of the arguments after --', () => {
    expect(commandArguments(['/opt/Sandbank/sandbank-desktop', '--disable-gpu', '--', 'serve', '--json'])).toEqual([
      'serve',
      '--json',
    ])
    expect(commandArguments(['sandbank-desktop', '--', 'run', '--', 'x.yaml'])).toEqual(['run', '--', 'x.yaml'])
    expect(commandArguments(['sandbank-desktop', '--port', '4020', 'a.sandbank'])).toBeUndefined()
  })

  it('is shown as a command that works in a terminal, wherever the app is installed', () => {
    const of = (packaged: boolean, platform: NodeJS.Platform, resources: string, env: NodeJS.ProcessEnv = {}) =>
      terminalCommand({ packaged, platform, resources, env, cli: '/src/sand bank/out/main/cli.js' })
    expect(of(false, 'linux', '/x')).toBe('node "/src/sand bank/out/main/cli.js"')
    expect(of(true, 'linux', '/opt/Sandbank/resources')).toBe('sandbank')
    expect(of(true, 'linux', '/home/a/dist/linux-unpacked/resources')).toBe(
      '/home/a/dist/linux-unpacked/resources/bin/sandbank',
    )
    expect(of(true, 'linux', '/tmp/.mount_x/resources', { APPIMAGE: '/home/a/My Apps/Sandbank.AppImage' })).toBe(
      '"/home/a/My Apps/Sandbank.AppImage" --ozone-platform=headless --disable-gpu --',
    )
    expect(of(true, 'darwin', '/Applications/Sandbank.app/Contents/Resources')).toBe(
      '/Applications/Sandbank.app/Contents/Resources/bin/sandbank',
    )
    expect(of(true, 'win32', 'C:\\Users\\a\\Sandbank\\resources')).toMatch(/resources.bin.sandbank\.cmd$/)
  })

  it.skipIf(process.platform === 'win32').each([
    ['Linux', 'sandbank-desktop', 'resources/bin', '--ozone-platform=headless|--disable-gpu|--no-sandbox|--'],
    ['Darwin', 'MacOS/Sandbank', 'Resources/bin', '--'],
  ])(
    'is passed unchanged to the binary by the launcher, also through a symbolic link: %s',
    (system, binary, bin, before) => {
      const app = join(createTemporaryFolder(), 'an app')
      const tools = createTemporaryFolder()
      const script = (path: string, text: string) => {
        mkdirSync(join(path, '..'), { recursive: true })
        writeFileSync(path, `#!/bin/sh\n${text}\n`)
        chmodSync(path, 0o755)
      }
      script(join(app, binary), 'IFS="|"; printf %s "$*"; exit 3')
      script(join(tools, 'uname'), `echo ${system}`)
      mkdirSync(join(app, bin), { recursive: true })
      copyFileSync(LAUNCHER, join(app, bin, 'sandbank'))
      symlinkSync(join(app, bin, 'sandbank'), join(tools, 'absolute'))
      symlinkSync('absolute', join(tools, 'sandbank'))
      const env = { PATH: `${tools}:${process.env.PATH}` }
      for (const path of [join(app, bin, 'sandbank'), join(tools, 'sandbank')]) {
        const ended = (() => {
          try {
            return execFileSync(path, ['run', 'my steps.yaml', '--junit', 'a|b', ''], { env }) && undefined
          } catch (error) {
            return error as { status: number; stdout: Buffer }
          }
        })()
        expect(ended?.status, 'the launcher returns the exit code of the command').toBe(3)
        expect(String(ended?.stdout)).toBe(`${before}|run|my steps.yaml|--junit|a|b|`)
      }
    },
  )
})
