import { escapeControls } from '../../api/contract/terms/texts.ts'
import { findProgram } from './call.ts'
import { type Input, OptionError, type Run } from './command.ts'
import { callControl, findSandbox, type RunningSandbox } from './running.ts'

/** Commands whose first word is an action, such as `sandbank world create NAME`: each action calls a control method. */

export interface Action {
  /** The names after the action. */
  readonly names: readonly string[]
  /** How many of them may be left out. */
  readonly optional?: number
  readonly method: string
  /** `--program` is added to its input as `program_uid`. */
  readonly takesProgram?: true
  toInput(names: readonly string[], values: Input['values']): object
  /** Reads what the answer of the method leaves open, such as the outcome of something that it started. */
  complete?(answer: never, sandbox: RunningSandbox): Promise<object>
  /** What a person reads of the answer. */
  format(answer: never, context: FormatContext): string | Promise<string>
  /** Exit code 1. */
  isRefused?(answer: never): boolean
}

export interface FormatContext {
  readonly names: readonly string[]
  readonly sandbox: RunningSandbox
}

export const runAction =
  (command: string, actions: Readonly<Record<string, Action>>): Run =>
  async (input, terminal) => {
    const [name = '', ...names] = input.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action)
      throw new OptionError(
        `${command}: one of ${Object.keys(actions).join(', ')} is expected; see sandbank ${command} --help`,
      )
    const least = action.names.length - (action.optional ?? 0)
    if (names.length < least || names.length > action.names.length)
      throw new OptionError(
        `sandbank ${[command, name, ...action.names.map((one, at) => (at < least ? one : `[${one}]`))].join(' ')} is expected`,
      )
    const body = action.toInput(names, input.values)
    const sandbox = await findSandbox(input, terminal)
    const program = action.takesProgram ? input.values.program : undefined
    const ofProgram = program === undefined ? {} : { program_uid: (await findProgram(sandbox, String(program))).uid }
    const first = await callControl<object>(sandbox, action.method, { ...body, ...ofProgram })
    const answer = (action.complete ? await action.complete(first as never, sandbox) : first) as never
    terminal.print(input.values.json ? JSON.stringify(answer) : await action.format(answer, { names, sandbox }))
    return action.isRefused?.(answer) ? 1 : 0
  }

/** Columns of equal width. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(escapeControls))
  const widths = shown[0]!.map((_, at) => Math.max(...shown.map((row) => row[at]!.length)))
  return shown
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
