import { createServer } from 'node:net'

/** The first port after a taken one that nobody listens on; undefined when there is none near. */
export async function freePortAfter(taken: number, host: string): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + NEAR, 65_535); port++)
    if ((await failureAt(port, host)) === undefined) return port
  return undefined
}

const NEAR = 100

/** Why nothing could listen there, and what would do instead; undefined when something could. */
export async function refusalAt(port: number, host: string): Promise<string | undefined> {
  const failure = await failureAt(port, host)
  if (failure === undefined) return undefined
  if (failure === 'EACCES') return `Port ${port} needs more rights: choose one from 1024 to 65535.`
  if (failure !== 'EADDRINUSE') return `Port ${port} cannot be listened on (${failure}): choose another one.`
  const free = await freePortAfter(port, host)
  return `Port ${port} is taken by another program: ${free === undefined ? 'choose another one' : `${free} is free`}.`
}

const failureAt = (port: number, host: string) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
