import autocannon, { type Sent } from 'autocannon'

/** Measured side by side: every contestant once in each round, and the medians of all rounds are compared. */

export interface Figure {
  /** The median of the rounds, and how far apart they lay. */
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface Contestant {
  readonly name: string
  /** One measurement. */
  readonly measure: () => Promise<number>
}

export async function rounds(contestants: readonly Contestant[], count: number): Promise<Record<string, Figure>> {
  const all = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < count; round++)
    for (const { name, measure } of contestants) all.get(name)!.push(await measure())
  return Object.fromEntries([...all].map(([name, values]) => [name, figure(values)]))
}

export function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return { median, least: sorted[0]!, most: sorted.at(-1)! }
}

const CONNECTIONS = 16
let sent = 0
/** Of this run alone: no trace id may be known from another. */
const run = Date.now().toString(36)

/** Requests in a second. A request that is refused spoils the figure, so it spoils the run. */
export async function throughput(url: string, request: Omit<Sent, 'setupRequest'>, seconds: number): Promise<number> {
  const traced = (one: Sent) => ({ ...one, headers: { ...one.headers, 'x-trace-id': `${run}-${++sent}` } })
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ ...request, setupRequest: traced }],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${request.method} ${request.path}: ${result.non2xx} refused, ${result.errors} lost`)
  return result['2xx'] / result.duration
}
