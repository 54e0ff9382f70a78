import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { methodNames } from '../../src/api/contract/control/methods.ts'
import { copyWorld, createAuthorizations, createWorld } from '../figures/worlds.ts'
import { type Call, createAuthorizationCalls, createCalls } from './calls.ts'
import { MeasuredSandbox } from './server.ts'

/** npm run stalls: how long each control method and each listing endpoint of a large world blocks the event loop. */

export interface Options {
  readonly transactions: number
  /** A folder in which created worlds are stored for another run; without it they are deleted. */
  readonly worlds: string
  readonly only: string
  readonly world: string
  readonly durability: string
  readonly print: (line: string) => void
}

export async function measureStalls({ transactions, worlds, only, world, durability, print }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-stalls-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', removeFolder)
  try {
    const data = join(folder, 'data')
    const uids = await copyWorld(worlds || join(folder, 'worlds'), `${world}-${transactions}`, data, (original) => {
      print(`Creating a world of ${transactions} Transactions …`)
      if (world === 'authorizations') return createAuthorizations(original, transactions)
      const programs = world === 'programs' ? 10 : 1
      return createWorld({ data: original, payments: transactions, by: 'book', settled: true, programs })
    })
    const sandbox = await MeasuredSandbox.open(data, print, durability)
    const { client } = sandbox
    try {
      const calls =
        world === 'authorizations' ? createAuthorizationCalls(client) : await createCalls(client, uids, data)
      const missing = methodNames.filter((name) => !calls.some((call) => call.name.split(',')[0] === name))
      if (missing.length > 0 && world !== 'authorizations') throw new Error(`No call measures ${missing.join(', ')}`)
      const isWanted = ({ name }: Call) => only.split('|').some((text) => name.includes(text))
      for (const call of calls.slice(0, calls.findLastIndex(isWanted) + 1))
        if (isWanted(call) || call.isPreparation) await sandbox.measure(call.name, async () => [await call.send()])
    } finally {
      await sandbox.stop()
    }
    sandbox.printRows()
  } finally {
    removeFolder()
    process.off('exit', removeFolder)
  }
}
