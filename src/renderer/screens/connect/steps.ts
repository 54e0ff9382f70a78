import type { Exchange } from '../../../api/contract/control/exchanges.ts'

export interface Step {
  readonly state: 'upcoming' | 'current' | 'done' | 'refused'
  /** The request that completed the step, or the newest one that was refused. */
  readonly exchange: Exchange | undefined
}

export interface Steps {
  readonly reach: Step
  readonly signIn: Step
  readonly call: Step
}

const SIGN_IN = 'createAccessToken'

/** How far the user's app is, judged by its requests. `exchanges` are newest first. */
export function findSteps(exchanges: readonly Exchange[]): Steps {
  const first = exchanges.at(-1)
  const signIns = exchanges.filter(({ endpoint }) => endpoint === SIGN_IN)
  const signedIn = signIns.findLast(({ status }) => status === 201)
  const calls = exchanges.filter(({ endpoint }) => endpoint !== SIGN_IN)
  // Only a request with a valid token has a Program.
  const called = calls.findLast(({ program_uid, status }) => program_uid !== null && status < 400)
  return {
    reach: step(first !== undefined, first, true, undefined),
    signIn: step(signedIn !== undefined, signedIn, first !== undefined, signIns[0]),
    call: step(called !== undefined, called, signedIn !== undefined, calls[0]),
  }
}

function step(isDone: boolean, exchange: Exchange | undefined, isCurrent: boolean, newest: Exchange | undefined): Step {
  if (isDone) return { state: 'done', exchange }
  if (newest && newest.status >= 400) return { state: 'refused', exchange: newest }
  return { state: isCurrent ? 'current' : 'upcoming', exchange: undefined }
}
