import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Worker } from 'node:worker_threads'

/** Receivers of webhooks that do everything wrong. */

/**
 * What an attempt must come to. accepted: the status is 200 to 299, whatever comes after it. refused: another status. no answer: there is no
 * status. silent: there is none until the deadline.
 */
export type ExpectedOutcome = 'accepted' | 'refused' | 'no answer' | 'silent'

interface HostileKind {
  readonly outcome: ExpectedOutcome
  /** When a connection is accepted. */
  readonly connect?: (socket: Socket) => unknown
  /** When a request, or a part of it, has arrived; `request` counts those of the connection, from 1. */
  readonly answer?: ((socket: Socket, request: number) => unknown) | undefined
  /** The sandbox is told an address with https. */
  readonly isHttps?: boolean
  /** Instead of a server that accepts connections and reads requests. */
  readonly listen?: () => Promise<Listening>
}

interface Listening {
  readonly port: number
  readonly close: () => Promise<unknown>
  readonly sockets: ReadonlySet<Socket>
}

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n'
const FLOOD = Buffer.alloc(65_536, 'x')
const BLANK_LINES = Buffer.alloc(65_536, '\r\n')
const silence = () => {}

const write =
  (...lines: readonly string[]) =>
  (socket: Socket) =>
    void socket.write(lines.join('\r\n'))
