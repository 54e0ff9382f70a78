import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../src/main/command-line.ts'
import { runInProcess, type ServeOutput } from './cli.ts'
import { createTemporaryFolder } from './folder.ts'

/** `sandbank serve` without a process of its own, and the commands that find it by its runtime file. */
export async function serveInProcess(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  { isTerminal = false } = {},
) {
  const surroundings = { XDG_RUNTIME_DIR: createTemporaryFolder(), HOME: createTemporaryFolder(), ...env }
  const printed: string[] = []
  let close: () => Promise<0 | 1> = async () => 0
  const terminal = {
    env: surroundings,
    isTerminal,
    print: (line: string) => void printed.push(line),
    printError: (line: string) => void printed.push(line),
  }
  const host = {
    folder: `${import.meta.dirname}/../../out/main`,
    onEnd: (end: () => Promise<0 | 1>) => void (close = end),
    end: () => void end(),
  }
  let closing: Promise<0 | 1> | undefined
  const end = () => (closing ??= close())
  const code = await runCommandLine(
    ['serve', '--port', '0', '--ephemeral', ...(isTerminal ? [] : ['--json']), ...args],
    host,
    terminal,
  )
  if (code !== undefined) throw new Error(`serve ended with ${code}: ${printed.join('\n')}`)
  onTestFinished(async () => void (await end()))
  return {
    /** With --json. */
    line: (isTerminal ? {} : JSON.parse(printed[0]!)) as ServeOutput,
    printed,
    env: surroundings,
    end,
    run: (...command: readonly string[]) => runInProcess(command, surroundings),
  }
}
