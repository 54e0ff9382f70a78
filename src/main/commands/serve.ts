import { readFileSync, statSync } from 'node:fs'
import type { MethodInput, MethodOutput } from '../../api/contract/control/methods.ts'
import type { ScenarioRun } from '../../api/contract/control/scenarios.ts'
import { holdsWorld } from '../../api/files.ts'
import { openSandbox, type Sandbox, type SandboxWorld, scenarioReports } from '../../api/sandbox.ts'
import { appPaths } from '../app-paths.ts'
import { openingAddress, startBrowser } from '../open-browser.ts'
import { type ServeValues, toSandboxOptions } from '../options.ts'
import { reasonOf } from '../reasons.ts'
import { writeRuntimeFile } from '../runtime-files.ts'
import { CommandError, type Input, OptionError, type Terminal } from './command.ts'
import { formatExchange } from './format.ts'
import { formatGreeting, toJson } from './greeting.ts'
import { watchParent } from './parent.ts'

/** `sandbank serve`: runs until it is ended, or until the program that started it is gone. */

export async function serve(input: Input, terminal: Terminal): Promise<undefined> {
  const { host, env, version, isTerminal, print, printError } = terminal
  const options = input.values as ServeValues
  const parent = host.endsWithParent ? watchParent() : undefined
  if (options.as && options.program)
    throw new OptionError(
      '--program: a world that behaves as hosted has one Program, with the staged businesses: leave --program out, and give your app its uid and key',
    )
  const sandbox = await open(options, terminal)
  await addProgram(sandbox, options)
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
  parent?.onEnd(() => host.end())
  const listening = { ...sandbox, programs: sandbox.programs(), pid: process.pid }
  print(options.json ? JSON.stringify(toJson(listening)) : formatGreeting(listening, version, 'Ctrl-C ends.'))
  if (isTerminal && !options.json && !options.quiet) {
    print('')
    printRequests(sandbox, terminal)
  }
  if (options.open) await openInBrowser(sandbox, printError)
}

async function openInBrowser(sandbox: Sandbox, printError: Terminal['printError']) {
  const reply = await sandbox.call('sandbox.open', {})
  if (!reply.ok) return printError(`The window cannot be opened: ${reasonOf(reply)}`)
  const { path } = reply.value as MethodOutput<'sandbox.open'>
  startBrowser(openingAddress(new URL(sandbox.api).origin, path), () =>
    printError(`No browser could be opened; the window is at ${sandbox.gui}`),
  )
}

/** A line for each request, to the root world and to named ones. */
function printRequests(sandbox: Sandbox, { print, paint }: Terminal) {
  const known = new WeakSet<object>()
  const watch = (world: SandboxWorld, name?: string) =>
    world.subscribe((notice) => {
      if (notice.type === 'exchange') print(formatExchange(notice.exchange, paint, { world: name }))
      if (notice.type === 'worlds' && name === undefined) watchNewWorlds()
    })
  const watchNewWorlds = () => {
    for (const world of sandbox.worlds.list()) {
      if (known.has(world.store)) continue
      known.add(world.store)
      watch(world, world.name)
    }
  }
  watch(sandbox)
}

async function addProgram(sandbox: Sandbox, { program, 'hard-mode': hard_mode }: ServeValues) {
  const refused = program && (await createUnlessKnown(sandbox, { ...program, name: program.uid, hard_mode }))
  if (refused === undefined) return
  await sandbox.close()
  throw new OptionError(`--program: ${refused}`)
}

/** A world that is continued has it already. Returns why it is refused. */
async function createUnlessKnown(sandbox: Sandbox, given: MethodInput<'programs.create'>) {
  const { uid, hmac_key } = given
  const known = sandbox.programs().find((one) => one.uid === uid)
  if (known?.hmac_key === hmac_key) return undefined
  if (known)
    return `the Program ${uid} of this world has another key: give that key, or change it with sandbank control programs.rotate_key`
  const reply = await sandbox.call('programs.create', given)
  return reply.ok ? undefined : reasonOf(reply)
}

async function open(options: ServeValues, { host, env, version, printError }: Terminal): Promise<Sandbox> {
  const { window, library, docs } = appPaths(host.folder)
  const sandboxOptions = toSandboxOptions(options, env)
  const { scenario } = options
  const parts = { version, window, library, docs, report: printError, onStop: () => host.end() }
  if (scenario === undefined) return openSandbox({ ...sandboxOptions, ...parts })
  refuseOtherWorld(options, sandboxOptions.data)
  const request = statSync(scenario, { throwIfNoEntry: false })?.isFile()
    ? { text: readFileSync(scenario, 'utf8') }
    : { name: scenario }
  const sandbox = await openSandbox({ ...sandboxOptions, ...parts, world: 'empty', clock: 'frozen' })
  try {
    await runBefore(sandbox, request, options)
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

function refuseOtherWorld(options: ServeValues, data: string | null) {
  if (options['hard-mode'] !== undefined)
    throw new OptionError(
      '--hard-mode: the scenario sets up its own world: write `given: { program: { hard_mode: SEED } }` into it, or leave --scenario out',
    )
  for (const name of ['seed', 'start', 'world', 'as'] as const)
    if (options[name] !== undefined)
      throw new OptionError(`--${name}: the scenario has its own world, seed and start: leave --${name} out`)
  if (data !== null && holdsWorld(data))
    throw new OptionError(
      `--scenario: the data folder ${data} already contains a world: leave --scenario out, or pass --ephemeral or --data with another folder`,
    )
}

/** Runs the scenario in the world that is served, so that its requests are in the log. */
async function runBefore(sandbox: Sandbox, request: object, { scenario, clock, pace }: ServeValues) {
  const reply = await sandbox.call('scenarios.run', { ...request, into: 'present' })
  if (!reply.ok) {
    throw new OptionError(`--scenario ${scenario}: ${reasonOf(reply)}`)
  }
  const { state, result } = reply.value as ScenarioRun
  if (state !== 'passed') throw new CommandError(`--scenario ${scenario}: ${scenarioReports.formatReport(result)}`)
  const settings = { ...(clock && { mode: clock }), ...(pace && { pace }) }
  if (Object.keys(settings).length > 0) await sandbox.call('clock.set', settings)
}
