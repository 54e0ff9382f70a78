import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { importFile, writeAside } from '../../../src/api/files.ts'
import { files } from '../../../src/api/store/files.ts'
import { VERSION } from '../../../src/api/store/headers.ts'
import { apiClient } from '../../support/client.ts'
import { createTemporaryFolder } from '../../support/folder.ts'
import { createCaller, NO_DIFFERENCE } from '../../support/operator.ts'
import { setUpPayments } from '../../support/payments.ts'
import { it, startSandbox } from '../../support/sandbox.ts'
import { canonical } from '../../support/world.ts'

const SMITH = {
  first_name: 'Ann',
  last_name: 'Lee',
  phone: '5155550123',
  ssn: '512-04-8830',
  dob: '1990-04-17',
  address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
}

/** Bundles: their content, and which ones an import refuses. */

async function createWorld() {
  const all = await setUpPayments()
  const olive = await all.customer()
  const mill = await all.account(olive, 'ach_external')
  await all.fund(olive, '500.00')
  const { uid: transfer } = await all.pay(olive, olive.master, mill, '20.00')
  await all.advance({ business_days: 3 })
  await all.list(`/transactions?customer_uid=${olive.uid}`)
  const call = createCaller(all.sandbox)
  const { text } = await call('bundles.export', { note: 'It went wrong for 512-04-8823, Olive Oyl' })
  return { ...all, call, olive, transfer, text, lines: text.trimEnd().split('\n') }
}

