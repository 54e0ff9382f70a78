import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { Command } from '../../src/main/commands/command.ts'
import { checkNode } from '../../src/main/commands/doctor.ts'
import { commands } from '../../src/main/commands/table.ts'
import { CLI, runInProcess, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { findFreePort, occupyPort } from '../support/ports.ts'

/** `sandbank help`, `version`, `completion` and `doctor`. */

const table: Readonly<Record<string, Command>> = commands
const names = Object.keys(table)

describe('every command', () => {
  it('is in sandbank --help, with its summary', async () => {
    const { code, stdout } = await runInProcess(['help'])
    expect(code).toBe(0)
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}sandbank ${name}\\b.* {2}\\S`, 'm'))
    for (const args of [['--help'], []]) expect(await runInProcess(args)).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  it.each(names)('%s: its help has its options, by help and by --help', async (name) => {
    const { code, stdout, stderr } = await runInProcess(['help', name])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.startsWith(`sandbank ${name}`)).toBe(true)
    for (const option of Object.keys(table[name]!.options)) expect(stdout).toContain(`--${option}`)
    for (const line of stdout.split('\n')) if (!line.startsWith('The library: ')) expect(line.length).toBeLessThan(160)
    expect((await runInProcess([name, '--help'])).stdout).toBe(stdout)
  })

  it('version prints what --version prints', async () => {
    for (const name of ['version', '--version', '-v'])
      expect(await runInProcess([name])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })
})

describe('completion', () => {
  const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0
  const scriptOf = async (shell: string) => (await runInProcess(['completion', shell])).stdout

  it.each(['bash', 'zsh', 'fish'])('for %s names every command and option', async (shell) => {
    const script = await scriptOf(shell)
    for (const [name, { options }] of Object.entries(table)) {
      expect(script).toContain(name)
      for (const option of Object.keys(options)) expect(script).toContain(option)
    }
  })

  it.runIf(isInstalled('bash'))('completes commands, options, values and words in bash', async () => {
    const script = await scriptOf('bash')
    const complete = (...words: string[]) => {
      const set = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}`
      return String(execFileSync('bash', ['-c', `${script}\n${set}; _sandbank; printf '%s\\n' "\${COMPREPLY[@]}"`]))
        .trim()
        .split('\n')
    }
    expect(complete('sandbank', 'se')).toEqual(['serve'])
    expect(complete('sandbank', 'serve', '--cl')).toEqual(['--clock'])
    expect(complete('sandbank', 'serve', '--clock', '')).toEqual(['running', 'frozen'])
    expect(complete('sandbank', 'clock', 'ad')).toEqual(['advance'])
    expect(complete('sandbank', 'help', 'snap')).toEqual(['snapshot'])
    expect(complete('sandbank', 'check', '/et')).toEqual(['/etc'])
  })

  it.runIf(isInstalled('bash'))('completes paths, fields, values and uids of the running world in bash', async () => {
    const { env, run } = await serveInProcess()
    const [{ uid }] = JSON.parse((await run('call', 'GET', 'customers', 'limit=1')).stdout).data
    const script = (await run('completion', 'bash')).stdout
    const shell = promisify(execFile)
    // As readline breaks the line into words.
    const complete = async (line: string) => {
      const words = line.match(/[^\s=]+|=|(?<=\s)$/g) ?? []
      const set = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}`
      const at = `COMP_LINE='${line}'; COMP_POINT=${line.length}`
      const command = `sandbank() { "${process.execPath}" "${CLI}" "$@"; }`
      const text = `${command}\n${script}\n${set}; ${at}; _sandbank; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = await shell('bash', ['-c', text], { env: { ...process.env, ...env } })
      return stdout.trim().split('\n')
    }
    expect(await complete('sandbank call PO')).toEqual(['POST'])
    expect(await complete('sandbank call POST /transf')).toEqual(['/transfers'])
    expect(await complete('sandbank call GET custom')).toEqual(expect.arrayContaining(['customers', 'customers/']))
    expect(await complete('sandbank call GET /customers/')).toContain(`/customers/${uid}`)
    expect(await complete('sandbank call POST /transfers ach.sec')).toEqual(['ach.sec_code='])
    expect(await complete('sandbank call POST /transfers ach.sec_code=')).toEqual(['CCD', 'CIE', 'PPD', 'TEL', 'WEB'])
    expect(await complete('sandbank call --trace-id x GET /transfers status=se')).toEqual(['settled'])
    expect(await complete('sandbank call POST /returns requesting_customer_uid=')).toContain(uid)
    expect(await complete('sandbank control clock.s')).toEqual(['clock.set'])
    expect(await complete('sandbank control clock.set mode=f')).toEqual(['frozen'])
    expect(await complete('sandbank control tasks.hold ui')).toEqual(['uid='])
    expect(await complete('sandbank control tasks.hold uid=')).not.toEqual([''])
    expect(await complete('sandbank control records.list collection=transac')).toEqual(
      expect.arrayContaining(['transactions', 'transaction_events']),
    )
    expect(await complete('sandbank control why collection=customers uid=')).toContain(uid)
    expect(await complete('sandbank control moves.make collection=customers uid=')).toContain(uid)
    expect(await complete('sandbank reach transacti')).toContain('transactions=')
    expect(await complete('sandbank reach transactions=ret')).toEqual(['returned'])
    expect(await complete('sandbank reach transactions=returned code=R1')).toContain('R10')
    expect(await complete('sandbank reach error=300')).toContain('3006')
    expect(await complete('sandbank reach transactions=settled customer=')).toContain(uid)
    expect(await complete('sandbank trigger transfers.rtp_s')).toEqual(['transfers.rtp_settlement'])
    expect(await complete('sandbank describe 300')).toEqual(expect.arrayContaining(['3006']))
    expect(await complete('sandbank describe PUT /transf')).toEqual(['/transfers/'])
  })

  it('of words is empty for another command, and has no uids without a running sandbox', async () => {
    const words = async (line: string) =>
      (await runInProcess(['completion', 'words', line], { XDG_RUNTIME_DIR: createTemporaryFolder() })).stdout
    expect(await words('sandbank status ')).toBe('')
    expect(await words('sandbank call GET /customers/')).toBe('')
    expect(await words('sandbank call GET /customers customer_t')).toBe('customer_type=\n')
  })

  it.runIf(isInstalled('zsh'))('is a script that zsh reads', async () => {
    const setUp = 'autoload -Uz compinit; compinit -u -D'
    execFileSync('zsh', ['-f', '-c', `${setUp}\n${await scriptOf('zsh')}\n[[ $_comps[sandbank] == _sandbank ]]`])
  })

  it.runIf(isInstalled('fish'))('completes commands and options in fish', async () => {
    const script = await scriptOf('fish')
    const complete = (line: string) =>
      String(execFileSync('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`]))
    expect(complete('sandbank ser')).toMatch(/^serve\t/)
    expect(complete('sandbank serve --cl')).toMatch(/^--clock\t/m)
  })

  for (const shell of ['zsh', 'fish'])
    if (!isInstalled(shell)) it.skip(`in ${shell} is not tested: it is not installed`, () => {})
})

