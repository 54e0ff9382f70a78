import type { LucideIcon } from 'lucide-react'
import { navigateWithFocus } from '../data/focus.ts'
import { announce, useMessages } from '../data/messages.ts'
import type { Route } from '../data/route.ts'
import type { Call } from '../data/trying.ts'
import { errorText } from '../format/text.ts'

/** What the user can do from several places: buttons, menus, keys and the palette show the same row. */
export interface Action {
  readonly id: string
  readonly icon: LucideIcon
  readonly title: string
  /** On a button, where its surroundings say the rest. */
  readonly label?: string
  /** Other words that find it in the palette. */
  readonly also?: string
  /** Its effect, or facts about it. */
  readonly detail?: string
  readonly keys?: readonly string[]
  /** Why it cannot be done now. */
  readonly blocked?: string | null
  /** Above the error, where a button or a key fails. */
  readonly failed?: string
  /** What Tab writes into the palette's input; by default the title. */
  readonly fill?: string
  /** Without it, Enter completes the text of the palette as Tab does. */
  readonly run?: () => ActionResult | Promise<ActionResult>
  /** The calls with which it changes the world, so that they can be tried. */
  readonly tries?: readonly Call[] | undefined
}

/** `refused`: why it was not done, as an error does that is thrown. `afterwards` runs when the palette has closed, and may move the focus. */
export type ActionResult =
  | { readonly refused?: string; readonly message?: string; readonly afterwards?: () => void }
  | undefined

/** The ids of the actions that are under way. */
const running = new Set<string>()

/** Does it for a button or a key: the frame shows the result. A second click during the run does nothing. */
export async function perform({ id, blocked, failed = 'It was not done.', run }: Action) {
  if (blocked) return announce(blocked)
  if (running.has(id)) return
  running.add(id)
  const { refused, message, afterwards } = await attempt(run)
  running.delete(id)
  useMessages.setState({ failure: refused === undefined ? null : { title: failed, error: refused } })
  if (message !== undefined) announce(message)
  afterwards?.()
}

/** What it answered, with the text of an error. */
export async function attempt(run: Action['run']): Promise<NonNullable<ActionResult>> {
  try {
    return (await run?.()) ?? {}
  } catch (error) {
    return { refused: errorText(error) }
  }
}

/** Awaits a control method, and words its result if that says more than the window shows. */
export async function call<T>(work: Promise<T>, describe?: (value: T) => string): Promise<ActionResult> {
  const value = await work
  return describe && { message: describe(value) }
}

/** The result of what answers an error text, or null. */
export async function refusable(work: Promise<string | null>, message?: string): Promise<ActionResult> {
  const refused = await work
  return refused === null ? (message === undefined ? undefined : { message }) : { refused }
}

/** Goes to a place in the window. */
export const opens = (to: Partial<Route>) => () => navigateWithFocus(to)
