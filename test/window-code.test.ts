import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error: the check is plain JavaScript, so that it runs without a build.
import { windowCodeErrors } from '../scripts/window-code.mjs'

it('in the window each class and attribute of a style is defined and used, and native controls are only in ui/', () => {
  expect(windowCodeErrors(join(import.meta.dirname, '..'))).toEqual([])
})

describe('reports', () => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const errors = (files: Readonly<Record<string, string>>): string[] => {
    rmSync(root, { recursive: true, force: true })
    for (const [file, text] of Object.entries(files)) {
      const path = join(root, 'src', 'renderer', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    return windowCodeErrors(root) as string[]
  }
  const part = (jsx: string) =>
    `import styles from './A.module.css'\nimport { cx } from './cx.ts'\nexport const a = ${jsx}`

  it.each([
    [
      'a class that the module does not define',
      { 'a/A.tsx': part('<i className={styles.gone} />'), 'a/A.module.css': '' },
      'a/A.tsx uses .gone, which a/A.module.css does not define',
    ],
    [
      'a class that nothing uses',
      { 'a/A.tsx': part('<i className={styles.b} />'), 'a/A.module.css': '.b {} .c > i:global(.row):hover {}' },
      'a/A.module.css defines .c, which nothing uses',
    ],
    [
      'an attribute that nothing sets',
      {
        'a/A.tsx': part('<i className={styles.b} data-moving="" data-moves-much="" />'),
        'a/A.module.css': '.b[data-moving] {} .b[data-moves] {} .b[data-highlighted] {}',
      },
      'a/A.module.css selects [data-moves], which nothing sets',
    ],
    [
      'a computed name',
      { 'a/A.tsx': part('<i className={styles[name]} />'), 'a/A.module.css': '' },
      'a/A.tsx reads a class of a/A.module.css by a computed name, which cannot be checked',
    ],
    [
      'a literal class that is not global',
      {
        'a/A.tsx': part("<i className={cx('row', on && 'lit')} />"),
        'a/A.module.css': '',
        'styles/base.css': '.row {}',
      },
      'a/A.tsx uses the class lit, which is not in styles/: import it from a module',
    ],
    [
      'a global class that nothing uses',
      {
        'a/A.tsx': part("<i className={on ? 'row' : 'row cut'} />"),
        'a/A.module.css': '',
        'styles/base.css': '.row, .cut, .old {}',
      },
      'styles/ defines .old, which nothing uses',
    ],
    [
      'a native control outside of ui/',
      {
        'a/A.tsx': 'export const a = <button type="button" />',
        'ui/B.tsx': 'export const b = <button type="button" />',
      },
      'a/A.tsx draws <button>: use the control of ui/ instead',
    ],
  ])('%s', (_, files, error) => expect(errors(files)).toEqual([error]))

  it('no class of a condition, and none that another module is composed of', () => {
    const files = {
      'a/A.tsx': part("<i className={on === 'yes' ? styles.b : undefined} />"),
      'a/A.module.css': '.b { composes: c from "../ui/C.module.css"; }',
      'ui/C.module.css': '.c {}',
    }
    expect(errors(files)).toEqual([])
  })
})
