// npm run simulate -- --seeds 1000 --seed sandbank: runs the whole sandbox in this process, on a disk and a clock in memory that fail in
// every way, and compares it with an independent model of the specification. The same seed gives the same run. The seeds are divided
// among worker processes, one for each processor. With --money there are no crashes: what can happen to money, compared after each step.
// The lists of a world of 100,000 records are compared, too, unless --records says another number, or 0.
import { availableParallelism } from 'node:os'
import { load, readOptions, startWorker } from './support/command.mjs'

const options = readOptions({
  seeds: 1000,
  seed: 'sandbank',
  first: 0,
  records: 100_000,
  money: false,
  workers: availableParallelism(),
})
const { moneyPlanOf, planOf, runSimulation, simulate } = await load('simulate/simulate.ts')
const all = { ...options, planOf: options.money ? moneyPlanOf : planOf, print: console.log }

if (process.send) process.send(await simulate(all))
else {
  const start = (share) => startWorker(import.meta.filename, { ...share, money: options.money })
  process.exitCode = (await runSimulation({ ...all, startWorker: start })) ? 0 : 1
}
