import { describe, expect, it } from 'vitest'
import { collectionNames, showHidden } from '../../src/api/contract/collection-names.ts'
import { ownName, rowOf } from '../../src/api/contract/collections.ts'
import { call } from '../support/operator.ts'
import { shareDemo } from '../support/sandbox.ts'

// Every list of the demo world, filtered by what its own records say: a filter that reads nothing, or another field, is noticed.

const sandbox = await shareDemo({ seed: 'list-filters' })

const asText = (value: unknown) => String(value).toLowerCase()

describe.each(collectionNames)('%s of the demo world', (collection) => {
  const { list } = rowOf(collection)
  const read = async (query: object) =>
    (await call(sandbox, 'records.list', { collection, limit: 1000, ...showHidden(collection), ...query }))
      .data as readonly Record<string, unknown>[]

  it('each filter with the name of a field finds the records with the value of that field, and no others', async () => {
    const records = await read({})
    for (const name of Object.keys(list.filters)) {
      const values = records
        .map((record) => record[name])
        .filter((value) => ['string', 'boolean'].includes(typeof value))
      for (const value of [...new Set(values)].slice(0, 3)) {
        // records.list takes the Program as one value, because it is no filter there.
        const queries = name === 'program_uid' ? [{ [name]: value }] : [{ [name]: [value] }, { [name]: value }]
        const query = queries.find((it) => name === 'program_uid' || list.query.safeParse(it).success)
        if (!query) continue
        const expected = records.filter((record) => record[name] === value).map(({ uid }) => uid)
        const found = await read(query)
        expect(
          found.map(({ uid }) => uid),
          `${name} = ${value}`,
        ).toEqual(expect.arrayContaining(expected))
        for (const record of found) expect(asText(record[name]), name).toContain(asText(value))
      }
    }
  })

  it('each record has the name that its title gives', async () => {
    expect([...new Set((await read({})).map((record) => ownName(collection, record)))].slice(0, 3)).toMatchSnapshot()
  })
})
