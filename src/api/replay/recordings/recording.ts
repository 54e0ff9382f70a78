import type { Uid } from '../../contract/terms/primitives.ts'

/** Recorded requests and responses, from the request log, a HAR file, curl lines or a bundle. */

export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface RecordedResponse {
  /** 0 if the connection was dropped before a response. */
  readonly status: number
  readonly headers: HeaderList
  readonly body: string
}

export interface RecordedRequest {
  readonly method: string
  /** Without `/api/v1`, with the query. */
  readonly path: string
  /** Secrets may be missing or masked; a replay uses tokens of its own. */
  readonly headers: HeaderList
  readonly body: string
  /** null if only the request is known, e.g. from a curl line. */
  readonly response: RecordedResponse | null
  /** When it was sent, by the clock of the recording. */
  readonly at?: string
  /** undefined: the first Program of the sandbox that replays it. */
  readonly program_uid?: Uid
}

/** An entry of a file that cannot be sent again. */
export interface UnusableEntry {
  /** Such as `entry 12` or `line 40`. */
  readonly at: string
  readonly why: string
}

export interface Recording {
  readonly requests: readonly RecordedRequest[]
  readonly unusable: readonly UnusableEntry[]
}

/** The file is not a recording. The message says where, what was found and what was expected. */
export class UnreadableRecording extends Error {
  override name = 'UnreadableRecording'
}
