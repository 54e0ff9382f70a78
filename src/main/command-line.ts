import { version } from '../../package.json' with { type: 'json' }
import { closest } from './commands/closest.ts'
import { type Command, type Host, OptionError, type Terminal } from './commands/command.ts'
import { formatCommandHelp, formatHelp } from './commands/help.ts'
import { createPaint } from './commands/paint.ts'
import { parseInput } from './commands/parse.ts'
import { moreNotes, runners } from './commands/runners.ts'
import { commands, isCommandName } from './commands/table.ts'

/** The command line of both hosts: finds the command in the table, and runs it. */

/** By the name of the error: importing the classes would load the sandbox, which the commands for a running one do without. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  OptionError: 2,
  UnreadableRecording: 2,
  CommandError: 1,
  StoreError: 1,
  PortTaken: 1,
}

/** Returns the exit code; undefined for a command that runs until it is ended. */
export async function runCommandLine(
  args: readonly string[],
  host: Host,
  given: Partial<Terminal> = {},
): Promise<number | undefined> {
  const { env = process.env, print = printLine, printError = printErrorLine } = given
  const { isTerminal = print === printLine && process.stdout.isTTY } = given
  const paints = {
    paint: createPaint(env, isTerminal),
    paintError: createPaint(env, printError === printErrorLine && process.stderr.isTTY),
  }
  try {
    return await runCommand(args, { version, host, env, isTerminal, ...paints, print, printError })
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    const code = EXIT_CODES[name]
    printError(code === undefined ? `Internal error: ${stack ?? message}` : message)
    return code ?? 1
  }
}

async function runCommand([name, ...args]: readonly string[], terminal: Terminal): Promise<number | undefined> {
  const { print } = terminal
  if (name === '--version' || name === '-v') return done(print, version)
  if (name === undefined || name === '--help' || name === '-h') return done(print, formatHelp(commands))
  if (!isCommandName(name)) throw new OptionError(`There is no command ${name}${suggestion(name)} sandbank --help`)
  const command: Command = commands[name]
  const input = parseInput(name, command, args, terminal.env)
  if (input) {
    if (print === printLine) watchReader(command)
    return (await runners[name]())(input, terminal)
  }
  const notes = await moreNotes[name]?.(terminal)
  return done(print, [formatCommandHelp(name, command), notes].filter(Boolean).join('\n\n'))
}

/** A reader of stdout such as `head` may close it early; then there is nothing left to do, except for a server. */
function watchReader({ outlivesReader = false }: Command) {
  process.stdout.on('error', () => {
    if (!outlivesReader) process.exit(1)
  })
  if (outlivesReader) process.stderr.on('error', () => {})
}

function suggestion(name: string): string {
  const meant = closest(name, Object.keys(commands))
  return meant === undefined ? '; see' : `: did you mean ${meant}? See`
}

function done(print: Terminal['print'], text: string): 0 {
  print(text)
  return 0
}

const printErrorLine = (line: string) => void process.stderr.write(`${line}\n`)
const printLine = (line: string) => void process.stdout.write(`${line}\n`)
