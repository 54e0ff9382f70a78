import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'

const START = join(import.meta.dirname, '../../scripts/start.mjs')

/** On other systems there is always a display, so npm start would open the desktop app. */
const reason = process.platform === 'linux' ? undefined : 'only Linux can be without a display'

it.skipIf(reason)(
  `npm start without a display reports it in one line and serves the window${reason ? ` (skipped: ${reason})` : ''}`,
  async () => {
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
    const child = spawn(process.execPath, [START, '--port', '0', '--data', createTemporaryFolder()], {
      env,
      stdio: 'pipe',
    })
    let stderr = ''
    let stdout = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    onTestFinished(() => void child.kill('SIGKILL'))
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        stdout += chunk
        const window = /Window +(\S+)#key=\S+/.exec(stdout)
        if (window) resolve(window[1]!)
      })
      void ended.then(() => reject(new Error(stderr)))
    })
    expect(stderr).toContain('No desktop app: there is no display. The window is served to the browser instead.\n')
    const page = await fetch(address)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await page.text()).toContain('<title>Sandbank</title>')
    child.kill('SIGTERM')
    expect(await ended, 'the sandbox behind it ended cleanly').toBe(0)
  },
)

describe.skipIf(reason)('npm start with a program in the place of Electron', () => {
  function start(program: string, env: NodeJS.ProcessEnv = {}) {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'electron'), program, { mode: 0o755 })
    const child = spawn(process.execPath, [START, '--port', 'http'], {
      env: { ...process.env, DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: folder, ...env },
      stdio: 'pipe',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = once(child, 'close').then(([code]) => ({ code, output }))
    return { child, ended, output: () => output }
  }

  const startWith = (script: string, env: NodeJS.ProcessEnv = {}) => start(`#!/bin/sh\n${script}\n`, env).ended

  it('passes on the exit code of a refusal, and starts Electron as Electron', async () => {
    const started = await startWith('echo "as node: $ELECTRON_RUN_AS_NODE"; exit 2', { ELECTRON_RUN_AS_NODE: '1' })
    expect(started).toEqual({ code: 2, output: 'as node: \n' })
  })

  it('serves the window instead when Electron cannot start', async () => {
    const { output } = await startWith('exit 133')
    expect(output).toMatch(/^No desktop app: .+\. The window is served to the browser instead\.\n/)
    expect(output, 'the command line refuses the same option').toContain('--port: a number from 0 to 65535 is expected')
  })

  it('asks the app once to end, by its channel: the terminal signals it, too', async () => {
    const program = `#!${process.execPath}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => console.log(signal))
process.on('disconnect', () => setTimeout(() => process.exit(3), 500))
console.log('started')
setInterval(() => {}, 1000)`
    const { child, ended, output } = start(program)
    await expect.poll(output).toBe('started\n')
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) child.kill(signal)
    expect(await ended).toEqual({ code: 3, output: 'started\n' })
  })
})
