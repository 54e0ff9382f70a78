import type { Exchange } from '../../../api/contract/control.ts'

/** How far the integrator's app has come, read from the requests that arrived: nothing else is asked of it. */

export interface Step {
  readonly state: 'later' | 'now' | 'done' | 'refused'
  /** The request that shows it. */
  readonly exchange: Exchange | undefined
}

export interface Steps {
  readonly reached: Step
  readonly signedIn: Step
  readonly called: Step
}

const SIGN_IN = 'createAccessToken'

/** `exchanges` are newest first; each step is shown by the request that took it first. */
export function stepsOf(exchanges: readonly Exchange[]): Steps {
  const first = exchanges.at(-1)
  const signIns = exchanges.filter(({ endpoint }) => endpoint === SIGN_IN)
  const signedIn = signIns.findLast(({ status }) => status === 201)
  const others = exchanges.filter(({ endpoint }) => endpoint !== SIGN_IN)
  // Whoever has a Program came in with a token, whatever the answer was.
  const called = others.findLast(({ program_uid, status }) => program_uid !== null && status < 400)
  return {
    reached: step(first !== undefined, first, true, undefined),
    signedIn: step(signedIn !== undefined, signedIn, first !== undefined, signIns[0]),
    called: step(called !== undefined, called, signedIn !== undefined, others[0]),
  }
}

function step(done: boolean, exchange: Exchange | undefined, now: boolean, refused: Exchange | undefined): Step {
  if (done) return { state: 'done', exchange }
  if (refused && refused.status >= 400) return { state: 'refused', exchange: refused }
  return { state: now ? 'now' : 'later', exchange: undefined }
}
