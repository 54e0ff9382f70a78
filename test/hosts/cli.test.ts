import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import program from '../../resources/program.json' with { type: 'json' }
import { OptionError } from '../../src/main/commands/command.ts'
import { toSandboxOptions } from '../../src/main/options.ts'
import { parseServe, run, serve, start } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'

describe('sandbank serve --json', () => {
  it('prints one line once it listens, and nothing else on stdout', async () => {
    const { line, child, ended } = await serve(['--ephemeral'])
    expect(line).toEqual({
      api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/),
      gui: `${new URL(line.api).origin}/#key=${line.control_key}`,
      control: `${new URL(line.api).origin}/control`,
      control_key: expect.stringMatching(/^[\w-]{20,}$/),
      programs: [{ uid: program.uid, name: program.name, hmac_key: program.hmac_key }],
      data: null,
      pid: child.pid,
    })
    expect((await fetch(`${new URL(line.api).origin}/health`)).status).toBe(200)
    child.kill('SIGTERM')
    const { stdout, stderr } = await ended
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stderr).toBe('')
  })

  it('a signed POST /auth and a GET /customers work', async () => {
    const api = apiClient(await serve(['--ephemeral', '--world', 'empty']))
    expect(await api.signIn()).toMatch(/^auth-/)
    expect((await api.get('/customers')).body).toEqual({ total_count: 0, count: 0, limit: 100, offset: 0, data: [] })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends it cleanly, also while a client listens to notices',
    async (signal) => {
      const folder = createTemporaryFolder()
      const { line, child, ended } = await serve(['--data', folder])
      const notices = await fetch(`${line.control}/notices`, { headers: { 'x-control-key': line.control_key } })
      expect(notices.status).toBe(200)
      child.kill(signal)
      expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
      expect(existsSync(join(folder, 'lock'))).toBe(false)
      await notices.text().catch(() => '') // It may end or be dropped.
    },
  )

  it('--start, --seed, --clock frozen: the clock shows exactly the start', async () => {
    const { line } = await serve([
      '--ephemeral',
      '--clock',
      'frozen',
      '--start',
      '2026-11-20T09:00:00-05:00',
      '--seed',
      'x',
      '--pace',
      'real',
    ])
    const ask = async (method: string) => {
      const response = await fetch(`${line.control}/${method}`, {
        method: 'POST',
        headers: { 'x-control-key': line.control_key },
      })
      return (await response.json()) as Record<string, unknown>
    }
    expect(await ask('clock.read')).toEqual({
      now: '2026-11-20T14:00:00.000Z',
      mode: 'frozen',
      pace: 'real',
      break_on: null,
      next: null,
      due: 0,
    })
    expect(await ask('world.describe')).toMatchObject({
      seed: 'x',
      start: '2026-11-20T14:00:00.000Z',
      version: packageJson.version,
    })
  })

  it('SANDBANK_CONTROL_KEY sets the control key', async () => {
    const { line } = await serve(['--ephemeral'], { SANDBANK_CONTROL_KEY: 'a-chosen-control-key' })
    expect(line.control_key).toBe('a-chosen-control-key')
    expect(line.gui).toMatch(/#key=a-chosen-control-key$/)
  })

  it('SANDBANK_CONTROL_KEY with fewer than 16 characters is refused', async () => {
    const { code, stderr } = await run(['serve', '--ephemeral'], { SANDBANK_CONTROL_KEY: 'abc' })
    expect(code).toBe(2)
    expect(stderr).toContain('SANDBANK_CONTROL_KEY has 3 characters: at least 16 are expected')
  })

  it('SANDBANK_LOG_LENGTH sets how long the log is', async () => {
    const { line } = await serve(['--ephemeral'], { SANDBANK_LOG_LENGTH: '20000' })
    const headers = { 'x-control-key': line.control_key }
    const world = await fetch(`${line.control}/world.describe`, { method: 'POST', headers, body: '{}' })
    expect(await world.json()).toMatchObject({ log_length: 20_000 })
  })

  it('without --data the folder is created in the folder of the system for application data', async () => {
    const home = createTemporaryFolder()
    const { line } = await serve([], { XDG_CONFIG_HOME: home, APPDATA: home, HOME: home })
    expect(line.data!.startsWith(home)).toBe(true)
    expect(line.data).toMatch(/Sandbank[\\/]world$/)
    expect(readdirSync(line.data!)).toContain('world.jsonl')
  })
})

