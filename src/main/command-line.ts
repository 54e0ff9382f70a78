import { spawn } from 'node:child_process'
import { version } from '../../package.json' with { type: 'json' }
import { UnreadableRecording } from '../api/files.ts'
import { openSandbox, PortTakenError, type Sandbox, StoreError } from '../api/sandbox.ts'
import { appPaths } from './app-paths.ts'
import { check, exportBundle, importBundle, repair, replay } from './file-commands.ts'
import { openBrowser } from './open-browser.ts'
import { HELP, OptionError, parseServeOptions, SERVE_HELP, toSandboxOptions } from './options.ts'
import { runScenarios } from './run-command.ts'

/** The command line of both hosts. */

export interface Host {
  /** The folder of the built main process. */
  readonly folder: string
  /** Sets what to do before the process ends; `close` returns the exit code. */
  onEnd(close: () => Promise<0 | 1>): void
}

/** Returns the exit code; undefined for a command that runs until it is ended. */
export async function runCommandLine(args: readonly string[], host: Host): Promise<number | undefined> {
  try {
    return await runCommand(args, host)
  } catch (error) {
    if (error instanceof OptionError || error instanceof UnreadableRecording) {
      printError(error.message)
      return 2
    }
    const isExpected = error instanceof StoreError || error instanceof PortTakenError
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    printError(isExpected ? error.message : `Internal error: ${text}`)
    return 1
  }
}

async function runCommand([command, ...args]: readonly string[], host: Host): Promise<number | undefined> {
  if (command === 'serve') return serve(args, host)
  if (command === 'run') {
    endWithReader()
    return runScenarios(args, { library: appPaths(host.folder).library, print, printError })
  }
  if (command !== undefined && Object.hasOwn(fileCommands, command)) {
    endWithReader()
    const control_key = process.env.SANDBANK_CONTROL_KEY || undefined
    return fileCommands[command as keyof typeof fileCommands](args, { version, control_key, print, printError })
  }
  if (command === '--version' || command === '-v') return printText(version)
  if (command === undefined || command === '--help' || command === '-h') return printText(HELP)
  throw new OptionError(`There is no command ${command}; see sandbank --help`)
}

const fileCommands = { replay, export: exportBundle, import: importBundle, check, repair }

/** A reader of stdout such as `head` may close it early; then there is nothing left to do. */
const endWithReader = () => void process.stdout.on('error', () => process.exit(1))

const printError = (line: string) => void process.stderr.write(`${line}\n`)
const print = (line: string) => void process.stdout.write(`${line}\n`)

function printText(text: string): 0 {
  print(text)
  return 0
}

// ── serve ────────────────────────────────────────────────────────────────────────────────────────────────────────

async function serve(args: readonly string[], { folder, onEnd }: Host): Promise<0 | undefined> {
  const options = parseServeOptions(args)
  if (options.help) return printText(SERVE_HELP)
  const { window, library } = appPaths(folder)
  // The sandbox goes on after its reader has closed stdout.
  process.stdout.on('error', () => {})
  const sandbox = await openSandbox({
    ...toSandboxOptions(options, process.env),
    version,
    window,
    library,
    report: printError,
  })
  onEnd(async () => {
    try {
      await sandbox.close()
      return 0
    } catch (error) {
      printError(`Closing failed: ${String(error)}`)
      return 1
    }
  })
  print(options.json ? formatJson(sandbox) : formatGreeting(sandbox))
  if (options.open)
    openBrowser(sandbox.gui, {
      start: (url) => startBrowser(url, sandbox.gui),
      after: (ms, work) => void setTimeout(work, ms).unref(),
    })
  return undefined
}

/** Other programs read this line, so its names must not change. */
const formatJson = (sandbox: Sandbox) =>
  JSON.stringify({
    api: sandbox.api,
    gui: sandbox.gui,
    control: sandbox.control,
    control_key: sandbox.control_key,
    programs: sandbox.programs().map(({ uid, name, hmac_key }) => ({ uid, name, hmac_key })),
    data: sandbox.data,
    pid: process.pid,
  })

function formatGreeting(sandbox: Sandbox): string {
  const [program] = sandbox.programs()
  return `Sandbank ${version}

  API      ${sandbox.api}
  Window   ${sandbox.gui}
  Program  ${program?.uid}  ${program?.name}
  Data     ${sandbox.data ?? 'in memory only: --ephemeral'}

  Try      curl ${sandbox.api.replace('/api/v1', '/health')}
  The window shows how to sign in and call. Ctrl-C ends.`
}

function startBrowser(url: string, address: string) {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => printError(`No browser could be opened; the window is at ${address}`))
  child.unref()
}
