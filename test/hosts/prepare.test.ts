import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'

const root = join(import.meta.dirname, '../..')

it('npm test does not install into a linked node_modules, and prints one line that says what to do', () => {
  const folder = createTemporaryFolder()
  const others = createTemporaryFolder()
  writeFileSync(join(others, 'kept'), '')
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['scripts/prepare.mjs', 'scripts/npm-command.mjs', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name))
  symlinkSync(others, join(folder, 'node_modules'), 'junction')
  const script = "import('./scripts/prepare.mjs').then(({ prepare }) => prepare())"
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^\S*node_modules is a link to packages that differ from package-lock\.json: remove the link \(rm node_modules\) and run this again\n$/,
  )
  expect(readdirSync(others)).toEqual(['kept'])
})
