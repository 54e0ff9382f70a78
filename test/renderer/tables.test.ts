import { describe, expect, it } from 'vitest'
import { nextSort, readSort, sortRows } from '../../src/renderer/components/list/use-table-tools.ts'
import { formatTsv } from '../../src/renderer/format/csv.ts'
import {
  arrangeColumns,
  type ColumnLayout,
  moveColumn,
  orderColumns,
  resizeColumn,
  shiftColumn,
  showColumn,
} from '../../src/renderer/ui/column-layout.ts'

const columns = ['time', 'type', 'note', 'amount'].map((id) => ({ id, width: '80px', hidden: id === 'note' }))
const ids = (layout: ColumnLayout) => arrangeColumns(columns, layout).map(({ id }) => id)

describe('the columns of a table', () => {
  it('are shown and hidden by the user, but for the last one', () => {
    expect(ids({})).toEqual(['time', 'type', 'amount'])
    expect(ids(showColumn(columns, {}, 'note', true))).toEqual(['time', 'type', 'note', 'amount'])
    expect(ids({ shown: { time: false, type: false, amount: false } })).toEqual(['time'])
  })

  it('are shown by default again when the user undoes the choice, so that a default that depends on the width applies', () => {
    const hidden = showColumn(columns, {}, 'type', false)
    expect(hidden).toEqual({ shown: { type: false } })
    expect(showColumn(columns, hidden, 'type', true)).toEqual({ shown: {} })
  })

  it('move to the place of another, and by one visible place', () => {
    expect(ids(moveColumn(columns, {}, 'amount', 'time'))).toEqual(['amount', 'time', 'type'])
    expect(ids(shiftColumn(columns, {}, 'type', 1))).toEqual(['time', 'amount', 'type'])
    expect(shiftColumn(columns, {}, 'time', -1)).toEqual({})
  })

  it('stay after the column that they follow by default if a remembered order does not know them', () => {
    const order = { order: ['amount', 'time'] }
    expect(orderColumns(columns, order).map(({ id }) => id)).toEqual(['amount', 'time', 'type', 'note'])
  })

  it('are no narrower than 40 pixels, and get their default width again', () => {
    const narrow = resizeColumn({}, 'type', 3)
    expect(arrangeColumns(columns, narrow)[1]).toMatchObject({ id: 'type', width: '40px' })
    expect(arrangeColumns(columns, resizeColumn(narrow, 'type', undefined))[1]).toMatchObject({ width: '80px' })
  })
})

describe('the order of a list', () => {
  const column = { id: 'amount', largestFirst: true }
  it('goes from one direction to the other and back to the newest first', () => {
    const first = nextSort(undefined, column)
    expect(first).toEqual(['amount_desc'])
    const second = nextSort(readSort(first[0], [column]), column)
    expect(second).toEqual(['amount_asc'])
    expect(nextSort(readSort(second[0], [column]), column)).toEqual([])
    expect(readSort('color_asc', [column])).toBe(undefined)
  })

  it('sorts amounts by size, texts without case, and missing values last', () => {
    const by = (values: readonly (string | null)[], descending: boolean) =>
      sortRows(values, { ...column, header: '', width: '', cell: () => '', text: (value) => value }, descending)
    expect(by(['9.00', '-10.00', null, '1000.00'], true)).toEqual(['1000.00', '9.00', '-10.00', null])
    expect(by(['b', null, 'A', 'c'], false)).toEqual(['A', 'b', 'c', null])
  })
})

it('copied rows are lines of cells between tabs, and no cell runs as a formula', () => {
  expect(
    formatTsv([
      ['a\tb', '-5.00', null],
      ['=1+1', 'two\nlines', 3],
    ]),
  ).toBe("a b\t-5.00\t\n'=1+1\ttwo lines\t3")
})
