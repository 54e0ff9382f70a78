import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import { formatCurl } from '../../src/renderer/format/request.ts'
import { languages } from '../../src/renderer/frame/connect/snippets.ts'
import { shells } from '../recipes/support.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

/** What users copy from the window runs: the snippets of Connect, and "Copy as curl" of a request. */

describe('the snippets of Connect', () => {
  const run = promisify(execFile)
  const runs: Readonly<Record<string, { file: string; command: string; args: readonly string[] }>> = {
    curl: { file: 'call.sh', command: 'sh', args: [] },
    TypeScript: { file: 'call.mjs', command: process.execPath, args: [] },
    Python: { file: 'call.py', command: 'python3', args: [] },
    Java: { file: 'Call.java', command: 'java', args: [] },
  }
  const needs: Readonly<Record<string, readonly string[]>> = {
    curl: ['curl', 'openssl'],
    Python: ['python3'],
    Java: ['java'],
  }

  it.each(languages)('run unchanged: $name', async ({ name, write }) => {
    const sandbox = await startSandbox()
    const [program] = sandbox.programs()
    const values = { base_url: sandbox.api, program_uid: program!.uid, hmac_key: program!.hmac_key }
    for (const tool of needs[name] ?? [])
      if (!(await run(tool, tool === 'openssl' ? ['version'] : ['--version']).catch(() => undefined))) {
        console.warn(`The snippet for ${name} was not run: there is no ${tool} here`)
        return
      }
    const folder = await mkdtemp(join(tmpdir(), 'snippet-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { file, command, args } = runs[name]!
    // Older versions of Node do not strip types.
    const source = name === 'TypeScript' ? write(values).replace(/: (object|string)\b/g, '') : write(values)
    await writeFile(join(folder, file), source)
    const { stdout } = await run(command, [...args, join(folder, file)])
    expect(stdout).toMatch(/total_count['"]?: ?0/)
  })
})

/** Feeds the copied text to the shell as if it were pasted. */
const paste = (shell: string, text: string) =>
  new Promise<string>((resolve, reject) => {
    const child = execFile(shell, ['-s'], (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stdout),
    )
    child.stdin!.end(text)
  })

const hasTools = spawnSync('openssl', ['version']).status === 0

describe.each(shells)('a copied curl command runs in $shell', ({ shell, installed }) => {
  it.skipIf(!installed || !hasTools)(
    'signs itself in, and sends query, quotes, controls and lines as they were',
    async () => {
      const sandbox = await startSandbox()
      const { uid: program_uid, hmac_key } = sandbox.programs()[0]!
      const copyOf = (exchange: Pick<ExchangeDetail, 'method' | 'path' | 'request'>) =>
        formatCurl({ base_url: sandbox.api, program_uid, hmac_key }, exchange)
      const body = `{"external_uid":"it's 100% \\"a\\\\b\\" $(id) \`id\` !!",\n\t"email":"ada@example.test"}`
      const requests = [
        { method: 'POST', path: '/customers', body },
        { method: 'GET', path: '/customers?limit=1&status[]=initiated', body: '' },
        { method: 'POST', path: '/auth', body: '' },
      ]
      for (const { method, path, body } of requests) {
        const sent = await call(sandbox, 'exchanges.send', { method: method as 'GET', path, ...(body ? { body } : {}) })
        const copied = copyOf(sent)
        const answer = JSON.parse(await paste(shell, copied)) as object
        const { data } = await call(sandbox, 'exchanges.list', { limit: 1 })
        const again = await call(sandbox, 'exchanges.get', { uid: data[0]!.uid })
        expect([again.method, again.path, again.request.body]).toEqual([method, path, body])
        // The same external_uid a second time is refused.
        expect([again.status, Object.keys(answer)[0]]).toEqual(
          path === '/customers' ? [422, 'errors'] : [sent.status, path === '/auth' ? 'token' : 'total_count'],
        )
      }
    },
  )
})
