// npm test: installs and builds what is missing, then runs every test; campaigns in their short form.
// npm run test:long: the campaigns in their long form.
// `npm test -- test/api` runs some of the tests.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()
const isLong = process.argv.includes('--long')
const report = join(root, 'out', isLong ? 'long-tests.json' : 'tests.json')
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...(isLong ? ['--config=vitest.long.config.ts'] : []),
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(root, 'scripts', 'report-hanging.mjs')}`,
    `--reporter=${join(root, 'scripts', 'report-second-tries.mjs')}`,
    `--outputFile.json=${report}`,
    ...process.argv.slice(2).filter((arg) => arg !== '--long'),
  ],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
