// npm run stalls -- --transactions 100000: calls every control method and every listing endpoint of a large world once, and prints for
// each the longest slice of processor time, the longest gap of a timer of 60 Hz, and the peak memory. `--worlds FOLDER` stores the world,
// which takes minutes to create, for the next run; `--only 'why|moves'` measures only calls whose name contains one of the texts.
// `--world programs` spreads the payments over ten Programs; `--world authorizations` has open authorizations that end at one instant.
// npm run stalls -- --inputs 900000: sends large texts of about so many bytes instead, and exports, records and replays the log of each.
import { load, readOptions } from './support/command.mjs'

const options = readOptions({
  transactions: 100_000,
  worlds: '',
  only: '',
  world: 'payments',
  durability: 'write',
  inputs: 0,
})
const print = console.log
// Ends the server, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
if (options.inputs > 0) {
  const { measureInputs } = await load('stalls/inputs.ts')
  await measureInputs({ bytes: options.inputs, only: options.only, print })
} else {
  const { measureStalls } = await load('stalls/stalls.ts')
  await measureStalls({ ...options, print })
}
