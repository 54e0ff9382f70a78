import { type EndpointName, endpoints } from './endpoints.ts'
import { matchTemplate } from './path-templates.ts'
import type { Endpoint } from './terms/endpoint.ts'
import { countEdits, findNearest } from './terms/nearest.ts'

/** Which endpoint takes a request, and which path was probably meant. */

export interface FoundRoute {
  readonly name: EndpointName
  readonly endpoint: Endpoint
  /** As they are written in the path. */
  readonly params: Readonly<Record<string, string>>
}

export function findRoute(method: string, path: string): FoundRoute | undefined {
  const [plain = ''] = path.split('?')
  // HEAD is answered like GET.
  const asked = method === 'HEAD' ? 'GET' : method
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const params = endpoint.method === asked ? matchTemplate(endpoint.path, plain) : undefined
    if (params) return { name: name as EndpointName, endpoint, params }
  }
  return undefined
}

/** The endpoint that takes a request; undefined if there is none. */
export const findEndpoint = (method: string, path: string): Endpoint | undefined => findRoute(method, path)?.endpoint

/** A path has few parts, and each is compared by its beginning. */
const MAX_PATH_CHARS = 500

const METHODS = [...new Set(Object.values<Endpoint>(endpoints).map(({ method }) => method))]

/** Those that a path has. */
export const methodsOf = (path: string) => METHODS.filter((method) => findEndpoint(method, path))

/** The path that was probably meant: each unknown part is replaced by the nearest one of an endpoint, if all have one. */
export function findNearestPath(method: string, path: string): string | undefined {
  if (path.length > MAX_PATH_CHARS || methodsOf(path).length > 0) return undefined
  const parts = path.split('/')
  const candidates = Object.values<Endpoint>(endpoints).flatMap((endpoint) => {
    const template = endpoint.path.split('/')
    if (template.length !== parts.length) return []
    const meant = template.map((known, at) => {
      const part = parts[at]!
      if (known.startsWith('{')) return part === '' ? undefined : part
      return known === part ? part : findNearest(part, [known])
    })
    if (meant.includes(undefined)) return []
    const edits = meant.reduce((sum, part, at) => sum + countEdits(parts[at]!, part!), 0)
    const fixed = template.filter((known) => !known.startsWith('{')).length
    return [{ path: meant.join('/'), isSameMethod: endpoint.method === method, edits, fixed }]
  })
  // A fixed part before a parameter, which takes any text.
  const [best] = candidates.sort(
    (a, b) => Number(b.isSameMethod) - Number(a.isSameMethod) || b.fixed - a.fixed || a.edits - b.edits,
  )
  return best?.path
}
