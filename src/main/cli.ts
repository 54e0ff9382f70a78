#!/usr/bin/env node
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './command-line.ts'

/** Host 2: plain Node, without a display. */

const folder = dirname(fileURLToPath(import.meta.url))

const self = { command: process.execPath, args: [...process.execArgv, fileURLToPath(import.meta.url)] }

function onEnd(close: () => Promise<0 | 1>) {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void close().then((code) => process.exit(code)))
}

/** Without a listener nothing has to be closed. */
function end() {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.kill(process.pid, 'SIGTERM')
}

runCommandLine(process.argv.slice(2), { folder, onEnd, end, self, endsWithParent: true }).then((code) => {
  if (code !== undefined) process.exitCode = code
})
