import { ACCESS_TOKEN_SHELL, type ApiAccess, signInShell } from '../../format/request.ts'

/**
 * Code to paste and run: sign a refresh token, exchange it for an access token, call the API. It needs only the language
 * itself (the shell also openssl and curl). Lines must fit the panel in a window 1280 px wide.
 */

export type SnippetValues = ApiAccess

export interface Language<V> {
  readonly name: string
  /** What a comment begins with. */
  readonly commentMarker: string
  readonly instructions: string
  readonly write: (values: V) => string
}

const quoteString = (text: string) => JSON.stringify(text)

export const formatEnvFile = ({ base_url, program_uid, hmac_key }: SnippetValues) =>
  `SANDBANK_BASE_URL=${base_url}\nSANDBANK_PROGRAM_UID=${program_uid}\nSANDBANK_HMAC_KEY=${hmac_key}\n`

const curl = (values: SnippetValues) => `# 1. Sign a refresh token: HS512 over the time and the Program uid
${signInShell(values)}

# 2. Exchange it for an access token, valid for 8 hours
${ACCESS_TOKEN_SHELL}

# 3. Call the API: the token as returned, a new trace id each time
curl -s "$BASE/customers?limit=5" \\
  -H "Authorization: $TOKEN" -H "x-trace-id: $(openssl rand -hex 16)"
`

const typescript = ({
  base_url,
  program_uid,
  hmac_key,
}: SnippetValues) => `import { createHmac, randomUUID } from 'node:crypto'

const base = ${quoteString(base_url)}
const program = ${quoteString(program_uid)}
const key = ${quoteString(hmac_key)}

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
`

const python = ({
  base_url,
  program_uid,
  hmac_key,
}: SnippetValues) => `import base64, hashlib, hmac, json, time, urllib.request, uuid

BASE = ${quoteString(base_url)}
PROGRAM = ${quoteString(program_uid)}
KEY = ${quoteString(hmac_key)}

# Each request needs a new trace id
def call(method, path, authorization):
    trace = str(uuid.uuid4())
    headers = {"Authorization": authorization, "x-trace-id": trace}
    req = urllib.request.Request(BASE + path, None, headers, method=method)
    with urllib.request.urlopen(req) as response:
        return json.load(response)

# 1. Sign a refresh token: HS512 over the time and the Program uid
def b64(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def part(value): return b64(json.dumps(value).encode())
issued = {"iat": int(time.time()), "sub": PROGRAM}
claims = part({"alg": "HS512"}) + "." + part(issued)
mac = b64(hmac.new(KEY.encode(), claims.encode(), hashlib.sha512).digest())

# 2. Exchange it for an access token, valid for 8 hours
token = call("POST", "/auth", claims + "." + mac)["token"]

# 3. Call the API with the token as returned
print(call("GET", "/customers?limit=5", token))
`

const java = ({ base_url, program_uid, hmac_key }: SnippetValues) => `import java.net.URI;
import java.net.http.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Call {
  static final String BASE = ${quoteString(base_url)};
  static final String PROGRAM = ${quoteString(program_uid)};
  static final String KEY =
    ${quoteString(hmac_key)};

  public static void main(String[] args) throws Exception {
    // 1. Sign a refresh token: HS512 over the time and the Program uid
    var iat = System.currentTimeMillis() / 1000;
    var part = "{\\"iat\\":" + iat + ",\\"sub\\":\\"" + PROGRAM + "\\"}";
    var claims = b64("{\\"alg\\":\\"HS512\\"}".getBytes()) + "."
      + b64(part.getBytes());
    var mac = Mac.getInstance("HmacSHA512");
    mac.init(new SecretKeySpec(KEY.getBytes("UTF-8"), "HmacSHA512"));
    var signed = claims + "." + b64(mac.doFinal(claims.getBytes()));

    // 2. Exchange it for an access token, valid for 8 hours
    var token = call("POST", "/auth", signed)
      .replaceAll(".*\\"token\\":\\"([^\\"]*)\\".*", "$1");

    // 3. Call the API with the token as returned
    System.out.println(call("GET", "/customers?limit=5", token));
  }

  // Each request needs a new trace id
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

export const languages: readonly Language<SnippetValues>[] = [
  { name: 'curl', commentMarker: '#', instructions: 'Paste it into a shell that has openssl and curl.', write: curl },
  {
    name: 'TypeScript',
    commentMarker: '//',
    instructions: 'Save it as call.mts and run it with node call.mts (22.18 or later).',
    write: typescript,
  },
  {
    name: 'Python',
    commentMarker: '#',
    instructions: 'Save it as call.py and run it with python3 call.py.',
    write: python,
  },
  {
    name: 'Java',
    commentMarker: '//',
    instructions: 'Save it as Call.java and run it with java Call.java (17 or later).',
    write: java,
  },
]
