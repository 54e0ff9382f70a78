type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same body as a form: parts in brackets, and null as an empty text. */
export function formOf(body: Json): string {
  const pairs: [string, string][] = []
  const write = (name: string, value: unknown) => {
    if (Array.isArray(value)) for (const one of value) write(`${name}[]`, one)
    else if (isJson(value)) for (const [part, one] of Object.entries(value)) write(`${name}[${part}]`, one)
    else pairs.push([name, value === null ? '' : String(value)])
  }
  for (const [name, value] of Object.entries(body)) write(name, value)
  return new URLSearchParams(pairs).toString()
}
