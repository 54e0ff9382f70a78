// npm run bench: starts everything itself, measures side by side, prints one table and writes it to bench/results.md.
// `-- --rounds 3 --seconds 1` is a shorter look; `--worlds FOLDER` keeps the
// large worlds, whose making takes minutes, for the next run.
import { load, options } from './support/run.mjs'

const { rounds, seconds, worlds } = options({ rounds: 5, seconds: 2, worlds: '' })
const { bench } = await load('figures/bench.ts')
await bench({ rounds, seconds, worlds, say: console.log })
