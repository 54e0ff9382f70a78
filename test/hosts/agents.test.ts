import { spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { plainEnvironment, root, runCommand } from '../support/project.ts'

/** `sandbank agents` and `sandbank mcp` as processes. */

const cli = join(root, 'out/main/cli.js')
const blocks = (text: string) => [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!)

function place() {
  const env = { ...plainEnvironment(), XDG_RUNTIME_DIR: createTemporaryFolder() }
  const cwd = createTemporaryFolder()
  const run = (...args: string[]) => runCommand(process.execPath, [cli, ...args], { cwd, env })
  onTestFinished(async () => void (await run('stop')))
  return { env, cwd, run }
}

it('the commands of sandbank agents run as they are printed', async () => {
  const { env, run } = place()
  const { stdout } = await run('agents')
  const [start = '', loop = ''] = blocks(stdout)
  for (const block of [start, loop]) {
    const commands = block.replaceAll('npx sandbank', `node ${cli}`)
    const { code, stderr, stdout: printed } = await runCommand('sh', ['-e', '-c', commands], { cwd: root, env })
    expect(code, `${block}\n${stderr}`).toBe(0)
    expect(printed).not.toBe('')
  }
})

it('writes AGENTS.md once, and says when it is up to date', async () => {
  const { cwd, run } = place()
  expect((await run('agents', '--write')).stdout).toMatch(/^Written to .*AGENTS\.md\n$/)
  const first = readFileSync(join(cwd, 'AGENTS.md'), 'utf8')
  expect((await run('agents', '--write')).stdout).toMatch(/AGENTS\.md is up to date\n$/)
  expect(readFileSync(join(cwd, 'AGENTS.md'), 'utf8')).toBe(first)
})

it('says in one sentence that AGENTS.md cannot be written', async () => {
  const { cwd, run } = place()
  symlinkSync(join(cwd, 'missing', 'AGENTS.md'), join(cwd, 'AGENTS.md'))
  const { code, stderr } = await run('agents', '--write')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^\S+AGENTS\.md cannot be written \(ENOENT\)\n$/),
  })
})

it('serves the official client on stdin and stdout, also a sandbox that is started later', async () => {
  const { env, cwd, run } = place()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp'],
    env,
    cwd,
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '0.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const read = () => client.callTool({ name: 'control', arguments: { method: 'clock.read' } })
  expect(await read()).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('No sandbox is running') }],
  })
  await run('serve', '--ephemeral', '--clock', 'frozen', '--port', '0', '--detach')
  expect(await read()).toMatchObject({ content: [{ text: expect.stringContaining('"mode":"frozen"') }] })
})

it('serves by HTTP, and prints its address; a taken port is refused', async () => {
  const { env, cwd, run } = place()
  const child = spawn(process.execPath, [cli, 'mcp', '--http', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const address = await new Promise<string>((resolve) =>
    child.stdout.once('data', (line) => resolve(String(line).trim())),
  )
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  const answer = await fetch(address, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({ error: expect.stringContaining('No sandbox is running') })
  const { code, stderr } = await run('mcp', '--http', new URL(address).port)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Port \d+ is taken by another program: /)
})
