import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import type { ErrorBody } from '../contract/error-body.ts'
import { ApiError } from '../contract/errors.ts'
import { parseInput } from '../control/dispatch.ts'
import { canceledError, type JobHandle } from '../control/jobs.ts'
import { sendOperatorRequest } from '../control/send-request.ts'
import { readGoal } from '../reach/goal.ts'
import type { Copy } from '../reach/place.ts'
import { codeOfAnswer, Search, type Way } from '../reach/search.ts'
import { recordScenario } from '../scenarios/record.ts'
import type { OpenWorld } from './open-world.ts'

/** The control method reach: looks for a way in copies of a world, and takes it in the world or writes it as a scenario if that is asked. */

/** A search ends after this. */
const MOST_MS = 60_000

interface Trials {
  open(source: OpenWorld): OpenWorld
  drop(trial: OpenWorld): Promise<void>
}

export function reach(
  { goal: text, apply = false, scenario }: MethodParsed<'reach'>,
  source: OpenWorld,
  trials: Trials,
): Promise<MethodOutput<'reach'>> {
  const goal = readGoal(text, { all: source.programs(), read: (program, work) => source.store.read(program, work) })
  const work = async (job: JobHandle) => {
    const { seq } = source.store.world
    const way = await search()
    if (!way)
      throw new ApiError(
        'invalidArgument',
        `goal: no way to ${text} was found: leave a part of it out, or do a part of the way yourself`,
      )
    const saved =
      scenario === undefined ? null : await writeScenario(source, way, trials, job, { name: scenario, goal: text })
    if (apply && source.store.world.seq !== seq)
      throw new ApiError('invalidArgument', 'the world has changed while the way was looked for: ask again')
    const operation = apply ? await takeSteps(source, way) : null
    const { calls, record, ends_at } = way
    return { goal: text, record, ends_at, steps: [...calls], applied: apply, operation, scenario: saved }

    async function search(): Promise<Way | undefined> {
      const open = new Set<OpenWorld>()
      const beforeCall = watch(text, job)
      const copyOf = (of: OpenWorld): Copy => {
        const world = trials.open(of)
        open.add(world)
        return {
          store: world.store,
          call: async (method, input) => {
            await beforeCall()
            return world.call(method, input)
          },
          fork: () => copyOf(world),
          drop: () => {
            open.delete(world)
            return trials.drop(world)
          },
        }
      }
      try {
        return await new Search(goal, copyOf(source)).run()
      } finally {
        for (const copy of open) await trials.drop(copy)
      }
    }
  }
  return apply ? source.jobs.runExclusive('reach', work) : source.jobs.runConcurrent('reach', work)
}

/** Before each call in a copy: requests to the sandbox are answered in between, and the search ends when it is canceled or takes too long. */
function watch(goal: string, job: JobHandle) {
  const ends = performance.now() + MOST_MS
  let done = 0
  return async () => {
    if (!(await job.reportProgress({ done: ++done, of: null, unit: 'steps' }))) throw canceledError('reach')
    if (performance.now() > ends)
      throw new ApiError(
        'invalidArgument',
        `goal: no way to ${goal} was found in ${MOST_MS / 1_000} s: leave a part of it out, or do a part of the way yourself`,
      )
  }
}

/** As one operation. Returns its number; null if there was nothing to do. */
async function takeSteps(source: OpenWorld, { calls, codes }: Way): Promise<number | null> {
  const client = source.openRun('reach')
  for (const [at, { method, input, text }] of calls.entries()) {
    const problem = await takeStep()
    if (problem === undefined) continue
    const operation = client.operation?.()
    const before =
      operation === undefined ? '' : `; the steps before it were taken: operations.undo ${operation} undoes them`
    throw new ApiError('invalidArgument', `step ${at + 1} (${text}): ${problem}${before}`)

    /** Returns why it did something else than in the copy, such as a fault, or a request that came between two steps. */
    async function takeStep(): Promise<string | undefined> {
      if (method === 'exchanges.send') {
        const door = { client, exchanges: source.exchanges, store: source.store }
        const exchange = await sendOperatorRequest(door, parseInput(method, input))
        const code = codeOfAnswer(exchange)
        if (code === codes[at] && (code !== null || exchange.status < 400)) return undefined
        return `it was answered with ${exchange.status}${code === null ? '' : `, code ${code}`}, and not as in the copy`
      }
      const reply = await client.call(method, input)
      if (reply.ok) return undefined
      const [{ extra, detail } = { extra: undefined, detail: '' }] = (reply.error as ErrorBody).errors
      return extra ?? detail
    }
  }
  return client.operation?.() ?? null
}

/** What led to this world, then the steps. */
async function writeScenario(
  source: OpenWorld,
  { calls }: Way,
  trials: Trials,
  job: JobHandle,
  { name, goal }: { name: string; goal: string },
): Promise<string> {
  const trial = trials.open(source)
  try {
    for (const { method, input } of calls) await trial.call(method, input)
    const removeSecrets = (text: string) => source.redaction.removeSecrets(text)
    const options = { since: source.store.world.seq, name, teaches: `The way to ${goal}`, removeSecrets }
    return (await job.runSteps(recordScenario(source, options, trial), 'steps')).text
  } finally {
    await trials.drop(trial)
  }
}
