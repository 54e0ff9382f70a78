import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { identifyProcess } from '../../src/api/system/processes.ts'
import { run, start } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'

/** What killed processes leave is removed by the next one. */

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()

it('a start removes what a killed process has left half written in the data folder, and nothing else', async () => {
  const data = createTemporaryFolder()
  const first = await startSandbox({ data, seed: 'test', world: 'empty' })
  await first.call('snapshots.keep', { name: 'one' })
  await first.call('scenarios.save', { name: 'mine', text: 'name: mine' })
  await first.close()
  const whole = filesIn(data)
  for (const name of [
    ...['world.jsonl.new', 'token-secret.new', 'scenarios/mine.yaml.new'],
    ...['snapshots/one.jsonl.new-3', 'changes/replacement.new'],
  ])
    writeFileSync(join(data, name), 'half')
  mkdirSync(join(data, 'repairing-1', 'changes'), { recursive: true })
  const own = ['notes.new', 'scenarios/notes.new', 'world.jsonl.old', 'repairing-notes']
  for (const name of own) writeFileSync(join(data, name), 'of the user')
  await (await startSandbox({ data })).close()
  expect(filesIn(data)).toEqual([...whole, ...own].toSorted())
})

const RESTART = `name: restarts
steps:
  - restart: true
  - repeat: 1000
    steps: [{ request: GET /customers }]
`

it.skipIf(process.platform === 'win32')(
  'the folder of a scenario that is killed is removed by the next process; those of running processes and other folders stay',
  async () => {
    const temporary = createTemporaryFolder()
    const env = { TMPDIR: temporary }
    const scenario = join(createTemporaryFolder(), 'restarts.yaml')
    writeFileSync(scenario, RESTART)
    const killed = start(['run', scenario], env)
    await waitFor(() => expect(filesIn(temporary).some((name) => name.endsWith('world.jsonl'))).toBe(true))
    const [left = ''] = readdirSync(temporary)
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(existsSync(join(temporary, left, 'data', 'world.jsonl'))).toBe(true)

    const here = identifyProcess(process.pid)
    const owners: Record<string, string> = {
      running: JSON.stringify(here),
      elsewhere: JSON.stringify({ ...here, host: 'container', pid_namespace: 'pid:[1]', process_start: '1' }),
      broken: '{',
      reused: JSON.stringify({ ...here, process_start: '1' }),
      rebooted: JSON.stringify({ ...here, boot_id: '00000000-0000-4000-8000-000000000000' }),
      open: JSON.stringify({ ...here, process_start: '1' }),
    }
    for (const [name, owner] of Object.entries(owners)) {
      mkdirSync(join(temporary, `sandbank-${name}`), { mode: name === 'open' ? 0o755 : 0o700 })
      writeFileSync(join(temporary, `sandbank-${name}`, 'owner.json'), owner)
    }
    mkdirSync(join(temporary, 'sandbank-of-the-user'))
    const linked = createTemporaryFolder()
    writeFileSync(join(linked, 'owner.json'), owners.reused!)
    symlinkSync(linked, join(temporary, 'sandbank-link'))
    const { code } = await run(['run', scenario], env)
    expect(code).toBe(0)
    const gone = process.platform === 'linux' ? ['reused', 'rebooted'] : ['reused']
    const stay = [...Object.keys(owners).filter((name) => !gone.includes(name)), 'link', 'of-the-user']
    expect(readdirSync(temporary).toSorted()).toEqual(stay.map((name) => `sandbank-${name}`).toSorted())
    expect(existsSync(join(linked, 'owner.json'))).toBe(true)
  },
)
