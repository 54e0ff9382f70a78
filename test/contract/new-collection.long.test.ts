import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// A copy of the sources with further collections is compiled: "complete" with the three edits of CONTRIBUTING.md,
// "misfit" with records that lack the field of a filter, and then "unstored" without a record type.
describe('a new collection', () => {
  const root = join(import.meta.dirname, '../..')
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
    for (const part of ['src', 'resources', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    edit('tsconfig.json', /"include": .*/, '"include": ["src"]')
    writeFileSync(
      join(copy, 'src/api/contract/resources/planted.ts'),
      `import { z } from 'zod'
       import { indexed, list } from '../terms/list.ts'
       export const Planted = z.object({ uid: z.string(), customer_uid: z.string() })
       export type Planted = z.infer<typeof Planted>
       export const plantedList = list<Planted>()({ filters: { customer_uid: indexed('customer_uid') } })
       export const row = {
         one: 'Planted', many: 'Planted', area: 'accounts', schema: Planted, list: plantedList,
         title: { name: ({ uid }: { uid?: string }) => uid },
       } as const`,
    )
    edit('src/api/contract/collections.ts', /^import type/, `import { row } from './resources/planted.ts'\n$&`)
    addRow('complete')
    addRow('misfit')
    edit('src/api/store/world.ts', /^import/, `import type { Planted } from '../contract/resources/planted.ts'\n$&`)
    edit(
      'src/api/store/world.ts',
      /^export interface RecordOf \{/m,
      "$& complete: Planted & StoredRecord; misfit: Omit<Planted, 'customer_uid'> & StoredRecord;",
    )
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  function edit(file: string, from: RegExp, to: string) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(from)
    writeFileSync(path, text.replace(from, to))
  }

  const addRow = (name: string) =>
    edit('src/api/contract/collections.ts', /^export const collections = \{/m, `$& ${name}: collection(row),`)

  function compile(): readonly string[] {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: copy,
      encoding: 'utf8',
    })
    return stdout.split(/\n(?=\S)/)
  }

  it('needs its contract file, its row and its record type, and no other edit', () => {
    // The only errors are those of the other collection, whose records do not fit their row.
    const misfit = /^src\/api\/(store\/world|domain\/resources\/show)\.ts.*misfit/s
    const errors = compile()
    expect(errors.filter((error) => !misfit.test(error))).toEqual([])
    expect(errors).toHaveLength(2)
  })

  it('does not compile without its record type', () => {
    addRow('unstored')
    edit('tsconfig.json', /"include": .*/, '"files": ["src/api/store/world.ts"]')
    expect(compile()).toContainEqual(expect.stringMatching(/^src\/api\/store\/world\.ts.*unstored/s))
  })
})
