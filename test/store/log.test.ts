import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { Log } from '../../src/api/store/log.ts'
import { createTemporaryFolder } from '../support/folder.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MB = 1 << 20
const used = () => {
  collect()
  return process.memoryUsage().heapUsed / MB
}

it('the details of an entry are in its file, not in memory', async () => {
  const log = await Log.open<{ uid: string }, { body: string }>(createTemporaryFolder(), 'x')
  const before = used()
  for (let n = 1; n <= 400; n++) log.add({ uid: `x${n}` }, JSON.stringify({ body: `${n} `.repeat(25_000) }))
  expect(used() - before).toBeLessThan(10)
  expect(log.get('x7')?.body).toBe('7 '.repeat(25_000))
  log.close()
})