describe('sandbank serve, for people', () => {
  const isLinux = process.platform === 'linux'

  it.runIf(isLinux)(
    '--open passes the browser a file that only its owner can read, without the control key',
    async () => {
      const folder = createTemporaryFolder()
      // A browser that writes down its argument, and the mode and the text of the file.
      const browser = join(folder, 'xdg-open')
      const seen = join(folder, 'seen')
      const script = `#!/bin/sh\nfile="\${1#file://}"\n{ echo "$1"; stat -c %a "$file"; cat "$file"; } > "${seen}.new"\nmv "${seen}.new" "${seen}"\n`
      writeFileSync(browser, script, { mode: 0o700 })
      const { line, child, ended } = await serve(['--ephemeral', '--open'], { PATH: `${folder}:${process.env.PATH}` })
      await expect.poll(() => existsSync(seen)).toBe(true)
      const [address, mode, page] = readFileSync(seen, 'utf8').split('\n')
      expect(address).toMatch(/^file:\/\/.*\/open\.html$/)
      expect(address).not.toContain(line.control_key)
      expect(mode).toBe('600')
      expect(page).toContain(`content="0; url=${line.gui}"`)
      child.kill('SIGTERM')
      await ended
      expect(existsSync(fileURLToPath(address!)), 'it is removed at the end').toBe(false)
    },
  )

  it('prints addresses and keys for a person', async () => {
    const { firstLine, child, ended } = start(['serve', '--port', '0', '--ephemeral'])
    await firstLine()
    child.kill('SIGTERM')
    const { stdout } = await ended
    expect(stdout).toContain(`Sandbank ${packageJson.version}`)
    expect(stdout).toMatch(/API +http:\/\/127\.0\.0\.1:\d+\/api\/v1/)
    expect(stdout).toMatch(/Window +http:\/\/127\.0\.0\.1:\d+\/#key=/)
    expect(stdout).toContain(program.uid)
    expect(stdout, 'the HMAC key is not printed').not.toContain(program.hmac_key)
  })

  it.each([
    [['--version'], packageJson.version],
    [['--help'], 'sandbank serve [options]'],
    [[], 'sandbank serve [options]'],
    [['serve', '--help'], '--allow-host NAME'],
  ])('sandbank %s prints to stdout', async (args, text) => {
    expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringContaining(text), stderr: '' })
  })
})

