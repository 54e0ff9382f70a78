import { expect, it } from 'vitest'
import { collectionNames } from '../../src/api/store/world.ts'
import { collections } from '../../src/renderer/data/collections.ts'

it('the window has labels for every collection', () =>
  expect(Object.keys(collections).sort()).toEqual([...collectionNames].sort()))
