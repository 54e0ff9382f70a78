import { createServer } from 'node:net'

const SEARCHED_PORTS = 100

/** The first free port after a taken one; undefined if there is none nearby. */
export async function findFreePort(taken: number, host: string): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + SEARCHED_PORTS, 65_535); port++)
    if ((await tryToListen(port, host)) === undefined) return port
  return undefined
}

/** Why a port cannot be used, and what to do; undefined if it can. */
export async function explainUnusablePort(port: number, host: string): Promise<string | undefined> {
  const failure = await tryToListen(port, host)
  if (failure === undefined) return undefined
  if (failure === 'EACCES') return `Port ${port} needs administrator rights: choose one from 1024 to 65535.`
  if (failure !== 'EADDRINUSE') return `Port ${port} cannot be used (${failure}): choose another one.`
  const free = await findFreePort(port, host)
  return `Port ${port} is taken by another program: ${free === undefined ? 'choose another one' : `${free} is free`}.`
}

/** Returns the code of the error, if any. */
const tryToListen = (port: number, host: string) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
