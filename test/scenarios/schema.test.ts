import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import type { JsonSchema } from '../../src/api/contract/openapi.ts'
import { LIBRARY_SCHEMA_LINE } from '../../src/api/contract/scenarios.ts'
import { scenarioSchema } from '../../src/api/http/scenario-schema.ts'
import { createValidator } from '../support/json-schema.ts'
import { startSandbox } from '../support/sandbox.ts'
import { invalidScenarios } from './invalid.ts'
import { troubles } from './support.ts'

/** The JSON Schema of scenario files. */

const root = join(import.meta.dirname, '../..')
const LIBRARY = join(root, 'resources/scenarios')
const steps = ['Request', 'Inject', 'Advance', 'Decide', 'Operator', 'Together', 'Restart', 'Expect', 'Repeat'].map(
  (name) => `${name}Step`,
)
const schema = JSON.parse(JSON.stringify(scenarioSchema())) as JsonSchema
const validate = createValidator(schema)
const read = (text: string): unknown => parse(text, { version: '1.2', schema: 'core', logLevel: 'error' })
const textOf = (file: string) => readFileSync(join(LIBRARY, file), 'utf8')
const library = readdirSync(LIBRARY)
const examples = [...readFileSync(join(root, 'docs/scenarios.md'), 'utf8').matchAll(/```yaml\n(name: .*?)```/gs)].map(
  ([, text]) => text!,
)

/** What the schema cannot say: it is about the meaning of a text, or about how YAML is written. */
const onlyFoundByRun = [
  'a duration in months',
  'an advance to nowhere',
  'a number that begins with 0',
  'a number that is too long',
  'a path of a capture that is none',
  'a tag',
]

/** Those whose YAML can be read. */
const invalid = invalidScenarios.flatMap(([name, text]) => {
  try {
    return [{ name, value: JSON.parse(JSON.stringify(read(text))) as unknown }]
  } catch {
    return []
  }
})

it('resources/scenario.schema.json is this document (npm run openapi writes it)', () => {
  expect(JSON.parse(readFileSync(join(root, 'resources/scenario.schema.json'), 'utf8'))).toEqual(schema)
})

it.each(library)('%s is valid, and names the schema in its first line', (file) => {
  expect(validate(read(textOf(file)))).toEqual([])
  expect(textOf(file).split('\n')[0]).toBe(LIBRARY_SCHEMA_LINE)
})

it('the examples of docs/scenarios.md are valid', () => {
  expect(examples.flatMap((text) => validate(read(text)))).toEqual([])
})

it('each invalid scenario is refused, unless only a run can find its mistake', () => {
  const accepted = invalid.filter(({ value }) => validate(value).length === 0).map(({ name }) => name)
  expect(accepted).toEqual(onlyFoundByRun)
})

it('every key has a description, that of an operator input its own or that of the control API', () => {
  const definitions = schema.definitions as Record<string, JsonSchema>
  const missing: string[] = []
  const visit = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return
    const { properties } = node as JsonSchema
    if (typeof properties === 'object' && !at.endsWith('.if'))
      for (const [name, property] of Object.entries(properties))
        if (property.description === undefined) missing.push(`${at}.${name}`)
    for (const [name, part] of Object.entries(node)) if (name !== 'allOf') visit(part, `${at}.${name}`)
  }
  for (const name of ['Scenario', 'ScenarioGiven', 'ExpectedAnswer', 'Matcher', ...steps])
    visit(definitions[name], name)
  expect(missing).toEqual([])
})

it('a JSON file may name the schema under $schema', () => {
  const file = { $schema: '../scenario.schema.json', name: 'A', steps: [{ advance: 'idle' }] }
  expect(troubles(JSON.stringify(file))).toEqual([])
  expect(validate(file)).toEqual([])
})

it('operator inputs are checked, and variables are accepted in them', () => {
  const withInput = (call: string, input: unknown) => ({ name: 'A', steps: [{ operator: { call, input } }] })
  expect(validate(withInput('clock.set', { mode: '$mode', pace: 'real' }))).toEqual([])
  expect(validate(withInput('clock.set', { mode: 'fast' }))).not.toEqual([])
  expect(validate(withInput('clock.sett', {}))).not.toEqual([])
})

it('GET /scenario.schema.json serves it without a key', async () => {
  const { api } = await startSandbox()
  const response = await fetch(new URL('/scenario.schema.json', api))
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual(schema)
})

it('the package contains it', () => {
  expect(packageJson.files).toContain('resources/scenario.schema.json')
})

const python = spawnSync('python3', ['-c', 'import jsonschema'])
const hasValidator = python.status === 0
if (!hasValidator)
  console.info('The schema is not tested with another validator: python3 with the package jsonschema is not installed.')

const CHECK = `
import json, sys, jsonschema
schema, values = json.load(sys.stdin)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
print(json.dumps([validator.is_valid(value) for value in values]))
`

it.skipIf(!hasValidator)('the jsonschema package of Python judges every scenario in the same way', () => {
  const values = [...library.map(textOf), ...examples].map(read).concat(invalid.map(({ value }) => value))
  const { stdout, stderr } = spawnSync('python3', ['-c', CHECK], {
    input: JSON.stringify([schema, values]),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(values.map((value) => validate(value).length === 0))
})
