import { useState } from 'react'
import { isTree, printed, type Tree } from './values.ts'

/** A body as a form and as text, each following the other. */
export interface Body {
  readonly value: Tree
  readonly text: string
  /** Why the text is no body; the form then shows the last one that was. */
  readonly trouble: string | null
  /** From the form. */
  set(value: Tree): void
  /** From the text. */
  write(text: string): void
}

export function useBody(begin: Tree): Body {
  const [{ value, text, trouble }, put] = useState({
    value: begin,
    text: printed(begin),
    trouble: null as string | null,
  })
  return {
    value,
    text,
    trouble,
    set: (next) => put({ value: next, text: printed(next), trouble: null }),
    write: (typed) => {
      const read = parsed(typed)
      put((was) =>
        'value' in read ? { value: read.value, text: typed, trouble: null } : { ...was, text: typed, ...read },
      )
    },
  }
}

function parsed(text: string): { value: Tree } | { trouble: string } {
  if (text.trim() === '') return { value: {} }
  try {
    const value: unknown = JSON.parse(text)
    return isTree(value) ? { value } : { trouble: 'A body is a JSON object, in braces.' }
  } catch (error) {
    return { trouble: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
