import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'

describe('the files of the window', () => {
  it.each(['GET', 'POST'])('%s: only GET reads them; everything else is the API', async (method) => {
    const window = createTemporaryFolder()
    mkdirSync(join(window, 'assets'))
    writeFileSync(join(window, 'index.html'), '<title>window</title>')
    writeFileSync(join(window, 'assets', 'a.js'), '"script"')
    const { origin } = new URL((await startSandbox({ window })).api)
    for (const [path, text] of [
      ['/', '<title>window</title>'],
      ['/assets/a.js', '"script"'],
    ] as const) {
      const response = await fetch(`${origin}${path}`, { method })
      const body = await response.text()
      if (method === 'GET') expect(body).toContain(text)
      else expect([response.status, body]).toEqual([404, expect.stringContaining('"errors"')])
    }
  })
})
