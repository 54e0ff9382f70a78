// npm run simulate -- --seeds 1000 --seed sandbank: runs the whole sandbox in this process, on a disk and a clock in memory that fail in
// every way, and compares it with an independent model of the specification. The same seed gives the same run. The seeds are divided
// among worker processes, one for each processor.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { load, readOptions } from './support/command.mjs'

const defaults = { seeds: 1000, seed: 'sandbank', first: 0, workers: availableParallelism() }
const { seeds, seed, first, workers } = readOptions(defaults)

if (workers <= 1 || seeds <= workers) {
  const { runSimulation } = await load('simulate/simulate.ts')
  process.exitCode = (await runSimulation({ seeds, seed, first, print: console.log })) ? 0 : 1
} else {
  const started = Date.now()
  await load('simulate/simulate.ts') // Builds what is missing, once.
  const share = Math.ceil(seeds / workers)
  const codes = await Promise.all(
    Array.from({ length: workers }, (_, n) => runWorker(first + n * share, Math.min(share, seeds - n * share))),
  )
  const minutes = (Date.now() - started) / 60_000
  console.log(`${seeds} seeds by ${workers} processes, ${Math.round(seeds / minutes)} a minute`)
  process.exitCode = Math.max(...codes)
}

function runWorker(from, count) {
  const options = { seeds: count, seed, first: from, workers: 1 }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(process.execPath, [import.meta.filename, ...args], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}
