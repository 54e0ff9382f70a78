/** Paths with parameters, such as `/transfers/{uid}/cancel`. Without a schema, so that a command starts fast. */

const isParameter = (part: string) => part.startsWith('{')

/** The parameters of a path as they are written in it; undefined if it is no path of the template. */
export function matchTemplate(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const parts = path.split('/')
  const wanted = template.split('/')
  if (wanted.length !== parts.length) return undefined
  if (!wanted.every((part, at) => part === parts[at] || (isParameter(part) && parts[at] !== ''))) return undefined
  return Object.fromEntries(
    wanted.flatMap((part, at) => (isParameter(part) ? [[part.slice(1, -1), parts[at]!] as const] : [])),
  )
}
