import { execFile, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import { formatCurl } from '../../src/renderer/format/request.ts'
import { shells } from '../recipes/support.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

/** "Copy as curl" of a request in the request log. */

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
