import { useMemo } from 'react'
import { locateJsonError } from '../../api/contract/terms/json-error.ts'
import { CodeEditor } from '../ui/CodeEditor.tsx'
import { splitIntoLines } from '../ui/code-lines.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import styles from './BodyText.module.css'
import type { FieldErrors } from './field-errors.ts'
import type { Body } from './use-body.ts'

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
