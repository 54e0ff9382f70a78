import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// The key of the webhook, as UTF-8 bytes
const key = "{{hmac_key}}"

createServer(async (request, response) => {
  // 1. The raw body: parsing it first may change it
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)

  // 2. HMAC-SHA256 over the body and the timestamp, in hexadecimal
  const header = (name: string) => String(request.headers[name] ?? '')
  const timestamp = header('x-request-signature-timestamp')
  const sent = Buffer.from(header('x-request-signature-sha-256'), 'hex')
  const hmac = createHmac('sha256', key).update(body).update(timestamp)
  const mac = hmac.digest()
  const signed = sent.length === mac.length && timingSafeEqual(sent, mac)

  // 3. Refuse what is older than 5 minutes: someone may send it again
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!signed || !(age <= 300)) return response.writeHead(401).end()

  // 4. Accept it within 5 seconds; the same event_id may come twice
  console.log(request.url, body.toString())
  response.writeHead(204).end()
}).listen({{port}}, '127.0.0.1', () => console.log('listening'))
