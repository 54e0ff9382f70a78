import { expect, it } from 'vitest'
import { runInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** Each command that is refused for what was typed, and the beginning of the line that says why. */

const refused: Readonly<Record<string, string>> = {
  fly: 'There is no command fly; see sandbank --help',
  sevre: 'There is no command sevre: did you mean serve? See sandbank --help',
  'help clok': 'There is no command clok: did you mean clock? See sandbank --help',
  'completion tcsh': 'completion: one of bash',

  'serve --quickly 3': "Unknown option '--quickly'; see sandbank serve --help",
  'serve --prot 3': "Unknown option '--prot': did you mean --port? See sandbank serve --help",
  'serve now': "Unexpected argument 'now'.",
  'serve --port': "Option '--port <value>' argument missing; see sandbank serve --help",
  'serve --port x': '--port: a number from 0 to 65535 is expected; found x',
  'serve --port 65536': '--port: a number from 0 to 65535 is expected; found 65536',
  'serve --start soon': '--start: an ISO 8601 instant such as ',
  'serve --start 0500-01-01': '--start: a time from 1900 to 9000 is expected; found 0500-',
  'serve --pace slow': '--pace: one of fast, real is expected; found slow',
  'serve --clock stopped': '--clock: one of running, frozen is expected; found stopped',
  'serve --world flat': '--world: one of demo, empty is expected; found flat',
  'serve --durability hope': '--durability: one of write, fsync is expected; found hope',
  'serve --allow 300.0.0.0/8': '--allow: a network such as 172.17.0.0/16 is expected; found 300.0.0.0/8',
  'serve --cors *': '--cors: the origin of a web page, such as http://localhost:5173, is expected; found *',
  'serve --cors http://localhost:5173/': '--cors: the origin of a web page, ',
  'serve --cors localhost:5173': '--cors: the origin of a web page, ',
  'serve --data x --ephemeral': '--ephemeral: one of --data and --ephemeral is expected, not both',
  'serve --ephemeral --port 0 --scenario nope': '--scenario nope: ',
  'serve --ephemeral --scenario x --seed y': '--seed: the scenario has its own world',
  'SANDBANK_PORT=x serve': '--port: a number from 0 to 65535 is expected; found x',
  'SANDBANK_OPEN=perhaps serve': 'SANDBANK_OPEN is perhaps: 1 or 0 is expected',
  'SANDBANK_DATA=x SANDBANK_EPHEMERAL=1 serve': '--ephemeral: one of --data and --ephemeral is expected, not both',
  'SANDBANK_CONTROL_KEY=abc serve': 'SANDBANK_CONTROL_KEY has 3 characters: at least 16 are expected',
  'SANDBANK_LOG_LENGTH=much serve': 'SANDBANK_LOG_LENGTH is much: a number of requests from 100 to 1000000 is expected',

  run: 'sandbank run SCENARIO... is expected; see sandbank run --help',
  'run x --speed 3': "Unknown option '--speed'; see sandbank run --help",
  'run x --junit': "Option '--junit <value>' argument missing; see sandbank run --help",
  'run x --junit=': '--junit: FILE is expected; found an empty text',
  'run x --filter=': '--filter: TEXT is expected; found an empty text',
  'run x.yaml': 'x.yaml: a file, a folder or a scenario of the library is expected (',
  'run ../openapi': '../openapi: a file, a folder or a scenario of the library is expected',

  replay: 'sandbank replay FILE is expected',
  'replay none': 'none cannot be read (ENOENT)',
  'replay x --url http://x --data y': '--url: one of --data and --url',
  'export .': '--out: the file to write is expected; see sandbank export --help',
  'import x.har': '--data: the new data folder is expected; see sandbank import --help',
  'import none --data x': 'There is no file',
  check: 'sandbank check DIR is expected',

  call: 'sandbank call GET|POST|PUT|DELETE PATH [key=value...] is expected',
  'call FLY customers': 'a method and a path, such as GET /customers, are expected; found FLY',
  'call GET customers limit': 'limit: key=value is expected',
  'call POST customers -d {': '--data: {: JSON is expected',
  'call POST customers -d {} a=b': '--data: one of --data and key=value is expected, not both',
  'call POST customers -d @none': 'none cannot be read (ENOENT)',
  'call GET C:/Git/customers': 'C:/Git/customers: this shell has replaced the first slash',
  'clock advance': 'sandbank clock advance AMOUNT... is expected; see sandbank clock --help',
  'clock fly': 'clock fly: one of advance, to, freeze, run is expected',
  'clock --no-wait': '--no-wait: clock advance or clock to is expected with it',
  control: 'sandbank control METHOD ',
  'control READ': 'a control method, such as clock.read ',
  'status -o xml': '--output: one of text, env, json is expected; found xml',
  'status --url here': '--url: the URL of a sandbox, such as ',
  'world create --from moon': '--from: one of demo, empty, hosted, current, snapshot:NAME',
  'world create --clock fast': '--clock: one of frozen, running is expected; found fast',
  'world create --start 2026-02-31': '--start: an ISO 8601 instant',
  'world list --seed x': '--seed: world create is expected with it',
  'snapshot keep': 'sandbank snapshot keep NAME is expected',
  'logs -n x': '--lines: a number from 0 to 1000 is expected; found x',
  'wait --timeout x': '--timeout: a time such as 30s is expected',
  'wait --timeout P1Y': '--timeout: a time such as 30s is expected',

  webhooks: 'webhooks: one of list, create, update, pause, activate, delete, test is expected',
  'webhooks pause': 'sandbank webhooks pause UID is expected',
  'webhooks update x': 'webhooks update: a URL, or an option such as --topic, is expected',
  'webhooks create http://127.0.0.1:9 --retry soon': '--retry: seconds separated by commas',
  'events list --lines 0': '--lines: a number from 1 to 1000 is expected; found 0',
  'events fly': 'events fly: one of list, show, resend, example, hold, release is expected',
  'listen --forward-to here': '--forward-to: an address such as ',
  'listen --forward-to http://a/?b': '--forward-to: ',
  'listen --retry x': '--retry: ',
  'SANDBANK_CONTROL_KEY=a-key-that-both-sides-know listen --url http://192.0.2.1:4010':
    'listen works with a sandbox on this machine; found http://192.0.2.1',
}

it.each(Object.entries(refused))('%s: exit 2, one line, nothing was sent', async (line, reason) => {
  const words = line.split(' ')
  const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const env = Object.fromEntries(words.slice(0, at).map((word) => word.split('=')))
  const folder = { XDG_RUNTIME_DIR: createTemporaryFolder() }
  const { code, stdout, stderr } = await runInProcess(words.slice(at), { ...folder, ...env })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr.slice(0, reason.length)).toBe(reason)
})

it.each(['call GET customers', 'listen'])('%s without a running sandbox: exit 3, and what to do', async (line) => {
  const { code, stdout, stderr } = await runInProcess(line.split(' '), { XDG_RUNTIME_DIR: createTemporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(/^No sandbox is running: start one with sandbank serve/)
})
