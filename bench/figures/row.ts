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

/** Compared with nothing unless `more` says so. */
export const rowOf = (work: string, sandbank: string, more: Partial<Row> = {}): Row => ({
  work,
  sandbank,
  peer: '',
  result: '',
  target: '',
  isMet: undefined,
  ...more,
})
