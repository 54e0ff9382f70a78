import hashlib, hmac, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The key of the webhook, as UTF-8 bytes
KEY = "{{hmac_key}}"

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

server = ThreadingHTTPServer(("127.0.0.1", {{port}}), Receiver)
print("listening", flush=True)
server.serve_forever()
