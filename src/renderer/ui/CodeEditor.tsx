import { useEffect, useMemo, useRef } from 'react'
import styles from './CodeEditor.module.css'
import { scrollToTop } from './scroll.ts'

export interface Mark {
  readonly line: number
  readonly column: number
  readonly text: string
  /** What the line describes has failed; else the line itself is invalid. */
  readonly isFailed?: boolean
}

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange?: ((value: string) => void) | undefined
  readonly onSave?: (() => void) | undefined
  readonly marks?: readonly Mark[]
  readonly isInvalid?: boolean
  /** Where to place the cursor. A new object places it again. */
  readonly goTo?: { readonly line: number; readonly column: number } | null
}

/** A text editor with line numbers. Without `onChange` it is read-only. */
export function CodeEditor({
  label,
  value,
  onChange,
  onSave,
  marks = [],
  isInvalid = marks.length > 0,
  goTo = null,
}: CodeEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = useMemo(() => value.split('\n'), [value])
  const marked = new Map(marks.map((mark) => [mark.line, mark]))
  useEffect(() => {
    const text = area.current
    if (!goTo || !text) return
    const before = text.value.split('\n').slice(0, goTo.line - 1)
    const start = before.reduce((sum, line) => sum + line.length + 1, 0)
    const end = start + (text.value.slice(start).split('\n')[0]?.length ?? 0)
    text.focus({ preventScroll: true })
    text.setSelectionRange(Math.min(start + Math.max(0, goTo.column - 1), end), end)
    scrollToTop(text.parentElement?.querySelector(`[data-line="${goTo.line}"]`), 120)
  }, [goTo])
  return (
    <div className={styles.editor} data-editor>
      <div className={styles.gutter} aria-hidden="true">
        {lines.map((_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their number.
            key={at}
            data-line={at + 1}
            data-hit={marked.has(at + 1) ? (marked.get(at + 1)!.isFailed ? 'failed' : '') : undefined}
            title={marked.get(at + 1)?.text}
          >
            {at + 1}
          </span>
        ))}
      </div>
      <textarea
        ref={area}
        className="mono"
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        value={value}
        rows={lines.length}
        readOnly={onChange === undefined}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        wrap="off"
        onChange={(event) => onChange?.(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            onSave?.()
          }
        }}
      />
    </div>
  )
}
