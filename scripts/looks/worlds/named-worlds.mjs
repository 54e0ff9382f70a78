import { createTraffic } from '../sandbox.mjs'
import { states } from '../screens/worlds.mjs'

/** Named worlds next to the root world, which other states should not show. */
export const namedWorlds = { name: 'named-worlds', world: 'demo', prepare: createTraffic, states }
