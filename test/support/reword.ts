import { formatMessage, isMessage, sentences } from '../../src/api/contract/messages.ts'

/** Replaces the wording of every message by another one with the same facts. Texts of callers stay. */
export function rewordEverySentence() {
  const wordings = sentences as unknown as Record<string, (facts: object) => string>
  for (const code of Object.keys(wordings)) {
    if (code === 'text') continue
    const words = code.split('').reverse().join('').replaceAll('_', ' ')
    wordings[code] = (facts) => {
      const parts = Object.values(facts).reverse()
      return `${words}: ${parts.map((part) => (isMessage(part) ? formatMessage(part) : String(part))).join(' / ')}!`
    }
  }
}
