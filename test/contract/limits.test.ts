import { describe, expect, it } from 'vitest'
import { methods } from '../../src/api/contract/control/methods.ts'
import { desktopMethods } from '../../src/api/contract/desktop.ts'

/** Limits of inputs that no other test reaches. */

describe('limits of the control API', () => {
  it.each([
    ['desk.listen', desktopMethods['desk.listen'].input, 'port', [1, 65_535], [0, 65_536, 1.5]],
    ['bundles.export', methods['bundles.export'].input, 'note', ['n'.repeat(10_000)], ['n'.repeat(10_001)]],
  ] as const)('%s: the limits of its input belong to it', (_name, input, field, accepted, refused) => {
    for (const value of accepted) expect(input.safeParse({ [field]: value }).success).toBe(true)
    for (const value of refused) expect(input.safeParse({ [field]: value }).success).toBe(false)
  })
})
