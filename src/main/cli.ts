#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../package.json' with { type: 'json' }
import { UnreadableRecording } from '../api/files.ts'
import { openSandbox, PortTaken, type Sandbox, StoreTrouble } from '../api/sandbox.ts'
import { check, exportBundle, importBundle, replay } from './files.ts'
import { BadOption, HELP, SERVE_HELP, sandboxOptions, serveOptions } from './options.ts'
import { run } from './run.ts'

/** Host 2: plain Node, without a display. */

const window = join(dirname(fileURLToPath(import.meta.url)), '../renderer')
const library = join(dirname(fileURLToPath(import.meta.url)), '../../resources/scenarios')
const complain = (line: string) => void process.stderr.write(`${line}\n`)
const say = (line: string) => void process.stdout.write(`${line}\n`)

async function serve(args: readonly string[]) {
  const options = serveOptions(args)
  if (options.help) return say(SERVE_HELP)
  // Whoever has read the line may go; the sandbox stays.
  process.stdout.on('error', () => {})
  const sandbox = await openSandbox({
    ...sandboxOptions(options, process.env),
    version,
    window,
    library,
    tell: complain,
  })
  endOn(['SIGTERM', 'SIGINT'], sandbox)
  say(options.json ? line(sandbox) : greeting(sandbox))
  if (options.open) openInBrowser(sandbox.gui)
}

const fileCommands = { replay, export: exportBundle, import: importBundle, check }

async function withFile(command: keyof typeof fileCommands, args: readonly string[]) {
  process.stdout.on('error', () => process.exit(1))
  const control_key = process.env.SANDBANK_CONTROL_KEY || undefined
  process.exitCode = await fileCommands[command](args, { version, control_key, say, complain })
}

async function runScenarios(args: readonly string[]) {
  // Whoever reads along may have seen enough, as `head` has.
  process.stdout.on('error', () => process.exit(1))
  process.exitCode = await run(args, { library, say, complain })
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

function endOn(signals: readonly NodeJS.Signals[], sandbox: Sandbox) {
  for (const signal of signals)
    process.once(signal, () => {
      sandbox.close().then(
        () => process.exit(0),
        (error: unknown) => {
          complain(`Closing failed: ${String(error)}`)
          process.exit(1)
        },
      )
    })
}

function openInBrowser(address: string) {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command!, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => complain(`No browser could be opened; the window is at ${address}`))
  child.unref()
}

async function main([command, ...args]: readonly string[]) {
  if (command === 'serve') return serve(args)
  if (command === 'run') return runScenarios(args)
  if (command !== undefined && Object.hasOwn(fileCommands, command))
    return withFile(command as keyof typeof fileCommands, args)
  if (command === '--version' || command === '-v') return say(version)
  if (command === undefined || command === '--help' || command === '-h') return say(HELP)
  throw new BadOption(`There is no command ${command}; see sandbank --help`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof BadOption || error instanceof UnreadableRecording) {
    complain(error.message)
    process.exitCode = 2
  } else {
    const expected = error instanceof StoreTrouble || error instanceof PortTaken
    complain(
      expected
        ? error.message
        : `A fault of Sandbank: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    process.exitCode = 1
  }
})