describe('sandbank serve refuses in one line', () => {
  it.each([
    ['an unknown command', ['fly'], /^There is no command fly; see sandbank --help$/],
    ['an unknown option', ['serve', '--quickly', '3'], /^Unknown option '--quickly'; see sandbank serve --help$/],
    [
      'a misspelled option',
      ['serve', '--prot', '3'],
      /^Unknown option '--prot': did you mean --port\? See sandbank serve --help$/,
    ],
    ['a misspelled command', ['sevre'], /^There is no command sevre: did you mean serve\? See sandbank --help$/],
    [
      'a port that is not a number',
      ['serve', '--port', 'x'],
      /^--port: a number from 0 to 65535 is expected; found x$/,
    ],
  ])('%s: exit 2', async (_name, args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)])
  })

  // Without a process each: the tests above show the exit code.
  it.each([
    ['an option without its value', ['--port'], /^.*--port.*$/],
    ['a port that is too large', ['--port', '65536'], /^--port: a number from 0 to 65535 is expected; found 65536$/],
    [
      'a start that is not a time',
      ['--start', 'soon'],
      /^--start: an ISO 8601 instant such as \S+ is expected; found soon$/,
    ],
    [
      'a start before all calendars',
      ['--start', '0500-01-01'],
      /^--start: a time from 1900 to 9000 is expected; found 0500-/,
    ],
    ['an unknown pace', ['--pace', 'slow'], /^--pace: one of fast, real is expected; found slow$/],
    ['an unknown clock', ['--clock', 'stopped'], /^--clock: one of running, frozen is expected; found stopped$/],
    ['an unknown world', ['--world', 'flat'], /^--world: one of demo, empty is expected; found flat$/],
    ['an unknown durability', ['--durability', 'hope'], /^--durability: one of write, fsync is expected; found hope$/],
    [
      'a network that is not one',
      ['--allow', '300.0.0.0/8'],
      /^--allow: a network such as 172\.17\.0\.0\/16 is expected; found 300\.0\.0\.0\/8$/,
    ],
    [
      'any origin',
      ['--cors', '*'],
      /^--cors: the origin of a web page, such as http:\/\/localhost:5173, is expected; found \*$/,
    ],
    ['an origin with a path', ['--cors', 'http://localhost:5173/'], /^--cors: the origin of a web page, /],
    ['no scheme', ['--cors', 'localhost:5173'], /^--cors: the origin of a web page, /],
    [
      '--data with --ephemeral',
      ['--data', 'x', '--ephemeral'],
      /^--ephemeral: one of --data and --ephemeral is expected, not both$/,
    ],
    ['an unexpected word', ['now'], /^.*now.*$/],
  ])('%s', (_name, args, message) => {
    expect(() => toSandboxOptions(parseServe(args), {})).toThrow(OptionError)
    expect(() => toSandboxOptions(parseServe(args), {})).toThrow(message)
  })

  it('a log length that is not a number', async () => {
    const { code, stderr } = await run(['serve', '--ephemeral'], { SANDBANK_LOG_LENGTH: 'much' })
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 2,
      stderr: 'SANDBANK_LOG_LENGTH is much: a number of requests from 100 to 1000000 is expected',
    })
  })

  async function refusedWith(args: readonly string[], message: RegExp) {
    const { code, stdout, stderr } = await run(['serve', ...args])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)])
  }

  it('a port in use', async () => {
    const taken = createServer()
    await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', ready))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const folder = createTemporaryFolder()
    await refusedWith(
      ['--port', String(port), '--data', folder],
      new RegExp(
        `^Port ${port} is taken: pass --port with another one \\(0 takes a free one\\), or stop the other process$`,
      ),
    )
    expect(existsSync(join(folder, 'lock')), 'the folder is let go').toBe(false)
  })

  it('an address that this machine does not have', () =>
    refusedWith(
      ['--ephemeral', '--host', '192.0.2.1', '--port', '0'],
      /^192\.0\.2\.1 is not an address of this machine/,
    ))

  it('a data folder that is not writable', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    await refusedWith(
      ['--data', join(folder, 'file', 'data')],
      /^The data folder .* cannot be written \(ENOTDIR\): pass --data with a folder that can, or --ephemeral$/,
    )
  })

  it.runIf(process.platform === 'linux')('a folder that the system refuses to create', async () => {
    await refusedWith(['--data', '/proc/nope'], /^The data folder \/proc\/nope cannot be written \(ENOENT\): /)
    const junit = await run(['run', 'a-funded-customer', '--junit', '/proc/nope/results.xml'])
    expect(junit).toMatchObject({ code: 2, stderr: '--junit: /proc/nope/results.xml cannot be written (ENOENT)\n' })
  })

  it('a broken world file, which it does not overwrite', async () => {
    const folder = createTemporaryFolder()
    mkdirSync(join(folder, 'changes'))
    writeFileSync(join(folder, 'world.jsonl'), '{"sandbank":"world","version":1')
    await refusedWith(['--data', folder], /world\.jsonl.*(cannot be read|ends too early).*/)
    expect(readFileSync(join(folder, 'world.jsonl'), 'utf8')).toBe('{"sandbank":"world","version":1')
    expect(readdirSync(folder).sort()).toEqual(['changes', 'world.jsonl'])
  })

  it('a folder that another process has open, whose id it names', async () => {
    const folder = createTemporaryFolder()
    const { line } = await serve(['--data', folder])
    await refusedWith(
      ['--port', '0', '--data', folder],
      new RegExp(
        `^The data folder .* is in use by process ${line.pid}: stop that one, or pass --data with another folder$`,
      ),
    )
    expect((await fetch(`${new URL(line.api).origin}/health`)).status, 'and the first goes on').toBe(200)
  })

  it('--seed, --start and --world for a folder that contains a world', async () => {
    const folder = createTemporaryFolder()
    const { child, ended } = await serve(['--data', folder])
    child.kill('SIGTERM')
    await ended
    for (const [flag, value] of [
      ['--seed', 'x'],
      ['--start', '2026-01-01'],
      ['--world', 'empty'],
    ] as const)
      await refusedWith(['--data', folder, flag, value], new RegExp(`already contains a world.*leave ${flag} out`))
  })
})

