import { expect, it, vi } from 'vitest'
import { TraceIds } from '../../src/api/http/trace-ids.ts'
import type { RecentCommit } from '../../src/api/store/data-folder.ts'
import { files } from '../../src/api/store/files.ts'
import { createTemporaryFolder } from '../support/folder.ts'

const NOW = Date.parse('2026-08-14T14:00:00.000Z')
const PROGRAM = 'Program123456789'

it('a trace id that was used after a reset is still used after a restart, also if the disk failed in between', async () => {
  const folder = createTemporaryFolder()
  const traces = await TraceIds.open(folder)
  traces.save(traces.use(PROGRAM, 'before', NOW))
  traces.clear(5)
  const rename = vi.spyOn(files, 'rename').mockImplementationOnce(() => {
    throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
  })
  expect(() => traces.save(traces.use(PROGRAM, 'refused', NOW))).toThrow('the disk is full')
  expect(rename).toHaveBeenCalledOnce()
  traces.save(traces.use(PROGRAM, 'after', NOW))
  rename.mockRestore()
  traces.close()

  const reset = { seq: 5, at: new Date(NOW).toISOString(), cause: { door: 'operator', name: 'world.reset' } }
  const again = await TraceIds.open(folder, { recent: [reset as unknown as RecentCommit] })
  expect(() => again.use(PROGRAM, 'after', NOW)).toThrow()
  again.use(PROGRAM, 'before', NOW)
  again.use(PROGRAM, 'refused', NOW)
  again.close()
})
