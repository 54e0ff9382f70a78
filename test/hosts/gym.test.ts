import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { plainEnvironment, root, runCommand } from '../support/project.ts'

/** The program of examples/gym with a running sandbox, as its README says. */

const cli = join(root, 'out/main/cli.js')
const program = join(root, 'examples/gym/run.mjs')

it.each([['grade', '99'], ['bogus'], ['start']])('refuses %s %s with exit code 2', async (...args) => {
  const { code, stdout, stderr } = await runCommand(process.execPath, [program, ...args], { cwd: root })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('run.mjs grade 07')
})

it('prints its help', async () => {
  expect(await runCommand(process.execPath, [program, '--help'], { cwd: root })).toMatchObject({ code: 0, stderr: '' })
})

it('starts a task in the running sandbox, and grades it before and after', async () => {
  const env = { ...plainEnvironment(), XDG_RUNTIME_DIR: createTemporaryFolder() }
  const run = (file: string, ...args: string[]) => runCommand(process.execPath, [file, ...args], { cwd: root, env })
  expect((await run(program, 'start', '1')).stderr).toContain('No sandbox is running')
  await run(cli, 'serve', '--ephemeral', '--clock', 'frozen', '--port', '0', '--detach')
  try {
    expect((await run(program, 'start', '9')).stdout).toMatch(/^# One request got lost\n/)
    const before = await run(program, 'grade', '9')
    expect(before).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^not solved 09-.*\n {2}.*expected 4, found 3/),
    })
    await run(cli, 'call', 'POST', 'customers', 'external_uid=crm-3', 'email=crm-3@example.test')
    expect(await run(program, 'grade', '9')).toMatchObject({ code: 0, stdout: 'solved     09-duplicate-trace-id\n' })
  } finally {
    await run(cli, 'stop')
  }
})
