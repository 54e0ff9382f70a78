import type { LucideIcon } from 'lucide-react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import type { Match } from './match.ts'

/** One thing that can be done, or one place that can be gone to. */
export interface Command {
  readonly id: string
  readonly icon: LucideIcon
  readonly title: string
  readonly marks?: Match['marks']
  /** Other words that it is found by. */
  readonly also?: string
  /** What comes of it, or what it is. */
  readonly detail?: string
  readonly keys?: readonly string[]
  /** What Tab writes into the field; left out, the title. */
  readonly fill?: string
  readonly preview?: Preview
  /** Left out: Enter fills in, too. */
  readonly run?: () => CommandResult | Promise<CommandResult>
}

/** A refusal keeps the palette open; `afterwards` is done when it has closed, and the focus is left to it. */
export type CommandResult =
  | { readonly refused?: string; readonly said?: string; readonly afterwards?: () => void }
  | undefined

export interface Preview {
  readonly says: string
  readonly tasks: readonly Task[]
}

export interface CommandGroup {
  readonly title: string
  readonly items: readonly Command[]
}
