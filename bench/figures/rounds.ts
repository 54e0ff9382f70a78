import autocannon, { type Sent } from 'autocannon'

/** Measurements side by side: each round measures every candidate once; the medians of all rounds are compared. */

export interface Figure {
  /** Median, minimum and maximum of the rounds. */
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface Candidate {
  readonly name: string
  /** One measurement. */
  readonly measure: () => Promise<number>
}

export async function measureRounds(candidates: readonly Candidate[], count: number): Promise<Record<string, Figure>> {
  const all = new Map<string, number[]>(candidates.map(({ name }) => [name, []]))
  for (let round = 0; round < count; round++)
    for (const { name, measure } of candidates) all.get(name)!.push(await measure())
  return Object.fromEntries([...all].map(([name, values]) => [name, figure(values)]))
}

/** The value below which this part of the others is. */
export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!

export function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return { median, least: sorted[0]!, most: sorted.at(-1)! }
}

const CONNECTIONS = 16
let sent = 0
/** Trace ids must differ from those of other runs. */
const run = Date.now().toString(36)

/** Requests per second. A refused request makes the figure useless, so it ends the run. */
export async function throughput(url: string, request: Omit<Sent, 'setupRequest'>, seconds: number): Promise<number> {
  const traced = (one: Sent) => ({ ...one, headers: { ...one.headers, 'x-trace-id': `${run}-${++sent}` } })
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ ...request, setupRequest: traced }],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${request.method} ${request.path}: ${result.non2xx} refused, ${result.errors} failed`)
  return result['2xx'] / result.duration
}
