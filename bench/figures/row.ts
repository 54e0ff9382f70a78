/** One line of the results. */
export interface Row {
  readonly work: string
  readonly sandbank: string
  readonly peer: string
  readonly result: string
  readonly target: string
  /** Whether the target is met; undefined without a target. */
  readonly isMet: boolean | undefined
}
