import { create } from 'zustand'
import { ControlError } from '../../api/contract/control/client.ts'
import type { MethodOutput } from '../../api/contract/control/methods.ts'
import type { WorldFrom, WorldKind } from '../../api/contract/control/worlds.ts'
import { formatCount } from '../format/text.ts'
import { collections } from './collections.ts'
import { useFeed } from './feed.ts'
import { flushRoute, formatRoute, type Route, useRoute } from './route.ts'
import { sandbox, sandboxOf, useQuery } from './sandbox.ts'
import { shownWorld, worldAddress } from './world-address.ts'

/** The worlds of the sandbox: the root world and the named ones. Another world is another address, so it loads anew. */

export type WorldInfo = MethodOutput<'worlds.list'>['worlds'][number]

export const ROOT_WORLD = 'root world'
export const worldLabel = (world: string | null) => world ?? ROOT_WORLD

/** The named worlds. */
export const useWorlds = () => useQuery('worlds.list', {}, ['worlds'])

/** What a fresh world is. */
export const freshWorlds = {
  demo: 'a fresh demo world',
  empty: 'a fresh empty world',
  hosted: 'a fresh world that behaves as the hosted sandbox',
} as const satisfies Readonly<Record<WorldKind, string>>
export const worldKinds = Object.keys(freshWorlds) as WorldKind[]

export const originLabel = (from: WorldInfo['from']): string => {
  if (from === 'replay' || from === 'scenario') return `a ${from}`
  if (from === 'current') return `copy of the ${ROOT_WORLD}`
  if (typeof from === 'string') return `fresh ${from}`
  if ('commit' in from) return `commit ${formatCount(from.commit)}`
  return 'snapshot' in from ? `snapshot ${from.snapshot}` : `copy of ${from.world}`
}

/** The world that this window shows, as it is now, as the origin of another. */
export function currentOrigin(): WorldFrom {
  const world = shownWorld()
  return world === null ? 'current' : { world }
}

/** True while a world is created from the one that is shown. */
export const useWorldAction = create<{ readonly isBusy: boolean }>()(() => ({ isBusy: false }))

/** Creates a world and opens it at the same place. */
export const forkWorld = (from: WorldFrom): Promise<void> =>
  runExclusive(async () => {
    const { name } = await sandbox['worlds.create']({ from })
    await openWorld(name)
  })

/** Creates two worlds from the one that this window shows, with frozen clocks, and opens their comparison. */
export const branchWorld = (about: { readonly collection: string; readonly uid: string }): Promise<void> =>
  runExclusive(async () => {
    const { worlds } = await sandbox['worlds.list']({})
    const [a, b] = nextBranchNames(worlds.map(({ name }) => name))
    const from = currentOrigin()
    await sandbox['worlds.create']({ name: a, from, clock: 'frozen' })
    try {
      await sandbox['worlds.create']({ name: b, from: { world: a }, clock: 'frozen' })
    } catch (error) {
      await sandbox['worlds.drop']({ name: a }).catch(() => {})
      throw error
    }
    compareWorlds(a, b, `${about.collection}/${about.uid}`)
  })

/** Shows their differences; null is the root world. `about`: the record to decide about. */
export const compareWorlds = (a: string | null, b: string | null, about?: string) =>
  useRoute
    .getState()
    .go({ screen: 'compare', params: { a: [a ?? ''], b: [b ?? ''], ...(about ? { about: [about] } : {}) } })

/** The world as it was after a commit, to look at. */
const createAsOf = async (commit: number): Promise<string> =>
  (await sandbox['worlds.create']({ from: { commit }, read_only: true })).name

export const openAsOf = (commit: number): Promise<void> => runExclusive(async () => openWorld(await createAsOf(commit)))

export const compareAsOf = (commit: number): Promise<void> =>
  runExclusive(async () => compareWorlds(await createAsOf(commit), shownWorld()))

async function runExclusive(work: () => Promise<void>) {
  if (useWorldAction.getState().isBusy) return
  useWorldAction.setState({ isBusy: true })
  try {
    await work()
  } finally {
    useWorldAction.setState({ isBusy: false })
  }
}

/** `branch-2-a` and `branch-2-b`: the first number of which neither is in use. */
export function nextBranchNames(taken: readonly string[]): readonly [a: string, b: string] {
  for (let n = 1; ; n++) {
    const names = [`branch-${n}-a`, `branch-${n}-b`] as const
    if (!names.some((name) => taken.includes(name))) return names
  }
}

/** Shows another world at the same place, as far as it exists there. */
export async function openWorld(world: string | null) {
  flushRoute()
  const address = worldAddress(world, await placeIn(world, useRoute.getState()))
  // One that was looked at is not needed any more.
  if (useFeed.getState().world?.look) await sandboxOf(world)['worlds.drop']({ name: shownWorld()! })
  location.assign(address)
}

/** The place without what the other world does not have: its request log is its own, and a record may be missing. */
export async function placeIn(world: string | null, { screen, collection, record, params }: Route): Promise<string> {
  if (screen === 'requests') return formatRoute({ screen, collection, record: null, params })
  if (collection === null || record === null || (await hasRecord(world, collection, record)))
    return formatRoute({ screen, collection, record, params })
  const program = params.program ? { program: params.program } : {}
  return formatRoute({ screen: collections[collection].home, collection, record: null, params: program })
}

const hasRecord = (world: string | null, collection: NonNullable<Route['collection']>, uid: string) =>
  sandboxOf(world)
    ['records.get']({ collection, uid })
    .then(
      () => true,
      (error: unknown) => !isMissing(error),
    )

/** The world, or the record in it, does not exist. */
export const isMissing = (error: unknown) => error instanceof ControlError && error.body.status === 404

/** The address of a place in another world. */
export const placeAddress = (world: string | null, route: Partial<Route>): string =>
  worldAddress(world, formatRoute({ screen: null, collection: null, record: null, params: {}, ...route }))
