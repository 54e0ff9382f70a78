import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { LogFile } from '../../src/main/log-file.ts'
import { createReport, hideHome } from '../../src/main/report.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { PERSONAL, sendMixedRequests } from '../support/mixed-requests.ts'
import { startSandbox } from '../support/sandbox.ts'

it.each([
  ['/home/al', '/home/al: 3 files; /home/al/x; in /home/al.', '~: 3 files; ~/x; in ~.'],
  ['/home/al', '/home/alice/x /home/al.b/x', '/home/alice/x /home/al.b/x'],
  ['C:\\Users\\a b', 'C:\\Users\\a b\\x file:///C:/Users/a%20b/x C:/Users/a b/x', '~\\x file:///~/x ~/x'],
  ['/', '/data/x', '/data/x'],
])('a report shows the home folder %s as ~, and no other one', (home, text, hidden) =>
  expect(hideHome(text, home)).toBe(hidden),
)

/** A part of the zip that has no part after it which is compressed. */
function readPart(zip: Buffer, name: string): string {
  return inflateRawSync(zip.subarray(zip.indexOf(name) + name.length)).toString()
}

it('a report has the reason instead of a part that cannot be read', async () => {
  const call = () => Promise.reject(new Error('no books'))
  const mask = async <T>(value: T) => value
  const sandbox = { data: `${createTemporaryFolder()}/gone`, call, mask }
  const log = new LogFile(createTemporaryFolder())
  const zip = await createReport({ sandbox, log, about: {}, pictures: [Buffer.from('PNG'), 'no picture'] })
  expect(readPart(zip, 'check.txt')).toMatch(/gone was not checked: .*\nBooks: not checked: Error: no books\n$/)
  for (const name of ['about.json', 'check.txt', 'window-1.png', 'window-2.txt']) expect(zip.includes(name)).toBe(true)
})

it('a report has the reason instead of texts that cannot be masked', async () => {
  const call = async () => ({ ok: true, value: {} }) as const
  const sandbox = { data: null, call, mask: () => Promise.reject(new Error('no history')) }
  const log = new LogFile(createTemporaryFolder())
  log.write('Task t1 failed: Olive Oyl')
  const zip = await createReport({ sandbox, log, about: {}, pictures: [] })
  for (const name of ['about.json', 'check.txt', 'sandbank.log'])
    expect(readPart(zip, name)).toBe('It is left out, as it could not be masked: Error: no history\n')
})

it('a report has no personal data of the world, even if the log and the settings repeat all of its records', async () => {
  const sandbox = await startSandbox()
  await sendMixedRequests(sandbox, { requests: 120 })
  const details = { first_name: 'Pools', last_name: 'Accounts' }
  await sandbox.client().post('/customers', { email: 'pools@wexmail.example', details })
  const { collections } = sandbox.store.world
  const records = Object.values(collections).flatMap((one) => one.inOrder().map((record) => JSON.stringify(record)))
  const found = (text: string) => PERSONAL.filter((value) => text.toLowerCase().includes(value.toLowerCase()))
  const log = new LogFile(createTemporaryFolder())
  for (const record of records) log.write(`Task t1 failed: ${record}`)
  for (const value of PERSONAL) log.write(`Closing failed: Error: ${value} at /opt/Sandbank`)
  const before = log
    .read()
    .map(({ text }) => text)
    .join('')
  expect(found(before).length, 'the log has them').toBeGreaterThan(PERSONAL.length / 2)
  const zip = await createReport({ sandbox, log, about: { name: PERSONAL.join(' ') }, pictures: [] })
  const [about, check, lines] = ['about.json', 'check.txt', 'sandbank.log'].map((name) => readPart(zip, name))
  expect([about, check, lines].flatMap((text) => found(text!))).toEqual([])
  expect(lines!.split('\n')).toHaveLength(before.split('\n').length)
  expect(check, 'names of fields are not masked').toMatch(/"balanced":true.*"synthetic_accounts":\d+.*"pools":\d+/)
})
