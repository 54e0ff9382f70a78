import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { inputSchemas } from '../../bench/support/examples.ts'
import { type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import type { JsonSchema } from '../../src/api/contract/openapi.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { openFresh } from '../support/history.ts'
import { it, startSandbox } from '../support/sandbox.ts'

/** Control characters in the inputs of control methods: refused in names, kept in free texts. */

const CHARACTERS = ['\u0000', '\n', '\r', '\u001b', '\u007f', '\u0085', '\ud800']

describe('a name with a control character is refused, with its field and what is expected', () => {
  it.each<[name: MethodName, field: string, input: (text: string) => object]>([
    ['snapshots.keep', 'name', (name) => ({ name })],
    ['snapshots.restore', 'name', (name) => ({ name })],
    ['snapshots.compare', 'a', (a) => ({ a })],
    ['scenarios.save', 'name', (name) => ({ name, text: 'name: x\nsteps: []' })],
    ['scenarios.record', 'name', (name) => ({ name })],
    ['worlds.create', 'name', (name) => ({ name })],
    ['worlds.create', 'seed', (seed) => ({ seed })],
    ['worlds.keep', 'folder', (name) => ({ name: 'given', folder: join(createTemporaryFolder(), name) })],
    ['world.reset', 'seed', (seed) => ({ world: 'empty', seed })],
    ['programs.create', 'name', (name) => ({ name })],
    ['programs.create', 'products.0.name', (name) => ({ name: 'Second', products: [{ name }] })],
    [
      'programs.create',
      'synthetic_account_types.0.name',
      (name) => ({ name: 'Second', synthetic_account_types: [{ name }] }),
    ],
    ['programs.update', 'name', (name) => ({ uid: 'Hb7QmXk2Tz9LrVw4', name })],
    ['faults.set', 'faults.0.path', (path) => ({ faults: [{ kind: 'latency', path: `/${path}` }] })],
    ['exchanges.send', 'path', (path) => ({ method: 'GET', path: `/${path}` })],
    ['exchanges.replay', 'into', (snapshot) => ({ since: 0, into: { snapshot } })],
    ['exchanges.replay', 'keep', (keep) => ({ since: 0, keep })],
  ])('%s, %s', async (name, field, input) => {
    const { sandbox, ask } = await openFresh()
    await ask('worlds.create', { name: 'given' })
    await ask('snapshots.keep', { name: 'a' })
    for (const character of CHARACTERS) {
      const { seq } = sandbox.store.world
      const reply = await sandbox.call(name, input(`a${character}b`))
      const extra = expect.stringMatching(new RegExp(`^${field.replaceAll('.', '[.[]')}.*(expected|a name is)`, 's'))
      expect(reply, JSON.stringify(character)).toMatchObject({
        ok: false,
        error: { status: 400, errors: [{ code: 1007, extra }] },
      })
      expect(sandbox.store.world.seq).toBe(seq)
    }
    expect(sandbox.told).toEqual([])
  })
})

describe('a free text is kept as it is', () => {
  const TEXT = 'a\u0000b\n\u001b[31m\u007f\u0085\u2028"\\c'

  it('the note of a bundle, over an export and an import', async () => {
    const { ask } = await openFresh()
    const { text } = await ask<{ text: string }>('bundles.export', { note: TEXT })
    expect(await ask('bundles.import', { text })).toMatchObject({ note: TEXT })
  })

  it('what a recorded scenario teaches, and what it is saved with', async () => {
    const { ask, post } = await openFresh(createTemporaryFolder())
    await post('/customers')
    const { text } = await ask<{ text: string }>('scenarios.record', { name: 'Record', teaches: TEXT })
    expect(await ask('scenarios.save', { name: 'kept', text })).toMatchObject({ teaches: TEXT, trouble: null })
    expect(await ask('scenarios.read', { name: 'kept' })).toMatchObject({ text })
  })

  it('the body of a fault, and the body of a request in the log', async () => {
    const { ask, api } = await openFresh()
    await ask('faults.set', { faults: [{ kind: 'status', path: '/pools', body: { [TEXT]: TEXT } }] })
    expect((await api.get('/pools')).body).toEqual({ [TEXT]: TEXT })
    const body = JSON.stringify({ external_uid: TEXT })
    const sent = await ask<{ request: { body: string } }>('exchanges.send', {
      method: 'POST',
      path: '/customers',
      body,
    })
    expect(sent.request.body).toBe(body)
  })

  it('the reason of a decision, also after a restart', async ({ folder: data }) => {
    const session = await openFresh(data)
    const { uid } = await session.post('/customers')
    await session.move('customers', uid!, 'lock', { lock_reason: TEXT })
    await session.sandbox.close()
    const again = await startSandbox({ data })
    expect(again.store.world.collections.customers.get(uid!)).toMatchObject({ lock_reason: TEXT })
  })
})

it('no text with control characters leads to an internal error, in any field of any control method', async () => {
  const data = createTemporaryFolder()
  const sandbox = await startSandbox({ data, seed: 'test', world: 'empty' })
  for (const name of methodNames)
    for (const input of inputsOf(inputSchemas.get(name)!, '/\u0000')) {
      const reply = await sandbox.call(name, input as object)
      if (!reply.ok) expect(reply.error.status, `${name} ${JSON.stringify(input)}`).toBeLessThan(500)
    }
  expect(sandbox.told).toEqual([])
})

/** Inputs that have each field in turn, with the text wherever a text can be. */
function* inputsOf(schema: JsonSchema, text: string): Iterable<unknown> {
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) for (const choice of choices) yield* inputsOf(choice, text)
  else if (schema.const !== undefined) yield schema.const
  else if (schema.enum) yield schema.enum[0]
  else if (schema.type === 'integer' || schema.type === 'number') yield schema.minimum ?? 1
  else if (schema.type === 'boolean') yield true
  else if (schema.type === 'array') for (const item of inputsOf((schema.items ?? {}) as JsonSchema, text)) yield [item]
  else if (schema.type === 'object') {
    const fields = (schema.properties ?? {}) as Record<string, JsonSchema>
    const required = ((schema.required ?? []) as string[]).map((name) => [name, [...inputsOf(fields[name]!, text)][0]])
    yield Object.fromEntries(required)
    for (const [name, field] of Object.entries(fields))
      for (const value of inputsOf(field, text)) yield { ...Object.fromEntries(required), [name]: value }
  } else yield text
}
