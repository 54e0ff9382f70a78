#!/usr/bin/env node
import module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './command-line.ts'
import { processHost } from './process-host.ts'

/** Host 2: plain Node, without a display. */

// Node 22.1 and newer keep the compiled code for the next start; to Node 20 the function is not known.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()

const file = fileURLToPath(import.meta.url)

runCommandLine(process.argv.slice(2), processHost(dirname(file), [...process.execArgv, file])).then((code) => {
  if (code !== undefined) process.exitCode = code
})
