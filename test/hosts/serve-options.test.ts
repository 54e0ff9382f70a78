import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Program } from '../../src/api/contract/resources/programs.ts'
import { identifyProcess, isRunning } from '../../src/api/system/processes.ts'
import { CLI, run, runInProcess, type ServeOutput, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** Options of `serve` for daily work, and servers that another program starts. */

it('sandbank serve --clock frozen --ephemeral begins on a fixed Monday morning, as run does', async () => {
  const { run: command } = await serveInProcess(['--clock', 'frozen'])
  expect((await command('clock')).stdout).toMatch(/^2026-11-23T15:00:00\.000Z {2}frozen/)
})

describe('sandbank serve --scenario', () => {
  it('begins after a scenario of the library, whose requests are in the log', async () => {
    const { run: command } = await serveInProcess(['--scenario', 'a-funded-customer'])
    expect((await command('clock')).stdout).toContain('frozen')
    const { total_count } = JSON.parse((await command('control', 'records.list', 'collection=customers')).stdout)
    expect(total_count).toBeGreaterThan(0)
    expect((await command('logs')).stdout).toContain('POST    /customers')
  })

  it('begins after the scenario of a file; --clock runs it on', async () => {
    const file = join(createTemporaryFolder(), 'one.yaml')
    writeFileSync(file, 'name: One\nsteps:\n  - advance: PT24H\n')
    const { run: command } = await serveInProcess(['--scenario', file, '--clock', 'running'])
    expect((await command('clock')).stdout).toMatch(/^2026-11-24T\S+ {2}running/)
  })

  it('refuses to begin after a scenario that fails', async () => {
    const file = join(createTemporaryFolder(), 'fails.yaml')
    writeFileSync(file, 'name: Fails\nsteps:\n  - request: GET /customers\n    expect: { status: 418 }\n')
    const refused = await runInProcess(['serve', '--ephemeral', '--port', '0', '--scenario', file])
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^--scenario .*: ✗ Fails/) })
  })
})

describe('sandbank serve --as hosted', () => {
  it('behaves as the hosted sandbox, and sandbank migration lists what differs there', async () => {
    const { run: command } = await serveInProcess(['--as', 'hosted'])
    expect((await command('migration')).stdout).toContain('Nothing is logged yet')
    expect(await command('call', 'POST', 'customers', 'email=ada@example.test')).toMatchObject({ code: 1 })
    expect((await command('migration')).stdout).toMatch(
      /^No POST \/customers\.\n {2}1 request: x\d+\n {2}There: 403, code 1018: .*\n {2}To do: .*\n\n1 rules?, by 2 requests/,
    )
  })

  it.each([
    ['--world', 'demo', /^--as: .* leave --world out/],
    ['--pace', 'real', /^--pace: payments take seconds/],
    ['--program', `AppProgram234567:the-key-of-the-app`, /^--program: .* leave --program out/],
    ['--scenario', 'a-funded-customer', /^--as: the scenario has its own world.* leave --as out/],
  ])('with %s %s it is refused', async (name, value, expected) => {
    const refused = await runInProcess(['serve', '--ephemeral', '--port', '0', '--as', 'hosted', name, value])
    expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(expected) })
    expect(refused.code).not.toBe(0)
  })
})

const UID = 'AppProgram234567'
const KEY = 'the-key-of-the-app:with-a-colon'

