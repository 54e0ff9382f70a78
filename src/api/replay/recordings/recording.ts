import type { Uid } from '../../contract/terms/primitives.ts'

/** What was sent and what came back, wherever it was recorded: in our own log, a HAR file, curl lines, a bundle. */

export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface RecordedAnswer {
  /** 0 when the connection was dropped before an answer came. */
  readonly status: number
  readonly headers: HeaderList
  readonly body: string
}

export interface RecordedRequest {
  readonly method: string
  /** As in the specification, without `/api/v1`; with the query. */
  readonly path: string
  /** Secrets may be missing or masked; whoever sends it again has tokens of its own. */
  readonly headers: HeaderList
  readonly body: string
  /** null when only the request is known, as of a curl line. */
  readonly answer: RecordedAnswer | null
  /** When it was sent, by the clock of whoever recorded it. */
  readonly at?: string
  /** Left out: the Program of whoever sends it again. */
  readonly program_uid?: Uid
}

/** What stands in a file and cannot be sent again. */
export interface Unusable {
  /** Where it stands: "entry 12", "line 40". */
  readonly at: string
  readonly why: string
}

export interface Recording {
  readonly requests: readonly RecordedRequest[]
  readonly unusable: readonly Unusable[]
}

/** A file that is no recording at all: says where, what was found and what was expected. */
export class UnreadableRecording extends Error {
  override name = 'UnreadableRecording'
}
