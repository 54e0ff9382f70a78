#!/usr/bin/env node
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './command-line.ts'
import { processHost } from './process-host.ts'

/** Host 2: plain Node, without a display. */

const file = fileURLToPath(import.meta.url)

runCommandLine(process.argv.slice(2), processHost(dirname(file), [...process.execArgv, file])).then((code) => {
  if (code !== undefined) process.exitCode = code
})
