// npm run bench:tests: 500 tests of the example, each in a world of its own, 8 at once in Vitest, in 20 random orders; then what a world
// adds to a test. It is a part of npm run bench. `-- --tests 100 --orders 2` takes less time.
import { load, readOptions } from './support/command.mjs'

const { tests, orders } = readOptions({ tests: 500, orders: 20 })
const { describeExampleTests, runExampleTests } = await load('figures/example-tests.ts')
console.log(describeExampleTests(orders, runExampleTests({ tests, orders, print: console.log })))
