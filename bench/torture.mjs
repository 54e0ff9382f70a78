// npm run torture -- --kills 30 --replacements 20 --seed sandbank: kills a sandbox over and over, and replaces worlds while clients write; no
// acknowledged change may be lost. The work is divided among processes, one for each processor (`--workers N`).
import { availableParallelism } from 'node:os'
import { load, readOptions, startWorker } from './support/command.mjs'

const options = readOptions({ kills: 30, replacements: 20, seed: 'sandbank', workers: availableParallelism() })
const { runWorker, torture } = await load('torture/torture.ts')

if (process.send) process.send(await runWorker(options))
else {
  const start = (share) => startWorker(import.meta.filename, share)
  process.exitCode = (await torture({ ...options, print: console.log, startWorker: start })) ? 0 : 1
}
