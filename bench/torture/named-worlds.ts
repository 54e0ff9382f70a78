import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkFolder, holdsWorld } from '../../src/api/files.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { type Body, type Client, expectSuccess } from '../support/client.ts'
import type { Call, ChangingMethod } from './methods.ts'

/**
 * Named worlds are forks in memory: a kill ends them, and nothing of them is left in the data folder. The folder of one that was kept is
 * whole once the call was answered; if the kill came first, it is whole or has no world.
 */

const METHODS = ['worlds.create', 'worlds.keep', 'worlds.drop'] as const satisfies ChangingMethod[]
type WorldMethod = (typeof METHODS)[number]

interface KeptWorld {
  readonly folder: string
  /** undefined until the call is answered. */
  seq: number | undefined
}

export class NamedWorlds {
  readonly #folder: string
  #count = 0
  /** Their names. */
  #worlds: string[] = []
  #kept: KeptWorld[] = []
  /** Folders that were checked. */
  checked = 0

  /** `folder`: for kept worlds; it is outside of the data folder. */
  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder)
  }

  readonly calls: Readonly<Record<WorldMethod, Call>> = {
    'worlds.create': (client) => this.#create(client),
    'worlds.keep': (client) => this.#keep(client),
    'worlds.drop': async (client) => {
      const name = this.#worlds.pop() ?? (await this.#create(client))
      this.#worlds = this.#worlds.filter((one) => one !== name)
      await expectSuccess(client.control('worlds.drop', { name }))
    },
  }

  async #create(client: Client): Promise<string> {
    const { name } = await expectSuccess(client.control('worlds.create', { from: 'current' }))
    this.#worlds.push(name)
    return name
  }

  async #keep(client: Client) {
    const name = await this.#create(client)
    const kept: KeptWorld = { folder: join(this.#folder, `kept-${++this.#count}`), seq: undefined }
    this.#kept.push(kept)
    kept.seq = (await expectSuccess(client.control('worlds.keep', { name, folder: kept.folder }))).seq
  }

  /** After a kill. */
  async verify(client: Client): Promise<string[]> {
    const { worlds } = await expectSuccess(client.control('worlds.list'))
    const problems = worlds.map(({ name }: Body) => `the world ${name} is there after a kill`)
    for (const one of this.#kept) problems.push(...(await this.#verifyFolder(one)))
    this.#worlds = []
    this.#kept = []
    return problems
  }

  async #verifyFolder({ folder, seq }: KeptWorld): Promise<string[]> {
    const isWritten = existsSync(folder) && holdsWorld(folder)
    if (!isWritten) return seq === undefined ? [] : [`the folder of a kept world has no world: ${readFolder(folder)}`]
    this.checked++
    const { problems, ledger } = await checkFolder(folder)
    const found = problems.length === 0 ? await readSeq(folder) : undefined
    rmSync(folder, { recursive: true })
    return [
      ...problems.map((problem) => `the folder of a kept world: ${problem}`),
      ...(ledger?.problems ?? []).map((problem) => `the books of a kept world: ${JSON.stringify(problem)}`),
      ...(seq !== undefined && found !== undefined && found !== seq
        ? [`a kept world is the one after commit ${found}, not ${seq}`]
        : []),
    ]
  }
}

const readFolder = (folder: string) => (existsSync(folder) ? readdirSync(folder).join(', ') : 'it does not exist')

async function readSeq(folder: string): Promise<number> {
  const { world, file } = await openDataFolder(folder, 'write')
  await file.close()
  return world!.seq
}
