// A bare Express 5 app that answers with given bytes. With a journal, a POST is parsed and appended as one line of JSON first.
import { openSync, readFileSync, writeSync } from 'node:fs'
import express from 'express'

const [answersPath, journalPath] = process.argv.slice(2)
/** Path → response text. */
const answers = JSON.parse(readFileSync(answersPath, 'utf8'))
const app = express()
const sendJson = (res, status, text) => res.status(status).type('json').send(text)

for (const [path, text] of Object.entries(answers)) {
  app.get(path, (_req, res) => sendJson(res, 200, text))
  if (!journalPath) continue
  const journal = openSync(journalPath, 'a')
  app.post(path, express.json(), (req, res) => {
    writeSync(journal, `${JSON.stringify(req.body)}\n`)
    sendJson(res, 201, text)
  })
}
app.get('/health', (_req, res) => sendJson(res, 200, '{"status":"ok"}'))
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ origin: `http://127.0.0.1:${server.address().port}` }))
})
