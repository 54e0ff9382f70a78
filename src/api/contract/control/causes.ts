import type { Cause, CommitSummary } from './history.ts'

/** What made a commit or an operation, in words: for the window and the command line. */

const operatorActions: Readonly<Record<string, string>> = {
  'clock.advance': 'advanced the clock',
  'clock.set': 'set the clock',
  'tasks.run': 'ran a task',
  'scenarios.run': 'ran a scenario',
  'exchanges.replay': 'replayed requests',
  'tasks.hold': 'held a task',
  'tasks.release': 'released a task',
  'programs.create': 'created a Program',
  'programs.update': 'changed a Program',
  'programs.rotate_key': 'rotated the key of a Program',
  'transactions.inject': 'injected a movement outside the application',
  'tokens.expire': 'expired the access tokens of a Program',
  'operator.create_customer': 'created a Customer',
  'webhooks.create': 'created a webhook',
  'webhooks.update': 'changed a webhook',
  'webhooks.delete': 'deleted a webhook',
  'webhooks.test': 'sent a test event to a webhook',
  'events.resend': 'resent an event',
  'events.send_example': 'sent an example of an event',
  'events.hold': 'held an event',
  'events.release': 'released an event',
  'snapshots.restore': 'restored a snapshot',
  'bundles.import': 'imported a bundle',
  reach: 'took the steps to a goal',
  'world.reset': 'reset the world',
  'world.rewind': 'rewound the world',
  'operations.undo': 'undid operations',
  'operations.redo': 'redid operations',
}

/** What the sandbox does by itself. */
const ofSandbox: Readonly<Record<string, string>> = {
  'world.create': 'world created',
  'worlds.create': 'copied from another world',
  'webhooks.record_attempts': 'attempts to deliver events recorded',
  close: 'sandbox closed',
}

export const isOfSandbox = ({ door, name }: Pick<Cause, 'door' | 'name'>): boolean =>
  door === 'time' || ofSandbox[name] !== undefined

/** What made the commit, such as `task close of day`. */
export function formatCause({
  cause: { door, name, decision, undo },
  goes_on_from = null,
}: Pick<CommitSummary, 'cause'> & Partial<Pick<CommitSummary, 'goes_on_from'>>): string {
  if (door === 'request') return `request ${name}`
  if (door === 'time') return `task ${name}`
  if (ofSandbox[name] !== undefined) return ofSandbox[name]
  const action = undo === undefined ? name : `operations.${undo}`
  const words = decision !== undefined ? `decided: ${decision}` : (operatorActions[action] ?? action)
  if (name !== 'world.rewind' || goes_on_from === null) return `operator ${words}`
  return `operator ${words}${undo === undefined ? ', ' : ': the world is as after '}commit ${goes_on_from}`
}
