import type { FuzzRequest } from './requests.ts'

const quote = (part: string) => `'${part.replaceAll("'", "'\\''")}'`

/** The request as a curl line, with comments where it is completed only when it is sent. */
export function printCurl(request: FuzzRequest): string {
  const { door, method, path, headers, text, token, edit, repeated, large, meanwhile = [] } = request
  const key = door === 'api' ? '-H "authorization: $TOKEN"' : '-H "x-control-key: $KEY"'
  const hasKey = headers.authorization !== undefined || headers['x-control-key'] !== undefined
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `-H ${quote(`${name}: ${value}`)}`),
  )
  return [
    `curl -X ${method} "$ORIGIN"${quote(path)}`,
    ...(hasKey ? [] : [key]),
    ...lines,
    ...(text === undefined ? [] : [`--data-raw ${quote(text)}`]),
    ...meanwhile.map((other) => `& ${printCurl(other)}`),
    ...(token === undefined ? [] : [`# $TOKEN: ${token}`]),
    ...(edit === undefined ? [] : [`# the text is the result of bundles.export, edited with the seed ${edit}`]),
    ...(large === undefined
      ? []
      : [`# the text of ${large.bytes} bytes is "${large.name}" of bench/fuzz/large-inputs.ts`]),
    ...(repeated === undefined ? [] : [`# $REPEATED: ${JSON.stringify(repeated.unit)}, ${repeated.times} times`]),
  ].join(' ')
}
