import type { ControlReply } from '../../../src/api/contract/control/client.ts'
import { type EndpointName, endpoints } from '../../../src/api/contract/endpoints.ts'
import { ApiError, errors } from '../../../src/api/contract/errors.ts'
import type { Endpoint } from '../../../src/api/contract/terms/endpoint.ts'
import { dispatch } from '../../../src/api/control/dispatch.ts'
import type { OperatorDoor } from '../../../src/api/control/door.ts'
import { Jobs } from '../../../src/api/control/jobs.ts'
import { createControl } from '../../../src/api/control/methods.ts'
import { addDerived } from '../../../src/api/domain/rules/derived.ts'
import { checkBooks } from '../../../src/api/domain/rules/ledger.ts'
import { seedWorld } from '../../../src/api/domain/seed.ts'
import { toApiError } from '../../../src/api/http/error-response.ts'
import { runRules } from '../../../src/api/http/handlers.ts'
import { validate } from '../../../src/api/http/route.ts'
import type { Sandbox } from '../../../src/api/sandbox.ts'
import { Clock } from '../../../src/api/store/clock.ts'
import { MemoryWorldFile } from '../../../src/api/store/memory-world-file.ts'
import { runToEnd } from '../../../src/api/store/steps.ts'
import { Store } from '../../../src/api/store/store.ts'
import { emptyWorld } from '../../../src/api/store/world.ts'
import { simulatePast } from '../../../src/api/time/past.ts'
import { Scheduler } from '../../../src/api/time/scheduler.ts'
import { taskRunners as tasks } from '../../../src/api/time/tasks.ts'
import { apiClient } from '../client.ts'

/** Two ways to send requests to a sandbox and to call its control methods. */

export interface Input {
  readonly params?: Record<string, string>
  readonly query?: Record<string, unknown>
  readonly body?: object
}

// biome-ignore lint/suspicious/noExplicitAny: the response schema has checked it.
export type Body = any
export type Reply =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly code: number; readonly extra: string }

export interface Doors {
  readonly store: Store
  request(name: EndpointName, input?: Input): Promise<Reply>
  call(name: string, input: object): Promise<ControlReply>
}

/** A defect: an internal error of the sandbox, or a task that failed. Refusals are replies. */
export class InternalError extends Error {
  override name = 'InternalError'
}

/** A sandbox in memory without a network: requests and control methods run with the same tables. */
export function memoryDoors({ seed, start }: { readonly seed: string; readonly start: number }): Doors {
  const world = emptyWorld(seed, new Date(start).toISOString())
  simulatePast({ world, clock: { mode: 'frozen', pace: 'fast' }, seed: seedWorld, tasks, steps: [] })
  const store = new Store(world, new Clock(world, () => 0), new MemoryWorldFile(), checkBooks)
  const fail = (error: unknown): never => {
    throw new InternalError(toApiError(error).cause_for_operator ?? String(error))
  }
  store.onListenerError = fail
  const failed: string[] = []
  const scheduler = new Scheduler({
    store,
    tasks,
    notify: (notice) => void (notice.type === 'task_failed' && failed.push(JSON.stringify(notice.task))),
    reportError: fail,
  })
  const runDue = () => void scheduler.runDue()
  const now = () => world.clock.at
  const operator = createControl({
    store,
    scheduler,
    onClose: () => {},
    jobs: new Jobs(() => {}),
    ...({} as Pick<
      OperatorDoor,
      | 'exchanges'
      | 'actions'
      | 'traces'
      | 'redaction'
      | 'client'
      | 'library'
      | 'ownScenarios'
      | 'notify'
      | 'faults'
      | 'snapshots'
      | 'createWorld'
      | 'openScratch'
      | 'describe'
      | 'identify'
      | 'stop'
      | 'begins'
      | 'worlds'
    >),
  })
  const program = world.collections.programs.inOrder()[0]!.uid
  const expectNoFailedTask = () => {
    if (failed.length > 0) throw new InternalError(`A task failed: ${failed.join('; ')}`)
  }
  const internalErrors: ApiError[] = []

  return {
    store,
    async request(name, { params = {}, query = {}, body } = {}) {
      const endpoint: Endpoint = endpoints[name]
      runDue()
      expectNoFailedTask()
      const before = { seq: world.seq, counters: world.counters }
      try {
        const parse = (schema: Endpoint['body'], value: unknown) => schema && validate(schema, value ?? {})
        const input = { params, query: parse(endpoint.query, query), body: parse(endpoint.body, body) }
        const cause = { door: 'request', name: `${endpoint.method} ${endpoint.path}` } as const
        const response = store.transact(program, cause, (tx) =>
          endpoint.response.parse(runRules(tx, name, input, addDerived)),
        )
        return { ok: true, body: response as Body }
      } catch (error) {
        if (!(error instanceof ApiError))
          throw new InternalError(`${name}: ${(error as Error).stack}`, { cause: error })
        if (world.seq !== before.seq || world.counters !== before.counters)
          throw new InternalError(`${name} was refused, and changed the world`)
        const { status, code } = errors[error.key]
        return { ok: false, status, code, extra: error.extra ?? '' }
      }
    },
    async call(name, input) {
      const reply = await dispatch(operator, name, input, {
        now,
        runDue,
        reportInternalError: (error) => void internalErrors.push(error),
        recordAction: async (_name, _input, work) => await work(),
        runSteps: async (steps) => runToEnd(steps),
      })
      if (internalErrors.length > 0) throw new InternalError(`${name}: ${internalErrors[0]!.cause_for_operator}`)
      expectNoFailedTask()
      return reply
    },
  }
}

/** A sandbox over HTTP, as the app of a Client calls it. */
export function httpDoors(sandbox: Sandbox): Doors {
  const api = apiClient(sandbox)
  return {
    store: sandbox.store,
    async request(name, { params = {}, query = {}, body } = {}) {
      const { method, path }: Endpoint = endpoints[name]
      const filledPath = path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param]!))
      const pairs = Object.entries(query).flatMap(([field, value]) =>
        Array.isArray(value) ? value.map((one) => `${field}[]=${one}`) : [`${field}=${String(value)}`],
      )
      const sent = body === undefined ? {} : { json: body }
      const { status, body: responseBody } = await api.call<Body>(
        method,
        `${filledPath}${pairs.length ? '?' : ''}${pairs.join('&')}`,
        sent,
      )
      if (status >= 500) throw new InternalError(`${name} was answered with ${status}`)
      if (status < 300) return { ok: true, body: responseBody }
      const [error] = responseBody.errors
      return { ok: false, status, code: error.code, extra: error.extra ?? '' }
    },
    async call(name, input) {
      const reply = await sandbox.call(name, input)
      if (!reply.ok && reply.error.status >= 500)
        throw new InternalError(`${name} was answered with ${reply.error.status}`)
      return reply
    },
  }
}
