import type { Uid } from '../contract/terms/primitives.ts'
import type { Commit, FollowingCommits, FollowingLogs } from './commit.ts'
import { formatCommit } from './commit-format.ts'
import type { Steps } from './steps.ts'

/** The line of a commit without its number and the uid of its exchange, which are known only when it is appended. */
interface PreparedLine {
  readonly commit: Commit
  readonly beforeUid: string
  readonly afterUid: string
}

/** Commits of another world, prepared in steps so that little is left to do when they are appended. */
export class CommitBatch {
  readonly #lines: readonly PreparedLine[]

  private constructor(lines: readonly PreparedLine[]) {
    this.#lines = lines
  }

  static *prepare(commits: readonly Commit[]): Steps<CommitBatch> {
    const lines: PreparedLine[] = []
    for (const commit of commits) {
      lines.push(prepareLine(commit))
      yield 0
    }
    return new CommitBatch(lines)
  }

  get length(): number {
    return this.#lines.length
  }

  /** `uids`: the uids that the exchanges get here. The commit of another exchange does not name it. */
  withUids(uids: ReadonlyMap<Uid, Uid>, logs: FollowingLogs): FollowingCommits {
    const lines = this.#lines
    const uidOf = ({ cause }: Commit) => (cause.exchange === undefined ? undefined : uids.get(cause.exchange))
    const numbered = ({ commit }: PreparedLine, seq: number): Commit => ({
      ...commit,
      seq,
      cause: causeWith(commit, uidOf(commit)),
    })
    return {
      logs,
      length: lines.length,
      *commits(seq) {
        for (const [index, line] of lines.entries()) yield numbered(line, seq + index + 1)
      },
      last: (seq) => (lines.length === 0 ? undefined : numbered(lines.at(-1)!, seq + lines.length)),
      texts: (seq) =>
        lines.map(({ commit, beforeUid, afterUid }, index) => {
          const uid = uidOf(commit)
          const exchange = uid === undefined ? '' : `,"exchange":"${uid}"`
          return `{"seq":${seq + index + 1}${beforeUid}${exchange}${afterUid}`
        }),
    }
  }
}

function causeWith({ cause }: Commit, uid: Uid | undefined): Commit['cause'] {
  const { exchange: _, ...rest } = cause
  return uid === undefined ? rest : { ...rest, exchange: uid }
}

/** No text of a cause can contain this, as JSON escapes quotes. */
const PLACEHOLDER = ',"exchange":"x"'
const BEGIN = '{"seq":0'

function prepareLine(commit: Commit): PreparedLine {
  const { exchange: _, ...cause } = commit.cause
  const text = formatCommit({ ...commit, seq: 0, cause: { ...cause, exchange: 'x' } })
  const at = text.indexOf(PLACEHOLDER)
  return {
    commit,
    beforeUid: text.slice(BEGIN.length, at),
    afterUid: text.slice(at + PLACEHOLDER.length),
  }
}
