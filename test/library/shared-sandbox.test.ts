import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { identifyProcess, isRunning } from '../../src/api/system/processes.ts'
import type { ChildAddress } from '../../src/main/library/child-process.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { it } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'

/** The sandbox that the processes of a test run share: one of them starts it, whatever earlier runs have left. */

const PROGRAM = join(import.meta.dirname, '../../out/main/library/child.js')

/** A process that never ends by itself, in place of a test runner. */
function startRunner(): number {
  const runner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void runner.kill('SIGKILL'))
  return runner.pid!
}

function share(folder: string, owner: number) {
  const file = join(folder, `run-${owner}.json`)
  const child = spawn(process.execPath, [PROGRAM, 'share', file, String(owner)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stderr })),
  )
  return { child, ended, file }
}

function read(file: string): ChildAddress {
  const address = JSON.parse(readFileSync(file, 'utf8')) as ChildAddress
  onTestFinished(() => {
    if (isRunning(address.process)) process.kill(address.process.pid, 'SIGKILL')
  })
  return address
}

const isAnswering = ({ control }: ChildAddress) =>
  fetch(new URL('/health', control)).then(
    ({ status }) => status === 200,
    () => false,
  )

it('the first of several processes starts it, and the others find it', async ({ folder }) => {
  const owner = startRunner()
  const all = Array.from({ length: 6 }, () => share(folder, owner))
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => ({ code: 0, stderr: '' })))
  const address = read(all[0]!.file)
  expect(await isAnswering(address)).toBe(true)
  expect(await share(folder, owner).ended).toMatchObject({ code: 0 })
  expect(read(all[0]!.file)).toEqual(address)
  expect(readdirSync(folder).toSorted(), 'no lock is left').toEqual([`run-${owner}.json`])
})

it('a process that is killed while it starts the sandbox leaves no lock', async ({ folder }) => {
  const owner = startRunner()
  const first = share(folder, owner)
  await waitFor(() => expect(readdirSync(folder).some((name) => name.endsWith('.sock'))).toBe(true))
  first.child.kill('SIGKILL')
  await first.ended
  const { ended, file } = share(folder, owner)
  expect(await ended).toMatchObject({ code: 0 })
  expect(await isAnswering(read(file))).toBe(true)
})

it('a file of an earlier run is replaced, also if another process has the pid of its sandbox, and other leftovers are removed', async () => {
  const folder = createTemporaryFolder()
  const owner = startRunner()
  const first = share(folder, owner)
  await first.ended
  const address = read(first.file)
  process.kill(address.process.pid, 'SIGKILL')
  await waitFor(() => expect(isRunning(address.process)).toBe(false))
  const reused = { ...address, process: { ...identifyProcess(owner), process_start: '1' } }
  writeFileSync(first.file, JSON.stringify(reused))
  for (const name of ['run-1.json', 'run-2.json.new']) writeFileSync(join(folder, name), JSON.stringify(reused))
  writeFileSync(join(folder, 'run-3.json'), 'null')
  const { ended, file } = share(folder, owner)
  expect(await ended).toEqual({ code: 0, stderr: '' })
  expect(await isAnswering(read(file))).toBe(true)
  expect(readdirSync(folder)).toEqual([`run-${owner}.json`])
})

it('it ends with its test runner, and removes its file', async ({ folder }) => {
  const owner = startRunner()
  const { ended, file } = share(folder, owner)
  await ended
  const address = read(file)
  process.kill(owner, 'SIGKILL')
  await waitFor(async () => expect(await isAnswering(address)).toBe(false))
  await waitFor(() => expect(existsSync(file)).toBe(false))
})
