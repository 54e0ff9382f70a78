import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ControlReply } from '../../src/api/contract/control/client.ts'
import { openFile } from '../../src/main/open-file.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { setUpPayments } from '../support/payments.ts'
import { it, startSandbox } from '../support/sandbox.ts'

it('imports a bundle as the current world after a confirmation, and reports why it cannot', async () => {
  const told = await setUpPayments()
  const of = await told.customer()
  const exported = (await told.sandbox.call('bundles.export', {})) as { value: { text: string } }
  const path = join(createTemporaryFolder(), 'theirs.sandbank')
  writeFileSync(path, exported.value.text)

  const sandbox = await startSandbox({ seed: 'another' })
  const asked: string[] = []
  const errors: string[] = []
  const went: string[] = []
  const desk = (agrees: boolean) => ({
    call: (name: string, input: unknown): Promise<ControlReply> => sandbox.call(name, input),
    ask: async (question: string) => {
      asked.push(question)
      return agrees
    },
    showError: (line: string) => void errors.push(line),
    go: (address: string) => void went.push(address),
  })
  await openFile(path, desk(false))
  expect(sandbox.store.world.collections.customers.get(of.uid)).toBeUndefined()
  await openFile(path, desk(true))
  expect(sandbox.store.world.collections.customers.get(of.uid)).toMatchObject({ status: 'active' })
  expect(asked).toEqual(
    Array(2).fill(`Open ${path}? Its world replaces the current one. Undo brings the current one back.`),
  )

  const { seq } = sandbox.store.world
  writeFileSync(path, exported.value.text.slice(0, -20))
  await openFile(path, desk(true))
  await openFile(`${path}.gone.sandbank`, desk(true))
  expect(errors).toEqual([
    expect.stringMatching(/^.*theirs\.sandbank: .*(ends too early|cut off)/),
    `${path}.gone.sandbank cannot be read (ENOENT)`,
  ])
  expect(sandbox.store.world.seq).toBe(seq)
  expect(went, 'where the requests of the bundle are').toEqual(['#/requests'])
})

it('saves a scenario, and asks before it replaces another', async ({ sandbox }) => {
  const path = join(createTemporaryFolder(), 'my steps.yaml')
  const scenario = (title: string) => `scenario: ${title}\nsteps:\n  - advance: PT1H\n`
  const asked: string[] = []
  const errors: string[] = []
  const went: string[] = []
  const open = (agrees: boolean) =>
    openFile(path, {
      call: (name, input) => sandbox.call(name, input),
      ask: async (question) => asked.push(question) > 0 && agrees,
      showError: (line) => void errors.push(line),
      go: (address) => void went.push(address),
    })
  const kept = async () =>
    ((await sandbox.call('scenarios.read', { name: 'my-steps' })) as { value: { text: string } }).value.text

  writeFileSync(path, scenario('One'))
  await open(true)
  await open(true)
  expect([asked, went]).toEqual([[], ['#/scenarios/my-steps', '#/scenarios/my-steps']])
  writeFileSync(path, scenario('Two'))
  await open(false)
  expect(await kept()).toBe(scenario('One'))
  await open(true)
  expect(await kept()).toBe(scenario('Two'))
  expect(asked).toEqual(Array(2).fill(`Replace your scenario my-steps with ${path}?`))
  expect(errors).toEqual([])
})
