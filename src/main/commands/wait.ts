import { parseAmountOfTime, parseDuration } from '../../api/contract/terms/amounts-of-time.ts'
import { OptionError } from './command.ts'

/** `30`, `30s`, `2 minutes`, `PT30S`: a time to wait in milliseconds. A number alone is seconds. */
export function parseWait(option: string, text: string): number {
  const amount = parseAmountOfTime(/^[\d.]+$/.test(text) ? `${text}s` : text, 0)
  try {
    if (amount && 'by' in amount) return parseDuration(amount.by)
  } catch {
    // Months and years have no fixed length.
  }
  throw new OptionError(`${option}: a time such as 30s is expected`)
}
