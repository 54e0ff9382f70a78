import { expect, it } from 'vitest'
// @ts-expect-error: the check is plain JavaScript, so that it runs without a build.
import { assumptionErrors } from '../scripts/docs.mjs'
import { drawnSettings } from '../src/api/contract/resources/programs.ts'

const at = { file: 'src/a.ts', line: 7, sentence: 'it is so.' }
const graded = drawnSettings.map((setting) => ({ ...at, grade: 'invented', setting }))

it('each assumption of the sources has a grade, and each setting that hard_mode draws varies one', async () => {
  expect(await assumptionErrors()).toEqual([])
})

it.each([
  [
    'no grade',
    {},
    /^src\/a\.ts:7: the form "Assumed \(grade\): …" is expected, with one of invented, sibling, example, published$/,
  ],
  ['an unknown grade', { grade: 'guessed' }, /^src\/a\.ts:7: the grade guessed is unknown; one of invented/],
  ['an unknown setting', { grade: 'invented', setting: 'colour' }, /^src\/a\.ts:7: there is no Program setting colour/],
])('%s is an error with file and line', async (_, given, error) => {
  expect(await assumptionErrors([...graded, { ...at, ...given }])).toEqual([expect.stringMatching(error)])
})

it('a drawn setting that no assumption names is an error', async () => {
  expect(await assumptionErrors(graded.slice(1))).toEqual([
    `no assumption names ${drawnSettings[0]}, which hard_mode draws`,
  ])
})
