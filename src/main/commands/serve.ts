import { openSandbox, type Sandbox } from '../../api/sandbox.ts'
import { appPaths } from '../app-paths.ts'
import { openBrowser, startBrowser } from '../open-browser.ts'
import { checkServeOptions, toSandboxOptions } from '../options.ts'
import { writeRuntimeFile } from '../runtime-files.ts'
import type { Input, Terminal } from './command.ts'

/** `sandbank serve`: runs until it is ended. */

export async function serve(input: Input, terminal: Terminal): Promise<undefined> {
  const { host, env, version, print, printError } = terminal
  const options = checkServeOptions(input)
  const { window, library } = appPaths(host.folder)
  const sandbox = await openSandbox({
    ...toSandboxOptions(options, env),
    version,
    window,
    library,
    report: printError,
  })
  const removeFile = writeRuntimeFile({ ...sandbox, version }, env)
  host.onEnd(async () => {
    removeFile?.()
    try {
      await sandbox.close()
      return 0
    } catch (error) {
      printError(`Closing failed: ${String(error)}`)
      return 1
    }
  })
  print(options.json ? formatJson(sandbox) : formatGreeting(sandbox, version))
  if (options.open)
    openBrowser(sandbox.gui, {
      start: (url) =>
        void startBrowser(url, () => printError(`No browser could be opened; the window is at ${sandbox.gui}`)),
      after: (ms, work) => void setTimeout(work, ms).unref(),
    })
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

function formatGreeting(sandbox: Sandbox, version: string): string {
  const [program] = sandbox.programs()
  return `Sandbank ${version}

  API      ${sandbox.api}
  Window   ${sandbox.gui}
  Program  ${program?.uid}  ${program?.name}
  Data     ${sandbox.data ?? 'in memory only: --ephemeral'}

  Try      curl ${sandbox.api.replace('/api/v1', '/health')}
  The window shows how to sign in and call. Ctrl-C ends.`
}
