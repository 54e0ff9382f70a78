import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
// @ts-expect-error: the check is plain JavaScript, so that it runs without a build.
import { architectureErrors, packagePlaces } from '../scripts/architecture.mjs'
import { table } from './support/table.ts'

const root = join(import.meta.dirname, '..')

it('imports go down only, the window imports only the contract, each outside package is imported in its place', () => {
  expect(architectureErrors(root)).toEqual([])
})

it('no package is installed with Sandbank, because the build contains them, and every place belongs to a package', () => {
  expect(packageJson).not.toHaveProperty('dependencies')
  const installed = new Set(Object.keys(packageJson.devDependencies))
  for (const name of Object.keys(packagePlaces)) if (!name.startsWith('node:')) expect(installed).toContain(name)
})

describe('reports', () => {
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
    for (const folder of ['api', 'main', 'preload', 'renderer'])
      cpSync(join(root, 'src', folder), join(copy, 'src', folder), { recursive: true })
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  const plant = (file: string, text: string): string[] => {
    const path = join(copy, 'src', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    const found = architectureErrors(copy, [file]) as string[]
    rmSync(path)
    return found
  }

  it.each(
    table(`
      an import upwards | api/domain/rules/planted.ts | import '../../http/app.ts' | api/domain/rules/planted.ts may not import api/http/app.ts: … move the code down or pass it as an argument
      a rule that imports a resource | api/domain/rules/planted.ts | import '../resources/customers.ts' | may not import api/domain/resources/customers.ts
      a re-export upwards | api/contract/planted.ts | export * from '../store/world.ts' | may not import api/store/world.ts
      a dynamic import upwards | api/store/planted.ts | void import('../domain/seed.ts') | may not import api/domain/seed.ts
      a window that imports the store | renderer/data/planted.ts | import type { World } from '../../api/store/world.ts'; export type X = World | renderer/data/planted.ts may not import api/store/world.ts
      a preload script that imports more than types of the contract | preload/planted.ts | import { client } from '../api/contract/control/client.ts'; void client | may import only types
      a package outside its place | api/domain/planted.ts | import { Decimal } from 'decimal.js'; void Decimal | may not import decimal.js: only these may: api/domain/rules/money.ts
      a package without a place | api/http/planted.ts | import 'left-pad' | imports left-pad, which has no place
      Electron in the plain host | main/cli.ts | import { app } from 'electron'; void app | main/cli.ts may not import electron
      Node in the window | renderer/data/planted.ts | import 'node:path' | may not import node:
      the disk beside store/files.ts | api/store/planted.ts | import 'node:fs' | may not import node:fs
      a control that imports state of the platform | renderer/ui/planted.tsx | import { useFeed } from '../data/feed.ts'; void useFeed | renderer/ui/planted.tsx may not import renderer/data/feed.ts
      a control that imports the contract | renderer/ui/planted.tsx | import type { Task } from '../../api/contract/resources/tasks.ts'; export type X = Task | renderer/ui/planted.tsx may not import api/contract/resources/tasks.ts
      data that imports a control | renderer/data/planted.ts | import { Amount } from '../ui/Text.tsx'; void Amount | renderer/data/planted.ts may not import renderer/ui/Text.tsx
      a form that imports a component above it | renderer/forms/planted.tsx | import { Status } from '../components/Status.tsx'; void Status | may not import renderer/components/Status.tsx
      a frame that imports a screen | renderer/frame/planted.tsx | import { Faults } from '../screens/faults/Faults.tsx'; void Faults | may not import renderer/screens/faults/Faults.tsx
      a screen that imports another screen | renderer/screens/payments/planted.tsx | void import('../faults/Faults.tsx') | may not import renderer/screens/faults/Faults.tsx: renderer/screens/payments may import
      a screen that imports the frame | renderer/screens/payments/planted.tsx | import '../../frame/shortcuts.ts' | may not import renderer/frame/shortcuts.ts
      a library of controls outside of ui/ | renderer/screens/payments/planted.tsx | import { Menu } from '@base-ui/react/menu'; void Menu | may not import @base-ui/react: only these may: renderer/ui
      a file of the window outside of its folders | renderer/planted.ts | export {} | is in no place
      a view that imports the replay | api/views/planted.ts | import '../replay/replay.ts' | may not import api/replay/replay.ts
      a scenario that imports the control methods | api/scenarios/planted.ts | import type { OperatorDoor } from '../control/door.ts'; export type X = OperatorDoor | may not import api/control/door.ts
      a view with a type that can write | api/views/planted.ts | import type { Tx } from '../store/tx.ts'; export type X = Tx | api/views/planted.ts may not import Tx: a view only reads, use ReadTx
      a view with the whole store | api/views/planted.ts | import type * as store from '../store/store.ts'; export type X = store.Store | may not import all of ../store/store.ts
      a view with the store by an inline import | api/views/planted.ts | export type X = import('../store/store.ts').Store | an inline type import is banned here
      a file without a place | shared/planted.ts | export {} | is in no place
      a file that does not exist | api/http/planted.ts | import './missing.ts' | which does not exist
      `).concat(
      ['put', 'remove', 'schedule', 'transact', 'operate', 'replaceWorld'].map((method) => [
        `a view that calls ${method}`,
        'api/views/planted.ts',
        `export const x = (tx: any) => tx.customers.${method}({})`,
        `${method} is banned here, a view only reads`,
      ]),
    ),
  )('%s', (_name, file = '', text = '', message = '') => {
    const found = plant(file, text)
    expect(found).toHaveLength(1)
    for (const part of message.split('…')) expect(found[0]).toContain(part.trim())
  })

  it.each([
    ['the wall clock', 'export const x = Date.now()', /Date\.now is banned here, use tx\.now/],
    ['the wall clock, in brackets', "export const x = Date['now']()", /Date\.now is banned/],
    ['the wall clock, as a new date', 'export const x = new Date()', /new Date\(\) without an argument is banned/],
    ['the wall clock, as Date()', 'export const x = Date()', /Date\(\) is banned/],
    ['a monotonic clock', 'export const x = performance.now()', /performance\.now is banned/],
    ['a random number', 'export const x = Math.random()', /Math\.random is banned/],
    ['a random uid', "import { randomUUID as r } from 'node:crypto'\nexport const x = r()", /randomUUID is banned/],
    ['a timer', 'setTimeout(() => {}, 1)', /setTimeout is banned here, use a task/],
    ['an async function', 'export const x = async () => {}', /an async function is banned/],
  ])('the store and the domain may not use %s', (_name, text, message) => {
    for (const place of ['api/store/planted.ts', 'api/domain/resources/planted.ts']) {
      const found = plant(place, text)
      expect(
        found.some((line) => message.test(line) && line.startsWith(place)),
        found.join('\n'),
      ).toBe(true)
    }
    const elsewhere = plant('api/http/planted.ts', text)
    expect(elsewhere, 'other folders may').toEqual([])
  })

  it('a date of a given time is allowed', () => {
    expect(plant('api/store/planted.ts', "export const x = new Date('2026-01-01')")).toEqual([])
  })
})
