import { type MethodName, methodNames, methods } from '../../src/api/contract/control/methods.ts'
import { type Client, type HttpRequest, Refused, type Response } from '../support/client.ts'

/** The control methods that change something: how to call each of them, and how often a campaign has called it. */

/** Beyond the actions of the operator. */
const OTHER_CHANGES = [
  ...(['exchanges.send', 'exchanges.replay', 'bundles.import', 'snapshots.keep', 'snapshots.delete'] as const),
  ...(['scenarios.save', 'scenarios.delete', 'scenarios.run', 'scenarios.step', 'scenarios.pause'] as const),
  ...(['clock.cancel', 'work.cancel', 'worlds.create', 'worlds.keep', 'worlds.drop'] as const),
] as const

/** They need a receiver, or are called by the sandbox itself: `test/webhooks/kills.campaign.test.ts` kills a sandbox that sends. */
const DELIVERIES = [
  ...(['webhooks.test', 'webhooks.record_attempts'] as const),
  ...(['events.resend', 'events.hold', 'events.release'] as const),
] as const

type ActionName = Exclude<
  {
    [N in MethodName]: (typeof methods)[N] extends { isAction: true } ? N : never
  }[MethodName],
  (typeof DELIVERIES)[number]
>
export type ChangingMethod = ActionName | (typeof OTHER_CHANGES)[number]

export const isAction = (name: string): name is ActionName =>
  name in methods && 'isAction' in methods[name as MethodName] && !(DELIVERIES as readonly string[]).includes(name)
const isOther = (name: MethodName) => (OTHER_CHANGES as readonly MethodName[]).includes(name)

export const CHANGING_METHODS = methodNames.filter((name): name is ChangingMethod => isAction(name) || isOther(name))

/** Calls one method. It may be refused, e.g. during an advance. */
export type Call = (client: Client) => Promise<unknown>

const CONTROL = '/control/'
const ATTEMPTS = 100

/** Counts the calls of a campaign. */
export class MethodCalls {
  /** How often each method was answered with success. */
  readonly answered = new Map<string, number>()
  /** How often a kill came between the call of each method and its response. */
  readonly interrupted = new Map<string, number>()
  readonly #waiting = new Map<HttpRequest, string>()

  onRequest = (request: HttpRequest) => {
    if (request.path.startsWith(CONTROL)) this.#waiting.set(request, request.path.slice(CONTROL.length))
  }

  onResponse = (request: HttpRequest, { status }: Response) => {
    const name = this.#waiting.get(request)
    this.#waiting.delete(request)
    if (name !== undefined && status < 300) increase(this.answered, name)
  }

  /** After a kill: what waits now gets no response. */
  endRound() {
    for (const name of this.#waiting.values()) increase(this.interrupted, name)
    this.#waiting.clear()
  }

  /** Calls a method until it succeeds. */
  async callUntilAnswered(client: Client, name: ChangingMethod, call: Call): Promise<void> {
    const before = this.answered.get(name) ?? 0
    let refusal = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await call(client).catch((error: Error) => {
        if (!(error instanceof Refused)) throw error
        refusal = error.message
      })
      if ((this.answered.get(name) ?? 0) > before) return
      await client.control('clock.read')
    }
    throw new Error(`${name} did not succeed in ${ATTEMPTS} attempts. ${refusal}`)
  }
}

/** Those that were called least, in their order. */
export const leastCalled = <N extends ChangingMethod>(names: readonly N[], counts: ReadonlyMap<string, number>): N[] =>
  names.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))

const increase = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
