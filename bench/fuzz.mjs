// npm run fuzz -- --requests 3000 --seed sandbank: sends valid and invalid requests, generated from the contract, to every endpoint and
// control method. The same seed sends the same requests.
import { load, readOptions } from './support/command.mjs'

const { requests, seed } = readOptions({ requests: 3000, seed: 'sandbank' })
const { runFuzz } = await load('fuzz/fuzz.ts')
process.exitCode = (await runFuzz({ requests, seed, print: console.log })) ? 0 : 1
