declare module 'autocannon' {
  export interface Sent {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly setupRequest?: (request: Sent) => Sent
  }
  export interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    /** In seconds. */
    readonly duration: number
    readonly latency: { readonly p50: number; readonly p99: number }
  }
  export default function autocannon(options: {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly requests: readonly Sent[]
  }): Promise<Result>
}
