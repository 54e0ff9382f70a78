import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { electron, root, startApp } from './electron-app.ts'
import { testJourneys } from './journeys.ts'

/** The journeys in a real Electron: `npm run test:electron` finds one, and names it in `ELECTRON_EXEC_PATH`. */

if (!electron) it.skip('the desktop in a real Electron: skipped, npm run test:electron runs it', () => {})
else describe('in a real Electron', () => testJourneys({ folder: createTemporaryFolder, start: startApp }, 120_000))

/** As the launcher of an installed app (resources/command/sandbank) starts it, without a display. */
const headless = process.platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu', '--no-sandbox'] : []

if (electron)
  it('in a real Electron: the headless command serves without a window, and ends cleanly', async () => {
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
    const data = createTemporaryFolder()
    const args = [root, ...headless, '--', 'serve', '--data', data, '--port', '0', '--json']
    const child = spawn(electron!, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    // On Windows Electron writes a blank line first.
    await expect.poll(() => output.trim(), { timeout: 30_000 }).toMatch(/\}$/)
    const { api } = JSON.parse(output) as { api: string }
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
    child.kill('SIGTERM')
    const [code] = await ended
    // Windows has no signals: there the process is killed.
    if (process.platform !== 'win32') expect([code, existsSync(join(data, 'lock'))]).toEqual([0, false])
  }, 120_000)
