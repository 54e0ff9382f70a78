import { createHmac, randomUUID } from 'node:crypto'

const base = "{{base_url}}"
const program = "{{program_uid}}"
const key = "{{hmac_key}}"

// 1. Sign a refresh token: HS512 over the time and the Program uid
const b64 = (part: object) =>
  Buffer.from(JSON.stringify(part)).toString('base64url')
const iat = Math.floor(Date.now() / 1000)
const claims = b64({ alg: 'HS512' }) + '.' + b64({ iat, sub: program })
const mac = createHmac('sha512', key).update(claims).digest('base64url')

// 2. Exchange it for an access token, valid for 8 hours
const { token } = await call('POST', '/auth', claims + '.' + mac)

// 3. Call the API with the token as returned
console.log(await call('GET', '/customers?limit=5', token))

// Each request needs a new trace id
async function call(method: string, path: string, authorization: string) {
  const headers = { authorization, 'x-trace-id': randomUUID() }
  return (await fetch(base + path, { method, headers })).json()
}
