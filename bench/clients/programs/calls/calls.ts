/** A few calls with a generated client. Each program is compiled strictly together with it, and returns what `expected` says. */

export interface CallSettings {
  readonly api: string
  readonly refreshToken: string
  readonly control: string
  readonly controlKey: string
  /** A new value for each request. */
  readonly trace: () => string
}

/** Signs in, creates a Customer, and lists those with its uid, or advances the clock by an hour and reads it. */
export type Call = (settings: CallSettings) => Promise<readonly unknown[]>

export const email = 'ada@example.test'
export const expected = { api: ['initiated', 1, email], control: ['frozen', true] } as const
