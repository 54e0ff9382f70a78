// npm run bench: measures Sandbank and its peers side by side, prints a table and writes it to bench/results.md. `-- --rounds 3
// --seconds 1` takes less time; `--worlds FOLDER` stores the large worlds, which take minutes to create, for the next run.
import { load, readOptions } from './support/command.mjs'

const { rounds, seconds, worlds } = readOptions({ rounds: 5, seconds: 2, worlds: '' })
const { bench } = await load('figures/bench.ts')
await bench({ rounds, seconds, worlds, print: console.log })
