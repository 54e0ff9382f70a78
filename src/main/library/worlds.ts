import { resolve } from 'node:path'
import type { ControlMethods } from './contract.ts'
import { connectWorld, type World } from './world.ts'

/** A world that can be dropped. */
export interface NamedWorld extends World {
  /** Writes a new data folder that `sandbank serve --data` opens. */
  keep(folder: string): Promise<void>
  drop(): Promise<void>
}

type CreateWorld = ControlMethods['worlds.create']['input']

/** The worlds of a sandbox. */
export interface Worlds {
  create(options?: CreateWorld): Promise<NamedWorld>
  list(): Promise<ControlMethods['worlds.list']['output']['worlds']>
  drop(name: string): Promise<void>
  /** Compares two worlds by name; a name that is left out is the root world. */
  compare(names: ControlMethods['worlds.compare']['input']): Promise<ControlMethods['worlds.compare']['output']>
}

export function createWorlds({ control, control_key }: Pick<World, 'control' | 'control_key'>): Worlds {
  const drop = async (name: string) => void (await control.worlds.drop({ name }))
  return {
    async create(options) {
      const { name, ...address } = await control.worlds.create(options)
      return {
        ...connectWorld(name, { ...address, control_key }),
        keep: async (folder) => void (await control.worlds.keep({ name, folder: resolve(folder) })),
        drop: () => drop(name),
      }
    },
    list: async () => (await control.worlds.list()).worlds,
    drop,
    compare: (names) => control.worlds.compare(names),
  }
}
