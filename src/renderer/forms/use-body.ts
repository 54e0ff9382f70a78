import { useState } from 'react'
import { formatJson, isJsonObject, type JsonObject } from './values.ts'

/** A body as a form and as text, each following the other. */
export interface Body {
  readonly value: JsonObject
  readonly text: string
  /** Why the text is no body; the form then shows the last one that was. */
  readonly error: string | null
  /** From the form. */
  setValue(value: JsonObject): void
  /** From the text. */
  setText(text: string): void
}

export function useBody(begin: JsonObject): Body {
  const [{ value, text, trouble }, put] = useState({
    value: begin,
    text: formatJson(begin),
    trouble: null as string | null,
  })
  return {
    value,
    text,
    error: trouble,
    setValue: (next) => put({ value: next, text: formatJson(next), trouble: null }),
    setText: (typed) => {
      const read = parsed(typed)
      put((was) =>
        'value' in read ? { value: read.value, text: typed, trouble: null } : { ...was, text: typed, ...read },
      )
    },
  }
}

function parsed(text: string): { value: JsonObject } | { trouble: string } {
  if (text.trim() === '') return { value: {} }
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? { value } : { trouble: 'A body is a JSON object, in braces.' }
  } catch (error) {
    return { trouble: `It is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
