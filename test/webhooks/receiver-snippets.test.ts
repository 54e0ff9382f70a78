import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { type ReceiverValues, receiverLanguages } from '../../src/renderer/frame/connect/snippets.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createCaller } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { waitFor } from '../support/wait.ts'
import { waitForDeliveries } from '../support/webhooks.ts'

/** The receivers that Connect shows run unchanged: they accept a delivery of the sandbox, and refuse a forged one. */

const runs: Readonly<Record<string, { file: string; command: string }>> = {
  TypeScript: { file: 'receive.mjs', command: process.execPath },
  Python: { file: 'receive.py', command: 'python3' },
  Java: { file: 'Receive.java', command: 'java' },
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

async function start(name: string, source: string) {
  const { file, command } = runs[name]!
  const path = join(createTemporaryFolder(), file)
  // Older versions of Node do not strip types.
  writeFileSync(path, name === 'TypeScript' ? source.replace('(name: string)', '(name)') : source)
  const child: ChildProcess = spawn(command, [path], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { text: '' }
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output.text += String(chunk)))
  const ended = new Promise((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  await waitFor(() => expect(output.text).toContain('listening'))
  return output
}

it.each(receiverLanguages)('$name', { timeout: 120_000 }, async ({ name, write }) => {
  const isThere = await promisify(execFile)(runs[name]!.command, ['--version']).catch(() => undefined)
  if (!isThere) return console.warn(`The receiver in ${name} was not run: there is no ${runs[name]!.command} here`)
  const values: ReceiverValues = { port: await freePort(), hmac_key: 'a-key-of-ünlaut-and-"quotes"' }
  const output = await start(name, write(values))
  const url = `http://127.0.0.1:${values.port}`

  const { sandbox } = await setUpPayments()
  const call = createCaller(sandbox)
  const { hmac_key } = values
  const webhook = await call('webhooks.create', { url, hmac_key })
  const forger = await call('webhooks.create', { url, hmac_key: 'another-key-of-16-characters' })
  await waitForDeliveries(call)
  const { webhooks } = await call('webhooks.list', {})
  const statusOf = (wanted: string) => webhooks.find(({ uid }) => uid === wanted)!.status
  expect({ signed: statusOf(webhook.uid), forged: statusOf(forger.uid) }).toEqual({
    signed: 'active',
    forged: 'unconfirmed',
  })
  const { data } = await call('events.list', { topic: 'test' })
  const answers = data.flatMap(({ deliveries }) => deliveries.map(({ attempts }) => attempts[0]!.status))
  expect(answers).toEqual([401, 204])
  await waitFor(() =>
    expect(output.text).toMatch(/^\/test \{"event_type":"test","event_id":"\w{16}","details":\{\}\}$/m),
  )

  const post = async (body: string, age: number, changes: Record<string, string> = {}) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) - age)
    const headers = {
      'x-request-signature-timestamp': timestamp,
      'x-request-signature-sha-256': createHmac('sha256', hmac_key).update(`${body}${timestamp}`).digest('hex'),
    }
    return (await fetch(`${url}/transfers`, { method: 'POST', body, headers: { ...headers, ...changes } })).status
  }
  const body = '{"event_type":"created","event_id":"x","details":{"name":"Ünal"}}'
  expect(await post(body, 0)).toBe(204)
  expect(await post(body, 600), 'an old one').toBe(401)
  expect(await post(body, 0, { 'x-request-signature-sha-256': '' })).toBe(401)
  expect(await post(body, 0, { 'x-request-signature-sha-256': 'é' })).toBe(401)
  expect(await post(body, 0, { 'x-request-signature-timestamp': 'now' })).toBe(401)
  expect((await fetch(`${url}/transfers`, { method: 'POST', body })).status, 'without a signature').toBe(401)
  await waitFor(() => expect(output.text).toContain(`/transfers ${body}`))
})
