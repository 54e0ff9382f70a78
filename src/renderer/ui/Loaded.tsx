import { Notice, Skeleton } from './Notice.tsx'

interface LoadedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly slow: boolean }
  /** What could not be done. */
  readonly failure: string
  /** Of the placeholder. */
  readonly rows: number
  readonly children: (data: T) => React.ReactNode
}

/** What a query answered, or why there is no answer; a placeholder while it is slow. */
export function Loaded<T>({ query: { data, error, slow }, failure, rows, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  if (error !== undefined) return <Notice title={failure} error={error} />
  return slow && <Skeleton rows={rows} />
}
