import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { methodNames } from '../../src/api/contract/control/methods.ts'
import { createAuthorizations, createWorld, type WorldUids } from '../figures/worlds.ts'
import { Client } from '../support/client.ts'
import { type Call, createAuthorizationCalls, createCalls } from './calls.ts'
import { type Figures, startMeasuredServer } from './server.ts'

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

export interface Row extends Figures {
  readonly name: string
  readonly status: number
  /** How long the caller waited, in milliseconds. */
  readonly duration: number
}

export async function measureStalls({
  transactions,
  worlds,
  only,
  world,
  durability,
  print,
}: Options): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-stalls-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', removeFolder)
  try {
    const { data, uids } = await copyOfWorld(folder, worlds || join(folder, 'worlds'), world, transactions, print)
    const server = await startMeasuredServer(data, durability)
    const client = new Client(server.output, { withinMs: 600_000 })
    const rows: Row[] = []
    try {
      const calls = world === 'authorizations' ? createAuthorizationCalls(client) : createCalls(client, uids, data)
      const missing = methodNames.filter((name) => !calls.some((call) => call.name.split(',')[0] === name))
      if (missing.length > 0 && world !== 'authorizations') throw new Error(`No call measures ${missing.join(', ')}`)
      const isWanted = ({ name }: Call) => only.split('|').some((text) => name.includes(text))
      for (const call of calls.slice(0, calls.findLastIndex(isWanted) + 1)) {
        const { name, isPreparation = false, send } = call
        if (!isWanted(call) && !isPreparation) continue
        await server.readFigures()
        const began = performance.now()
        const status = await send().catch((error: Error) => {
          print(`${name} failed: ${error.message}`)
          return 0
        })
        const duration = performance.now() - began
        const row = { name, status, duration, ...(await server.readFigures()) }
        rows.push(row)
        print(`${name}: ${status}, ${Math.round(row.slice)} ms`)
      }
    } finally {
      client.close()
      await server.stop()
    }
    for (const line of formatRows(rows)) print(line)
    return rows
  } finally {
    removeFolder()
    process.off('exit', removeFolder)
  }
}

async function copyOfWorld(
  folder: string,
  worlds: string,
  world: string,
  payments: number,
  print: (line: string) => void,
) {
  const original = join(worlds, `${world}-${payments}`)
  if (!existsSync(`${original}.json`)) {
    print(`Creating a world of ${payments} Transactions …`)
    mkdirSync(worlds, { recursive: true })
    const programs = world === 'programs' ? 10 : 1
    const uids = await (world === 'authorizations'
      ? createAuthorizations(original, payments)
      : createWorld({ data: original, payments, by: 'book', settled: true, programs }))
    writeFileSync(`${original}.json`, JSON.stringify(uids))
  }
  const data = join(folder, 'data')
  cpSync(original, data, { recursive: true })
  return { data, uids: JSON.parse(readFileSync(`${original}.json`, 'utf8')) as WorldUids }
}

export function formatRows(rows: readonly Row[]): string[] {
  const sorted = [...rows].sort((a, b) => b.slice - a.slice)
  const slow = rows.filter(({ slice }) => slice > 50).length
  const late = rows.filter(({ gap }) => gap > 100).length
  return [
    '| Call | Status | Longest slice (ms of processor time) | Longest gap at 60 Hz (ms) | Longest garbage collection (ms) | Peak memory (MB) | Duration (ms) |',
    '|---|---|---|---|---|---|---|',
    ...sorted.map(({ name, status, slice, gap, collection, memory, duration }) =>
      ['', name, status, ...[slice, gap, collection, memory, duration].map(Math.round), ''].join(' | ').trim(),
    ),
    `${rows.length} calls, ${slow} with a slice over 50 ms, ${late} with a gap over 100 ms`,
  ]
}
