import { createServer } from 'node:net'

/** The first port after a taken one that nobody listens on; undefined when there is none near. */
export async function freePortAfter(taken: number, host: string): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + NEAR, 65_535); port++) if (await isFree(port, host)) return port
  return undefined
}

const NEAR = 100

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
