// npm run simulate -- --seeds 1000 --seed sandbank: runs the whole sandbox in this process, on a disk and a clock in memory that fail in
// every way, and compares it with an independent model of the specification. The same seed gives the same run.
import { load, readOptions } from './support/command.mjs'

const { seeds, seed } = readOptions({ seeds: 1000, seed: 'sandbank' })
const { runSimulation } = await load('simulate/simulate.ts')
process.exitCode = (await runSimulation({ seeds, seed, print: console.log })) ? 0 : 1
