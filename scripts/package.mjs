// npm run package: builds the installers for this system into dist/. `npm run package -- --dir` builds the app without an installer.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from './npm-command.mjs'
import { prepare, root } from './prepare.mjs'
import { planSigning } from './signing.mjs'

/** npm downloads it on demand, because only this command needs it. */
const BUILDER = 'electron-builder@26.17.0'
const MISSING = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|connect|cannot resolve|socket hang up/i,
    'a network that reaches GitHub',
  ],
  [
    /status code 40[34]|HTTPError: .*40[34]/i,
    'the binary of this version of Electron, which GitHub does not offer for this system',
  ],
  [/rpmbuild/, 'rpmbuild (sudo apt-get install rpm), or only the targets that you name, such as -- --linux deb'],
]

const signing = planSigning(process.platform, process.env)
for (const line of signing.leftOut) console.error(line)
prepare()
const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'))
const args = ['exec', '--yes', '--', BUILDER, '--config', 'resources/electron-builder.yml', '--publish', 'never']
const options = [`-c.electronVersion=${version}`, ...signing.options, ...process.argv.slice(2)]
const npm = npmCommand([...args, ...options])
const { status, stdout, stderr } = spawnSync(npm.command, npm.args, {
  cwd: root,
  env: signing.env,
  encoding: 'utf8',
  shell: npm.shell,
  maxBuffer: 64 << 20,
})
if (status === 0) {
  process.stdout.write(stdout)
  process.exit(0)
}
const output = `${stdout}\n${stderr}`
const [, what] = MISSING.find(([sign]) => sign.test(output)) ?? []
if (!what) process.stderr.write(`${output}\n`)
console.error(
  `The package was not built: ${what ? `it needs ${what} (Electron ${version})` : `electron-builder ended with ${status}`}`,
)
process.exit(1)
