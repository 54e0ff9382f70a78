// npm run torture -- --kills 30 --seed sandbank: kills a sandbox over and over; no acknowledged change may be lost. Then tests damaged
// data folders and disks.
import { load, readOptions } from './support/command.mjs'

const { kills, seed } = readOptions({ kills: 30, seed: 'sandbank' })
const { torture } = await load('torture/torture.ts')
process.exitCode = (await torture({ kills, seed, print: console.log })) ? 0 : 1
