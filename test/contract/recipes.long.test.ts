import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Compiles a copy of the sources after the edits that the recipes of CONTRIBUTING.md name, and after too few of them.
describe('the recipes of CONTRIBUTING.md', () => {
  const root = join(import.meta.dirname, '../..')
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
    for (const part of ['src', 'resources', 'out/library', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    edit('tsconfig.json', /"include": [^}]*/, '"include": ["src"]\n')
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  function edit(file: string, from: RegExp, to: string) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(from)
    writeFileSync(path, text.replace(from, to))
  }

  const insert = (file: string, after: RegExp, text: string) => edit(file, after, `$&\n${text}`)
  const addRow = (name: string) => {
    insert(
      'src/api/contract/collection-names.ts',
      /^const words = \{/m,
      `${name}: { one: 'Planted', many: 'Planted', area: 'accounts' },`,
    )
    insert('src/api/contract/collections.ts', /^export const collections = \{/m, `${name}: collection('${name}', row),`)
  }
  const addTaskKind = (name: string) =>
    insert(
      'src/api/contract/tasks.ts',
      /^export const taskKinds = \{/m,
      `'${name}': { subject: null, rule: 'Planted', section: null, glyph: 'repeats', outcomes: ['closing_balances', 'no_close'] },`,
    )
  const addMethod = (name: string) =>
    insert(
      'src/api/contract/control/methods.ts',
      /^export const methods = \{/m,
      `'${name}': method({ summary: 'Planted', input: nothing, output: z.object({ planted: z.boolean() }) }),`,
    )
  const addSetting = (name: string) =>
    insert(
      'src/api/contract/resources/programs.ts',
      /^export const ProgramSettings = z\.object\(\{/m,
      `${name}: z.boolean().meta({ description: 'Planted' }),`,
    )

  function addCollections() {
    writeFileSync(
      join(copy, 'src/api/contract/resources/planted.ts'),
      `import { z } from 'zod'
       import { indexed, list } from '../terms/list.ts'
       export const Planted = z.object({ uid: z.string(), customer_uid: z.string() })
       export type Planted = z.infer<typeof Planted>
       export const plantedList = list<Planted>()({ filters: { customer_uid: indexed('customer_uid') } })
       export const row = {
         schema: Planted, list: plantedList, title: { name: ({ uid }: { uid?: string }) => uid },
       } as const`,
    )
    edit('src/api/contract/collections.ts', /^import type/, `import { row } from './resources/planted.ts'\n$&`)
    addRow('complete')
    addRow('misfit')
    edit('src/api/store/world.ts', /^import/, `import type { Planted } from '../contract/resources/planted.ts'\n$&`)
    insert(
      'src/api/store/world.ts',
      /^interface RecordTypes \{/m,
      "complete: Planted & StoredRecord; misfit: Omit<Planted, 'customer_uid'> & StoredRecord;",
    )
  }

  function compile(): readonly string[] {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: copy,
      encoding: 'utf8',
    })
    return stdout.split(/\n(?=\S)/).filter((error) => error !== '')
  }

  it('are enough for a collection (4 files), a task kind (2), a control method (2) and a Program setting (3)', () => {
    addCollections()
    addTaskKind('plant')
    insert('src/api/time/tasks.ts', /^export const taskRunners: .*/m, "'plant': closingBalances.closeDay,")
    addMethod('planted.read')
    insert('src/api/control/methods.ts', /^ {2}return \{/m, "'planted.read': () => ({ planted: true }),")
    addSetting('planted')
    edit('resources/program.json', /^ {2}"strict"/m, '  "planted": false,\n$&')
    // The only errors are those of the other collection, whose records lack the field of its filter.
    const misfit = /^src\/api\/(store\/world|domain\/resources\/show)\.ts.*misfit/s
    const errors = compile()
    expect(errors.filter((error) => !misfit.test(error))).toEqual([])
    expect(errors).toHaveLength(2)
  })

  it('need the runner of a task kind, the implementation of a control method and the record type of a collection', () => {
    addTaskKind('unrun')
    addMethod('unanswered.read')
    const errors = compile()
    expect(errors).toContainEqual(expect.stringMatching(/^src\/api\/time\/tasks\.ts.*unrun/s))
    expect(errors).toContainEqual(expect.stringMatching(/^src\/api\/control\/methods\.ts.*unanswered/s))
    addRow('unstored')
    edit('tsconfig.json', /"include": [^}]*/, '"files": ["src/api/store/world.ts"]\n')
    expect(compile()).toContainEqual(expect.stringMatching(/^src\/api\/store\/world\.ts.*unstored/s))
  })
})
