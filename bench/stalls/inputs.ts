import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LargeInput, largeInputs } from '../fuzz/large-inputs.ts'
import { newTrace, type Response } from '../support/client.ts'
import { MeasuredSandbox } from './server.ts'

/**
 * npm run stalls -- --inputs 900000: how long each large text that is sent to an empty world blocks the event loop, and then the export,
 * the recording and the replay of a log that has it.
 */

export interface InputOptions {
  readonly bytes: number
  readonly only: string
  readonly print: (line: string) => void
}

/** What is done with the log after each body. */
const READERS: Readonly<Record<string, (seq: number) => object>> = {
  'bundles.export': () => ({}),
  'scenarios.record': () => ({}),
  'exchanges.replay': (since) => ({ since }),
}

export async function measureInputs({ bytes, only, print }: InputOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-inputs-'))
  const sandbox = await MeasuredSandbox.open(folder, print)
  const { client } = sandbox
  const measure = (name: string, send: () => Promise<Response>) =>
    sandbox.measure(name, async () => {
      const { status, body } = await send()
      return [status, String(body?.errors?.[0]?.extra ?? body?.trouble ?? '').slice(0, 100)]
    })
  try {
    const isWanted = ({ name }: LargeInput) => only.split('|').some((part) => name.includes(part))
    for (const { name, door, path, headers, text, isLogged } of largeInputs.filter(isWanted)) {
      const sent = text(bytes)
      if (isLogged) await client.control('world.reset', { world: 'empty' })
      const { seq } = (await client.control('world.describe')).body
      const authorization = door === 'api' ? { authorization: await client.token() } : client.controlKey
      const all = { ...headers, 'x-trace-id': newTrace(), ...authorization }
      await measure(name, () => client.http.send({ method: 'POST', path, headers: all, text: sent }))
      if (isLogged)
        for (const [reader, input] of Object.entries(READERS))
          await measure(`${reader} after ${name}`, () => client.control(reader, input(seq)))
    }
  } finally {
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  sandbox.printRows()
}
