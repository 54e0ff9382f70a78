// npm run torture -- --kills 30 --replacements 20 --seed sandbank: kills a sandbox over and over, and replaces worlds while clients write; no
// acknowledged change may be lost. Then tests damaged data folders and disks. The work is divided among processes, one for each processor
// (`--workers N`).
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { load, readOptions } from './support/command.mjs'

const options = readOptions({ kills: 30, replacements: 20, seed: 'sandbank', workers: availableParallelism() })
const { runWorker, torture } = await load('torture/torture.ts')

if (process.send) process.send(await runWorker(options))
else process.exitCode = (await torture({ ...options, print: console.log, startWorker })) ? 0 : 1

/** Returns what `runWorker` returns in the other process. */
function startWorker({ kills, replacements, seed }) {
  const share = ['--kills', String(kills), '--replacements', String(replacements), '--seed', seed]
  const child = fork(import.meta.filename, share)
  return new Promise((resolve, reject) => {
    child.on('message', resolve)
    child.on('close', (code) => reject(new Error(`A worker ended with ${code}`)))
  })
}
