import type { Paint } from './paint.ts'

/** What a command of the command line is. The table of all commands is `table.ts`. */

export interface Option {
  /** A placeholder for its value, such as `FILE`; a switch has none. */
  readonly value?: string
  readonly isList?: true
  readonly short?: string
  /** Required: the usage shows it without brackets. */
  readonly required?: true
  readonly text: string
  /** What shells complete; `choices` also in the usage. */
  readonly choices?: readonly string[]
  /** Another option that must not be given, too. */
  readonly instead?: string
  /** Its environment variable, if another option of the same name means something else. */
  readonly variable?: string
}

export interface Positional {
  /** In capitals: the user replaces it; otherwise one of `choices`. */
  readonly name: string
  readonly isOptional?: true
  readonly isList?: true
  readonly choices?: readonly string[]
}

export interface Command {
  /** One line in the list of commands. */
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  readonly positionals?: readonly Positional[]
  /** Paragraphs of its help: what it does, above the options. */
  readonly about?: string
  /** Below the options. */
  readonly notes?: string
  /** It goes on after the reader of its output has closed stdout. */
  readonly outlivesReader?: boolean
}

/** Returns the exit code; undefined for a command that runs until it is ended. */
export type Run = (input: Input, terminal: Terminal) => Promise<number | undefined>

export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The parsed arguments of a command. */
export interface Input {
  /** By the name of the option; those that were not given are not there. */
  readonly values: Values
  readonly positionals: readonly string[]
}

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
}
