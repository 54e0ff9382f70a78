import { useMemo, useState } from 'react'
import { locateJsonError } from '../../api/contract/terms/json-error.ts'
import { CodeEditor } from '../ui/CodeEditor.tsx'
import { splitIntoLines } from '../ui/code-lines.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import styles from './BodyText.module.css'
import type { FieldErrors } from './field-errors.ts'
import { formatJson, isJsonObject, type JsonObject } from './values.ts'

/** A request body as a value and as text; changes of one update the other. */
export interface Body {
  readonly value: JsonObject
  readonly text: string
  /** Why the text is not a valid body; the value then stays the last valid one. */
  readonly error: string | null
  /** Called by the form. */
  setValue(value: JsonObject): void
  /** Called by the text editor. */
  setText(text: string): void
}

export function useBody(begin: JsonObject): Body {
  const [{ value, text, trouble }, setState] = useState({
    value: begin,
    text: formatJson(begin),
    trouble: null as string | null,
  })
  return {
    value,
    text,
    error: trouble,
    setValue: (next) => setState({ value: next, text: formatJson(next), trouble: null }),
    setText: (typed) => {
      const read = parseBody(typed)
      setState((was) =>
        'value' in read ? { value: read.value, text: typed, trouble: null } : { ...was, text: typed, ...read },
      )
    },
  }
}

/** The text of a body as a JSON object, or why it is none. */
export function parseBody(text: string): { value: JsonObject } | { trouble: string } {
  if (text.trim() === '') return { value: {} }
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? { value } : { trouble: 'Expected a JSON object in braces.' }
  } catch {
    return { trouble: `This is not JSON: ${locateJsonError(text, 'body')?.text}.` }
  }
}

interface BodyTextProps extends Pick<Body, 'text' | 'error' | 'setText'> {
  readonly problems?: FieldErrors | undefined
  /** Outside of the form, Ctrl+Enter sends it, too. */
  readonly onSend?: () => void
  /** Else the text is shown instead of the form. */
  readonly isBesideForm?: boolean
}

/** The JSON body of the request. Form and text update each other. */
export function BodyText({ text, error, setText, problems, onSend, isBesideForm = true }: BodyTextProps) {
  const marks = useMemo(() => createMarks(text, problems), [text, problems])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the editor inside has the focus; Ctrl+Enter sends from there.
    <div
      className={styles.body}
      onKeyDown={(event) => {
        if (!onSend || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        onSend()
      }}
    >
      <CodeEditor label="Body as JSON" value={text} onChange={setText} marks={marks} />
      {error !== null && (
        <NoticeLine role="alert">
          {isBesideForm && <b>The form is not updated. </b>}
          {error}
        </NoticeLine>
      )}
    </div>
  )
}

/** The line where the text stops being JSON, or those of wrong fields. The latter can be marked only while the text has our own layout. */
function createMarks(text: string, problems: FieldErrors | undefined) {
  const error = text.trim() === '' ? undefined : locateJsonError(text, 'body')
  if (error) return [error]
  const lines = splitIntoLines(text)
  if (lines.length !== text.split('\n').length) return []
  return lines.flatMap(({ path }, at) => {
    const problem = path === null ? undefined : problems?.get(path)
    return problem === undefined ? [] : [{ line: at + 1, column: 1, text: problem }]
  })
}
