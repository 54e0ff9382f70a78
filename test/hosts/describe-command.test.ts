import { describe, expect, it } from 'vitest'
import { runInProcess, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** `sandbank describe` and `sandbank map`, and --help after a method and a path. */

const nowhere = () => ({ XDG_RUNTIME_DIR: createTemporaryFolder(), HOME: createTemporaryFolder() })
const run = (...args: readonly string[]) => runInProcess(args, nowhere())

describe('without a running sandbox', () => {
  it('describe prints what a name means, and where to read on', async () => {
    const { code, stdout, stderr } = await run('describe', 'POST', '/transfers')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^POST \/transfers: Initiate a Transfer\n/)
    expect(stdout).toContain('\nExample: sandbank call POST /transfers -d ')
    expect(stdout).toContain('\nSee also: transfers, ')
    expect((await run('describe', 'createTransfer')).stdout).toBe(stdout)
  })

  it('describe knows fields and paths with a uid, too', async () => {
    expect((await run('describe', 'POST /transfers ach')).stdout).toContain(
      'ach.sec_code  CCD|CIE|PPD|TEL|WEB, required',
    )
    expect((await run('describe', 'GET /transfers/hTTnNf3JyJyGipa9')).stdout).toMatch(/^GET \/transfers\/\{uid\}: /)
  })

  it.each([
    ['transferz', 'transfers'],
    ['8999', '\\d{4}'],
    ['clock.advence', 'clock.advance'],
  ])('describe %s is refused with %s, exit code 2', async (given, near) => {
    const { code, stdout, stderr } = await run('describe', given)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^describe: there is no "${given}" to describe: did you mean ${near}\\b.*\\?\n$`))
  })

  it('describe refuses a name that every object has, and the key of what completion knows, like any unknown one', async () => {
    for (const name of ['constructor', '__proto__', 'words of completion'])
      expect(await run('describe', name)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^describe: there is no /),
      })
  })

  it('describe takes the names of options as they are printed', async () => {
    const { stdout } = await run('describe', 'serve', '--port')
    expect(stdout).toMatch(/^sandbank serve .*--port/)
    expect((await run('describe', 'serve --port')).stdout).toBe(stdout)
    expect(await run('describe', 'snapshot', '--world', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\{"kind":"option"/),
    })
    expect((await run('describe', '--help')).stdout).toMatch(/^sandbank describe /)
    expect((await run('describe', 'qqqqqqqqqqqq')).stderr).toContain('; sandbank map lists every name')
    expect((await run('describe')).stdout).toContain('sandbank map lists every name.')
  })

  it('map lists every name in a line, and as JSON what describe without a name answers', async () => {
    const { stdout } = await run('map')
    expect(stdout).toContain('\n  POST /transfers  Initiate a Transfer\n')
    expect(stdout).toContain('\n  3006  Could not initiate transfer\n')
    const json = (await run('map', '--json')).stdout
    expect((await run('describe', '--json')).stdout).toBe(json)
    const { map } = JSON.parse(json) as { map: { kind: string; names: { name: string; summary: string }[] }[] }
    const lines = map.flatMap(({ kind, names }) => [
      `${kind}s (${names.length})`,
      ...names.map(({ name, summary }) => `  ${name}  ${summary}`),
    ])
    expect(stdout).toBe(`${lines.join('\n')}\n`)
  })

  it('a sandbox that was named must answer', async () => {
    const env = { ...nowhere(), SANDBANK_CONTROL_KEY: 'local-control-key', SANDBANK_URL: 'http://127.0.0.1:9' }
    expect(await runInProcess(['describe', 'POST /transfers'], env)).toMatchObject({ code: 3, stdout: '' })
  })
})

it('--help after a method and a path, or a control method, describes it', async () => {
  const [operation, method] = ['POST /customers', 'clock.advance']
  expect((await run('call', 'POST', '/customers', '--help')).stdout).toBe((await run('describe', operation)).stdout)
  expect((await run('control', method, '--help')).stdout).toBe((await run('describe', method)).stdout)
  expect((await run('call', '--help')).stdout).toMatch(/^sandbank call /)
  expect(await run('control', 'clock.advence', '--help')).toMatchObject({ code: 2, stdout: '' })
})

it('with a running sandbox the example is one of its world, and the sandbox answers the same', async () => {
  const sandbox = await serveInProcess(['--clock', 'frozen'])
  const { stdout } = await sandbox.run('describe', 'POST /transfers', '--json')
  expect((await sandbox.run('control', 'describe', 'name=POST /transfers')).stdout).toBe(stdout)
  const { text } = JSON.parse(stdout) as { text: string }
  const [, body = ''] = /-d '(.*)'$/m.exec(text) ?? []
  expect(await sandbox.run('call', 'POST', '/transfers', '-d', body)).toMatchObject({ code: 0 })
  expect((await sandbox.run('call', 'POST', '/transfers', '--help')).stdout).toContain(text)
})

it('a running sandbox knows the commands, and its map is that of the command', async () => {
  const sandbox = await serveInProcess()
  expect((await sandbox.run('control', 'describe')).stdout).toBe((await sandbox.run('map', '--json')).stdout)
})
