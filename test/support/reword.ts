import { formatMessage, isMessage, sentences } from '../../src/api/contract/messages.ts'

/** Gives every message another wording with the same facts; texts of callers stay. Returns the way back. */
export function rewordEverySentence(): () => void {
  const wordings = sentences as unknown as Record<string, (facts: object) => string>
  const before = { ...wordings }
  for (const code of Object.keys(wordings)) {
    if (code === 'text') continue
    const words = code.split('').reverse().join('').replaceAll('_', ' ')
    wordings[code] = (facts) => {
      const parts = Object.values(facts).reverse()
      return `${words}: ${parts.map((part) => (isMessage(part) ? formatMessage(part) : String(part))).join(' / ')}!`
    }
  }
  return () => void Object.assign(wordings, before)
}