describe('a bundle', () => {
  it('has a header, the world, its commits, the record, and an end with the count', async () => {
    const { lines, sandbox } = await createWorld()
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const kinds = parsed.map((line) => Object.keys(line)[0]!)
    expect(parsed[0]).toMatchObject({ sandbank: 'bundle', version: VERSION, seed: 'test', clock: { mode: 'frozen' } })
    expect(parsed[0]!.note).toMatch(/^It went wrong for \d{3}-\d{2}-(?!8823)\d{4}, (?!Olive)\S+ \S+$/)
    expect(parsed[0]!.not_masked).toContain('whether a person is under 18, but no day, month or year of birth')
    expect([...new Set(kinds)]).toEqual(['sandbank', 'collection', 'commit', 'exchange', 'act', 'end'])
    expect(parsed.at(-1)).toEqual({ end: lines.length - 2 })
    const text = lines.join('\n')
    const { hmac_key } = sandbox.programs()[0]!
    for (const secret of [
      hmac_key,
      'test-key',
      'hmac_key',
      'Olive',
      'Oyl',
      '5155550123',
      '512-04',
      'Quay',
      '1990-04-17',
    ])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/eyJ[\w-]{10,}\./)
  })

  it('replays searches for a part of a text as the same, whatever they find, and shows no part of a name', async () => {
    const { call, api } = await createWorld()
    const details = { ...SMITH, business_name: 'Thornbury Chandlery' }
    await api.post('/customers', { customer_type: 'sole_proprietor', email: 'ann@example.test', details })
    const found = await api.get('/customers?business_name=hornbur&include_initiated=true')
    expect(found.body).toMatchObject({ total_count: 1 })
    expect((await api.get('/customers?business_name=chandlery&limit=7')).body).toMatchObject({ total_count: 0 })
    const whole = await api.get('/customers?business_name=chandlery&include_initiated=true&limit=7')
    expect(whole.body).toMatchObject({ total_count: 1 })
    expect((await api.get('/transactions?search_description=%2Aive%20Oy%2A')).status).toBe(200)
    expect((await api.get('/customers?business_name=hornbur&sort=nothing')).status).toBe(400)
    const { text } = await call('bundles.export', {})
    expect(text).not.toMatch(/hornbur|chandler|ive%20Oy|ive\+Oy|ive Oy/i)
    const { exchanges, same } = await call('exchanges.replay', { text })
    expect(exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    expect(same).toBe(exchanges.length)
    const search = exchanges.find(({ path }) => path.endsWith('&include_initiated=true'))!
    expect([search.recorded, search.replayed]).toMatchObject([
      { body: { total_count: 1 } },
      { body: { total_count: 0 } },
    ])
    // A search that finds the same records is compared, and so is each status.
    const changed = text
      .split('\n')
      .map((line) => (line.includes('true&limit=7"') ? line.replaceAll('sole_proprietor', 'individual') : line))
      .join('\n')
      .replaceAll(/("path":"\/customers\?business_name=[^"&]*)&sort=nothing"/g, '$1"')
    const { exchanges: others } = await call('exchanges.replay', { text: changed })
    expect(others.filter(({ verdict }) => verdict !== 'same')).toMatchObject([
      { differences: [{ at: 'data[0].customer_type' }] },
      { differences: [{ at: 'status', recorded: 400, replayed: 200 }] },
    ])
  })

  it('has no name that forces an outcome, and its replay has the same outcomes', async () => {
    const { call, api, typeOf, olive } = await createWorld()
    const details = { ...SMITH, last_name: 'Smith' }
    const products = (await api.get('/products')).body as {
      data: { uid: string; prerequisite_product_uids: string[] }[]
    }
    const product = products.data.find(({ prerequisite_product_uids: some }) => some.length === 0)!
    const { uid } = (await api.post('/customers', { email: 'ann@example.test', details })).body as { uid: string }
    await api.post('/customer_products', { customer_uid: uid, product_uid: product.uid })
    await api.post('/synthetic_accounts', {
      name: 'Mill',
      pool_uid: olive.pool,
      synthetic_account_type_uid: typeOf('ach_external'),
      routing_number: '021000021',
      account_number: '400123459901',
      ach: { account_type: 'checking', counterparty_name: 'Failsworth Mills' },
    })
    await call('clock.advance', { by: 'PT2S' })
    expect((await api.get(`/customers/${uid}`)).body).toMatchObject({ kyc_status: 'manual_review' })
    const { text } = await call('bundles.export', {})
    expect(text).not.toMatch(/smith|failsworth|400123459901/i)
    const other = createCaller(await startSandbox({ seed: 'other' }))
    const { since } = await other('bundles.import', { text })
    const { exchanges } = await other('exchanges.replay', { since })
    expect(exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    // The copy of the copy has them, too.
    const again = await other('bundles.export', {})
    expect(again.text).toContain('"manual_review"}')
  })

  it('has the same outcomes in a Program that its replay creates', async ({ sandbox }) => {
    const call = createCaller(sandbox)
    await call('programs.create', { name: 'Second' })
    const api = apiClient(sandbox, 1)
    const { uid } = (
      await api.post('/customers', {
        email: 'ann@example.test',
        details: { ...SMITH, last_name: 'Smith' },
      })
    ).body as { uid: string }
    const products = (await api.get('/products')).body as { data: { uid: string; name: string }[] }
    const product_uid = products.data.find(({ name }) => name === 'Business Checking')!.uid
    await api.post('/customer_products', { customer_uid: uid, product_uid })
    await call('clock.advance', { by: 'PT2S' })
    expect((await api.get(`/customers/${uid}`)).body).toMatchObject({ kyc_status: 'manual_review' })
    const { text } = await call('bundles.export', {})
    const target = await startSandbox({ seed: 'other' })
    const other = createCaller(target)
    const { since } = await other('bundles.import', { text })
    const { exchanges } = await other('exchanges.replay', { since, keep: 'replayed' })
    expect(exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    expect(await other('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
  })

  it('of an unchanged world can be imported, too', async () => {
    const { text, exchanges, acts, commits } = await createCaller(await startSandbox())('bundles.export', {})
    expect({ exchanges, acts, commits }).toEqual({ exchanges: 0, acts: 0, commits: 0 })
    const other = await startSandbox({ seed: 'other' })
    const call = createCaller(other)
    const { since } = await call('bundles.import', { text })
    expect((await call('world.describe', {})).seed).toBe('test')
    expect(await call('exchanges.replay', { since })).toMatchObject({ same: 0, exchanges: [], acts: [] })
  })

  it('with a malformed record is refused, which names the record and the field, and changes nothing', async () => {
    const { lines } = await createWorld()
    const other = await startSandbox({ seed: 'other' })
    const import_ = (text: string) => other.call('bundles.import', { text })
    const before = canonical(other.store.world)
    const records = lines.flatMap((line, i) => (line.startsWith('{"collection"') ? [[line, i] as const] : []))
    const collections = new Set<string>()
    for (const [line, i] of records) {
      const { collection, record } = JSON.parse(line) as { collection: string; record: Record<string, unknown> }
      if (collections.has(collection)) continue
      collections.add(collection)
      for (const field of ['name', 'status', 'created_at', 'made', 'program_uid', 'us_dollar_amount', 'details']) {
        if (!(field in record)) continue
        const broken = JSON.stringify({ collection, record: { ...record, [field]: [7] } })
        const reply = await import_(`${lines.with(i, broken).join('\n')}\n`)
        expect(reply, `${collection}.${field}`).toMatchObject({ ok: false, error: { status: 400 } })
      }
    }
    expect(collections.size).toBeGreaterThan(3)
    expect(canonical(other.store.world)).toEqual(before)
    expect(other.told).toEqual([])
  })

  it('of a world with rewinds contains what they undid, and its replay does the same', async () => {
    const { call, api, sandbox } = await createWorld()
    const seq = sandbox.store.world.seq
    await api.post('/customers', { external_uid: 'left-behind' })
    await call('world.rewind', { seq })
    await api.post('/customers', { external_uid: 'the-present-one' })
    await api.get('/customers?include_initiated=true')
    const { total_count: all } = await call('exchanges.list', {})
    const { text, exchanges, acts } = await call('bundles.export', {})
    expect({ exchanges, acts }).toEqual({ exchanges: all, acts: 4 })
    const other = createCaller(await startSandbox({ seed: 'other' }))
    const { since } = await other('bundles.import', { text })
    expect(await other('exchanges.replay', { since })).toMatchObject({ same: all, differs: 0, refused: 0 })
    expect((await other('ledger.check', {})).balanced).toBe(true)
  })
})

describe('an imported world', () => {
  it('has a frozen clock, balances, has its history with causes, and is undone by a rewind', async () => {
    const { text, olive, transfer } = await createWorld()
    const sandbox = await startSandbox({ seed: 'other', clock: 'running' })
    const call = createCaller(sandbox)
    await call('clock.set', { mode: 'frozen' })
    await sandbox.client().post('/customers', { email: 'here@x.test' })
    const before = canonical(sandbox.store.world)
    const { seq } = sandbox.store.world
    await call('bundles.import', { text })
    expect(await call('clock.read', {})).toMatchObject({ mode: 'frozen' })
    expect((await call('ledger.check', {})).balanced).toBe(true)
    const { commits } = await call('records.history', { collection: 'transfers', uid: transfer })
    expect(commits.at(-1)!.cause).toMatchObject({ door: 'request', name: 'POST /transfers' })
    const cause = commits.at(-1)!.cause.exchange!
    expect((await call('exchanges.get', { uid: cause })).path).toBe('/transfers')
    const { chain } = await call('why', { collection: 'transfers', uid: transfer, field: 'status' })
    expect(chain.length).toBeGreaterThan(0)
    const { entries } = await call('records.story', { uid: olive.uid })
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['request', 'state', 'money', 'record', 'time']))
    await call('world.rewind', { seq })
    expect(canonical(sandbox.store.world)).toBe(before)
  })

  it('has its whole record also in a sandbox with many earlier commits', async () => {
    const { text } = await createWorld()
    const sandbox = await startSandbox({ seed: 'other' })
    const call = createCaller(sandbox)
    for (let i = 0; i < 9; i++) await call('clock.advance', { by: 'PT1S' })
    const { since, acts } = await call('bundles.import', { text })
    const outcome = await call('exchanges.replay', { since })
    expect(acts).toBe(3)
    expect(outcome.acts).toHaveLength(3)
    expect(outcome.exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
    // And once more, from what was taken in.
    const again = await call('bundles.export', {})
    const third = createCaller(await startSandbox({ seed: 'third' }))
    const taken = await third('bundles.import', { text: again.text })
    const replayed = await third('exchanges.replay', { since: taken.since })
    expect(replayed.exchanges.flatMap(({ differences }) => differences)).toEqual([])
    expect(replayed.acts).toHaveLength(3)
  })
})

describe('an incomplete bundle is refused, and nothing is imported', () => {
  async function target() {
    const sandbox = await startSandbox({ seed: 'other' })
    const call = createCaller(sandbox)
    const state = async () => [
      canonical(sandbox.store.world),
      sandbox.store.world.seq,
      (await call('exchanges.list', {})).total_count,
      (await call('bundles.export', {})).acts,
    ]
    const before = await state()
    return async (text: string, why: RegExp) => {
      await expect(call('bundles.import', { text })).rejects.toThrow(why)
      expect(await state()).toEqual(before)
    }
  }

  it('cut off after any line, or within one', async () => {
    const { lines } = await createWorld()
    const refused = await target()
    for (let n = 1; n < lines.length; n++)
      await refused(lines.slice(0, n).join('\n'), new RegExp(`^The bundle ends too early, after line ${n}: nothing`))
    await refused(
      lines.join('\n').slice(0, -3),
      /^Line \d+ of the bundle cannot be read: it is not a JSON object; the file may be cut off/,
    )
    await refused('', /./)
  })

  it('newer, with a wrong count, or malformed: the error names the line', async () => {
    const { lines } = await createWorld()
    const refused = await target()
    const edited = (n: number, from: string | RegExp, to: string) => {
      expect(lines.at(n)).toMatch(from)
      return lines.with(n, lines.at(n)!.replace(from, to)).join('\n')
    }
    const at = (kind: string) => lines.findIndex((line) => line.startsWith(`{"${kind}"`))
    await refused(
      edited(0, /"version":"[^"]+"/, '"version":1'),
      /^Line 1 .* it was written by another build of Sandbank: its stored form is 1, .* Use the build that wrote it, or ask for a new export\. Nothing was imported$/,
    )
    await refused(edited(-1, /\d+/, '7'), new RegExp(`^Line ${lines.length} .* it counts 7 lines`))
    await refused(`${lines.join('\n')}\n{"act":{}}`, /the file continues after its end/)
    for (const kind of ['collection', 'commit', 'exchange', 'act'])
      for (const value of ['null', '{}', '{"changes":[null]}', '7']) {
        const i = at(kind)
        const line = kind === 'collection' ? `{"collection":"customers","record":${value}}` : `{"${kind}":${value}}`
        await refused(lines.with(i, line).join('\n'), new RegExp(`^Line ${i + 1} of the bundle cannot be read: `))
      }
    await refused(edited(1, /"collection":"\w+"/, '"collection":"ships"'), /^Line 2 .* there is no collection ships/)
  })

  it('with a wrong private field, number or counter: the error names the line and the field', async () => {
    const { lines } = await createWorld()
    const refused = await target()
    const refuseEdit = async (i: number, from: RegExp, to: string, why: string) => {
      expect(lines[i]).toMatch(from)
      await refused(lines.with(i, lines[i]!.replace(from, to)).join('\n'), new RegExp(`^Line ${i + 1} .*${why}`))
    }
    const find = (start: string) => lines.findIndex((line) => line.startsWith(start))
    const customer = find('{"commit"')
    const exchange = find('{"exchange"')
    const task = find('{"collection":"tasks"')
    await refuseEdit(0, /"mode":"\w+"/, '"mode":"backwards"', 'clock.mode: ')
    await refuseEdit(task, /"held":false/, '"held":7', 'tasks \\w+: held: ')
    const product = find('{"collection":"products"')
    await refuseEdit(product, /"rails":\[[^\]]*\]/, '"rails":-1', 'products \\w+: rails: ')
    await refuseEdit(product, /"rails":\[[^\]]*\]/, '"rails":["ship"]', 'products \\w+: rails.0: ')
    await refuseEdit(task, /"made":\d+/, '"made":99999999', 'made: a number below the counter')
    await refuseEdit(
      customer,
      /"counters":\{"uid":\d+/,
      '"counters":{"uid":0',
      'counters.uid: at least \\d+ is expected',
    )
    await refuseEdit(exchange, /"uid":"x\d+"/, '"uid":"7"', 'exchange.uid: x and a number is expected')
    await refuseEdit(exchange, /"seq_after":\d+/, '"seq_after":0', 'seq_after: a commit that is not before seq_before')
    await refused(
      lines.toSpliced(task, 0, lines[task]!).join('\n'),
      new RegExp(`^Line ${task + 2} .*tasks \\w+ is already in line ${task + 1}`),
    )
    const { counters } = JSON.parse(lines[0]!) as { counters: { uid: number } }
    const withLowCounter = lines.map((line) => line.replaceAll(/"counters":\{"uid":\d+/g, '"counters":{"uid":0'))
    expect(counters.uid).toBeGreaterThan(0)
    await refused(withLowCounter.join('\n'), /^The counter of uids in the bundle is too low: 0 was found, but /)
  })

  it.each<[what: string, field: RegExp, act: object]>([
    ['a field of another type', /act\.input\.strict: /, { name: 'programs.update', input: '{"uid":"a","strict":7}' }],
    ['none of the possible forms', /act\.input: exactly one of by/, { name: 'clock.advance', input: '{"by":7}' }],
    ['a field that is missing', /act\.input\.uid: /, { name: 'tasks.run', input: '{}' }],
    ['an unknown field', /act\.input: .*"paec"/, { name: 'clock.set', input: '{"paec":"fast"}' }],
    ['a list in place of an object', /act\.input: /, { name: 'clock.set', input: '[]' }],
    ['no object', /act\.input: /, { name: 'faults.clear', input: 'null' }],
    [
      'a wrong field in a list',
      /act\.input\.faults\.1\.kind: /,
      { name: 'faults.set', input: '{"faults":[{"kind":"latency"},{"kind":"x"}]}' },
    ],
    [
      'a name with a control character',
      /act\.input\.name: a text without control characters is expected/,
      { name: 'programs.create', input: '{"name":"\\u0000"}' },
    ],
    ['too many levels', /act\.input: .*levels/, { name: 'faults.set', input: `${'['.repeat(200)}${']'.repeat(200)}` }],
  ])('with an operator action whose input has %s: the error names the line and the field', async (_what, why, act) => {
    const { lines } = await createWorld()
    const refused = await target()
    const i = lines.findIndex((line) => line.startsWith('{"act"'))
    const line = JSON.stringify({ act: { ...(JSON.parse(lines[i]!) as { act: object }).act, ...act } })
    const text = lines.with(i, line).join('\n')
    const named = new RegExp(`^Line ${i + 1} of the bundle cannot be read: ${why.source}.*Nothing was imported`)
    await refused(text, named)
    const { sandbox } = await setUpPayments()
    const call = createCaller(sandbox)
    const { seq } = sandbox.store.world
    await expect(call('recordings.describe', { text })).rejects.toThrow(named)
    await expect(call('exchanges.replay', { text, into: 'present' })).rejects.toThrow(named)
    expect(sandbox.store.world.seq).toBe(seq)
    expect(sandbox.told).toEqual([])
  })

  it.each([
    ['method', 'G T', /exchange\.method: /],
    ['method', '', /exchange\.method: /],
    ['path', 'customers', /exchange\.path: /],
    ['path', '@elsewhere/customers', /exchange\.path: /],
    ['status', 99_999, /exchange\.status: /],
    ['received_at', 'yesterday', /exchange\.received_at: /],
  ])('with a request whose %s is %j: the error names the line and the field', async (field, value, why) => {
    const { lines } = await createWorld()
    const refused = await target()
    const i = lines.findIndex((line) => line.startsWith('{"exchange"'))
    const { exchange } = JSON.parse(lines[i]!) as { exchange: object }
    const text = lines.with(i, JSON.stringify({ exchange: { ...exchange, [field]: value } })).join('\n')
    const named = new RegExp(`^Line ${i + 1} of the bundle cannot be read: ${why.source}.*Nothing was imported`)
    await refused(text, named)
    const { call } = await createWorld()
    await expect(call('exchanges.replay', { text, into: 'then' })).rejects.toThrow(named)
    await expect(call('recordings.describe', { text })).rejects.toThrow(named)
  })

  it('with books that do not balance at its beginning only, as a later commit mends them', async () => {
    const sandbox = await startSandbox({ world: 'demo' })
    const call = createCaller(sandbox)
    const [customer] = (await call('records.list', { collection: 'customers', limit: 1 })).data as { uid: string }[]
    const customer_uid = customer!.uid
    const filter = { collection: 'synthetic_accounts', customer_uid: [customer_uid] }
    const accounts = (await call('records.list', filter)).data as { uid: string; master_account: boolean }[]
    const { uid } = accounts.find(({ master_account }) => master_account)!
    await call('transactions.inject', { movement: 'fee', customer_uid, us_dollar_amount: '1.00' })
    await call('clock.advance', { until: 'idle' })
    const lines = (await call('bundles.export', {})).text.split('\n')
    const at = lines.findIndex((line) => line.startsWith('{"collection":"synthetic_accounts"') && line.includes(uid))
    const wrong = lines.with(
      at,
      lines[at]!.replace(/"net_usd_available_balance":"[^"]*"/, '"net_usd_available_balance":null'),
    )
    expect(wrong).not.toEqual(lines)
    const refused = await target()
    await refused(wrong.join('\n'), /^The books at the beginning of the bundle do not balance: .*Nothing was imported$/)
  })

  it('with books that do not balance: the error names the commit, also for a folder', async () => {
    const { lines, text } = await createWorld()
    const refused = await target()
    const money = lines.findIndex((line) => line.startsWith('{"commit"') && line.includes('"synthetic_line_items"'))
    const { seq } = (JSON.parse(lines[money]!) as { commit: { seq: number } }).commit
    const wrong = lines.with(
      money,
      lines[money]!.replace(/"us_dollar_amount":"-?500\.00"/, '"us_dollar_amount":"501.00"'),
    )
    expect(wrong).not.toEqual(lines)
    const why = new RegExp(
      `^(Line ${money + 1} of the bundle, commit ${seq}, is invalid|The books of the bundle do not balance): `,
    )
    await refused(wrong.join('\n'), why)

    const place = createTemporaryFolder()
    const file = join(place, 'it.sandbank')
    const data = join(place, 'data')
    for (const [content, reason] of [
      [wrong.join('\n'), why],
      [lines.slice(0, -1).join('\n'), /ends too early/],
      ['{"log":{}}', /This is no bundle/],
    ] as const) {
      writeFileSync(file, content)
      await expect(importFile(file, data)).rejects.toThrow(reason)
      expect([existsSync(data), readdirSync(place)]).toEqual([false, ['it.sandbank']])
    }
    writeFileSync(file, text)
    expect((await importFile(file, data)).exchanges).toBe(11)
    await expect(importFile(file, data)).rejects.toThrow(/is not empty/)
    await expect(importFile(join(place, 'none'), join(place, 'other'))).rejects.toThrow(/There is no file/)
    await expect(importFile(place, join(place, 'other'))).rejects.toThrow(/is no file$/)
    vi.spyOn(files, 'write').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    await expect(importFile(file, join(place, 'other')), 'the disk is full').rejects.toThrow(/ENOSPC/)
    vi.restoreAllMocks()
    expect(readdirSync(place)).toEqual(['data', 'it.sandbank'])
  })

  it('says why it failed, also if cleaning up fails, too', async () => {
    const place = createTemporaryFolder()
    const { sandbox } = await setUpPayments()
    const exported = await sandbox.call('bundles.export', {})
    const file = join(place, 'it.sandbank')
    writeFileSync(file, (exported as { value: { text: string } }).value.text)
    const { close } = files
    let hasFailed = false
    vi.spyOn(files, 'rename').mockImplementation(() => {
      hasFailed = true
      throw new Error('ENOSPC')
    })
    vi.spyOn(files, 'close').mockImplementation((fd) => {
      close(fd)
      if (hasFailed) throw new Error('EIO')
    })
    await expect(importFile(file, join(place, 'other'))).rejects.toThrow(/ENOSPC/)
    vi.restoreAllMocks()
    // The path of the folder goes through a file, so that nothing can be removed there.
    const write = () => Promise.reject(new Error('no space'))
    await expect(writeAside(join(file, 'folder'), write)).rejects.toThrow('no space')
  })
})
