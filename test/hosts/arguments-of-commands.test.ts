import { describe, expect, it } from 'vitest'
import { findNearest } from '../../src/api/contract/terms/nearest.ts'
import { parseInput, variableOf } from '../../src/main/commands/parse.ts'
import { commands } from '../../src/main/commands/table.ts'
import { parseServe } from '../support/cli.ts'

describe('every option has an environment variable', () => {
  it('named after it', () => {
    expect(['port', 'allow-host'].map((name) => variableOf(name))).toEqual(['SANDBANK_PORT', 'SANDBANK_ALLOW_HOST'])
  })

  it('which gives its value', () => {
    const env = {
      SANDBANK_PORT: '0',
      SANDBANK_EPHEMERAL: '1',
      SANDBANK_JSON: 'false',
      SANDBANK_CORS: 'http://a:1,http://b:2',
    }
    expect(parseServe([], env)).toMatchObject({
      port: 0,
      ephemeral: true,
      cors: ['http://a:1', 'http://b:2'],
    })
    expect(parseServe([], env)).not.toHaveProperty('json')
  })

  it('and the option wins, also one that excludes it', () => {
    const env = { SANDBANK_PORT: '5000', SANDBANK_DATA: 'folder', SANDBANK_PACE: '' }
    expect(parseServe(['--port', '0', '--ephemeral'], env)).toMatchObject({ port: 0, ephemeral: true })
    expect(parseServe(['--port', '0', '--ephemeral'], env)).not.toHaveProperty('data')
  })
})

it('a command whose help is asked for gets no input', () => {
  expect(parseInput('run', commands.run, ['--help', 'x'], {})).toMatchObject({ values: {}, asksForHelp: true })
})

it.each([
  ['sevre', 'serve'],
  ['rnu', 'run'],
  ['exp', 'export'],
  ['fly', undefined],
  ['x', undefined],
])('%s is close to %s', (text, name) => {
  expect(findNearest(text, Object.keys(commands))).toBe(name)
})
