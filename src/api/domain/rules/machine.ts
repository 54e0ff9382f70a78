import type { Machine } from '../../contract/machines.ts'

/** The only function that changes a status: by a row of its state machine. */
export function nextState<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: NoInfer<Event>,
): State {
  const move = machine.moves[event]
  if (!move.from.includes(state)) throw new IllegalMove(machine.resource, state, event)
  return move.to
}

/**
 * Where a request can cause it, the caller catches it and refuses with an API error. Otherwise it is an internal error.
 */
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
