import { decisions } from './worlds/decisions.mjs'
import { demo } from './worlds/demo.mjs'
import { empty } from './worlds/empty.mjs'
import { firstRequests } from './worlds/first-requests.mjs'
import { frame } from './worlds/frame.mjs'
import { later } from './worlds/later.mjs'
import { namedWorlds } from './worlds/named-worlds.mjs'
import { people } from './worlds/people.mjs'
import { scenarioRuns } from './worlds/scenario-runs.mjs'
import { webhooks } from './worlds/webhooks.mjs'

/**
 * The states of the window, in groups. Each group has a sandbox of its own, started with `world` and `flags`; `prepare` fills it
 * and returns uids. A state is [name, hash, ...actions], where `$customer` in a hash stands for that uid; see actions.mjs.
 */
export const groups = [empty, demo, firstRequests, frame, people, decisions, later, scenarioRuns, namedWorlds, webhooks]
