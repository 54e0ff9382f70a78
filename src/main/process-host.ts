import type { Host } from './commands/command.ts'

/** The host of a command that has a process of its own. `before`: the arguments of the process in front of those of the command. */
export const processHost = (folder: string, before: readonly string[]): Host => ({
  folder,
  self: { command: process.execPath, args: before },
  endsWithParent: true,
  onEnd(close) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => void close().then((code) => process.exit(code)))
  },
  // Without a listener nothing has to be closed.
  end() {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.kill(process.pid, 'SIGTERM')
  },
})
