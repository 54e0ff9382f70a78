import type { LucideIcon } from 'lucide-react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import type { Match } from './match.ts'

/** One entry of the palette: an action, a screen, a record or a rule. */
export interface Command {
  readonly id: string
  readonly icon: LucideIcon
  readonly title: string
  readonly marks?: Match['marks']
  /** Other words that find it. */
  readonly also?: string
  /** Its effect, or facts about it. */
  readonly detail?: string
  readonly keys?: readonly string[]
  /** What Tab writes into the input; by default the title. */
  readonly fill?: string
  readonly preview?: Preview
  /** Without it, Enter completes the text as Tab does. */
  readonly run?: () => CommandResult | Promise<CommandResult>
}

/** `refused` keeps the palette open, as an error does that is thrown. `afterwards` runs when the palette has closed, and may move the focus. */
export type CommandResult =
  | { readonly refused?: string; readonly message?: string; readonly afterwards?: () => void }
  | undefined

export interface Preview {
  readonly text: string
  /** The first of them. */
  readonly tasks: readonly Task[]
  readonly count: number
}

export interface CommandGroup {
  readonly title: string
  readonly items: readonly Command[]
}

/** Awaits a control method, and words its result if that says more than the window shows. */
export async function runCommand<T>(work: Promise<T>, describe?: (value: T) => string): Promise<CommandResult> {
  const value = await work
  return describe && { message: describe(value) }
}
