import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Command } from '../../src/main/commands/command.ts'
import { commands } from '../../src/main/commands/table.ts'
import { runInProcess, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** Their answer is JSON already, is for a shell, or is a text for people. */
const WITHOUT: Readonly<Record<string, string>> = {
  control: 'always prints the answer of the method as JSON',
  status: 'has -o json',
  help: 'a text for people',
  version: 'one word',
  completion: 'a script for a shell',
  agents: 'a text for a file',
  mcp: 'speaks a protocol',
}

it('every command has --json, or a reason why not', () => {
  const without = Object.entries<Command>(commands).filter(([, { options }]) => options.json === undefined)
  expect(without.map(([name]) => name).sort()).toEqual(Object.keys(WITHOUT).sort())
})

it('with --json a command prints one document with stable keys, and nothing else, on stdout', async () => {
  const { run, line } = await serveInProcess()
  const keysOf = async (...args: string[]) => Object.keys(JSON.parse((await run(...args)).stdout) as object)
  const CALL = ['status', 'trace_id', 'body', 'operation', 'hints', 'refusal', 'repairs']
  expect(await keysOf('call', 'POST', 'customers', '--json')).toEqual(CALL)
  const refused = JSON.parse((await run('call', 'POST', 'customers', 'customer_type=primry', '--json')).stdout)
  expect(Object.keys(refused)).toEqual(CALL)
  expect(refused).toMatchObject({
    status: 400,
    operation: null,
    repairs: [{ say: 'Send "primary" as customer_type' }, {}],
  })
  const tried = ['call', 'POST', 'customers', '--json', '--dry-run']
  expect(await keysOf(...tried)).toEqual([...CALL, 'changes'])
  expect(await keysOf('token', '--json')).toEqual(['token', 'program_uid'])
  expect(await keysOf('open', '--print', '--json')).toEqual(['window'])
  expect(JSON.parse((await run('wait', '--json')).stdout)).toEqual({ api: line.api })
  const folder = join(createTemporaryFolder(), 'kept')
  await run('world', 'create', 'a')
  await run('world', 'keep', 'a', folder)
  const bundle = `${folder}.sandbank`
  const files = async (...args: string[]) => Object.keys(JSON.parse((await runInProcess(args)).stdout) as object)
  expect(await files('check', folder, '--json')).toEqual(['ok', 'files', 'damages', 'ledger'])
  expect(await files('repair', folder, '--json')).toEqual(['repaired'])
  expect(await files('export', folder, '--out', bundle, '--json')).toEqual([
    ...['file', 'exchanges', 'acts', 'commits', 'cut', 'not_masked'],
  ])
  expect(await files('import', bundle, '--data', `${folder}2`, '--json')).toEqual([
    'data',
    'since',
    'exchanges',
    'acts',
  ])
})