const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`
const respond =
  (...parts: readonly string[]) =>
  (socket: Socket) =>
    void socket.write(parts.join(''))
const respondAndEnd =
  (...parts: readonly string[]) =>
  (socket: Socket) =>
    void socket.end(parts.join(''))

const begin = (text: string, goOn: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(text)
  goOn(socket)
}
const later = (goOn: (socket: Socket) => void) => (socket: Socket) => void setTimeout(() => goOn(socket), 2)

/** As much as the connection takes, without an end. */
const flooding =
  (part: Buffer | string = FLOOD) =>
  (socket: Socket) => {
    const fill = () => {
      while (!socket.destroyed && socket.write(part));
    }
    socket.on('drain', fill)
    fill()
  }

/** A part at a time, without an end. */
const dripping =
  (part: string, everyMs = 20) =>
  (socket: Socket) => {
    const timer = setInterval(() => socket.write(part), everyMs)
    socket.on('close', () => clearInterval(timer))
  }

type Answer = HostileKind['answer']
const accepted = (answer: Answer): HostileKind => ({ outcome: 'accepted', answer })
const refused = (answer: Answer): HostileKind => ({ outcome: 'refused', answer })
const noAnswer = (answer: Answer): HostileKind => ({ outcome: 'no answer', answer })
const silent = (answer: Answer): HostileKind => ({ outcome: 'silent', answer })
const overTls = (kind: HostileKind): HostileKind => ({ ...kind, isHttps: true })

export const hostileKinds = {
  // ── Connections ──────────────────────────────────────────────────────────────────────────────────────────────────
  'refuses the connection': { outcome: 'no answer', listen: listenAndClose },
  'never accepts the connection': { outcome: 'silent', listen: listenWithoutAccepting },
  'closes each connection at once': { outcome: 'no answer', connect: (socket) => socket.destroy() },
  'resets each connection at once': { outcome: 'no answer', connect: (socket) => socket.resetAndDestroy() },
  'reads the request and closes': noAnswer((socket) => socket.destroy()),
  'reads the request and resets': noAnswer((socket) => socket.resetAndDestroy()),
  'never reads': { outcome: 'silent', connect: (socket) => void socket.pause() },
  'never answers': silent(silence),
  'half-closes and goes on reading': { outcome: 'no answer', connect: (socket) => void socket.end() },
  'closes after each answer, without saying so': accepted(
    (socket) => void socket.write(NO_CONTENT, () => setTimeout(() => socket.destroy(), 1)),
  ),
  'resets a connection that is used again': accepted(
    (socket, request) => void (request === 1 ? socket.write(NO_CONTENT) : socket.resetAndDestroy()),
  ),
  'answers garbage on a connection that is used again': accepted(
    (socket, request) => void socket.write(request === 1 ? NO_CONTENT : 'garbage\r\n\r\n'),
  ),
  'speaks HTTP/1.0': accepted(respondAndEnd('HTTP/1.0 200 OK\r\n\r\nok')),
  'answers before it has read the request': {
    outcome: 'accepted',
    connect: respondAndEnd('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'),
  },

  // ── Before the status ────────────────────────────────────────────────────────────────────────────────────────────
  'answers garbage': noAnswer((socket) => void socket.write(FLOOD)),
  'answers garbage without an end': noAnswer(flooding()),
  'answers with a body alone': noAnswer(respondAndEnd('OK')),
  'answers with blank lines without an end': silent(flooding(BLANK_LINES)),
  'answers with blank lines without an end, slowly': silent(dripping('\r\n')),
  'answers in HTTP/2': {
    outcome: 'no answer',
    // An empty SETTINGS frame.
    answer: (socket) => void socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
  },
  'answers with the preface of HTTP/2': noAnswer(write('PRI * HTTP/2.0', '', 'SM', '', '')),
  'speaks TLS on a plain port': { outcome: 'no answer', listen: listenWithTls },
  'speaks plain HTTP on a TLS port': overTls(noAnswer(respond(NO_CONTENT))),
  'begins a TLS handshake and goes silent': overTls(silent(silence)),
  'closes in the middle of a TLS handshake': overTls(noAnswer((socket) => socket.end())),
  'has a status that is no number': noAnswer(respond('HTTP/1.1 OK Fine\r\n\r\n')),
  'has a status of four digits': noAnswer(respond('HTTP/1.1 2040 Fine\r\n\r\n')),
  'stops in the status line': silent(respond('HTTP/1.1 20')),
  'stops in its headers': silent(respond('HTTP/1.1 200 OK\r\nx-one: 1\r\n')),
  'closes in its headers': noAnswer(respondAndEnd('HTTP/1.1 200 OK\r\nx-one: 1\r\n')),
  'has headers without an end': noAnswer(begin('HTTP/1.1 200 OK\r\n', flooding('x-one: 1\r\n'.repeat(1_000)))),
  'has headers without an end, slowly': silent(begin('HTTP/1.1 200 OK\r\n', dripping('x-one: 1\r\n'))),
  'has a header of a megabyte': noAnswer(respond('HTTP/1.1 200 OK\r\nx-one: ', 'x'.repeat(1_000_000), '\r\n\r\n')),
  'has two lengths': noAnswer(respond(head('HTTP/1.1 200 OK', 'content-length: 2', 'content-length: 3'), 'no')),

  // ── Informational answers ────────────────────────────────────────────────────────────────────────────────────────
  'switches protocols': refused(
    respond(head('HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket')),
  ),
  'switches protocols without naming one': refused(respond(head('HTTP/1.1 101 Whatever'))),
  'switches protocols and goes on without an end': refused(
    begin(head('HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket'), flooding()),
  ),
  'accepts and offers another protocol': accepted(
    respond(head('HTTP/1.1 200 OK', 'connection: upgrade', 'upgrade: h2c', 'content-length: 2'), 'ok'),
  ),
  'informs before it answers': accepted(
    respond(head('HTTP/1.1 100 Continue'), head('HTTP/1.1 103 Early Hints', 'link: </a>'), NO_CONTENT),
  ),
  'informs and closes': noAnswer(respondAndEnd(head('HTTP/1.1 102 Processing'))),
  'informs without an end': noAnswer(flooding(head('HTTP/1.1 100 Continue').repeat(1_000))),
  'informs without an end, slowly': silent(dripping(head('HTTP/1.1 102 Processing'), 200)),

  // ── After the status ─────────────────────────────────────────────────────────────────────────────────────────────
  'has a body that stalls': accepted(respond(head('HTTP/1.1 200 OK', 'content-length: 9'), 'ok')),
  'has a body that never comes': refused(respond(head('HTTP/1.1 503 No', 'content-length: 9'))),
  'has a body without an end': accepted(begin(head('HTTP/1.1 200 OK'), flooding())),
  'has a body without an end, slowly': accepted(begin(head('HTTP/1.1 200 OK'), dripping('x'))),
  'has a body of 3 kB and refuses': refused(
    respond(head('HTTP/1.1 503 No', 'content-length: 3000'), 'x'.repeat(3_000)),
  ),
  'breaks off its body': accepted(respondAndEnd(head('HTTP/1.1 200 OK', 'content-length: 999'), 'ok')),
  'resets in its body': refused(
    (socket) =>
      void socket.write(`${head('HTTP/1.1 500 No', 'content-length: 999')}no`, () => socket.resetAndDestroy()),
  ),
  'half-closes at the end of its body': accepted(respondAndEnd(head('HTTP/1.1 200 OK'), 'ok')),
  'has a chunk of a wrong length': accepted(
    respond(head('HTTP/1.1 200 OK', 'transfer-encoding: chunked'), 'zz\r\nok\r\n'),
  ),
  'has a chunk extension without an end': accepted(
    begin(`${head('HTTP/1.1 200 OK', 'transfer-encoding: chunked')}2;x=`, flooding()),
  ),
  'has trailers': accepted(
    respond(head('HTTP/1.1 200 OK', 'transfer-encoding: chunked', 'trailer: x-one'), '0\r\nx-one: 1\r\n\r\n'),
  ),
  'has trailers without an end': accepted(
    begin(`${head('HTTP/1.1 200 OK', 'transfer-encoding: chunked')}0\r\n`, flooding('x-one: 1\r\n'.repeat(1_000))),
  ),
  'has a length and chunks': noAnswer(
    respond(head('HTTP/1.1 200 OK', 'content-length: 2', 'transfer-encoding: chunked'), '2\r\nok\r\n0\r\n\r\n'),
  ),
  'has a body after 204': accepted(respond(head('HTTP/1.1 204 No Content', 'content-length: 2'), 'ok')),
  'has a body after 204, later': accepted(
    begin(head('HTTP/1.1 204 No Content', 'content-length: 2'), later(respond('ok'))),
  ),
  'has chunks after 204': accepted(
    respond(head('HTTP/1.1 204 No Content', 'transfer-encoding: chunked'), '2\r\nok\r\n0\r\n\r\n'),
  ),
  'has a body after 304': refused(respond(head('HTTP/1.1 304 Not Modified', 'content-length: 2'), 'ok')),
  'answers twice': accepted(respond(NO_CONTENT, head('HTTP/1.1 500 No', 'content-length: 0'))),
  'goes on after its answer without an end': accepted(begin(NO_CONTENT, later(flooding()))),
  'says that its body is compressed': accepted(
    respond(head('HTTP/1.1 200 OK', 'content-encoding: gzip', 'content-length: 4'), '\u001f\u008b!!'),
  ),
  'redirects to itself': refused(respond(head('HTTP/1.1 302 Found', 'location: /', 'content-length: 0'))),
  'asks for a password': refused(respond(head('HTTP/1.1 401 No', 'www-authenticate: NTLM', 'content-length: 0'))),
  'has an unknown status': refused(respond(head('HTTP/1.1 999 Odd', 'content-length: 0'))),
} satisfies Readonly<Record<string, HostileKind>>

export type HostileName = keyof typeof hostileKinds
export const hostileNames = Object.keys(hostileKinds) as HostileName[]
export const hostileKind = (name: HostileName): HostileKind => hostileKinds[name]

/** Those for which an attempt waits neither until its deadline nor for the rest of a body. */
export const quickHostileNames = hostileNames.filter(
  (name) =>
    hostileKinds[name].outcome !== 'silent' &&
    !/^has a body (that (stalls|never comes)|without an end, slowly)/.test(name),
)

export interface HostileReceiver {
  readonly name: HostileName
  readonly url: string
  readonly outcome: ExpectedOutcome
  /** How many connections are open. */
  readonly countOpen: () => number
  readonly stop: () => Promise<void>
}

export async function startHostileReceiver(name: HostileName): Promise<HostileReceiver> {
  const kind = hostileKind(name)
  const { port, sockets, close } = await (kind.listen?.() ?? listen(kind))
  return {
    name,
    outcome: kind.outcome,
    url: `${kind.isHttps ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    countOpen: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await close()
    },
  }
}

