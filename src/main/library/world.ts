import { type Client, createClient } from './client.ts'
import { createClock, type WorldClock } from './clock.ts'
import type { Control, ControlMethods } from './contract.ts'
import { type ControlAddress, createControl } from './control.ts'
import { createEvents, type WorldEvents } from './events.ts'
import type { ProgramKey } from './sign-token.ts'

/** The addresses and keys of a world, as other programs need them. */
export interface WorldAddress extends ControlAddress {
  /** The base URL of its API. */
  readonly api: string
  /** Opens it in the window. */
  readonly gui: string
  readonly programs: readonly ProgramKey[]
}

/** A world: its records, clock, Programs, request log and faults are its own. */
export interface World {
  /** The name; empty for the root world of the sandbox. */
  readonly name: string
  /** The base URL of its API, such as `http://127.0.0.1:4010/worlds/world-1/api/v1`. */
  readonly api: string
  /** Opens it in the window. */
  readonly gui: string
  /** The control API as functions. */
  readonly control: Control
  /** The address of the control API, for other programs. */
  readonly control_url: string
  readonly control_key: string
  /** The Programs when it was opened. */
  readonly programs: readonly ProgramKey[]
  /** A client of the API for the first Program. */
  readonly client: Client
  readonly clock: WorldClock
  /** Undoes the newest operation, or another one with all later ones. */
  undo(operation?: number): Promise<ControlMethods['operations.undo']['output']>
  /** Redoes the last undo, or the one that has undone an operation. */
  redo(operation?: number): Promise<ControlMethods['operations.redo']['output']>
  /** What webhooks of the first Program tell of. */
  readonly events: WorldEvents
  /** A client for another Program. */
  clientOf(program: ProgramKey): Client
}

export function connectWorld(name: string, { api, gui, control, control_key, programs }: WorldAddress): World {
  const functions = createControl({ control, control_key })
  const [first] = programs
  if (!first) throw new TypeError(`The world at ${api} has no Program`)
  return {
    name,
    api,
    gui,
    control: functions,
    control_url: control,
    control_key,
    programs,
    client: createClient(api, first),
    clock: createClock(functions),
    undo: (operation) => functions.operations.undo(operation === undefined ? {} : { operation }),
    redo: (operation) => functions.operations.redo(operation === undefined ? {} : { operation }),
    events: createEvents(functions, first.uid),
    clientOf: (program) => createClient(api, program),
  }
}
