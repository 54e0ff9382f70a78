import { locateJsonError } from '../../contract/terms/json-error.ts'
import { UnreadableRecording } from './recording.ts'

export { lineAndColumn } from '../../contract/terms/json-error.ts'

/** Names the position of an error. */
export function parseJson(text: string, what: string): unknown {
  const error = locateJsonError(text, 'file')
  if (error) throw new UnreadableRecording(`${what} is not well-formed JSON: ${error.text}.`)
  return JSON.parse(text)
}
