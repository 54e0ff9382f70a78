// npm run check: format and lint, types, imports and homes, generated files. Each has a name a stranger understands.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { breaches } from './architecture.mjs'
import { stalePages } from './docs.mjs'
import { isFresh as openapiIsFresh } from './openapi.mjs'
import { root } from './prepare.mjs'
import { windowCodeErrors } from './window-code.mjs'

const runs = (name, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', name), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? [] : [`${stdout}${stderr}`]
}

const checks = {
  'Format and lint hold (npm run fix mends most)': () =>
    runs('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  'Types hold': () => runs('typescript/bin/tsc', '-p', '.'),
  'Imports run down, packages are at home, the world asks no clock': () => breaches(root),
  'The window: each class is defined and used, native controls are in ui/': () => windowCodeErrors(root),
  'resources/openapi.json is what the contract prints (npm run openapi)': async () =>
    (await openapiIsFresh()) ? [] : ['it is stale'],
  'The generated pages of docs/ are up to date (npm run docs)': stalePages,
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  const complaints = await check()
  if (complaints.length > 0) failed++
  console.log(`${complaints.length > 0 ? 'FAILED' : 'ok    '} ${name}`)
  for (const complaint of complaints) console.log(complaint.replaceAll(/^/gm, '       '))
}
const passed = Object.keys(checks).length - failed
mkdirSync(join(root, 'out'), { recursive: true })
writeFileSync(join(root, 'out', 'checks.json'), JSON.stringify({ passed, failed }))
process.exitCode = failed > 0 ? 1 : 0
