import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, expectSuccess, refreshToken } from '../support/client.ts'
import { serve } from '../support/process.ts'
import type { Operator } from './programs/flow.ts'
import type { Tools } from './tools.ts'

/** Those that a sandbox serves, of the API and of the control API. */
export const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'] as const
export const CONTROL_DOCUMENTS = ['control-openapi.json', 'control-openapi-3.0.json'] as const
export type Document = (typeof DOCUMENTS | typeof CONTROL_DOCUMENTS)[number]

export interface Context {
  readonly tools: Tools
  /** Of this check alone. */
  readonly folder: string
  /** The document of the sandbox that the check reads. */
  readonly document: Document
}

export interface Running {
  readonly api: string
  readonly control: string
  /** The address of the document. */
  readonly url: string
  /** A new one: it is valid for 30 s, and a client may take longer to generate and to compile. */
  readonly signRefreshToken: () => string
  readonly client: Client
  readonly operator: Operator
}

/** A sandbox of its own for each check, on a free port, with a frozen clock. The document that it serves is in the file of its name. */
export async function withSandbox<T>(context: Context, work: (sandbox: Running) => Promise<T>): Promise<T> {
  const sandbox = serve(['--ephemeral', '--clock', 'frozen'])
  try {
    const output = await sandbox.output
    const url = new URL(
      context.document.replace(/^(?:control-)?/, (of) => (of ? '/control/' : '/')),
      output.api,
    ).href
    await saveDocument(context, url)
    const client = new Client(output)
    const control = (method: string, input: object) => expectSuccess(client.control(method, input))
    const operator = {
      advance: () => control('clock.advance', { until: 'idle' }),
      today: async () => String((await control('clock.read', {})).now).slice(0, 10),
    }
    const result = await work({
      api: output.api,
      control: output.control,
      url,
      signRefreshToken: () => refreshToken(output.programs[0]!),
      client,
      operator,
    })
    client.close()
    return result
  } finally {
    await sandbox.stop()
  }
}

export async function saveDocument({ folder, document }: Context, url: string) {
  writeFileSync(join(folder, document), await (await fetch(url)).text())
}
