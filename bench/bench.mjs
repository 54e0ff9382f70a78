// npm run bench: measures Sandbank and its peers side by side, prints a table and writes it to bench/results.md. `-- --rounds 3
// --seconds 1` takes less time; `--worlds FOLDER` stores the large worlds, which take minutes to create, for the next run;
// `--only try` measures one group, and writes no file.
import { load, readOptions } from './support/command.mjs'

const { rounds, seconds, worlds, only } = readOptions({ rounds: 5, seconds: 2, worlds: '', only: '' })
const { bench } = await load('figures/bench.ts')
await bench({ rounds, seconds, worlds, only, print: console.log })
