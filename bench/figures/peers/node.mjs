// A bare node:http server that answers with given bytes, and repeats the trace id as the sandbox does.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** Path → response text. */
const answers = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const server = createServer((req, res) => {
  const trace = req.headers['x-trace-id']
  if (trace !== undefined) res.setHeader('x-trace-id', trace)
  res.setHeader('content-type', 'application/json; charset=utf-8')
  res.end(answers[req.url] ?? '{"status":"ok"}')
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ origin: `http://127.0.0.1:${server.address().port}` }))
})
