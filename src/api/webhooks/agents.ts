import { type ClientRequest, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { MAX_ANSWER_BYTES } from './bounded-request.ts'

/** Connections to one receiver. */
export function createAgent(url: string, maxSockets: number): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, maxSockets }
  const agent = new URL(url).protocol === 'https:' ? new HttpsAgent(options) : new SmallReadsAgent(options)
  closeIfItSends(agent)
  return agent
}

/** What all connections read into, one after the other: each part is copied before the next read. */
const readBuffer = Buffer.alloc(MAX_ANSWER_BYTES)

/** A socket of Node reads 64 kB at a time, which for each endless answer would be garbage outside of the heap. */
class SmallReadsAgent extends HttpAgent {
  override createConnection(options: NetConnectOpts): Socket {
    const callback = (length: number, part: Uint8Array): boolean => socket.push(Buffer.from(part.subarray(0, length)))
    const socket: Socket = connect({ ...options, onread: { buffer: readBuffer, callback } })
    return socket
  }
}

/** Between two requests a receiver has nothing to say. Node would read and drop it, without an end. */
function closeIfItSends(agent: HttpAgent | HttpsAgent) {
  const keep = agent.keepSocketAlive.bind(agent)
  const reuse = agent.reuseSocket.bind(agent)
  const close = function (this: Duplex) {
    this.destroy()
  }
  agent.keepSocketAlive = (socket: Duplex) => {
    socket.on('data', close)
    return keep(socket)
  }
  agent.reuseSocket = (socket: Duplex, request: ClientRequest) => {
    socket.off('data', close)
    reuse(socket, request)
  }
}