function listen({ connect: onConnect = silence, answer = silence }: HostileKind): Promise<Listening> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let requests = 0
    // A request arrives in one part, or in two: its head and its body. A TLS handshake is no request.
    socket.on('data', (part: Buffer) => {
      if (/^(POST|GET) /.test(part.toString('latin1', 0, 5)) || requests === 0) answer(socket, ++requests)
    })
    onConnect(socket)
  })
  return listening(server)
}

async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', silence)
    socket.on('end', () => setImmediate(() => socket.destroy()))
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { port, sockets, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Without a certificate it refuses what is said in TLS, too. */
function listenWithTls(): Promise<Listening> {
  const server = createTlsServer({ handshakeTimeout: 60_000 }, silence)
  server.on('tlsClientError', silence)
  return listening(server)
}

/** A port on which nothing listens any more. */
async function listenAndClose(): Promise<Listening> {
  const { port, sockets, close } = await listening(createServer())
  await close()
  return { port, sockets, close: async () => {} }
}

/** A thread that listens and then does nothing, with as many connections as wait for it at most. */
async function listenWithoutAccepting(): Promise<Listening> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })`,
    { eval: true },
  )
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', silence))
  await new Promise((resolve) => waiting[0]!.once('connect', resolve))
  return {
    port,
    sockets: new Set(),
    async close() {
      for (const socket of waiting) socket.destroy()
      await worker.terminate()
    },
  }
}
