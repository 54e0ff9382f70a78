import type { Machine } from '../../contract/machines.ts'

/** The only way a status changes: by a row of the machine's table. */
export function nextState<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: NoInfer<Event>,
): State {
  const move = machine.moves[event]
  if (!move.from.includes(state)) throw new IllegalMove(machine.resource, state, event)
  return move.to
}

/** Whoever lets a caller cause it turns it into the catalogue's error; uncaught it is a fault of ours. */
export class IllegalMove extends Error {
  override name = 'IllegalMove'
  readonly resource: string
  readonly state: string
  readonly event: string

  constructor(resource: string, state: string, event: string) {
    super(`${resource}: "${event}" is not possible in state ${state}`)
    this.resource = resource
    this.state = state
    this.event = event
  }
}
