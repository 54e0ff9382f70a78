import { describe, expect, it } from 'vitest'
import { locateJsonError } from '../../src/api/contract/terms/json-error.ts'

/** Where a text stops being JSON; test/replay/recordings/har.test.ts has whole files. */

describe('in a text, the error is', () => {
  it.each([
    ['{"a":"x', 8, 'the text ends here, as if it had been cut off; expected the " that ends a text'],
    ['{"a":"x\\', 8, 'found \\; expected the " that ends a text'],
    ['{"a":"x\\q"}', 8, 'found \\; expected the " that ends a text'],
    ['{"a":"\\u12x4"}', 7, 'found \\; expected the " that ends a text'],
    ['{"a":"\\u12', 7, 'found \\; expected the " that ends a text'],
    ['{"a":"x\ny"}', 8, 'found a line break or another control character; expected the " that ends a text'],
    ['{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9é" 1}', 32, 'found 1; expected a comma or }'],
    ['{"a"x}', 5, 'found x; expected a colon'],
    ['{"\\x":1}', 3, 'found \\; expected the " that ends a text'],
  ])('%j: column %i', (text, column, message) => {
    const place = locateJsonError(text)
    if (!text.includes('\n')) expect(place).toMatchObject({ line: 1, column })
    expect(place?.text).toContain(message)
  })

  it.each(['{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9é"}', '""', '"\\ud800"'])('not there: %j', (text) => {
    expect(locateJsonError(text)).toBeUndefined()
  })
})
