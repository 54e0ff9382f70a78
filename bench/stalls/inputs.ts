import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LargeInput, largeInputs } from '../fuzz/large-inputs.ts'
import { Client, type Response } from '../support/client.ts'
import { startMeasuredServer } from './server.ts'
import { formatRows, type Row } from './stalls.ts'

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

export async function measureInputs({ bytes, only, print }: InputOptions): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-inputs-'))
  const server = await startMeasuredServer(folder)
  const client = new Client(server.output, { sockets: 1, withinMs: 300_000 })
  const rows: Row[] = []
  const measure = async (name: string, send: () => Promise<Response>) => {
    await server.readFigures()
    const began = performance.now()
    const response = await send()
    const row = { name, status: response.status, duration: performance.now() - began, ...(await server.readFigures()) }
    rows.push(row)
    const extra = String(response.body?.errors?.[0]?.extra ?? response.body?.trouble ?? '').slice(0, 100)
    print(`${name}: ${row.status}, ${Math.round(row.slice)} ms ${extra}`.trimEnd())
    return response
  }
  try {
    const isWanted = ({ name }: LargeInput) => only.split('|').some((part) => name.includes(part))
    for (const { name, door, path, headers, text, isLogged } of largeInputs.filter(isWanted)) {
      const sent = text(bytes)
      const trace = { 'x-trace-id': randomUUID() }
      if (isLogged) await client.control('world.reset', { world: 'empty' })
      const { seq } = (await client.control('world.describe')).body
      const authorization = door === 'api' ? { authorization: await client.token() } : client.controlKey
      await measure(name, () =>
        client.http.send({ method: 'POST', path, headers: { ...headers, ...trace, ...authorization }, text: sent }),
      )
      if (isLogged)
        for (const [reader, input] of Object.entries(READERS))
          await measure(`${reader} after ${name}`, () => client.control(reader, input(seq)))
    }
  } finally {
    client.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of formatRows(rows)) print(line)
  return rows
}
