import { expect, it } from 'vitest'
import { methodNames } from '../../src/api/contract/control.ts'
import { triggers } from '../../src/api/contract/triggers.ts'
import { startSandbox } from '../support/sandbox.ts'

const key = { 'x-control-key': 'test-key' }

it('GET /control/openapi.json describes every method, and every reference in it resolves', async () => {
  const { control } = await startSandbox()
  const response = await fetch(`${control}/openapi.json`, { headers: key })
  const document = (await response.json()) as { paths: Record<string, unknown>; components: { schemas: object } }
  expect(Object.keys(document.paths)).toEqual(methodNames.map((name) => `/control/${name}`))
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect(references.length).toBeGreaterThan(0)
  for (const name of references) expect(document.components.schemas).toHaveProperty(name!)
  expect(JSON.stringify(document)).not.toContain('$defs')
})

it('GET /control/triggers prints every outcome that data can force', async () => {
  const { control } = await startSandbox()
  const response = await fetch(`${control}/triggers`, { headers: key })
  expect(await response.json()).toEqual({ triggers })
  expect(triggers.length).toBeGreaterThan(2)
})

it.each(['openapi.json', 'triggers'])('GET /control/%s needs the key', async (path) => {
  const { control } = await startSandbox()
  const response = await fetch(`${control}/${path}`)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ errors: [{ code: 1004 }] })
})
