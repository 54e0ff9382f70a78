import { errorSentence } from '../format/errors.ts'

/** What went wrong, where it went wrong: what was tried, the rule or code, the next step. */
export function Notice({ title, error, children }: { title: string; error?: unknown; children?: React.ReactNode }) {
  return (
    <div className="notice" role="alert">
      <b>{title}</b> {error === undefined ? null : errorSentence(error)} {children}
    </div>
  )
}

/** Stands where rows will be, once waiting has become noticeable. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="faintbars" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity.
        <i key={at} style={{ width: `${88 - ((at * 17) % 40)}%` }} />
      ))}
    </div>
  )
}
