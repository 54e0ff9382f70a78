import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Reply } from '../../src/api/contract/control.ts'
import { bundlesIn, openBundle } from '../../src/main/open-bundle.ts'
import { freshFolder } from '../support/folder.ts'
import { payments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

it('tells the bundles among the arguments from the options', () => {
  expect(bundlesIn(['--port', '0', 'a.sandbank', '--data', 'there', 'B.SANDBANK'])).toEqual({
    bundles: ['a.sandbank', 'B.SANDBANK'],
    options: ['--port', '0', '--data', 'there'],
  })
})

it('opens a bundle as the present world once it is agreed to, and says why when it cannot', async () => {
  const told = await payments()
  const of = await told.customer()
  const exported = (await told.sandbox.call('bundles.export', {})) as { value: { text: string } }
  const path = join(freshFolder(), 'theirs.sandbank')
  writeFileSync(path, exported.value.text)

  const sandbox = await startSandbox({ seed: 'another' })
  const asked: string[] = []
  const complaints: string[] = []
  const desk = (agrees: boolean) => ({
    call: (name: string, input: unknown): Promise<Reply> => sandbox.call(name, input),
    ask: async (question: string) => {
      asked.push(question)
      return agrees
    },
    complain: (line: string) => void complaints.push(line),
  })
  await openBundle(path, desk(false))
  expect(sandbox.store.world.collections.customers.get(of.uid)).toBeUndefined()
  await openBundle(path, desk(true))
  expect(sandbox.store.world.collections.customers.get(of.uid)).toMatchObject({ status: 'active' })
  expect(asked).toEqual(
    Array(2).fill(`Open ${path}? Its world takes the place of the present one. Rewinding takes it back.`),
  )

  const { seq } = sandbox.store.world
  writeFileSync(path, exported.value.text.slice(0, -20))
  await openBundle(path, desk(true))
  await openBundle(`${path}.gone.sandbank`, desk(true))
  expect(complaints).toEqual([
    expect.stringMatching(/^.*theirs\.sandbank: .*(ends too early|cut off)/),
    `${path}.gone.sandbank cannot be read (ENOENT)`,
  ])
  expect(sandbox.store.world.seq).toBe(seq)
})
