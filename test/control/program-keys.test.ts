import { describe, expect, it } from 'vitest'
import { apiClient, expectRefusal, sign } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { openOperator, PROGRAM } from '../support/operator-sandbox.ts'
import { START } from '../support/sandbox.ts'
import { refusing } from '../support/world.ts'

describe('programs.rotate_key', () => {
  const refreshTokens = (key: string) => sign({ iat: Math.floor(Date.now() / 1000), sub: PROGRAM }, key)

  it('issued access tokens stay valid; refresh tokens signed with the old key are refused', async () => {
    const { control, api, sandbox } = await openOperator()
    const old = api.program.hmac_key
    const rotated = await control['programs.rotate_key']({ uid: PROGRAM })
    const { hmac_key, products: _, synthetic_account_types: __, ...rest } = rotated
    expect((await control['programs.list']({})).programs).toEqual([rotated])
    expect(hmac_key).not.toBe(old)
    expect(hmac_key.length).toBeGreaterThan(30)
    expect({ ...rest, hmac_key: old }).toEqual({ ...api.program, program_uid: undefined, made: undefined })
    expect((await api.get('/customers')).status).toBe(200)
    const ask = (key: string) => api.send('POST', '/auth', { headers: { authorization: refreshTokens(key) } })
    await refusing(sandbox)(() => ask(old), 'unauthorized')
    expect((await ask(hmac_key)).status).toBe(201)
    expect((await sandbox.client().get('/customers')).status).toBe(200)
    expect((await control['programs.list']({})).programs[0]!.hmac_key).toBe(hmac_key)
  })

  it('uses a given key', async () => {
    const { control, api } = await openOperator()
    const hmac_key = 'schlüssel of the operator'
    expect(await control['programs.rotate_key']({ uid: PROGRAM, hmac_key })).toMatchObject({ hmac_key })
    const authorization = refreshTokens(hmac_key)
    expect((await api.send('POST', '/auth', { headers: { authorization } })).status).toBe(201)
  })

  it('generates keys from the seed', async () => {
    const [one, two] = [await openOperator(), await openOperator()]
    const rotate = async ({ control }: typeof one) => (await control['programs.rotate_key']({ uid: PROGRAM })).hmac_key
    expect(await rotate(one)).toBe(await rotate(two))
  })

  it('a former key is redacted from the request log wherever it is sent, and no method returns it', async () => {
    const data = createTemporaryFolder()
    const first = await openOperator({ seed: 'test', start: START, world: 'empty', data })
    const given = 'the second key of this Program'
    const keys = [first.api.program.hmac_key, given]
    await first.control['programs.rotate_key']({ uid: PROGRAM, hmac_key: given })
    await first.control['programs.rotate_key']({ uid: PROGRAM })
    const pasted = async ({ api, control }: typeof first) => {
      for (const key of keys) await api.get(`/products?name=${encodeURIComponent(key)}`, { headers: { note: key } })
      const { data: exchanges } = await control['exchanges.list']({ limit: keys.length })
      expect(exchanges.map(({ path }) => decodeURIComponent(path))).toEqual(
        keys.map(() => '/products?name=[key+removed]'),
      )
      for (const { uid } of exchanges)
        expect((await control['exchanges.get']({ uid })).request.headers).toContainEqual(['note', '[key removed]'])
      const shown = [
        await control['programs.list']({}),
        await control['programs.update']({ uid: PROGRAM, name: 'Renamed' }),
        await control['records.get']({ collection: 'programs', uid: PROGRAM }),
        await control['records.history']({ collection: 'programs', uid: PROGRAM }),
        await control['snapshots.compare']({ a: 'before' }),
        await control.why({ collection: 'programs', uid: PROGRAM, field: 'name' }),
      ]
      for (const key of keys) expect(JSON.stringify(shown)).not.toContain(key)
      expect(JSON.stringify(shown)).not.toContain('former')
    }
    await first.control['snapshots.keep']({ name: 'before' })
    await pasted(first)
    await first.sandbox.close()
    await pasted(await openOperator({ data }))
  })

  it('so is a key that a rewind or a reset removed', async () => {
    const { control, api, seq } = await openOperator()
    const before = seq()
    const { hmac_key: abandoned } = await control['programs.rotate_key']({ uid: PROGRAM })
    await control['world.rewind']({ seq: before })
    const { hmac_key: further } = await control['programs.create']({ name: 'Second' })
    await control['world.reset']({ world: 'empty' })
    for (const key of [abandoned, further]) {
      await api.get(`/products?name=${key}`)
      const { data } = await control['exchanges.list']({ limit: 1 })
      expect(decodeURIComponent(data[0]!.path)).toBe('/products?name=[key+removed]')
    }
  })

  it('remembers the last 20 former keys, each once', async () => {
    const { sandbox, control } = await openOperator()
    const keyOf = (n: number) => `a key of the Program, number ${n}`
    for (let n = 0; n < 25; n++) await control['programs.rotate_key']({ uid: PROGRAM, hmac_key: keyOf(n) })
    const former = () => sandbox.store.world.collections.programs.get(PROGRAM)!.former_hmac_keys
    expect(former()).toEqual(Array.from({ length: 20 }, (_, i) => keyOf(i + 4)))
    await control['programs.rotate_key']({ uid: PROGRAM, hmac_key: keyOf(23) })
    expect(former()).toEqual([...Array.from({ length: 19 }, (_, i) => keyOf(i + 4)), keyOf(24)])
  })

  it('refuses a key of less than 16 characters, with the reason', async () => {
    const { refused, control } = await openOperator()
    const rotate = (hmac_key: string) => () => control['programs.rotate_key']({ uid: PROGRAM, hmac_key })
    await refused(
      rotate('fifteen letters'),
      'invalidArgument',
      'hmac_key: at least 16 characters are expected: the request log redacts every occurrence of the key, also inside words',
    )
    expect(await rotate('sixteen letters.')()).toMatchObject({ hmac_key: 'sixteen letters.' })
  })

  it('refuses an unknown Program and an empty key', async () => {
    const { refused, control } = await openOperator()
    const rotate = (input: object) => () => control['programs.rotate_key'](input as never)
    await refused(rotate({ uid: 'x' }), 'routeNotFound', 'there is no Program x')
    await refused(rotate({ uid: PROGRAM, hmac_key: '' }), 'invalidArgument', /^hmac_key: /)
    await refused(rotate({}), 'missingParameter', 'uid is missing')
  })
})

