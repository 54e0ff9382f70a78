// npm run fuzz -- --requests 3000 --seed sandbank: requests made from the contract, well-formed, odd and hostile, against
// every endpoint and control method. Deterministic by its seed.
import { load, options } from './support/run.mjs'

const { requests, seed } = options({ requests: 3000, seed: 'sandbank' })
const { command } = await load('fuzz/fuzz.ts')
process.exitCode = (await command({ requests, seed, say: console.log })) ? 0 : 1
