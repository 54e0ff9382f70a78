import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { LogFile } from '../../src/main/log-file.ts'
import { createReport, hideHome } from '../../src/main/report.ts'
import { createTemporaryFolder } from '../support/folder.ts'

it.each([
  ['/home/al', '/home/al: 3 files; /home/al/x; in /home/al.', '~: 3 files; ~/x; in ~.'],
  ['/home/al', '/home/alice/x /home/al.b/x', '/home/alice/x /home/al.b/x'],
  ['C:\\Users\\a b', 'C:\\Users\\a b\\x file:///C:/Users/a%20b/x C:/Users/a b/x', '~\\x file:///~/x ~/x'],
  ['/', '/data/x', '/data/x'],
])('a report shows the home folder %s as ~, and no other one', (home, text, hidden) =>
  expect(hideHome(text, home)).toBe(hidden),
)

it('a report has the reason instead of a part that cannot be read', async () => {
  const call = () => Promise.reject(new Error('no books'))
  const sandbox = { data: `${createTemporaryFolder()}/gone`, call } as unknown as Sandbox
  const log = new LogFile(createTemporaryFolder())
  const zip = await createReport({ sandbox, log, about: {}, pictures: [Buffer.from('PNG'), 'no picture'] })
  const check = inflateRawSync(zip.subarray(zip.indexOf('check.txt') + 'check.txt'.length)).toString()
  expect(check).toMatch(/gone was not checked: .*\nBooks: not checked: Error: no books\n$/)
  for (const name of ['about.json', 'check.txt', 'window-1.png', 'window-2.txt']) expect(zip.includes(name)).toBe(true)
})
