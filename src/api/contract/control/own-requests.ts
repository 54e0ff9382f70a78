import type { Exchange } from './exchanges.ts'

/** The end of the User-Agent of requests that the sandbox sends itself: for the window, a scenario or a replay. */
export const OWN_AGENT = 'sandbank'

/** Names the scenario or replay that sends a request. The log does not keep it. */
export const RUN_HEADER = 'x-sandbank-run'

/** Whether the sandbox sent a request itself; else an app did. */
export const isOwnRequest = ({ caller }: Pick<Exchange, 'caller'>): boolean => caller.endsWith(` ${OWN_AGENT}`)
