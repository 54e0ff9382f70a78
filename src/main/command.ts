import { spawn } from 'node:child_process'
import { version } from '../../package.json' with { type: 'json' }
import { UnreadableRecording } from '../api/files.ts'
import { openSandbox, PortTakenError, type Sandbox, StoreError } from '../api/sandbox.ts'
import { check, exportBundle, importBundle, replay } from './files.ts'
import { BadOption, HELP, SERVE_HELP, sandboxOptions, serveOptions } from './options.ts'
import { placesOf } from './places.ts'
import { run } from './run.ts'

/** The commands of the command line, whoever runs them: plain Node, or the binary of the installed app. */

export interface Runner {
  /** Of the built host. */
  readonly folder: string
  /** Calls this when it is told to end, and ends with the code that is answered. */
  onEnd(close: () => Promise<0 | 1>): void
}

const complain = (line: string) => void process.stderr.write(`${line}\n`)
const say = (line: string) => void process.stdout.write(`${line}\n`)

async function serve(args: readonly string[], { folder, onEnd }: Runner): Promise<0 | undefined> {
  const options = serveOptions(args)
  if (options.help) return told(SERVE_HELP)
  const { window, library } = placesOf(folder)
  // Whoever has read the line may go; the sandbox stays.
  process.stdout.on('error', () => {})
  const sandbox = await openSandbox({
    ...sandboxOptions(options, process.env),
    version,
    window,
    library,
    report: complain,
  })
  onEnd(async () => {
    try {
      await sandbox.close()
      return 0
    } catch (error) {
      complain(`Closing failed: ${String(error)}`)
      return 1
    }
  })
  say(options.json ? line(sandbox) : greeting(sandbox))
  if (options.open) openInBrowser(sandbox.gui)
  return undefined
}

const fileCommands = { replay, export: exportBundle, import: importBundle, check }

async function withFile(command: keyof typeof fileCommands, args: readonly string[]) {
  process.stdout.on('error', () => process.exit(1))
  const control_key = process.env.SANDBANK_CONTROL_KEY || undefined
  return fileCommands[command](args, { version, control_key, say, complain })
}

async function runScenarios(args: readonly string[], folder: string) {
  // Whoever reads along may have seen enough, as `head` has.
  process.stdout.on('error', () => process.exit(1))
  return run(args, { library: placesOf(folder).library, say, complain })
}

/** Other programs read this line: its names are fixed. */
const line = (sandbox: Sandbox) =>
  JSON.stringify({
    api: sandbox.api,
    gui: sandbox.gui,
    control: sandbox.control,
    control_key: sandbox.control_key,
    programs: sandbox.programs().map(({ uid, name, hmac_key }) => ({ uid, name, hmac_key })),
    data: sandbox.data,
    pid: process.pid,
  })

function greeting(sandbox: Sandbox): string {
  const [program] = sandbox.programs()
  return `Sandbank ${version}

  API      ${sandbox.api}
  Window   ${sandbox.gui}
  Program  ${program?.uid}  ${program?.name}
  Kept in  ${sandbox.data ?? 'nothing is kept: --ephemeral'}

  Try      curl ${sandbox.api.replace('/api/v1', '/health')}
  The window shows how to sign in and call. Ctrl-C ends.`
}

function openInBrowser(address: string) {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command!, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => complain(`No browser could be opened; the window is at ${address}`))
  child.unref()
}

function told(text: string): 0 {
  say(text)
  return 0
}

async function perform([command, ...args]: readonly string[], runner: Runner): Promise<number | undefined> {
  if (command === 'serve') return serve(args, runner)
  if (command === 'run') return runScenarios(args, runner.folder)
  if (command !== undefined && Object.hasOwn(fileCommands, command))
    return withFile(command as keyof typeof fileCommands, args)
  if (command === '--version' || command === '-v') return told(version)
  if (command === undefined || command === '--help' || command === '-h') return told(HELP)
  throw new BadOption(`There is no command ${command}; see sandbank --help`)
}

/** Answers the exit code; undefined for what goes on until it is told to end. */
export async function command(args: readonly string[], runner: Runner): Promise<number | undefined> {
  try {
    return await perform(args, runner)
  } catch (error) {
    if (error instanceof BadOption || error instanceof UnreadableRecording) {
      complain(error.message)
      return 2
    }
    const expected = error instanceof StoreError || error instanceof PortTakenError
    complain(
      expected
        ? error.message
        : `A fault of Sandbank: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    return 1
  }
}
