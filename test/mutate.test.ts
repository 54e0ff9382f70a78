import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { transformWithOxc } from 'vite'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: the commands of bench/ are plain JavaScript, so that they run without a build.
import { chooseDefects, findSites, plantAll } from '../bench/mutate/sites.mjs'

interface Site {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly before: string
  readonly after: string
}
interface Defect extends Site {
  readonly path: string
  readonly number: number
  readonly name: string
}

const api = join(import.meta.dirname, '../src/api')
const files = readdirSync(api, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(api, path), 'utf8') }))

const sitesOf = (text: string): Site[] => findSites('sample.ts', text)

/** The result of the function `sample` of a text with one planted defect; without one for -1. */
async function runWith(text: string, planted: number, ...args: unknown[]): Promise<unknown> {
  const defects = sitesOf(text)
    .map((site, number) => ({ ...site, number }))
    .filter(({ number }) => number === Math.max(planted, 0))
  const code = plantAll(text, defects, 'planted').replace(/^import .*?; /, '') as string
  const { code: javascript } = await transformWithOxc(code, 'sample.ts')
  const sample = new Function('isPlanted', `${javascript.replace('export ', '')}\nreturn sample`)(
    (number: number) => number === planted,
  ) as (...args: unknown[]) => unknown
  return sample(...args)
}

describe('sites of defects', () => {
  it.each([
    ['a boundary', 'export const sample = (a: number) => { return a < 3 }', 'operator', 3, false, true],
    [
      'a condition',
      'export function sample(a: boolean) { if (a) return 1; return 2 }',
      'condition negated',
      true,
      1,
      2,
    ],
    ['a constant', 'export function sample() { return 41 }', 'constant', 0, 41, 42],
    ['a statement', 'export function sample() {\n  let a = 1\n  a += 4\n  return a\n}', 'statement removed', 0, 5, 1],
    ['a return', 'export function sample() { return 41 }', 'return replaced', 0, 41, undefined],
    ['an arrow', 'export const sample = (a: string) => a', 'return replaced', 'x', 'x', undefined],
    ['a default', 'export const sample = (a?: number) => a ?? 7', 'default dropped', undefined, 7, undefined],
    ['a method', 'export function sample(a: number) { return [1, a].some((n) => n > 1) }', 'method', 2, true, false],
  ])('%s', async (_name, text, kind, argument, expected, changed) => {
    const number = sitesOf(text).findIndex((site) => site.kind === kind)
    expect(await runWith(text, -1, argument)).toEqual(expected)
    expect(await runWith(text, number, argument)).toEqual(changed)
  })

  it('types, imports, names and the text of strings have none', () => {
    const text = `import { a } from './a.ts'
      interface Row { readonly kind: 'x' | 1; readonly done?: true }
      type Pair = [0, 1]
      export const row = { 1: 'text', kind: \`text\` } satisfies Record<string, string>`
    expect(sitesOf(text)).toEqual([])
  })

  it('every site of the sources can be planted: the file can still be parsed', () => {
    let count = 0
    for (const { path, text } of files) {
      let rest = sitesOf(text).map((site, number) => ({ ...site, number }))
      while (rest.length > 0) {
        const layer: typeof rest = []
        for (const site of rest) if (!layer.some(({ end }) => site.start < end)) layer.push(site)
        const planted = plantAll(text, layer, './planted.mjs') as string
        expect(parseSync(path, planted).errors, path).toEqual([])
        count += layer.length
        rest = rest.filter((site) => !layer.includes(site))
      }
    }
    expect(count).toBeGreaterThan(5000)
  })
})

describe('the choice of defects', () => {
  const rules = files.filter(({ path }) => path.startsWith('domain/rules/'))
  const some = [...rules, ...files.filter(({ path }) => path.startsWith('views/'))]
  const choose = (list: typeof files, count: number, seed = 'a'): Defect[] => chooseDefects(list, count, seed)
  const names = (defects: Defect[]) => defects.map(({ name }) => name)

  it('a change of the sources replaces only the defects of the changed lines', () => {
    const changed = rules.map(({ path, text }) => ({ path, text: `${text}\nexport const a = 0\n` }))
    const after = names(choose(changed, 50))
    expect(names(choose(rules, 50)).filter((name) => !after.includes(name)).length).toBeLessThanOrEqual(rules.length)
  })

  it('spreads over all lines that have sites, and no two overlap', () => {
    const defects = choose(some, 400)
    expect(defects).toHaveLength(400)
    for (const { path, start, end, number } of defects)
      expect(
        defects.some(
          (other) => other.path === path && other.number !== number && other.start < end && start < other.end,
        ),
      ).toBe(false)
    const lines = (list: typeof files) =>
      list.reduce((sum, { text }) => sum + new Set(sitesOf(text).map(({ line }) => line)).size, 0)
    const found = defects.filter(({ path }) => path.startsWith('views/')).length
    expect(found / 400).toBeCloseTo(1 - lines(rules) / lines(some), 1)
  })
})
