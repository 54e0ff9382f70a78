import callInJava from '../../../../resources/snippets/Call.java?raw'
import callInTypeScript from '../../../../resources/snippets/call.mts?raw'
import callInPython from '../../../../resources/snippets/call.py?raw'
import receiveInJava from '../../../../resources/snippets/Receive.java?raw'
import receiveInTypeScript from '../../../../resources/snippets/receive.mts?raw'
import receiveInPython from '../../../../resources/snippets/receive.py?raw'
import { ACCESS_TOKEN_SHELL, type ApiAccess, signInShell } from '../../format/request.ts'

/**
 * Code to paste and run, which needs only the language itself (the shell also openssl and curl): a call of the API, which signs a refresh
 * token and exchanges it for an access token; a receiver of webhooks, which proves the signature and answers 401 to what is not signed.
 * Lines must fit the panel in a window 1280 px wide.
 */

export type SnippetValues = ApiAccess

export interface ReceiverValues {
  readonly port: number
  /** The key of the webhook. */
  readonly hmac_key: string
}

/** As in docs/webhooks.md. */
export const receiverValues: ReceiverValues = { port: 8080, hmac_key: 'a-key-that-both-sides-know' }

export interface Language<V> {
  readonly name: string
  /** What a comment begins with. */
  readonly commentMarker: string
  readonly instructions: string
  readonly write: (values: V) => string
}

export const formatListenCommand = ({ port, hmac_key }: ReceiverValues) =>
  `sandbank listen --forward-to http://127.0.0.1:${port} --key ${hmac_key}`

export const formatEnvFile = ({ base_url, program_uid, hmac_key }: SnippetValues) =>
  `SANDBANK_BASE_URL=${base_url}\nSANDBANK_PROGRAM_UID=${program_uid}\nSANDBANK_HMAC_KEY=${hmac_key}\n`

/** A value stands in the template as `{{name}}`; a text there is between double quotes. */
const fill = (template: string) => (values: object) =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value: unknown = Reflect.get(values, name)
    return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : String(value)
  })

const curl = (values: SnippetValues) => `# 1. Sign a refresh token: HS512 over the time and the Program uid
${signInShell(values)}

# 2. Exchange it for an access token, valid for 8 hours
${ACCESS_TOKEN_SHELL}

# 3. Call the API: the token as returned, a new trace id each time
curl -s "$BASE/customers?limit=5" \\
  -H "Authorization: $TOKEN" -H "x-trace-id: $(openssl rand -hex 16)"
`

interface Templates {
  readonly file: string
  readonly typescript: string
  readonly python: string
  readonly java: string
}

const languagesOf = ({ file, typescript, python, java }: Templates): readonly Language<object>[] => {
  const javaFile = `${file[0]!.toUpperCase()}${file.slice(1)}`
  return [
    {
      name: 'TypeScript',
      commentMarker: '//',
      instructions: `Save it as ${file}.mts and run it with node ${file}.mts (22.18 or later).`,
      write: fill(typescript),
    },
    {
      name: 'Python',
      commentMarker: '#',
      instructions: `Save it as ${file}.py and run it with python3 ${file}.py.`,
      write: fill(python),
    },
    {
      name: 'Java',
      commentMarker: '//',
      instructions: `Save it as ${javaFile}.java and run it with java ${javaFile}.java (17 or later).`,
      write: fill(java),
    },
  ]
}

export const languages: readonly Language<SnippetValues>[] = [
  { name: 'curl', commentMarker: '#', instructions: 'Paste it into a shell that has openssl and curl.', write: curl },
  ...languagesOf({ file: 'call', typescript: callInTypeScript, python: callInPython, java: callInJava }),
]

export const receiverLanguages: readonly Language<ReceiverValues>[] = languagesOf({
  file: 'receive',
  typescript: receiveInTypeScript,
  python: receiveInPython,
  java: receiveInJava,
})
