import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import program from '../../resources/program.json' with { type: 'json' }
import { run, runInProcess, serve, serveInProcess, startInProcess } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { createTemporaryFolder, isLocked } from '../support/folder.ts'
import { occupyPort } from '../support/ports.ts'
import { it } from '../support/sandbox.ts'

/** `sandbank serve`. */

describe('the process of sandbank serve --json', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints one line once it listens, and %s ends it cleanly, also while a client listens to notices',
    async (signal) => {
      const folder = createTemporaryFolder()
      const { line, child, ended } = await serve(['--data', folder])
      expect(line).toEqual({
        api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/),
        gui: `${new URL(line.api).origin}/#key=${line.control_key}`,
        control: `${new URL(line.api).origin}/control`,
        control_key: expect.stringMatching(/^[\w-]{20,}$/),
        programs: [{ uid: program.uid, name: program.name, hmac_key: program.hmac_key }],
        data: folder,
        pid: child.pid,
      })
      expect((await fetch(`${new URL(line.api).origin}/health`)).status).toBe(200)
      const notices = await fetch(`${line.control}/notices`, { headers: { 'x-control-key': line.control_key } })
      expect(notices.status).toBe(200)
      child.kill(signal)
      const { stdout, ...result } = await ended
      expect(result).toEqual({ code: 0, signal: null, stderr: '' })
      expect(stdout.trim().split('\n')).toHaveLength(1)
      expect(isLocked(folder)).toBe(false)
      await notices.text().catch(() => '') // It may end or be dropped.
    },
  )

  it('has the folder to itself: another command names its process', async ({ folder }) => {
    const { line } = await serve(['--data', folder])
    const refusal = `The data folder ${folder} is in use by process ${line.pid}: stop that one, or pass --data with another folder\n`
    expect(await runInProcess(['serve', '--port', '0', '--data', folder])).toEqual({
      code: 1,
      stdout: '',
      stderr: refusal,
    })
    const out = join(createTemporaryFolder(), 'x')
    const recording = join(createTemporaryFolder(), 'lines.txt')
    writeFileSync(recording, `curl ${line.api}/pools`)
    const toExport = ", or export it while it runs: sandbank control bundles.export '{}', whose text is the bundle"
    for (const [otherwise, ...args] of [
      [', or pass --data with another folder', 'replay', recording, '--data', folder],
      [toExport, 'export', folder, '--out', out],
      ['', 'check', folder],
      ['', 'repair', folder],
    ] as const)
      expect(await runInProcess(args), args[0]).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `The data folder ${folder} is in use by process ${line.pid}: stop that one${otherwise}\n`,
      })
    expect(existsSync(out)).toBe(false)
    expect((await fetch(`${new URL(line.api).origin}/health`)).status, 'and it goes on').toBe(200)
  })

  it.each([
    [['--version'], 0, `${packageJson.version}\n`, ''],
    [['fly'], 2, '', 'There is no command fly; see sandbank --help\n'],
    [['check', '/'], 1, '', expect.stringMatching(/^\/ is no data folder.*\n$/)],
  ])('sandbank %j: what it prints, and where, and its exit code', async (args, code, stdout, stderr) => {
    expect(await run(args)).toEqual({ code, signal: null, stdout, stderr })
  })
})

describe('sandbank serve', () => {
  it('a signed POST /auth and a GET /customers work', async () => {
    const api = apiClient(await serveInProcess(['--world', 'empty']))
    expect(await api.signIn()).toMatch(/^auth-/)
    expect((await api.get('/customers')).body).toEqual({ total_count: 0, count: 0, limit: 100, offset: 0, data: [] })
  })

  it('--start, --seed, --clock frozen: the clock shows exactly the start; the environment sets key and length of the log', async () => {
    const start = ['--clock', 'frozen', '--start', '2026-11-20T09:00:00-05:00', '--seed', 'x', '--pace', 'real']
    const env = { SANDBANK_CONTROL_KEY: 'a-chosen-control-key', SANDBANK_LOG_LENGTH: '20000' }
    const { line, run: command } = await serveInProcess(start, env)
    expect(line.control_key).toBe(env.SANDBANK_CONTROL_KEY)
    expect(line.gui).toMatch(/#key=a-chosen-control-key$/)
    const ask = async (method: string) => JSON.parse((await command('control', method)).stdout) as unknown
    expect(await ask('clock.read')).toEqual({
      now: '2026-11-20T14:00:00.000Z',
      mode: 'frozen',
      pace: 'real',
      paces: ['fast', 'real'],
      break_on: null,
      next: null,
      due: 0,
    })
    expect(await ask('world.describe')).toMatchObject({
      seed: 'x',
      start: '2026-11-20T14:00:00.000Z',
      version: packageJson.version,
      log_length: 20_000,
    })
  })

  it('without --data creates the folder in the folder of the system for application data', async () => {
    const home = createTemporaryFolder()
    const env = { XDG_RUNTIME_DIR: home, XDG_CONFIG_HOME: home, APPDATA: home, HOME: home }
    const { printed, code } = startInProcess(['serve', '--port', '0', '--json'], env)
    await code
    const { data } = JSON.parse(printed[0]!) as { data: string }
    expect(data.startsWith(home)).toBe(true)
    expect(data).toMatch(/Sandbank[\\/]world$/)
    expect(readdirSync(data)).toContain('world.jsonl')
  })

  it.runIf(process.platform === 'linux')(
    '--open passes the browser an address without the control key, which leads to the window once',
    async () => {
      const folder = createTemporaryFolder()
      const seen = join(folder, 'seen')
      const script = `#!/bin/sh\necho "$1" > "${seen}.new"\nmv "${seen}.new" "${seen}"\n`
      writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o700 })
      const { line } = await serve(['--ephemeral', '--open'], { PATH: `${folder}:${process.env.PATH}` })
      await expect.poll(() => existsSync(seen)).toBe(true)
      const address = readFileSync(seen, 'utf8').trim()
      expect(address).toMatch(new RegExp(`^${new URL(line.api).origin}/open/[\\w-]{24}$`))
      expect(await (await fetch(address)).text()).toContain(`url=/#key=${line.control_key}"`)
      expect((await fetch(address)).status).toBe(404)
    },
  )

  it('prints addresses and keys for a person', async () => {
    const { printed } = await serveInProcess(['--quiet'], {}, true)
    const text = printed.join('\n')
    expect(text).toContain(`Sandbank ${packageJson.version}`)
    expect(text).toMatch(/API +http:\/\/127\.0\.0\.1:\d+\/api\/v1/)
    expect(text).toMatch(/Window +http:\/\/127\.0\.0\.1:\d+\/#key=/)
    expect(text).toContain(program.uid)
    expect(text, 'the HMAC key is not printed').not.toContain(program.hmac_key)
  })
})

