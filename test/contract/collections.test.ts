import { describe, expect, it } from 'vitest'
import { showHidden } from '../../src/api/contract/collection-names.ts'
import {
  amountOf,
  type CollectionName,
  collectionNames,
  indexedFields,
  isCollection,
  ownName,
  rowOf,
} from '../../src/api/contract/collections.ts'
import { hasPath } from '../../src/api/contract/terms/fields.ts'
import { emptyCollections } from '../../src/api/store/world.ts'

describe.each(collectionNames)('the row of %s', (name) => {
  const { schema, list, search, parents = [], machines = {}, amount, title } = rowOf(name)

  it('gives the collection its indexes', () => {
    expect(emptyCollections()[name].indexedFields).toEqual(indexedFields(name))
  })

  it('has an index on every field that it looks up exactly', () => {
    expect(indexedFields(name)).toEqual(expect.arrayContaining([...(search?.exact ?? [])]))
  })

  it('names parents that exist and are found by an index', () => {
    for (const { collection, field, childField } of parents) {
      expect(field ?? childField).toBeDefined()
      if (typeof collection !== 'string') continue
      expect(isCollection(collection)).toBe(true)
      if (childField !== undefined && isCollection(collection)) expect(indexedFields(collection)).toContain(childField)
    }
  })

  it('names fields of its schema', () => {
    const fields = [...Object.keys(machines), ...(title.parties ?? []), ...(amount === undefined ? [] : [amount])]
    for (const field of fields) expect(hasPath(schema, field), field).toBe(true)
  })

  it('shows what its list hides by parameters that the list takes', () => {
    const parameters = (list.hides ?? []).flatMap((hide) => ('unless' in hide ? [hide.unless] : []))
    expect(Object.keys(showHidden(name))).toEqual(parameters)
    expect(list.query.safeParse(showHidden(name)).success).toBe(true)
  })

  it('has no name and no amount for a record without fields', () => {
    expect(ownName(name, {})).toBe(name === 'transfers' ? 'book transfer' : null)
    expect(amountOf(name, {})).toBeNull()
  })
})

it('one collection leads each of the areas that the window lists', () => {
  const leads = collectionNames.filter((name) => rowOf(name).leadsArea).map((name) => [rowOf(name).area, name])
  expect(leads).toEqual([
    ['customers', 'customers'],
    ['accounts', 'synthetic_accounts'],
    ['payments', 'transactions'],
    ['vrns', 'virtual_reference_numbers'],
  ])
})

it('no two collections have the same rank in a search', () => {
  const ranks = collectionNames.flatMap((name) => rowOf(name).search?.rank ?? [])
  expect(new Set(ranks).size).toBe(ranks.length)
})

it.each(collectionNames)('the rules of %s name fields of its schema, and inputs that are found by an index', (name) => {
  const { schema, list } = rowOf(name)
  for (const [field, { from }] of Object.entries(list.rules ?? {})) {
    expect(hasPath(schema, field), field).toBe(true)
    for (const { collection, childField, fields } of from) {
      expect(fields ?? childField).toBeDefined()
      if (collection !== undefined && childField !== undefined)
        expect(indexedFields(collection as CollectionName)).toContain(childField)
    }
  }
})
