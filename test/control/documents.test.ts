import { expect, it } from 'vitest'
import { methodNames } from '../../src/api/contract/control/methods.ts'
import { triggers } from '../../src/api/contract/triggers.ts'
import { dispatch } from '../../src/api/control/dispatch.ts'
import type { Control } from '../../src/api/control/door.ts'
import { runToEnd, type Steps } from '../../src/api/store/steps.ts'
import { startSandbox } from '../support/sandbox.ts'

const key = { 'x-control-key': 'test-key' }

interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

async function readDocument(url: string): Promise<{ document: Document; text: string }> {
  const text = await (await fetch(url)).text()
  return { document: JSON.parse(text) as Document, text }
}

/** How many objects of a document have no name. */
function countInlineObjects(node: unknown, isNamed = false): number {
  if (Array.isArray(node)) return node.reduce((sum, part) => sum + countInlineObjects(part), 0)
  if (typeof node !== 'object' || node === null) return 0
  const own = !isNamed && (node as { type?: unknown }).type === 'object' ? 1 : 0
  return Object.values(node).reduce((sum, part) => sum + countInlineObjects(part), own)
}

it.each(['openapi.json', 'openapi-3.0.json', 'openapi.json?compact', 'openapi-3.0.json?compact'])(
  'GET /control/%s describes every method without the key, with its servers, and every reference in it resolves',
  async (path) => {
    const { control } = await startSandbox()
    const { document, text } = await readDocument(`${control}/${path}`)
    expect(document.openapi).toBe(path.includes('3.0') ? '3.0.3' : '3.1.0')
    expect(document.servers.map(({ url }) => url)).toEqual([control, '/control'])
    expect(Object.keys(document.paths)).toEqual(methodNames.map((name) => `/${name}`))
    const references = [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, kind, name] of references) expect(document.components).toHaveProperty([kind!, name!])
    expect(text).not.toContain('$defs')
    expect(text, 'a generator may not follow the reference of a success').not.toMatch(/"2\d\d":\{"\$ref"/)
  },
)

it('the control document names what several methods have, as World, Event and Task', async () => {
  const { control } = await startSandbox()
  const { document } = await readDocument(`${control}/openapi.json`)
  const { schemas } = document.components
  for (const name of ['World', 'Event', 'Task', 'Clock', 'Exchange', 'Webhook', 'ClockAdvanceInput', 'TasksListResult'])
    expect(schemas).toHaveProperty(name)
  expect(schemas.World).toMatchObject({ properties: { api: { format: 'uri' }, at: { format: 'date-time' } } })
  const inline = Object.values(schemas).reduce((sum, schema) => sum + countInlineObjects(schema, true), 0)
  expect(inline).toBeLessThan(125)
  expect(countInlineObjects(document.paths)).toBe(0)
})

it('?compact leaves out the examples and shares what is repeated: each document has at most 250 kB', async () => {
  const { api, control } = await startSandbox()
  for (const base of [api, control])
    for (const path of ['openapi.json', 'openapi-3.0.json']) {
      const whole = await readDocument(`${base}/${path}`)
      const { document, text } = await readDocument(`${base}/${path}?compact`)
      expect(text.length).toBeLessThan(250_000)
      expect(Object.keys(document.paths)).toEqual(Object.keys(whole.document.paths))
      expect(Object.keys(document.components.schemas)).toEqual(Object.keys(whole.document.components.schemas))
      // In 3.0 a reference with an example needs allOf.
      if (path === 'openapi.json')
        expect(withoutExamples(resolveParts(document))).toEqual(withoutExamples(resolveParts(whole.document)))
    }
})

/** The paths with the shared parameters, headers and responses in their places. */
function resolveParts({ paths, components }: Document): unknown {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as { $ref?: string }
    const [, kind = '', name = ''] = /^#\/components\/(parameters|headers|responses)\/(.+)$/.exec($ref ?? '') ?? []
    if (kind !== '') return walk((components as Readonly<Record<string, Record<string, unknown>>>)[kind]![name])
    return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, walk(part)]))
  }
  return walk(paths)
}

/** In the paths no property has one of these names. */
const withoutExamples = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node, (key, part) => (key === 'example' || key === 'examples' ? undefined : part)))

it('GET /control/triggers prints every outcome that data can force', async () => {
  const { control } = await startSandbox()
  const response = await fetch(`${control}/triggers`, { headers: key })
  expect(await response.json()).toEqual({ triggers })
  expect(triggers.length).toBeGreaterThan(2)
})

it('GET /control/triggers needs the key', async () => {
  const { control } = await startSandbox()
  const response = await fetch(`${control}/triggers`)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ errors: [{ code: 1004 }] })
})

it('due tasks run before a method reads; a commit that cannot be saved is refused', async () => {
  const order: string[] = []
  const cancel = () => {
    order.push('method')
    return { canceled: false }
  }
  const control = { 'clock.cancel': cancel } as unknown as Control
  const around = {
    now: () => '2026-08-14T14:00:00.000Z',
    reportInternalError: () => void order.push('internal error'),
    runSteps: async <T>(steps: Steps<T>) => runToEnd(steps),
    readFirst: () => undefined,
    recordAction: async <T>(_name: string, _input: unknown, work: () => T | Promise<T>) => await work(),
  }
  const due = { ...around, runDue: () => void order.push('due') }
  expect(await dispatch(control, 'clock.cancel', {}, due)).toEqual({ ok: true, value: { canceled: false } })
  expect(order).toEqual(['due', 'method'])
  const full = {
    ...around,
    runDue: () => {
      throw new Error('ENOSPC')
    },
  }
  expect(await dispatch(control, 'clock.cancel', {}, full)).toMatchObject({ ok: false, error: { status: 500 } })
  expect(order).toEqual(['due', 'method', 'internal error'])
})
