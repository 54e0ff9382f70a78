// npm run package: the installers of this system, in dist/. `npm run package -- --dir` leaves them unpacked. What is
// missing is said in one line.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

/** It is fetched when it is needed: nobody who runs or tests Sandbank needs it. */
const BUILDER = 'electron-builder@26.17.0'
const MISSING = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|connect|cannot resolve|socket hang up/i,
    'a network that reaches GitHub',
  ],
  [
    /status code 40[34]|HTTPError: .*40[34]/i,
    'the binary of this version of Electron, which GitHub does not hand out here',
  ],
]

prepare()
const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'))
const args = ['exec', '--yes', '--', BUILDER, '--config', 'resources/electron-builder.yml', '--publish', 'never']
const options = [`-c.electronVersion=${version}`, ...process.argv.slice(2)]
const command = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
const { status, stdout, stderr } = spawnSync(command[0], [...command.slice(1), ...args, ...options], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 64 << 20,
})
if (status === 0) {
  process.stdout.write(stdout)
  process.exit(0)
}
const said = `${stdout}\n${stderr}`
const [, what] = MISSING.find(([sign]) => sign.test(said)) ?? []
if (!what) process.stderr.write(`${said}\n`)
console.error(
  `The package was not made: ${what ? `missing is ${what} (Electron ${version})` : `electron-builder ended with ${status}`}`,
)
process.exit(1)
