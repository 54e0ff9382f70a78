import { useState } from 'react'
import { locateJsonError } from '../../api/contract/terms/json-error.ts'
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
