import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server of another program on a free port of this machine, until the test ends or `leave` is called. */
export async function occupyPort(answer?: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const leave = () =>
    new Promise<void>((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  onTestFinished(leave)
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, leave }
}

export async function findFreePort(): Promise<number> {
  const { port, leave } = await occupyPort()
  await leave()
  return port
}
