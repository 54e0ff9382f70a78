// A receiver of webhooks that behaves as its argument says, from the first event on.
import { createServer } from 'node:http'

const FLOOD = Buffer.alloc(64 * 1024, 'x')
const SLOW_MS = 200

const answers = {
  accept: (response) => response.writeHead(204).end(),
  refuse: (response) => response.writeHead(503).end(),
  hang: () => {},
  /** A byte at a time, without an end. */
  slow(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), SLOW_MS)
    response.on('close', () => clearInterval(timer))
  },
  /** As many bytes as the connection takes, without an end. */
  flood(response) {
    response.writeHead(200)
    const fill = () => {
      while (response.write(FLOOD));
    }
    response.on('drain', fill)
    response.on('error', () => {})
    fill()
  },
}

const answer = answers[process.argv[2]]
const server = createServer((request, response) => {
  if (request.url === '/health') return void response.writeHead(200).end()
  request.resume()
  request.on('end', () => answer(response))
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ origin: `http://127.0.0.1:${server.address().port}` }))
})
