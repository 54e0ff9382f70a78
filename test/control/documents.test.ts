import { expect, it } from 'vitest'
import { methodNames } from '../../src/api/contract/control/methods.ts'
import { triggers } from '../../src/api/contract/triggers.ts'
import { dispatch } from '../../src/api/control/dispatch.ts'
import type { Control } from '../../src/api/control/door.ts'
import { runToEnd, type Steps } from '../../src/api/store/steps.ts'
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
