// npm run simulate -- --seeds 1000 --seed sandbank: runs the whole sandbox in this process, on a disk and a clock in memory that fail in
// every way, and compares it with an independent model of the specification. The same seed gives the same run. The seeds are divided
// among worker processes, one for each processor. With --money there are no crashes: what can happen to money, compared after each step.
// With --processes the built sandbox runs on a real disk, and is killed at random instants, or its world replaced while clients write.
import { availableParallelism } from 'node:os'
import { load, readOptions, startWorker } from './support/command.mjs'

const kinds = { money: false, processes: false }
const options = readOptions({ seeds: 1000, seed: 'sandbank', first: 0, ...kinds, workers: availableParallelism() })
const { money, processes } = options
const { moneyPlanOf, planOf, processPlanOf, runSimulation, simulate } = await load('simulate/simulate.ts')
const all = { ...options, planOf: processes ? processPlanOf : money ? moneyPlanOf : planOf, print: console.log }

if (process.send) process.send(await simulate(all))
else {
  const start = (share) => startWorker(import.meta.filename, { ...share, money, processes })
  process.exitCode = (await runSimulation({ ...all, startWorker: start })) ? 0 : 1
}