describe('sandbank serve --program UID:KEY', () => {
  it('adds a Program with the uid and the key of an app whose settings are fixed, also when it is started again', async () => {
    const data = createTemporaryFolder()
    for (const expected of [2, 2]) {
      const { line, run: command, end } = await serveInProcess(['--data', data, '--program', `${UID}:${KEY}`])
      const own = line.programs.find(({ uid }) => uid === UID)
      expect([line.programs.length, own?.hmac_key]).toEqual([expected, KEY])
      expect((await command('call', 'GET', 'products', '--program', UID)).code).toBe(0)
      await end()
    }
    const refused = await runInProcess([
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--program',
      `${UID}:another-key-of-the-app`,
    ])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--program: .* has another key/) })
  })

  it.each([
    ['no-colon-in-it-anywhere', /a uid and a key of at least 16 characters are expected/],
    [`${UID}:short`, /a uid and a key of at least 16 characters are expected/],
    [`not-a-uid:${KEY}`, /uid/],
  ])('refuses %s', async (text, reason) => {
    const refused = await runInProcess(['serve', '--ephemeral', '--port', '0', '--program', text])
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) })
    expect(refused.stderr).not.toContain(KEY)
  })
})

describe('sandbank serve --hard-mode SEED', () => {
  it('draws for the first Program and that of --program, and prints what it has drawn', async () => {
    const { run: command, printed } = await serveInProcess(
      ['--hard-mode', '7', '--program', `${UID}:${KEY}`, '--quiet'],
      {},
      true,
    )
    const { programs } = JSON.parse((await command('control', 'programs.list')).stdout) as { programs: Program[] }
    expect(programs.map(({ hard_mode, list_order }) => [hard_mode, list_order])).toEqual([
      ['7', programs[0]!.list_order],
      ['7', programs[0]!.list_order],
    ])
    const drawn = programs[0]!.drawn_settings.map((name) => `${name} ${programs[0]![name]}`)
    expect(drawn).toHaveLength(10)
    for (const text of [printed.join('\n'), (await command('status')).stdout])
      expect(text.split(`hard mode 7: ${drawn.join(', ')}`)).toHaveLength(3)
  })

  it.each([
    [
      ['--hard-mode', 'a b'],
      /^--hard-mode: 1 to 64 letters, digits, dots, dashes and underscores.* are expected; found a b/,
    ],
    [['--hard-mode', ''], /^--hard-mode: .*found an empty text/],
    [
      ['--hard-mode', '7', '--scenario', 'x.yaml'],
      /^--hard-mode: the scenario sets up its own world: write `given:.*leave --scenario out/,
    ],
  ])('%j is refused, with what to do', async (args, reason) => {
    const refused = await runInProcess(['serve', '--ephemeral', '--port', '0', ...args])
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) })
  })
})

describe('request lines', () => {
  it('are printed in a terminal: time, method, path, status, what was done; not with --quiet or --json', async () => {
    const linesOf = async (args: string[], env: NodeJS.ProcessEnv = { NO_COLOR: '1' }) => {
      const { run: command, printed } = await serveInProcess(args, env, true)
      await command('call', 'GET', 'pools', '--url', printed.join('\n').match(/http:\/\/127\.0\.0\.1:\d+/)![0])
      return printed.slice(1).filter(Boolean)
    }
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
    expect(await linesOf([])).toEqual([
      expect.stringMatching(new RegExp(`^${time} {2}POST {4}/auth {2}201 {2}token for .* ms$`)),
      expect.stringMatching(new RegExp(`^${time} {2}GET {5}/pools {2}200 .* ms$`)),
    ])
    expect(await linesOf([], {})).toContainEqual(expect.stringContaining('\x1b[32m200\x1b[39m'))
    expect(await linesOf(['--quiet'])).toEqual([])
    expect(await linesOf(['--json'])).toEqual([])
  })

  it('of a named world end in its name', async () => {
    const { run: command, printed } = await serveInProcess([], { NO_COLOR: '1' }, true)
    const url = printed.join('\n').match(/http:\/\/127\.0\.0\.1:\d+/)![0]
    for (const name of ['first', 'second']) await command('world', 'create', name, '--url', url)
    await command('call', 'GET', 'pools', '--url', `${url}/worlds/second`)
    await command('world', 'drop', 'first', '--url', url)
    expect(printed.slice(1).filter((line) => line.includes('GET'))).toEqual([
      expect.stringMatching(/ GET {5}\/pools {2}200 .* second {2}[\d.]+ ms$/),
    ])
  })
})

describe('a server', () => {
  const isAlive = (pid: number) => isRunning({ ...identifyProcess(pid), process_start: null })
  const pids: number[] = []
  const track = (line: string) => {
    const output = JSON.parse(line) as ServeOutput
    pids.push(output.pid)
    onTestFinished(() => {
      if (isAlive(output.pid)) process.kill(output.pid, 'SIGKILL')
    })
    return output
  }

  it('with --detach goes on after the command, and stop ends it', async () => {
    const env = { XDG_RUNTIME_DIR: createTemporaryFolder() }
    const { code, stdout, stderr } = await run(
      ['serve', '--ephemeral', '--port', '0', '--detach', '--json', '--program', `${UID}:${KEY}`],
      env,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { pid, api, programs } = track(stdout)
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
    expect(programs.map(({ uid }) => uid)).toContain(UID)
    if (process.platform === 'linux') expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(KEY)
    expect(await runInProcess(['stop'], env)).toEqual({
      code: 0,
      stdout: `Stopped ${new URL(api).origin}\n`,
      stderr: '',
    })
    expect(isAlive(pid)).toBe(false)
    const failed = await run(['serve', '--host', '192.0.2.1', '--ephemeral'], { ...env, SANDBANK_DETACH: '1' })
    expect(failed).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('192.0.2.1 is not an address of this machine'),
    })
  })

  /** A program that starts a server, prints the server's line, and lives until it is killed. */
  const parentOf = (options: string, title = '') => `
    process.title = ${JSON.stringify(title)} || process.title
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, [${JSON.stringify(CLI)}, 'serve', '--ephemeral', '--world', 'empty', '--port', '0', '--json'], ${options})
    child.stdout.pipe(process.stdout)
    setInterval(() => {}, 1000)`

  const firstLine = (child: ChildProcess) =>
    new Promise<string>((resolve, reject) => {
      let text = ''
      child.stdout!.on('data', (chunk) => (text += String(chunk)).includes('\n') && resolve(text.split('\n')[0]!))
      child.on('close', () => reject(new Error(`It has printed ${text}`)))
    })

  function startParent(command: string, args: readonly string[]) {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  const node = (script: string) => startParent(process.execPath, ['-e', script])

  it.runIf(process.platform === 'linux')(
    'that another program started ends when that program is killed; not one that a shell or a program left to itself',
    async () => {
      const nested = `{ stdio: ['ignore', 'pipe', 'inherit'] }`
      const npx = `process.title = 'npm exec sandbank serve'
        const child = require('node:child_process').spawn('sh', ['-c', '"${process.execPath}" "${CLI}" serve --ephemeral --world empty --port 0 --json; true'], { stdio: 'inherit' })
        child.on('exit', () => process.exit())`
      const ending = [
        node(parentOf(nested)),
        node(parentOf(`{ stdio: ['pipe', 'pipe', 'inherit'], detached: true }`)),
        // A test runner that starts npx, which starts a shell.
        node(`const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(npx)}], { stdio: ['ignore', 'pipe', 'inherit'] })
          child.stdout.pipe(process.stdout)
          setInterval(() => {}, 1000)`),
      ]
      const staying = [
        node(parentOf(`{ stdio: ['ignore', 'pipe', 'inherit'], detached: true }`)),
        startParent('sh', [
          '-c',
          `"${process.execPath}" "${CLI}" serve --ephemeral --world empty --port 0 --json & wait`,
        ]),
      ]
      const lines = await Promise.all([...ending, ...staying].map(firstLine))
      const servers = lines.map((line) => track(line).pid)
      for (const child of [...ending, ...staying]) child.kill('SIGKILL')
      await expect.poll(() => servers.slice(0, ending.length).map(isAlive)).toEqual(ending.map(() => false))
      // They had as much time as the others.
      expect(servers.slice(ending.length).map(isAlive)).toEqual(staying.map(() => true))
    },
  )
})