describe('sandbank serve is refused in one line', () => {
  async function expectRefused(args: readonly string[], message: RegExp) {
    const { code, stdout, stderr } = await runInProcess(['serve', '--port', '0', ...args])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)])
  }

  it('for a port in use', async () => {
    const { port } = await occupyPort()
    const folder = createTemporaryFolder()
    await expectRefused(
      ['--port', String(port), '--data', folder],
      new RegExp(
        `^Port ${port} is taken: pass --port with another one \\(0 takes a free one\\), or stop the other process$`,
      ),
    )
    expect(isLocked(folder), 'the folder is let go').toBe(false)
  })

  it('for an address that this machine does not have', () =>
    expectRefused(['--ephemeral', '--host', '192.0.2.1'], /^192\.0\.2\.1 is not an address of this machine/))

  it('for a folder that cannot be written, and so is a report', async () => {
    const file = join(createTemporaryFolder(), 'file')
    writeFileSync(file, '')
    const places = [[join(file, 'data'), 'ENOTDIR']]
    if (process.platform === 'linux') places.push(['/proc/nope', 'ENOENT'])
    for (const [data = '', code] of places) {
      const refusal = `^The data folder .* cannot be written \\(${code}\\): pass --data with a folder that can, or --ephemeral$`
      await expectRefused(['--data', data], new RegExp(refusal))
      const junit = join(data, 'results.xml')
      expect(await runInProcess(['run', 'a-funded-customer', '--junit', junit])).toEqual({
        code: 2,
        stdout: '',
        stderr: `--junit: ${junit} cannot be written (${code})\n`,
      })
    }
  })

  it('for a broken world file, which it does not overwrite', async ({ folder }) => {
    mkdirSync(join(folder, 'changes'))
    writeFileSync(join(folder, 'world.jsonl'), '{"sandbank":"world","version":1')
    await expectRefused(['--data', folder], /world\.jsonl.*(cannot be read|ends too early).*/)
    expect(readFileSync(join(folder, 'world.jsonl'), 'utf8')).toBe('{"sandbank":"world","version":1')
    expect(readdirSync(folder).sort()).toEqual(['changes', 'world.jsonl'])
  })
})

it('a data folder restores the sandbox: records, tokens, trace ids, the request log and the clock; another world is refused', async () => {
  const folder = createTemporaryFolder()
  const first = await serveInProcess(['--data', folder])
  const api = apiClient(first)
  const token = await api.signIn()
  const { body } = await api.post('/customers', { email: 'a@x.test' }, { headers: { 'x-trace-id': 'once' } })
  await first.end()
  for (const other of [
    ['--seed', 'x'],
    ['--start', '2026-01-01'],
    ['--world', 'empty'],
    ['--scenario', 'a-funded-customer'],
  ]) {
    const refused = await runInProcess(['serve', '--port', '0', '--data', folder, ...other])
    expect(refused.stderr).toMatch(new RegExp(`already contains a world.*leave ${other[0]} out.*\n$`))
    expect(refused).toMatchObject({ code: other[0] === '--scenario' ? 2 : 1, stdout: '' })
  }

  const second = await serveInProcess(['--data', folder])
  const again = apiClient(second)
  const headers = { authorization: token }
  expect((await again.send('GET', `/customers/${body.uid}`, { headers })).body).toEqual(body)
  expect((await again.send('GET', '/customers', { headers: { ...headers, 'x-trace-id': 'once' } })).status).toBe(409)
  const log = JSON.parse((await second.run('control', 'exchanges.list')).stdout) as {
    data: { path: string; status: number; at: string }[]
  }
  expect(log.data.map(({ path, status }) => `${path} ${status}`)).toEqual([
    '/customers 409',
    `/customers/${body.uid} 200`,
    '/customers 201',
    '/auth 201',
    '/auth 201',
  ])
  const times = log.data.map(({ at }) => at)
  expect(times).toEqual([...times].sort().reverse())
})
