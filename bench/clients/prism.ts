import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { runFlow } from './generated.ts'
import { type Context, withSandbox } from './sandbox.ts'

/** With `--errors` Prism answers with an error if a request or a response does not match the document. */
export const testThroughPrism = (context: Context) =>
  withSandbox(context, async (sandbox) => {
    const port = await findFreePort()
    const args = ['proxy', sandbox.url, sandbox.api, '--errors', `--port=${port}`, '--host=127.0.0.1']
    const prism = await context.tools.serve('@stoplight/prism-cli', args, context.folder, 'is listening')
    try {
      const proxy = `http://127.0.0.1:${port}`
      const answers = await runFlow(context, proxy, sandbox)
      await expectValidation(proxy)
      return `${answers}, no violations`
    } finally {
      await prism.stop()
    }
  })

/** Proves that it validates: the sandbox would answer 401. */
async function expectValidation(proxy: string) {
  const headers = { authorization: 'auth-none', 'x-trace-id': randomUUID(), 'content-type': 'application/json' }
  const { status } = await fetch(`${proxy}/transfers`, { method: 'POST', headers, body: '{}' })
  if (status !== 422) throw new Error(`Prism must refuse a body without required fields with 422; ${status} was found`)
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
