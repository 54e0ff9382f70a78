import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cutAfterAddress } from './arguments.ts'
import { runCommandLine } from './command-line.ts'
import { processHost } from './process-host.ts'
import { commandArguments } from './terminal-command.ts'

/**
 * Where Electron begins: with a command or with the desktop. Electron starts Chromium when this module is evaluated, and that waits for the
 * command. So a command has only Node of Electron: it needs no display, leaves no profile, and signals end it as any program.
 */

const command = commandArguments(cutAfterAddress(process.argv))

async function runCommand(args: readonly string[]) {
  // Else Electron shows an error box, or goes on.
  for (const name of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(name, (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      process.stderr.write(`Internal error: ${text}\n`, () => process.exit(1))
    })
  const before = process.argv.slice(1, process.argv.indexOf('--') + 1)
  const host = processHost(dirname(fileURLToPath(import.meta.url)), before)
  const code = await runCommandLine(args, host)
  // The callback runs after everything before was written.
  if (code !== undefined) process.stdout.write('', () => process.exit(code))
  await new Promise(() => {})
}

if (command) await runCommand(command)
else await import('./index.ts')
