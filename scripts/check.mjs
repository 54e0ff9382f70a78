// npm run check: format and lint, types, imports, packages, the generated files, and how large each folder is.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { architectureErrors } from './architecture.mjs'
import { budgetErrors } from './budgets.mjs'
import { assumptionErrors, stalePages } from './docs.mjs'
import { staleDocuments } from './openapi.mjs'
import { root } from './prepare.mjs'
import { supplyChainErrors } from './supply-chain.mjs'
import { writeTypes } from './types.mjs'
import { windowCodeErrors } from './window-code.mjs'

/** Runs a tool of node_modules; returns its output as an error if it fails. */
const run = (name, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', name), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return status === 0 ? [] : [`${stdout}${stderr}`]
}

const checks = {
  'Format and lint (npm run fix repairs most errors)': () =>
    run('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  Types: async () => {
    await writeTypes()
    return run('typescript/bin/tsc', '-p', '.')
  },
  'Imports go down only, each package is imported in its place, the store and the domain are deterministic': () =>
    architectureErrors(root),
  'The window: each class and attribute of a style is defined and used, native controls are only in ui/': () =>
    windowCodeErrors(root),
  'Packages and actions are pinned by digest, run no install script, and are shipped under an allowed licence': () =>
    supplyChainErrors(root),
  'resources/openapi.json and scenario.schema.json are up to date (npm run openapi)': staleDocuments,
  'Each assumption has a grade, and names the setting that varies it, if there is one': () => assumptionErrors(),
  'The generated pages of docs/ are up to date (npm run docs)': stalePages,
  'Each folder is within its budget of lines (node scripts/budgets.mjs)': budgetErrors,
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  const errors = await check()
  if (errors.length > 0) failed++
  console.log(`${errors.length > 0 ? 'FAILED' : 'ok    '} ${name}`)
  for (const error of errors) console.log(error.replaceAll(/^/gm, '       '))
}
const passed = Object.keys(checks).length - failed
mkdirSync(join(root, 'out'), { recursive: true })
writeFileSync(join(root, 'out', 'checks.json'), JSON.stringify({ passed, failed }))
process.exitCode = failed > 0 ? 1 : 0
