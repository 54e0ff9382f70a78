import type { Language } from './snippets.ts'

/**
 * Code to paste and run: a receiver of webhooks that proves the signature, and answers 401 to what is not signed. It needs only the language
 * itself. Lines must fit the panel in a window 1280 px wide.
 */

export interface ReceiverValues {
  readonly port: number
  /** The key of the webhook. */
  readonly hmac_key: string
}

/** As in docs/webhooks.md. */
export const receiverValues: ReceiverValues = { port: 8080, hmac_key: 'a-key-that-both-sides-know' }

const quoteString = (text: string) => JSON.stringify(text)

export const formatListenCommand = ({ port, hmac_key }: ReceiverValues) =>
  `sandbank listen --forward-to http://127.0.0.1:${port} --key ${hmac_key}`

const typescript = ({ port, hmac_key }: ReceiverValues) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

// The key of the webhook, as UTF-8 bytes
const key = ${quoteString(hmac_key)}

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
}).listen(${port}, '127.0.0.1', () => console.log('listening'))
`

const python = ({ port, hmac_key }: ReceiverValues) => `import hashlib, hmac, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The key of the webhook, as UTF-8 bytes
KEY = ${quoteString(hmac_key)}

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # 1. The raw body: parsing it first may change it
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204 if self.is_signed(body) else 401)
        self.end_headers()

    def is_signed(self, body):
        # 2. HMAC-SHA256 over the body and the timestamp, in hexadecimal
        timestamp = self.headers.get("X-Request-Signature-Timestamp", "")
        sent = self.headers.get("X-Request-Signature-SHA-256", "")
        signed = body + timestamp.encode()
        mac = hmac.new(KEY.encode(), signed, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(mac.encode(), sent.encode()):
            return False

        # 3. Refuse what is older than 5 minutes: someone may send it again
        if abs(time.time() - float(timestamp)) > 300:
            return False

        # 4. Accept it within 5 seconds; the same event_id may come twice
        print(self.path, body.decode(), flush=True)
        return True

    def log_message(self, *args): pass

server = ThreadingHTTPServer(("127.0.0.1", ${port}), Receiver)
print("listening", flush=True)
server.serve_forever()
`

const java = ({ port, hmac_key }: ReceiverValues) => `import com.sun.net.httpserver.*;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receive {
  // The key of the webhook, as UTF-8 bytes
  static final String KEY = ${quoteString(hmac_key)};

  public static void main(String[] args) throws Exception {
    var address = new InetSocketAddress("127.0.0.1", ${port});
    var server = HttpServer.create(address, 0);
    server.createContext("/", Receive::handle);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("listening");
  }

  static void handle(HttpExchange exchange) throws java.io.IOException {
    // 1. The raw body: parsing it first may change it
    var body = exchange.getRequestBody().readAllBytes();
    var accepted = isSigned(body, exchange.getRequestHeaders());
    // 4. Accept it within 5 seconds; the same event_id may come twice
    if (accepted) System.out.println(
      exchange.getRequestURI() + " " + new String(body, "UTF-8"));
    exchange.sendResponseHeaders(accepted ? 204 : 401, -1);
    exchange.close();
  }

  static boolean isSigned(byte[] body, Headers headers) {
    try {
      // 2. HMAC-SHA256 over the body and the timestamp, in hexadecimal
      var time = headers.getFirst("X-Request-Signature-Timestamp");
      var sent = headers.getFirst("X-Request-Signature-SHA-256");
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY.getBytes("UTF-8"), "HmacSHA256"));
      mac.update(body);
      var expected = mac.doFinal(time.getBytes("UTF-8"));
      var found = HexFormat.of().parseHex(sent);
      // 3. Refuse what is older than 5 minutes: someone may send it again
      var now = System.currentTimeMillis() / 1000;
      return MessageDigest.isEqual(expected, found)
        && Math.abs(now - Long.parseLong(time)) <= 300;
    } catch (Exception missingOrNotHexadecimal) {
      return false;
    }
  }
}
`

export const receiverLanguages: readonly Language<ReceiverValues>[] = [
  {
    name: 'TypeScript',
    commentMarker: '//',
    instructions: 'Save it as receive.mts and run it with node receive.mts (22.18 or later).',
    write: typescript,
  },
  {
    name: 'Python',
    commentMarker: '#',
    instructions: 'Save it as receive.py and run it with python3 receive.py.',
    write: python,
  },
  {
    name: 'Java',
    commentMarker: '//',
    instructions: 'Save it as Receive.java and run it with java Receive.java (17 or later).',
    write: java,
  },
]
