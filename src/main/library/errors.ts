import type { ErrorBody } from './contract.ts'

/** A refusal of the API or of the control API, with the sandbox's own words. */
export class SandbankError extends Error {
  override name = 'SandbankError'
  /** The HTTP status. */
  readonly status: number
  /** The code of the first error, such as 1003. */
  readonly code: number
  /** All errors of the response. */
  readonly errors: ErrorBody['errors']

  constructor(what: string, { status, errors }: ErrorBody) {
    super(`${what}: ${errors.map(formatError).join('; ') || `status ${status}`}`)
    this.status = status
    this.code = errors[0]?.code ?? 0
    this.errors = errors
  }
}

const formatError = ({ code, title, detail, extra }: ErrorBody['errors'][number]) =>
  `${code} ${title}, ${detail}${extra === undefined ? '' : ` (${extra})`}`

/** The body of a refusal. A proxy may answer something else. */
export function parseErrorBody(status: number, text: string): ErrorBody {
  try {
    const body = JSON.parse(text) as ErrorBody
    if (Array.isArray(body.errors)) return { status, errors: body.errors }
  } catch {}
  const detail = text.slice(0, 200) || 'the body is empty'
  return { status, errors: [{ code: 0, title: 'Unexpected response', detail, occurred_at: new Date().toISOString() }] }
}
