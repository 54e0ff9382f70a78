import type { Task } from '../../../api/contract/resources/tasks.ts'
import type { Action } from '../../actions/action.ts'
import type { Match } from './match.ts'

/** One entry of the palette: an action, a screen, a record or a rule. */
export interface Command extends Action {
  readonly marks?: Match['marks']
  readonly preview?: Preview
}

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
