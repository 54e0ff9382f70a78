import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { LogFile } from '../../src/main/log-file.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'

it('the log of the desktop app keeps its newest lines in at most five files, each line on its own and without control characters', () => {
  const log = new LogFile(join(createTemporaryFolder(), 'logs'), 100)
  for (let n = 0; n < 40; n++) log.write(`line ${n}${'.'.repeat(30)}`)
  log.write('an error\n  at once\u001b[31m')
  expect(readdirSync(log.folder).sort()).toEqual(
    ['1', '2', '3', '4'].map((n) => `sandbank.${n}.log`).concat('sandbank.log'),
  )
  const [newest, ...others] = log.read()
  expect(newest?.text.trimEnd()).toMatch(/^[-\dT:.]+Z an error\n {4}at once\\u001b\[31m$/m)
  expect(others.map(({ text }) => text.split('\n').length - 1)).toEqual([2, 2, 2, 2])
  expect(others[0]?.text).toContain('line 39.')
})

it('the log of the desktop app has no key, token or Social Security number', async () => {
  const sandbox = await startSandbox()
  const [program] = sandbox.programs()
  const log = new LogFile(createTemporaryFolder())
  const token = await sandbox.replayClient.token(program!)
  log.write(`early ${token}`)
  log.redact = sandbox.redact
  log.write(`late ${token}, ${program!.hmac_key}, ${sandbox.control_key}, 512-04-8823, ada@example.test`)
  const [{ text } = { text: '' }] = log.read()
  for (const secret of [token.slice(0, 20), program!.hmac_key, sandbox.control_key, '512-04-8823'])
    expect(text).not.toContain(secret)
  expect(text).toContain('ada@example.test')
})

it('a log that cannot be written costs only its lines', () => {
  const file = join(createTemporaryFolder(), 'file')
  writeFileSync(file, '')
  const log = new LogFile(join(file, 'logs'))
  log.write('lost')
  expect(log.read()).toEqual([])
})

it('of lines that come by the thousand the log has one a second, with their number', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const log = new LogFile(createTemporaryFolder())
  for (let n = 1; n <= 1_000; n++) log.writeNewest(`Task ${n} failed`)
  expect(log.read()).toEqual([])
  vi.advanceTimersByTime(1_000)
  log.writeNewest('Task 1001 failed')
  log.flush()
  vi.advanceTimersByTime(1_000)
  expect(log.read()[0]?.text).toMatch(/^\S+ Task 1000 failed \(999 more before it\)\n\S+ Task 1001 failed\n$/)
})

it('a file of the log that cannot be read has the reason instead', () => {
  const log = new LogFile(createTemporaryFolder())
  mkdirSync(join(log.folder, 'sandbank.log'))
  expect(log.read()).toEqual([{ name: 'sandbank.log', text: expect.stringContaining('cannot be read: Error: EISDIR') }])
})
