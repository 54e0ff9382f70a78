import { describe, expect, it } from 'vitest'
import { createProject, hasPytest, runIn, shells } from './support.ts'

const PYTEST = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']
const NO_ROOM = { SANDBANK_COMMAND: `node -e 'console.error("no room")'` }

/** The suites of the small app in examples/, each with a sandbox that it starts itself, or that cannot start. */

it.skipIf(!hasPytest)('examples/python passes with pytest', async () => {
  const project = createProject({}, 'python')
  const { code, text } = await runIn(project, PYTEST)
  expect(text).toMatch(/3 passed/)
  expect(code).toBe(0)
})

it.skipIf(!hasPytest)('pytest ends at once with the words of a sandbox that cannot start', async () => {
  const { code, text } = await runIn(createProject({}, 'python'), PYTEST, NO_ROOM)
  expect(code).toBe(3)
  expect(text).toMatch(/no tests ran/)
  expect(text).toMatch(/The sandbox for the tests did not start: .*: no room/)
})

describe('examples/shell', () => {
  for (const { shell, installed } of shells)
    it.skipIf(!installed)(`passes with ${shell}`, async () => {
      const project = createProject({}, 'shell')
      const { code, text } = await runIn(project, [shell, 'rent-test.sh'])
      expect(text.match(/^ok \d/gm)?.length, text).toBe(3)
      expect(code).toBe(0)
    })

  const [first] = shells.filter(({ installed }) => installed)
  it.skipIf(!first)('tells the words of a sandbox that cannot start: exit code 2', async () => {
    const ended = await runIn(createProject({}, 'shell'), [first!.shell, 'rent-test.sh'], NO_ROOM)
    expect(ended).toEqual({ code: 2, text: 'The sandbox for the tests did not start: no room\n' })
  })
})
