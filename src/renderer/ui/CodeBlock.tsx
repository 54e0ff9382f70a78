import { useMemo } from 'react'
import { escapeControls, plural } from '../format/text.ts'
import styles from './CodeBlock.module.css'
import { findNamedLines, type Line, parseFormLines, splitIntoLines } from './code-lines.ts'
import { cx } from './cx.ts'
import { Caption } from './Layout.tsx'

/** Code with line numbers; each child is a line. */
export const CodeBlock = ({ className, ...pre }: React.ComponentProps<'pre'>) => (
  <pre className={cx(styles.code, className)} {...pre} />
)

/** The lines of a text, as children of a `CodeBlock`. */
export const renderCodeLines = (text: string) =>
  text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their number.
    <span key={at}>{line}</span>
  ))

export const codeStyles = { name: styles.name, value: styles.value, comment: styles.comment, error: styles.error }

interface JsonViewProps {
  readonly body: string
  readonly contentType?: string | undefined
  /** Shown first, as names and values. */
  readonly query?: string
  /** The `extra` text of an error: the fields that it names are marked. */
  readonly extra?: string | null
  readonly hints?: readonly { readonly at: string }[]
  /** Fields that the error is about, by path. Those that are not in the body are listed after it as missing. */
  readonly wrong?: readonly string[] | undefined
  /** Where the body, as it was sent, stops being JSON: line and column, counted from 1. */
  readonly errorPlace?: { readonly line: number; readonly column: number } | undefined
  /** The mark of these fields. */
  readonly errorLabel?: string
}

/** More lines would make rendering slow; the copy button copies all. */
const MAX_LINES = 2_000

const NONE: readonly string[] = []

const classOf = { ...codeStyles, sign: undefined }

export function JsonView({
  body,
  contentType = '',
  query = '',
  extra = null,
  hints = [],
  wrong = NONE,
  errorPlace,
  errorLabel: said = 'refused',
}: JsonViewProps) {
  const lines = useMemo(
    () => [...parseFormLines(query), ...(body === '' ? [] : splitIntoLines(body, contentType, errorPlace))],
    [body, contentType, query, errorPlace],
  )
  const hit = useMemo(
    () =>
      new Set([
        ...findNamedLines(lines, extra),
        ...lines.filter(({ path }) => path !== null && wrong.includes(path)),
        ...lines.filter(({ pieces }) => pieces.some(({ kind }) => kind === 'error')),
      ]),
    [lines, extra, wrong],
  )
  const missing = wrong.filter((field) => !lines.some(({ path }) => path === field))
  if (lines.length === 0 && missing.length === 0)
    return (
      <Caption as="p" className="data faint">
        Empty.
      </Caption>
    )
  const ignored = new Set(hints.map(({ at }) => at))
  return (
    <CodeBlock>
      {lines.slice(0, MAX_LINES).map((line, at) => (
        <CodeLine
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their number.
          key={at}
          line={line}
          hit={hit.has(line) ? said : null}
          tip={line.path !== null && ignored.has(line.path)}
        />
      ))}
      {missing.map((field) => (
        <span key={field} data-plain data-hit="">
          <bdi className={codeStyles.name}>{escapeControls(field)}</bdi>
          <em>missing</em>
        </span>
      ))}
      {lines.length > MAX_LINES && (
        <span data-plain className={codeStyles.comment}>
          {plural(lines.length - MAX_LINES, 'more line')}: copy to see all.
        </span>
      )}
    </CodeBlock>
  )
}

function CodeLine({ line, hit, tip }: { line: Line; hit: string | null; tip: boolean }) {
  return (
    <span data-hit={hit === null ? undefined : ''} data-tip={tip ? '' : undefined}>
      {line.pieces.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their index.
        <bdi key={at} className={classOf[kind]}>
          {escapeControls(text)}
        </bdi>
      ))}
      {tip && <em>ignored</em>}
      {hit !== null && !tip && <em>{hit}</em>}
    </span>
  )
}
