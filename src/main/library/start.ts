import { version } from '../../../package.json' with { type: 'json' }
import type { StartOptions } from '../../api/contract/library.ts'
import { escapeControlsInLines } from '../../api/contract/terms/texts.ts'
import { openSandbox, SCENARIO_START } from '../../api/sandbox.ts'
import { appPaths } from '../app-paths.ts'
import { toProgramKey } from './sign-token.ts'
import type { WorldAddress } from './world.ts'

export { lockFolder } from '../../api/sandbox.ts'

/** Opens a sandbox in this process, for the library and for its child process. */

export interface OpenedSandbox extends WorldAddress {
  close(): Promise<void>
}

/** `folder` is the one of the built main process. `onStop` ends the process after `sandbox.stop`. */
export async function openHere(
  options: StartOptions,
  folder: string,
  onStop?: (() => void) | undefined,
): Promise<OpenedSandbox> {
  const { port = 0, data = null, world, seed, hard_mode, pace, control_key } = options
  const clock = options.clock ?? (data === null ? 'frozen' : undefined)
  const isFixed = data === null && clock === 'frozen'
  const { window, library, docs } = appPaths(folder)
  const sandbox = await openSandbox({
    version,
    window,
    library,
    docs,
    port,
    data,
    world,
    seed,
    hard_mode,
    clock,
    pace,
    control_key,
    onStop,
    start: options.start ?? (isFixed ? Date.parse(SCENARIO_START) : undefined),
    report: (line) => void process.stderr.write(`${escapeControlsInLines(line)}\n`),
  })
  const { api, gui, control, control_key: key, programs, close } = sandbox
  return { api, gui, control, control_key: key, programs: programs().map(toProgramKey), close }
}
