import { fileURLToPath } from 'node:url'
import { type TestAPI, test as vitestTest } from 'vitest'
import { createFixture, type WorldFixture, type WorldOptions } from './fixture.ts'

/** `import { test } from 'sandbank/vitest'`: each test that asks for `world` gets a world of its own. */

export type { NamedWorld, World, WorldFixture, WorldOptions } from './fixture.ts'

const fixture = createFixture(fileURLToPath(import.meta.url))

/** A test function whose worlds are created differently. */
export const createTest = (options: WorldOptions): TestAPI<WorldFixture> =>
  vitestTest.extend<WorldFixture>({
    world: async ({ task }, use) => {
      const world = await fixture.open(options)
      await use(world)
      // A test of test.fails() has failed as it should.
      const hasFailed = task.result?.state === 'fail' && !task.fails
      const report = await fixture.close(world, hasFailed ? { file: task.file.name, title: titleOf(task) } : undefined)
      if (report !== undefined) console.error(report)
    },
  })

interface Titled {
  readonly name: string
  readonly suite?: Titled | undefined
}

const titleOf = ({ name, suite }: Titled): string => (suite?.name ? `${titleOf(suite)} > ${name}` : name)

export const test: TestAPI<WorldFixture> = createTest({})
export const it: TestAPI<WorldFixture> = test
