/** Files that users give to the window. */

export const FAILING = `name: It is not archived
teaches: What a step that fails looks like.
given: { scenario: a-funded-customer }
steps:
  - request: GET /customers/$customer
    expect:
      body: { status: archived, kyc_status: approved }
  - advance: P1D
`

export const toFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

let traces = 0

/** One entry of a HAR file. */
export const recordedRequest = (method: string, url: string, status: number, answer: unknown, body?: unknown) => ({
  startedDateTime: '2026-08-14T14:00:00.000Z',
  time: 12,
  request: {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'x-trace-id', value: `trace-${++traces}` },
      { name: 'authorization', value: 'auth-theirs' },
    ],
    queryString: [],
    ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  },
  response: { status, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(answer) } },
})

export const createHar = (entries: readonly object[]) =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'a browser', version: '1' }, entries } })
