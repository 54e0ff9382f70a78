import { describe, expect, it } from 'vitest'
import { ProgramSettings } from '../../src/api/contract/resources/programs.ts'
import { settingsSections } from '../../src/renderer/data/settings-sections.ts'
import { allSettings, formatTypedAmount, groupSettings, groups } from '../../src/renderer/screens/settings/draft.ts'

describe('a typed amount', () => {
  it.each([
    ['25', '25.00'],
    ['25.', '25.00'],
    ['0.5', '0.50'],
    ['5000000.00', '5,000,000.00'],
    ['a lot', 'a lot'],
  ])('%s is shown as %s', (typed, shown) => expect(formatTypedAmount(typed)).toBe(shown))
})

describe('the settings of a Program', () => {
  const pathsOf = (all: typeof allSettings) => all.map(({ path }) => path)

  it('are all listed, each once', () => {
    const paths = pathsOf(allSettings)
    expect(new Set(paths).size).toBe(paths.length)
    const names = new Set(paths.map((path) => path.split('.')[0]))
    expect([...names].sort()).toEqual(['name', ...Object.keys(ProgramSettings.shape)].sort())
  })

  it('that no section names are in the group Other', () => {
    const [access] = groups
    expect(groups.some(({ id }) => id === 'other')).toBe(false)
    const other = groupSettings(settingsSections.filter(([id]) => id !== 'access')).find(({ id }) => id === 'other')!
    expect(other.title).toBe('Other')
    expect(pathsOf(other.settings).sort()).toEqual(pathsOf(access!.settings).sort())
  })
})
