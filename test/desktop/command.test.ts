import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../package.json' with { type: 'json' }
import { commandArguments, terminalCommand } from '../../src/main/terminal-command.ts'
import { run, start } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** The headless command of an installed app: its own binary with arguments after `--`. Until it ends, Electron is only a Node. */

const LAUNCHER = fileURLToPath(new URL('../../resources/command/sandbank', import.meta.url))

const MAIN = fileURLToPath(new URL('../../out/main/electron.js', import.meta.url))
const startCommand = (...args: string[]) => start(['--', ...args], {}, { cli: MAIN })

describe('the command of an installed app', () => {
  it('serves the API and its window until the system ends it', async () => {
    const { child, ended, firstLine } = startCommand('serve', '--ephemeral', '--port', '0', '--json')
    const { api, gui } = JSON.parse(await firstLine()) as { api: string; gui: string }
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
    expect(await (await fetch(gui)).text(), 'it serves the window to a browser').toMatch('<div id="root">')
    child.kill('SIGTERM')
    // Windows has no signals: there the process is killed.
    if (process.platform !== 'win32') expect((await ended).code).toBe(0)
  })

  it('starts a second process that serves, with the arguments in front of the command', async () => {
    const env = { XDG_RUNTIME_DIR: createTemporaryFolder() }
    const command = (...args: string[]) => run(['--', ...args], env, { cli: MAIN })
    onTestFinished(async () => void (await command('stop')))
    expect(await command('serve', '--ephemeral', '--port', '0', '--detach')).toMatchObject({ code: 0 })
    expect(await command('stop')).toMatchObject({ code: 0, stderr: '' })
  })

  it('ends with the exit code of the command', async () => {
    expect(await startCommand('--version').ended).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
    const refusal = 'There is no command sevre: did you mean serve? See sandbank --help\n'
    expect(await startCommand('sevre').ended).toMatchObject({ code: 2, stdout: '', stderr: refusal })
  })

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
      '"/home/a/My Apps/Sandbank.AppImage" --',
    )
    expect(of(true, 'darwin', '/Applications/Sandbank.app/Contents/Resources')).toBe(
      '/Applications/Sandbank.app/Contents/Resources/bin/sandbank',
    )
    expect(of(true, 'win32', 'C:\\Users\\a\\Sandbank\\resources')).toMatch(/resources.bin.sandbank\.cmd$/)
  })

  it.skipIf(process.platform === 'win32').each([
    ['Linux', 'sandbank-desktop', 'resources/bin', '--no-sandbox|--no-zygote|--log-level=3|--'],
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
