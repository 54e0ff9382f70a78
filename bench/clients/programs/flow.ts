/** What a client needs to begin. */
export interface Settings {
  readonly api: string
  readonly refreshToken: string
  /** A new value for each request. */
  readonly trace: () => string
}

export interface Operator {
  /** Advances the clock until nothing is scheduled. */
  advance(): Promise<void>
  /** The simulated date, `YYYY-MM-DD`. */
  today(): Promise<string>
}

/** Returns how many responses were as expected. */
export type Flow = (settings: Settings, operator: Operator) => Promise<number>
