import type { MethodName } from '../../api/contract/control/methods.ts'
import type { Paint } from './paint.ts'

/** What a command of the command line is. The table of all commands is `table.ts`. */

export interface Option {
  /** A placeholder for its value, such as `FILE`; a switch has none. */
  readonly value?: string | undefined
  readonly isList?: boolean | undefined
  readonly short?: string | undefined
  /** The usage shows it without brackets. */
  readonly required?: boolean | undefined
  readonly text: string
  /** The only values that it may have. */
  readonly choices?: readonly string[] | undefined
  /** Reads its text, or its texts; throws an OptionError that says what is expected. */
  readonly read?: ((given: never) => unknown) | undefined
  /** The text that counts if none is given. */
  readonly fallback?: string | undefined
  /** Another option that must not be given, too. */
  readonly instead?: string | undefined
  /** Its environment variable, if another option of the same name means something else. */
  readonly variable?: string | undefined
  /** The actions that it belongs to; without it all. */
  readonly of?: readonly string[] | undefined
  /** The parameter of the control method that gets its value. */
  readonly parameter?: string | undefined
}

/** The first word of a command such as `sandbank world create NAME`. It calls a control method. */
export interface Action {
  readonly method: MethodName
  /** The words after it by the parameter that each is, written as `Command.words`. The path of a `FOLDER` becomes absolute. */
  readonly words: Readonly<Record<string, string>>
  readonly text: string
  /** Parameters that no word gives. */
  readonly input: object
  /** Besides its first word, it needs something to change. */
  readonly isChange?: true
}

export interface Command {
  /** One line in the list of commands. */
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  /** Its arguments: `PATH`, `[PATH]` if it is optional, `PATH...` for several, `bash|zsh` for a choice. */
  readonly words?: readonly string[]
  /** By the first word; the one without a name needs none. */
  readonly actions?: Readonly<Record<string, Action>>
  /** Paragraphs of its help: what it does, above the options. */
  readonly about?: string
  /** Below the options. */
  readonly notes?: string
  /** It goes on after the reader of its output has closed stdout. */
  readonly outlivesReader?: boolean
}

export const isOptional = (word: string) => word.startsWith('[')
export const isList = (word: string) => /\.\.\.\]?$/.test(word)
export const choicesOf = (word = ''): readonly string[] =>
  /^\[?[\w|]+\|/.test(word) ? word.replace(/[[\]]/g, '').split('|') : []

/** Returns the exit code; undefined for a command that runs until it is ended. */
export type Run = (input: Input, terminal: Terminal) => Promise<number | undefined>

/** The parsed arguments of a command. */
export interface Input {
  /** The values by the name of the option; those that were not given are not there. */
  readonly values: Readonly<Record<string, unknown>>
  /** The texts of these values. */
  readonly given: Given
  /** Empty for a command without actions. */
  readonly action: string
  /** Without the action. */
  readonly words: readonly string[]
  /** Nothing else is checked then. */
  readonly asksForHelp?: true
}

export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Host {
  /** The folder of the built main process. */
  readonly folder: string
  /** How to start this host as another process, with the arguments of the command after these. */
  readonly self?: { readonly command: string; readonly args: readonly string[] }
  /** Whether the process is a command of its own: then `serve` ends with the program that started it. */
  readonly endsWithParent?: boolean
  /** Sets what to do before the process ends; `close` returns the exit code. */
  onEnd(close: () => Promise<0 | 1>): void
  /** Ends the process as SIGTERM does. */
  end(): void
}

/** Where a command prints, and what it reads of its surroundings. */
export interface Terminal {
  readonly version: string
  readonly host: Host
  readonly env: NodeJS.ProcessEnv
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean
  /** Colors of stdout, and of stderr. */
  readonly paint: Paint
  readonly paintError: Paint
  /** Prints a line on stdout. */
  print(text: string): void
  /** Prints a line on stderr. */
  printError(text: string): void
}

/** The arguments, or a file that a command reads, cannot be used: exit code 2, nothing was run. */
export class OptionError extends Error {
  override name = 'OptionError'
}

/** A command did not succeed for a reason that its message explains: exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
  /** The HTTP status, if the sandbox has refused something. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** No sandbox answered: exit code 3. */
export class NoAnswer extends CommandError {
  override name = 'NoAnswer'
}