describe('a data folder restores the sandbox', () => {
  it('after a restart: records, tokens, trace ids, the request log and the clock', async () => {
    const folder = createTemporaryFolder()
    const first = await serve(['--data', folder])
    const api = apiClient(first)
    const token = await api.signIn()
    const { body } = await api.post('/customers', { email: 'a@x.test' }, { headers: { 'x-trace-id': 'once' } })
    first.child.kill('SIGTERM')
    await first.ended

    const second = await serve(['--data', folder])
    const again = apiClient(second)
    const headers = { authorization: token }
    expect((await again.send('GET', `/customers/${body.uid}`, { headers })).body).toEqual(body)
    expect((await again.send('GET', '/customers', { headers: { ...headers, 'x-trace-id': 'once' } })).status).toBe(409)
    const log = await fetch(`${second.line.control}/exchanges.list`, {
      method: 'POST',
      headers: { 'x-control-key': second.line.control_key },
    })
    const { data } = (await log.json()) as { data: { path: string; status: number; at: string }[] }
    expect(data.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/customers 409',
      `/customers/${body.uid} 200`,
      '/customers 201',
      '/auth 201',
      '/auth 201',
    ])
    const times = data.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('after kill -9 during creates of 20 clients at once: every acknowledged Customer exists once', async () => {
    const folder = createTemporaryFolder()
    const first = await serve(['--data', folder])
    const api = apiClient(first)
    await api.get('/customers')
    const answered: string[] = []
    let sent = 0
    // Each client goes on until the kill cuts its connection.
    const createUntilCut = async () => {
      for (;;) {
        const external_uid = `c${++sent}`
        const { status, body } = await api.post('/customers', { external_uid, email: `${external_uid}@x.test` })
        if (status === 201) answered.push(String(body.uid))
        if (answered.length === 60) first.child.kill('SIGKILL')
      }
    }
    await Promise.allSettled(Array.from({ length: 20 }, createUntilCut))
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(answered.length).toBeGreaterThanOrEqual(60)

    const second = apiClient(await serve(['--data', folder]))
    const { body } = await second.get<{ data: { uid: string; external_uid: string }[] }>(
      '/customers?include_initiated=true&limit=1000',
    )
    const uids = body.data.map(({ uid }) => uid)
    expect(uids).toEqual(expect.arrayContaining(answered))
    expect(new Set(uids).size, 'none twice').toBe(uids.length)
    expect(new Set(body.data.map((customer) => customer.external_uid)).size).toBe(uids.length)
  })
})
