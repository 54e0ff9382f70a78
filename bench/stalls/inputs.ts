import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LargeInput, largeInputs } from '../fuzz/large-inputs.ts'
import { HttpClient, refreshToken } from '../support/client.ts'
import { startMeasuredServer } from './server.ts'
import { formatRows, type Row } from './stalls.ts'

/** npm run stalls -- --inputs 900000: how long each large text that is sent to a demo world blocks the event loop. */

export interface InputOptions {
  readonly bytes: number
  readonly only: string
  readonly print: (line: string) => void
}

export async function measureInputs({ bytes, only, print }: InputOptions): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-inputs-'))
  const server = await startMeasuredServer(folder)
  const { api, control_key, programs } = server.output
  const http = new HttpClient(api, { sockets: 1, withinMs: 300_000 })
  const trace = () => ({ 'x-trace-id': randomUUID() })
  const post = (path: string, headers: Readonly<Record<string, string>>, text?: string) =>
    http.send({ method: 'POST', path, headers, ...(text === undefined ? {} : { text }) })
  const signIn = async () => {
    const { body } = await post('/api/v1/auth', { ...trace(), authorization: refreshToken(programs[0]!) })
    return String(body.token)
  }
  const rows: Row[] = []
  try {
    let token = await signIn()
    const send = ({ door, path, headers }: LargeInput, text: string) =>
      post(
        path,
        { ...headers, ...trace(), ...(door === 'api' ? { authorization: token } : { 'x-control-key': control_key }) },
        text,
      )
    const isWanted = ({ name }: LargeInput) => only.split('|').some((part) => name.includes(part))
    for (const input of largeInputs.filter(isWanted)) {
      const text = input.text(bytes)
      await server.readFigures()
      const began = performance.now()
      let response = await send(input, text)
      if (response.status === 401) {
        token = await signIn()
        response = await send(input, text)
      }
      const duration = performance.now() - began
      const row = { name: input.name, status: response.status, duration, ...(await server.readFigures()) }
      rows.push(row)
      const extra = String(response.body?.errors?.[0]?.extra ?? response.body?.trouble ?? '').slice(0, 100)
      print(`${row.name}: ${row.status}, ${Math.round(row.slice)} ms ${extra}`.trimEnd())
    }
  } finally {
    http.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const line of formatRows(rows)) print(line)
  return rows
}