describe('flags of a Program', () => {
  it('strict: unknown fields and parameters are refused instead of ignored', async () => {
    const { sandbox, control, api } = await openOperator()
    const sent = () => api.post('/customers', { adress: 'x' })
    const lenient = await sent()
    expect(lenient.status).toBe(201)
    expect(lenient.headers.get('x-sandbank-hints')).toBeTruthy()
    await control['programs.update']({ uid: PROGRAM, strict: true })
    await refusing(sandbox)(sent, 'invalidArgument', /adress/)
    const listed = () => api.get('/customers?lmit=1')
    await refusing(sandbox)(listed, 'invalidArgument', /lmit/)
    expect((await api.post('/customers', OLIVE)).status).toBe(201)
    expect((await api.get('/customers?limit=1')).status).toBe(200)
    await control['programs.update']({ uid: PROGRAM, strict: false })
    expect((await sent()).status).toBe(201)
  })

  it('trace_ids_optional: a request without a trace id is accepted, and a repeated trace id is still refused', async () => {
    const { sandbox, control, api } = await openOperator()
    const bare = () => api.get('/customers', { headers: { 'x-trace-id': undefined } })
    await refusing(sandbox)(bare, 'missingParameter', /x-trace-id/)
    await control['programs.update']({ uid: PROGRAM, trace_ids_optional: true })
    expect((await bare()).status).toBe(200)
    expect((await bare()).status).toBe(200)
    const traced = () => api.post('/customers', {}, { headers: { 'x-trace-id': 'once' } })
    expect((await traced()).status).toBe(201)
    await refusing(sandbox)(traced, 'duplicateTraceId')
  })

  it('they apply to one Program only', async () => {
    const { sandbox, control } = await openOperator()
    await control['programs.create']({ name: 'Strict', strict: true, trace_ids_optional: true })
    const other = apiClient(sandbox, 1)
    expectRefusal(await other.post('/customers', { adress: 1 }), 'invalidArgument', /adress/)
    expect((await other.get('/customers', { headers: { 'x-trace-id': undefined } })).status).toBe(200)
    expect((await sandbox.client().post('/customers', { adress: 1 })).status).toBe(201)
  })
})
