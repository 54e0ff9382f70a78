/**
 * The whole way from key to answer, to paste and run: sign a refresh token, exchange it, call. Each needs nothing but
 * the language itself (and openssl and curl, for the shell). No line is longer than its place in a window 1280 wide.
 */

export interface Values {
  readonly base_url: string
  readonly program_uid: string
  readonly hmac_key: string
}

export interface Language {
  readonly name: string
  /** How the language begins a remark. */
  readonly remark: string
  readonly how: string
  readonly write: (values: Values) => string
}

/** Shells take everything between single quotes as it is, but the quote itself. */
const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const quoted = (text: string) => JSON.stringify(text)

export const envFile = ({ base_url, program_uid, hmac_key }: Values) =>
  `SANDBANK_BASE_URL=${base_url}\nSANDBANK_PROGRAM_UID=${program_uid}\nSANDBANK_HMAC_KEY=${hmac_key}\n`

const curl = ({ base_url, program_uid, hmac_key }: Values) => `# 1. sign: HS512 over the time and the Program uid
BASE=${inShell(base_url)}
KEY=${inShell(hmac_key)}
b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
H=$(printf '{"alg":"HS512"}' | b64)
P=$(printf '{"iat":%s,"sub":"%s"}' "$(date +%s)" ${inShell(program_uid)} | b64)
S=$(printf '%s.%s' "$H" "$P" \\
  | openssl dgst -sha512 -hmac "$KEY" -binary | b64)

# 2. exchange it for an access token, good for 8 hours
TOKEN=$(curl -s -X POST "$BASE/auth" \\
  -H "Authorization: $H.$P.$S" -H "x-trace-id: $(openssl rand -hex 16)" \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')

# 3. use the whole value, and a new trace id every time
curl -s "$BASE/customers?limit=5" \\
  -H "Authorization: $TOKEN" -H "x-trace-id: $(openssl rand -hex 16)"
`

const typescript = ({
  base_url,
  program_uid,
  hmac_key,
}: Values) => `import { createHmac, randomUUID } from 'node:crypto'

const base = ${quoted(base_url)}
const program = ${quoted(program_uid)}
const key = ${quoted(hmac_key)}

// 1. sign: HS512 over the time and the Program uid
const b64 = (part: object) =>
  Buffer.from(JSON.stringify(part)).toString('base64url')
const iat = Math.floor(Date.now() / 1000)
const claims = b64({ alg: 'HS512' }) + '.' + b64({ iat, sub: program })
const mac = createHmac('sha512', key).update(claims).digest('base64url')

// 2. exchange it for an access token, good for 8 hours
const { token } = await call('POST', '/auth', claims + '.' + mac)

// 3. use the whole value
console.log(await call('GET', '/customers?limit=5', token))

// a new trace id every time
async function call(method: string, path: string, authorization: string) {
  const headers = { authorization, 'x-trace-id': randomUUID() }
  return (await fetch(base + path, { method, headers })).json()
}
`

const python = ({
  base_url,
  program_uid,
  hmac_key,
}: Values) => `import base64, hashlib, hmac, json, time, urllib.request, uuid

BASE = ${quoted(base_url)}
PROGRAM = ${quoted(program_uid)}
KEY = ${quoted(hmac_key)}

# a new trace id every time
def call(method, path, authorization):
    trace = str(uuid.uuid4())
    headers = {"Authorization": authorization, "x-trace-id": trace}
    asked = urllib.request.Request(BASE + path, None, headers, method=method)
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)

# 1. sign: HS512 over the time and the Program uid
def b64(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def part(value): return b64(json.dumps(value).encode())
issued = {"iat": int(time.time()), "sub": PROGRAM}
claims = part({"alg": "HS512"}) + "." + part(issued)
mac = b64(hmac.new(KEY.encode(), claims.encode(), hashlib.sha512).digest())

# 2. exchange it for an access token, good for 8 hours
token = call("POST", "/auth", claims + "." + mac)["token"]

# 3. use the whole value
print(call("GET", "/customers?limit=5", token))
`

const java = ({ base_url, program_uid, hmac_key }: Values) => `import java.net.URI;
import java.net.http.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Call {
  static final String BASE = ${quoted(base_url)};
  static final String PROGRAM = ${quoted(program_uid)};
  static final String KEY =
    ${quoted(hmac_key)};

  public static void main(String[] args) throws Exception {
    // 1. sign: HS512 over the time and the Program uid
    var iat = System.currentTimeMillis() / 1000;
    var part = "{\\"iat\\":" + iat + ",\\"sub\\":\\"" + PROGRAM + "\\"}";
    var claims = b64("{\\"alg\\":\\"HS512\\"}".getBytes()) + "."
      + b64(part.getBytes());
    var mac = Mac.getInstance("HmacSHA512");
    mac.init(new SecretKeySpec(KEY.getBytes("UTF-8"), "HmacSHA512"));
    var signed = claims + "." + b64(mac.doFinal(claims.getBytes()));

    // 2. exchange it for an access token, good for 8 hours
    var token = call("POST", "/auth", signed)
      .replaceAll(".*\\"token\\":\\"([^\\"]*)\\".*", "$1");

    // 3. use the whole value
    System.out.println(call("GET", "/customers?limit=5", token));
  }

  // a new trace id every time
  static String call(String method, String path, String authorization)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create(BASE + path))
      .header("Authorization", authorization)
      .header("x-trace-id", UUID.randomUUID().toString())
      .method(method, HttpRequest.BodyPublishers.noBody()).build();
    return HttpClient.newHttpClient()
      .send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  static String b64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
`

export const languages: readonly Language[] = [
  { name: 'curl', remark: '#', how: 'Paste it into a shell that has openssl and curl.', write: curl },
  {
    name: 'TypeScript',
    remark: '//',
    how: 'Save it as call.mts; Node runs it as it is from 22.18 on.',
    write: typescript,
  },
  { name: 'Python', remark: '#', how: 'Save it as call.py. Python 3 needs nothing else.', write: python },
  { name: 'Java', remark: '//', how: 'Save it as Call.java and run it with java Call.java, from 17 on.', write: java },
]
