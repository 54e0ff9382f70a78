// npm run simulate -- --seeds 1000 --seed sandbank: runs the whole sandbox in this process, on a disk and a clock in memory that fail in
// every way, and compares it with an independent model of the specification. The same seed gives the same run. The seeds are divided
// among worker processes, one for each processor.
import { availableParallelism } from 'node:os'
import { load, readOptions, startWorker } from './support/command.mjs'

const options = readOptions({ seeds: 1000, seed: 'sandbank', first: 0, workers: availableParallelism() })
const { runSimulation, simulate } = await load('simulate/simulate.ts')
const print = console.log

if (process.send) process.send(await simulate({ ...options, print }))
else {
  const start = (share) => startWorker(import.meta.filename, share)
  process.exitCode = (await runSimulation({ ...options, print, startWorker: start })) ? 0 : 1
}
