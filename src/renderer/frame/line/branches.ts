import type { WorldInfo } from '../../data/worlds.ts'

/** The worlds beside the shown one, as branches. */

export interface Branch {
  /** Null is the root world. */
  readonly name: string | null
  /** Simulated time at which it and its parent parted; null if that is not known. */
  readonly leaves: number | null
  /** Its time; null for the root world, whose clock is its own. */
  readonly at: number | null
  /** The row that it left. */
  readonly parent: 'main' | number | null
  /** The shown world left it. */
  readonly isLeft: boolean
}

/** More have no room: the line says how many there are. */
const MAX_BRANCHES = 4

const parentOf = ({ from }: WorldInfo): string | null | undefined => {
  if (from === 'current') return null
  if (typeof from === 'string') return undefined
  return 'world' in from ? from.world : null
}

export function branchesOf(worlds: readonly WorldInfo[], shown: string | null): readonly Branch[] {
  const here = worlds.find(({ name }) => name === shown)
  const origin = here && parentOf(here)
  // First what this world is forked from and what is forked from it, then the newest.
  const isNear = (world: WorldInfo) => Number(world.name === origin || parentOf(world) === shown)
  const drawn = worlds
    .filter(({ name }) => name !== shown)
    .toReversed()
    .sort((a, b) => isNear(b) - isNear(a))
    .slice(0, here ? MAX_BRANCHES - 1 : MAX_BRANCHES)
  const others = worlds.filter((world) => drawn.includes(world))
  const names = [...(here ? [null] : []), ...others.map(({ name }) => name)]
  const rowOf = (name: string | null | undefined) => {
    const row = name === undefined ? -1 : names.indexOf(name)
    return name === shown ? 'main' : row === -1 ? null : row
  }
  const opened = here ? Date.parse(here.opened_at) : null
  const left = (name: string | null) => here !== undefined && origin === name
  const root: Branch[] = here
    ? [
        {
          name: null,
          leaves: left(null) ? opened : null,
          at: null,
          parent: left(null) ? 'main' : null,
          isLeft: left(null),
        },
      ]
    : []
  return [
    ...root,
    ...others.map((world): Branch => {
      const isLeft = left(world.name)
      return {
        name: world.name,
        leaves: isLeft ? opened : Date.parse(world.opened_at),
        at: Date.parse(world.at),
        parent: isLeft ? 'main' : rowOf(parentOf(world)),
        isLeft,
      }
    }),
  ]
}
