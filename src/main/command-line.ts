import { version } from '../../package.json' with { type: 'json' }
import type { Command, Host, Terminal } from './commands/command.ts'
import { createPaint, formatForTerminal } from './commands/paint.ts'
import { parseInput } from './commands/parse.ts'
import { describeCommand, requireCommand, runners } from './commands/runners.ts'
import { commands, isCommandName } from './commands/table.ts'

/** The command line of both hosts: finds the command in the table, and runs it. */

/** By the name of the error: importing the classes would load the sandbox, which the commands for a running one do without. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  OptionError: 2,
  UnreadableRecording: 2,
  CommandError: 1,
  NoAnswer: 3,
  ControlError: 1,
  StoreError: 1,
  PortTaken: 1,
}

/** Returns the exit code; undefined for a command that runs until it is ended. */
export async function runCommandLine(
  args: readonly string[],
  host: Host,
  given: Partial<Terminal> = {},
): Promise<number | undefined> {
  const { env = process.env, print: writeLine = printLine, printError: writeErrorLine = printErrorLine } = given
  const hasReader = writeLine === printLine
  const { isTerminal = hasReader && process.stdout.isTTY } = given
  const paints = {
    paint: createPaint(env, isTerminal),
    paintError: createPaint(env, writeErrorLine === printErrorLine && process.stderr.isTTY),
  }
  const print = (text: string) => writeLine(formatForTerminal(text))
  const printError = (text: string) => writeErrorLine(formatForTerminal(text))
  try {
    return await runCommand(args, { version, host, env, isTerminal, ...paints, print, printError }, hasReader)
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    const code = EXIT_CODES[name]
    printError(code === undefined ? `Internal error: ${stack ?? message}` : message)
    return code ?? 1
  }
}

async function runCommand(
  [given, ...args]: readonly string[],
  terminal: Terminal,
  hasReader: boolean,
): Promise<number | undefined> {
  const name = requireCommand(ALIASES[given ?? ''] ?? given ?? 'help')
  const command: Command = commands[name]
  const input = parseInput(name, command, name === 'describe' ? joinOption(args) : args, terminal.env)
  if (hasReader) watchReader(command)
  if (!input.asksForHelp) return (await runners[name]())(input, terminal)
  terminal.print(await describeCommand(name, terminal, input))
  return 0
}

/** `serve --port` as describe lists it: the option right after the name of its command is a part of the name. */
function joinOption(args: readonly string[]): readonly string[] {
  const [command = '', flag = '', ...rest] = args
  const options = isCommandName(command) ? commands[command].options : {}
  return flag.startsWith('--') && Object.hasOwn(options, flag.slice(2)) ? [`${command} ${flag}`, ...rest] : args
}

const ALIASES: Readonly<Record<string, string>> = {
  '--version': 'version',
  '-v': 'version',
  '--help': 'help',
  '-h': 'help',
}

/** A reader of stdout such as `head` may close it early; then there is nothing left to do, except for a server. */
function watchReader({ outlivesReader = false }: Command) {
  process.stdout.on('error', () => {
    if (!outlivesReader) process.exit(1)
  })
  if (outlivesReader) process.stderr.on('error', () => {})
}

const printErrorLine = (line: string) => void process.stderr.write(`${line}\n`)
const printLine = (line: string) => void process.stdout.write(`${line}\n`)
