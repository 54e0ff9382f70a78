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
  /** Does work in a copy of this world, says what has changed there, and drops the copy. This world stays as it is, and nothing is sent. */
  try<T>(work: (copy: World) => Promise<T>): Promise<TryResult<T>>
  /** What webhooks of the first Program tell of. */
  readonly events: WorldEvents
  /** A client for another Program. */
  clientOf(program: ProgramKey): Client
}

export interface TryResult<T> {
  /** What the work has returned. */
  readonly value: T
  readonly changes: ControlMethods['world.changes']['output']
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
    try: (work) => tryIn(functions, control_key, work),
    events: createEvents(functions, first.uid),
    clientOf: (program) => createClient(api, program),
  }
}

async function tryIn<T>(
  control: Control,
  control_key: string,
  work: (copy: World) => Promise<T>,
): Promise<TryResult<T>> {
  const { name, ...address } = await control.worlds.create({ from: 'current', clock: 'frozen' })
  try {
    const copy = connectWorld(name, { ...address, control_key })
    const { seq: since } = await copy.control.world.describe()
    const value = await work(copy)
    return { value, changes: await copy.control.world.changes({ since }) }
  } finally {
    // Whatever the work has thrown is told, also if it has dropped the copy itself.
    await control.worlds.drop({ name }).catch(() => {})
  }
}
