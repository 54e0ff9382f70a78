import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
// @ts-expect-error: a program of examples/, without types
import * as gym from '../../examples/gym/run.mjs'
import type { Step } from '../../src/api/contract/scenarios.ts'
import { readScenario } from '../../src/api/scenarios/file.ts'
import { valueAt } from '../../src/api/scenarios/paths.ts'
import { fillVariables } from '../../src/api/scenarios/variables.ts'
import { connectSandbox } from '../../src/main/library/index.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { plainEnvironment, root, runCommand } from '../support/project.ts'

/** Ten tasks of the gym, solved by their references: by the tools of `sandbank mcp`, and by the command line alone. */

const TASKS = [1, 2, 3, 5, 6, 7, 8, 12, 15, 18]
const cli = join(root, 'out/main/cli.js')

/** How an agent works; each returns what the sandbox has answered. */
interface Door {
  describe(name: string): Promise<unknown>
  request(method: string, path: string, body: unknown): Promise<unknown>
  control(method: string, input: unknown): Promise<unknown>
  advance(by: string): Promise<unknown>
}

/** Counts one token as four characters. */
function createCount(begin: string) {
  const count = { calls: 0, tokens: begin.length / 4 }
  return Object.assign(count, {
    add(given: string, answered: string) {
      count.calls++
      count.tokens += (given.length + answered.length) / 4
      return answered
    },
  })
}
type Count = ReturnType<typeof createCount>

const parsed = (text: string): unknown => {
  const line = text.split('\n').find((one) => /^[{[]/.test(one))
  return line === undefined ? null : JSON.parse(line)
}

const toolDoor = (client: Client, count: Count): Door => {
  const use = async (name: string, input: object) => {
    const { content, isError } = await client.callTool({ name, arguments: input as Record<string, unknown> })
    const { text } = (content as { text: string }[])[0]!
    expect(isError, text).toBeFalsy()
    return count.add(JSON.stringify({ name, arguments: input }), text)
  }
  return {
    describe: (name) => use('describe', { name }),
    request: async (method, path, body) =>
      parsed(await use('call', { method, path, ...(body !== undefined && { body }) })),
    control: async (method, input) => parsed(await use('control', { method, input })),
    advance: (by) => use('advance', { by }),
  }
}

const commandDoor = (env: Record<string, string | undefined>, count: Count): Door => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(process.execPath, [cli, ...args], { cwd: root, env })
    expect(code, stderr).toBe(0)
    count.add(`npx sandbank ${args.join(' ')}`, stdout + stderr)
    return stdout
  }
  const parse = (text: string) => (text.trim() === '' ? null : (JSON.parse(text) as unknown))
  return {
    describe: (name) => run('describe', name),
    request: async (method, path, body) =>
      parse(await run('call', method, path, ...(body === undefined ? [] : ['-d', JSON.stringify(body)]))),
    control: async (method, input) => parse(await run('control', method, JSON.stringify(input ?? {}))),
    advance: (by) => run('clock', 'advance', by),
  }
}

const pathWith = (path: string, query: object = {}) => {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

/** Takes the steps of a scenario one by one, and describes what it uses for the first time. */
async function solve(text: string, door: Door, today: () => Promise<string>) {
  const known = new Set<string>()
  const learn = async (name: string) => {
    if (!known.has(name)) await door.describe(name)
    known.add(name)
  }
  let variables: Record<string, unknown> = {}
  const take = async (step: Step) => {
    if ('request' in step) {
      const [method = '', path = ''] = step.request.split(' ')
      if (method !== 'GET') await learn(`${method} ${path.replaceAll(/\$\w+/g, '{uid}')}`)
      const { query, body } = fillVariables(step, variables)
      return door.request(method, pathWith(fillVariables(path, variables), query as object), body)
    }
    if ('advance' in step) return door.advance(step.advance as string)
    if ('decide' in step) {
      await learn('moves.make')
      const { record, move, inputs } = fillVariables(step.decide, variables)
      const [collection, uid] = record.split('/')
      return door.control('moves.make', { collection, uid, move, ...(inputs && { inputs }) })
    }
    if (!('operator' in step)) throw new Error(`${Object.keys(step).join()}: no step of these tasks`)
    await learn(step.operator.call)
    return door.control(step.operator.call, fillVariables(step.operator.input, variables))
  }
  for (const step of readScenario(text, 'solution.yaml').scenario.steps) {
    variables = { ...variables, today: await today() }
    const output = await take(step)
    const captures = Object.entries('capture' in step ? (step.capture ?? {}) : {})
    variables = { ...variables, ...Object.fromEntries(captures.map(([name, path]) => [name, valueAt(output, path)])) }
  }
}

it('solves ten tasks by the tools and by the command line, within 6,500 tokens each', async () => {
  const env = { ...plainEnvironment(), XDG_RUNTIME_DIR: createTemporaryFolder() }
  const run = (...args: string[]) => runCommand(process.execPath, [cli, ...args], { cwd: root, env })
  const { stdout } = await run('serve', '--ephemeral', '--clock', 'frozen', '--port', '0', '--detach', '--json')
  onTestFinished(async () => void (await run('stop')))
  const { api, control_key } = JSON.parse(stdout)
  const sandbox = await connectSandbox({ url: api, control_key })
  const transport = new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env, cwd: root })
  const client = new Client({ name: 'test', version: '0.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const schemas = JSON.stringify((await client.listTools()).tools)
  const page = readFileSync(join(root, 'resources/agents.md'), 'utf8')

  const rows: string[] = []
  for (const number of TASKS) {
    const name = gym.taskNames().find((one: string) => Number(one.slice(0, 2)) === number)
    const counts: Count[] = []
    for (const [begin, open] of [
      [schemas, (count: Count) => toolDoor(client, count)],
      [page, (count: Count) => commandDoor(env, count)],
    ] as const) {
      await gym.startTask(sandbox, name)
      const count = createCount(begin)
      const today = async () => (await sandbox.control.clock.read()).now.slice(0, 10)
      await solve(gym.readTask(name, 'solution.yaml'), open(count), today)
      expect(await gym.gradeTask(sandbox, name)).toEqual([])
      counts.push(count)
      expect(count.tokens, name).toBeLessThan(6_500)
    }
    rows.push(`| ${name} | ${counts.map(({ calls, tokens }) => `${calls} | ${Math.round(tokens)}`).join(' | ')} |`)
  }
  console.info(['| Task | Calls of tools | Tokens | Commands | Tokens |', '|---|---|---|---|---|', ...rows].join('\n'))
})
