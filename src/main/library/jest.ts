import { createFixture, type WorldFixture, type WorldOptions } from './fixture.ts'

/** `import { test } from 'sandbank/jest'`: each test gets a world of its own. Built as CommonJS, which Jest loads with and without ES modules. */

export type { NamedWorld, World, WorldFixture, WorldOptions } from './fixture.ts'

/** Given to each test. */
type TestFunction = (fixture: WorldFixture) => unknown
type Declare = (name: string, run: TestFunction, timeout?: number) => void

type DeclareEach<Args extends unknown[]> = (name: string, run: (...args: Args) => unknown, timeout?: number) => void

interface Variants<D> {
  only: D
  skip: D
  failing: D
  concurrent: D
  todo(name: string): void
}

/** As Jest's `test`, whose functions get a world. */
export interface WorldTest extends Declare, Variants<Declare> {
  /** One test for each row. A row that is a list gives several arguments; the last argument has the world. */
  each<Row extends readonly unknown[]>(rows: readonly Row[]): DeclareEach<[...Row, WorldFixture]>
  each<Row>(rows: readonly Row[]): DeclareEach<[Row, WorldFixture]>
}

type JestDeclare = (name: string, run: (() => Promise<unknown>) | undefined, timeout?: number) => void
interface JestTest extends JestDeclare, Variants<JestDeclare> {
  each(rows: readonly unknown[]): (name: string, run: (...row: unknown[]) => Promise<unknown>, timeout?: number) => void
}
interface JestGlobals {
  readonly test: JestTest
  readonly expect: { getState(): { currentTestName?: string | undefined; testPath?: string | undefined } }
}

/** Jest provides this module to every file, also in a project that has not installed it. */
const jest = require('@jest/globals') as JestGlobals

const fixture = createFixture(__filename)

/** A test function whose worlds are created differently. */
export function createTest(options: WorldOptions): WorldTest {
  const runInWorld = async (name: string, run: TestFunction, shouldFail = false) => {
    const world = await fixture.open(options)
    let isPassed = false
    try {
      const result = await run({ world })
      isPassed = true
      return result
    } finally {
      const { currentTestName: title = name, testPath: file = '' } = jest.expect.getState()
      const report = await fixture.close(world, isPassed || shouldFail ? undefined : { file, title })
      if (report !== undefined) process.stderr.write(`${report}\n`)
    }
  }
  const wrap =
    (declare: JestDeclare, shouldFail?: boolean): Declare =>
    (name, run, timeout) =>
      declare(name, () => runInWorld(name, run, shouldFail), timeout)
  const { test } = jest
  return Object.assign(wrap(test), {
    only: wrap(test.only),
    skip: wrap(test.skip),
    failing: wrap(test.failing, true),
    concurrent: wrap(test.concurrent),
    todo: (name: string) => test.todo(name),
    each: (rows: readonly unknown[]) => (name: string, run: (...args: never[]) => unknown, timeout?: number) =>
      test.each(rows)(name, (...row) => runInWorld(name, (given) => run(...([...row, given] as never[]))), timeout),
  })
}

export const test: WorldTest = createTest({})
export const it: WorldTest = test
