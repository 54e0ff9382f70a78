import { useMemo } from 'react'
import { CodeEditor } from '../ui/CodeEditor.tsx'
import { splitIntoLines } from '../ui/code-lines.ts'
import { NoticeLine } from '../ui/Notice.tsx'
import styles from './BodyText.module.css'
import type { FieldErrors } from './field-errors.ts'
import type { Body } from './use-body.ts'

interface BodyTextProps {
  readonly body: Body
  readonly problems: FieldErrors
  readonly onSend: () => void
}

/** The body as it will be sent: it follows the form, and the form follows it. */
export function BodyText({ body, problems, onSend }: BodyTextProps) {
  const { text, error: trouble, setText: write } = body
  const marks = useMemo(() => marksOf(text, problems), [text, problems])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the text inside has the focus; Ctrl and Enter send from there.
    <div
      className={styles.body}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        onSend()
      }}
    >
      <CodeEditor label="Body as JSON" value={text} onChange={write} marks={marks} />
      {trouble !== null && (
        <NoticeLine role="alert">
          <b>The form waits.</b> {trouble}
        </NoticeLine>
      )}
    </div>
  )
}

/** Lines can be pointed at as long as the text is laid out as we lay it out. */
function marksOf(text: string, problems: FieldErrors) {
  const lines = splitIntoLines(text)
  if (lines.length !== text.split('\n').length) return []
  return lines.flatMap(({ path }, at) => {
    const problem = path === null ? undefined : problems.get(path)
    return problem === undefined ? [] : [{ line: at + 1, column: 1, text: problem }]
  })
}
