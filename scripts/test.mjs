// npm test: installs and builds what is missing, then runs every test. `npm test -- test/api` runs some of them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const report = join(root, 'out', 'tests.json')
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
