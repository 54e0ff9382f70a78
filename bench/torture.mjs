// npm run torture -- --kills 30 --seed sandbank: a sandbox that is killed over and over must lose nothing that it
// answered. Then a torn last line, a broken line, a full disk and a folder that cannot be written.
import { load, options } from './support/run.mjs'

const { kills, seed } = options({ kills: 30, seed: 'sandbank' })
const { torture } = await load('torture/torture.ts')
process.exitCode = (await torture({ kills, seed, say: console.log })) ? 0 : 1
