import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error: the checker is plain JavaScript, so that it runs before anything is built.
import { collisions, leadersOf } from '../scripts/styles.mjs'

it('each class has one home among the styles of the screens', () => {
  expect(collisions(join(import.meta.dirname, '..'))).toEqual([])
})

describe('a planted collision is named', () => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const found = (files: Readonly<Record<string, string>>): string[] => {
    rmSync(root, { recursive: true, force: true })
    for (const [file, css] of Object.entries(files)) {
      const path = join(root, 'src', 'renderer', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, css)
    }
    return collisions(root) as string[]
  }
  const A = 'screens/a/a.css'
  const B = 'screens/b/b.css'

  it('with both places', () => {
    expect(
      found({ [A]: '.own {\n}\n.more > p {\n}\n', [B]: '\n@media (max-width: 9px) {\n  .x, .more {\n  }\n}\n' }),
    ).toEqual([
      expect.stringMatching(
        /^\.more is styled at src\/renderer\/screens\/a\/a\.css:3 and at .*b\.css:3: lead all but one /,
      ),
    ])
  })

  it.each([
    ['further in than the first compound', '.own .more {\n}'],
    ['beside a class of its own', '.more.own {\n}'],
    ['within :has() of another', '.own:has(.more) {\n}'],
    ['in a comment', '/* .more { } */\n.own {\n}'],
  ])('and none where it stands %s', (_, css) => {
    expect(found({ [A]: css, [B]: '.more {\n}' })).toEqual([])
  })

  it('and none between a screen and what all share', () => {
    expect(found({ [A]: '.more {\n}', 'styles/parts.css': '.more {\n}' })).toEqual([])
  })

  it('by each selector of a list', () => {
    expect(leadersOf('.a.b > .c,\n.d:is(.e, .f) {\n}')).toEqual([
      { names: ['a', 'b'], line: 1 },
      { names: ['d'], line: 2 },
    ])
  })
})