describe('doctor', () => {
  const surroundings = async (): Promise<NodeJS.ProcessEnv> => {
    const folder = createTemporaryFolder()
    return {
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: folder,
      APPDATA: folder,
      SANDBANK_PORT: String(await findFreePort()),
    }
  }

  it('finds everything in order, and removes what ended sandboxes have left', async () => {
    const env = await surroundings()
    const { code, stdout } = await runInProcess(['doctor'], env)
    expect(code, stdout).toBe(0)
    for (const line of [
      /^ok {4}Node /m,
      /^ok {4}The data folder .* can be created$/m,
      /^ok {4}No sandbox is running$/m,
      /^ok {4}Port \d+ is free$/m,
    ])
      expect(stdout).toMatch(line)
    expect(JSON.parse((await runInProcess(['doctor', '--json'], env)).stdout)).toMatchObject({ ok: true })
  })

  it('says for each problem what was found, what was expected and what to do; exit 1', async () => {
    const env = await surroundings()
    const runtime = join(env.XDG_RUNTIME_DIR!, 'sandbank')
    mkdirSync(runtime)
    chmodSync(runtime, 0o755)
    const file = join(env.XDG_RUNTIME_DIR!, 'file')
    writeFileSync(file, '')
    const { code, stdout } = await runInProcess(['doctor'], {
      ...env,
      SANDBANK_PORT: String((await occupyPort()).port),
      SANDBANK_DATA: join(file, 'data'),
      SANDBANK_PROT: '1',
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}The data folder .*: .*file is a file, a folder is expected$/m)
    expect(stdout).toMatch(/^FAIL {2}SANDBANK_PROT is set, which no command reads: did you mean SANDBANK_PORT\?$/m)
    expect(stdout).toMatch(
      /^FAIL {2}Port \d+ is taken by another program: \d+ is free; pass it to sandbank serve --port$/m,
    )
    if (process.platform !== 'win32')
      expect(stdout).toMatch(/^FAIL {2}The folder of runtime files .* has mode 755, 700 is expected: chmod 700 /m)
    expect(stdout).toMatch(/\d problems found\.\n$/)
  })

  it('describes a running sandbox', async () => {
    const { run, line } = await serveInProcess([], await surroundings())
    const { stdout } = await run('doctor')
    expect(stdout).toContain(
      `The sandbox at ${new URL(line.api).origin}, process ${process.pid}, answers; version ${packageJson.version}`,
    )
  })

  it('knows the oldest Node that works', () => {
    expect(['20.18.9', '18.20.0', '20.19.0', '22.0.0'].map((node) => checkNode({ node }).ok)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})
