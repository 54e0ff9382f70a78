import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
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
