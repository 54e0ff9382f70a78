import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { identifyProcess, isRunning } from '../../api/system/processes.ts'
import type { ChildAnswer, ChildOptions } from './child-process.ts'
import { createControl } from './control.ts'
import { removeShared, startShared } from './shared-sandbox.ts'
import { lockFolder, openHere } from './start.ts'

/**
 * The program of child processes: serves a sandbox, starts the one that the test processes of a run share (`share`), or checks that a
 * control API can be used (`check`).
 */

/** Without /proc each look costs a run of ps. */
const OWNER_INTERVAL_MS = process.platform === 'linux' ? 250 : 2_000

async function serve({ sandbox: options, owner, file }: ChildOptions) {
  const answer = (message: ChildAnswer) => process.send?.(message)
  try {
    const folder = join(dirname(fileURLToPath(import.meta.url)), '..')
    const { close, ...address } = await openHere(options, folder, () => void end())
    const end = async () => {
      if (file !== undefined) removeShared(file)
      await close()
      process.exit(0)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end())
    if (owner === undefined) process.once('disconnect', () => void end())
    else {
      const runner = identifyProcess(owner)
      setInterval(() => isRunning(runner) || void end(), OWNER_INTERVAL_MS)
    }
    answer({ address: { ...address, process: identifyProcess(process.pid) } })
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
    process.disconnect()
  }
}

const [command, target = '', owner = ''] = process.argv.slice(2)
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  share: () => startShared(fileURLToPath(import.meta.url), target, Number(owner), lockFolder),
  check: () => createControl({ control: target, control_key: process.env.SANDBANK_CONTROL_KEY ?? '' }).world.describe(),
}
if (command === undefined) process.once('message', (options) => void serve(options as ChildOptions))
else
  commands[command]?.().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
