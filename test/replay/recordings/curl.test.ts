import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCurlLines } from '../../../src/api/replay/recordings/curl.ts'
import { splitPosix } from '../../../src/api/replay/recordings/posix-shell.ts'
import type { RecordedRequest } from '../../../src/api/replay/recordings/recording.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
const API = 'https://sandbox.example.com/api/v1'

/** What one line asks for, in short. */
const one = (line: string): RecordedRequest => {
  const { requests, unusable } = readCurlLines(line)
  expect(unusable).toEqual([])
  expect(requests).toHaveLength(1)
  return requests[0]!
}
/** Beside a request that can be sent, so that the text as a whole is a recording. */
const whyNot = (line: string) => readCurlLines(`curl ${API}/pools\n${line}`).unusable
const headers = (line: string) => Object.fromEntries(one(line).headers)

describe('curl lines of browsers', () => {
  it('are read for bash, with comments, prompts, pipes and several commands', () => {
    const { requests, unusable } = readCurlLines(fixture('bash.txt'))
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /customers',
      'GET /transfers?limit=5&status[]=settled',
      'GET /pools',
      'HEAD /products',
    ])
    expect(requests[0]).toEqual({
      method: 'POST',
      path: '/customers',
      headers: [
        ['accept', 'application/json'],
        ['authorization', '[removed]'],
        ['content-type', 'application/json'],
        ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64)'],
      ],
      body: expect.stringMatching(
        /^\{"email":"o'neil@example\.com","details":\{"last_name":"O'Neíl 😀","ssn":"9\d\d-\d\d-6789"\}\}$/u,
      ),
      response: null,
    })
    expect(requests[2]!.headers).toEqual([
      ['authorization', '[removed]'],
      ['x-trace-id', '[removed]'],
    ])
    expect(unusable).toEqual([
      { at: 'line 11', why: 'no endpoint of this API: POST https://www.google-analytics.com/g/collect' },
      { at: 'line 13', why: 'the shell would have replaced $VRN: write the value itself' },
      { at: 'line 15', why: 'the file transfer.json is not in the recording: paste its content into the line' },
    ])
  })

  it('are read for POSIX shells', () => {
    const request = one(fixture('posix.txt'))
    expect(request).toMatchObject({ method: 'PUT', path: '/customers/7', body: `{"details":{"last_name":"O'Neil"}}` })
  })

  it.each([
    ['carets', `curl ^"${API}/pools^" | findstr uid & dir`],
    ['carets at the end of a line', `curl "${API}/pools" ^\r\n -H "a: b"`],
    ['doubled quotes', `curl "${API}/customers" --data-raw "{""email"":""ana@example.com""}"`],
  ])('for cmd of Windows, with %s, are refused with what to copy instead', (_, text) => {
    expect(() => readCurlLines(text)).toThrow(
      'The text has curl lines for cmd of Windows: found a caret or doubled quotes, expected lines for a POSIX shell. ' +
        'In the browser, choose “Copy as cURL (bash)”.',
    )
  })
})

describe('words of a shell', () => {
  it.each([
    ['words apart', 'a  b\tc', ['a', 'b', 'c']],
    ['single quotes', `'a b' 'c\\d'`, ['a b', 'c\\d']],
    ['quotes that touch', `'it'\\''s'"!"`, ["it's!"]],
    ['double quotes with escapes', '"a \\"b\\" \\$c \\\\ \\`d \\x"', ['a "b" $c \\ `d \\x']],
    ['ANSI-C quotes', String.raw`$'\n\t\u00e9\x41\'\\\101\cA\e\z'`, ["\n\té\x41'\\A\x01\x1b\\z"]],
    ['surrogates of ANSI-C quotes', String.raw`$'\ud83d\ude00 \U0001F600'`, ['😀 😀']],
    ['bytes of UTF-8 and of Latin-1', String.raw`$'\xc3\xa9' $'\xe9'`, ['é', 'é']],
    ['a backslash before anything', 'a\\ b \\$c', ['a b', '$c']],
    ['a line that goes on', 'a \\\n b', ['a', 'b']],
    ['a line that goes on in Windows', 'a \\\r\n b', ['a', 'b']],
    ['a line that goes on behind blanks', 'a \\  \n b', ['a', 'b']],
    ['a word that goes on', 'a\\\nb', ['ab']],
    ['a double-quoted line that goes on', '"a\\\nb"', ['ab']],
    ['an empty word', `a '' ""`, ['a', '', '']],
    ['a comment', 'a # b c', ['a']],
    ['a number sign inside a word', 'a#b', ['a#b']],
    ['a dollar sign alone', 'a$ "$ b"', ['a$', '$ b']],
    ['redirections', 'a > b 2>&1 c 2>/dev/null < d &> e', ['a', 'c']],
  ])('%s', (_, text, words) => {
    expect(splitPosix(text).map((command) => command.words.map((word) => word.text))).toEqual([words])
  })

  it.each([
    ['lines', 'a\nb\r\n\n\nc'],
    ['semicolons', 'a; b ;c'],
    ['&&, || and &', 'a && b || c &'],
    ['pipes', 'a | b |\n c'],
  ])('commands are separated by %s', (_, text) => {
    expect(splitPosix(text).map(({ words }) => words.map((word) => word.text))).toEqual([['a'], ['b'], ['c']])
  })

  it.each([
    ['$TOKEN', 'a $TOKEN', ['$TOKEN']],
    ['a name in braces', `"b$\{TOKEN}c"`, [`$\{TOKEN}`]],
    ['a command', 'x$(date +"%s)" $(id))', ['$(date +"%s)" $(id))']],
    ['a command in backticks', '"`date`"', ['`date`']],
    ['nothing in single quotes', `'$TOKEN'`, []],
    ['nothing behind a backslash', '\\$TOKEN "\\$TOKEN"', []],
  ])('finds what a shell would have replaced: %s', (_, text, expansions) => {
    expect(splitPosix(text).flatMap(({ words }) => words.flatMap((word) => word.expansions))).toEqual(expansions)
  })

  it('the lines of a here-document are not commands', () => {
    const text = "curl -d @- x <<'EOF'\nit's\nEOF\ncurl y"
    expect(splitPosix(text).map(({ line }) => line)).toEqual([1, 4])
  })

  const argument = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...'\'"\\$`^%!&|<>;#{}[]()* \t\né=@aN'), minLength: 1 }),
  )
  const args = fc.array(
    argument.map((text) => text.replaceAll(/[\0\r]/g, '')),
    { minLength: 1, maxLength: 8 },
  )
  const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const double = (text: string) => `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`
  const bare = (text: string) => (text === '' ? "''" : text.replaceAll(/./gsu, (c) => (c === '\n' ? "'\n'" : `\\${c}`)))
  const ansi = (text: string) =>
    `$'${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}'`
  const plainAnsi = (text: string) => `$'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
  it.each([
    ['single quotes', single],
    ['double quotes', double],
    ['backslashes', bare],
    ['ANSI-C escapes', ansi],
    ['ANSI-C quotes', plainAnsi],
  ])('any quoted arguments are read unchanged by %s', (_, quoted) => {
    fc.assert(
      fc.property(args, (texts) => {
        const [command, ...others] = splitPosix(texts.map(quoted).join(' \\\n  '))
        expect(others).toEqual([])
        expect(command!.words).toEqual(texts.map((text) => ({ text, expansions: [] })))
      }),
    )
  })
})

describe('the request of a line', () => {
  it.each([
    ['nothing more than an address', `curl ${API}/pools`, 'GET /pools', ''],
    ['no scheme', 'curl localhost:4010/api/v1/pools', 'GET /pools', ''],
    ['-X', `curl -X put ${API}/customers/7`, 'PUT /customers/7', ''],
    ['-X attached', `curl -XDELETE ${API}/customers/7`, 'DELETE /customers/7', ''],
    ['--request', `curl --request POST --url ${API}/auth`, 'POST /auth', ''],
    ['-d makes a POST', `curl ${API}/transfers -d a=1`, 'POST /transfers', 'a=1'],
    ['-d attached', `curl ${API}/transfers -da=1`, 'POST /transfers', 'a=1'],
    ['several -d', `curl ${API}/transfers -d a=1 --data b=2 --data-ascii c=3`, 'POST /transfers', 'a=1&b=2&c=3'],
    ['--data-raw with an @', `curl ${API}/transfers --data-raw @a`, 'POST /transfers', '@a'],
    ['--data-binary', `curl ${API}/transfers --data-binary '{}'`, 'POST /transfers', '{}'],
    [
      '--data-urlencode',
      `curl ${API}/transfers --data-urlencode 'a=b c&é' --data-urlencode '=d=e' --data-urlencode "f(1)"`,
      'POST /transfers',
      'a=b%20c%26%C3%A9&d%3De&f%281%29',
    ],
    ['--json twice', `curl ${API}/transfers --json '{"a":' --json '1}'`, 'POST /transfers', '{"a":1}'],
    ['an empty -d', `curl ${API}/auth -d ''`, 'POST /auth', ''],
    ['-G', `curl -G ${API}/transfers?limit=1 -d a=1 --data-urlencode 'b= '`, 'GET /transfers?limit=1&a=1&b=%20', ''],
    ['--get with a method', `curl --get -X DELETE ${API}/pools -d a=1`, 'DELETE /pools?a=1', ''],
    ['--url-query', `curl ${API}/pools --url-query 'a=b c'`, 'GET /pools?a=b%20c', ''],
    ['-I', `curl -sI ${API}/pools`, 'HEAD /pools', ''],
    ['a fragment', `curl ${API}/pools#top`, 'GET /pools', ''],
    ['letters beyond ASCII', `curl ${API}/customers/é?name=ü`, 'GET /customers/%C3%A9?name=%C3%BC', ''],
    ['brackets behind backslashes', `curl '${API}/pools?a\\[\\]=1'`, 'GET /pools?a[]=1', ''],
    ['brackets with --globoff', `curl -g '${API}/pools?a={b,c}'`, 'GET /pools?a={b,c}', ''],
    [
      'options that say only how curl goes about it',
      `curl --compressed -k -sS -L -i -v -o out.json -w '%{http_code}' --max-time 5 --connect-timeout 2 --retry 3 ` +
        `-sSkLo /dev/null -x http://localhost:8080 -b a=b -c jar ${API}/pools`,
      'GET /pools',
      '',
    ],
    ['a prompt', `$ curl ${API}/pools`, 'GET /pools', ''],
    ["zsh's prompt", `% curl ${API}/pools`, 'GET /pools', ''],
    ['a path and an ending', `/usr/bin/curl.exe ${API}/pools`, 'GET /pools', ''],
    ['variables before it', `LANG=C time curl ${API}/pools`, 'GET /pools', ''],
    ['a pipe behind it', `curl ${API}/pools | jq '.data[]' > out.json`, 'GET /pools', ''],
    ['a variable that goes nowhere', `curl -u "$USER:$PASS" -o $OUT -b "$C" ${API}/pools`, 'GET /pools', ''],
  ])('%s', (_, line, request, body) => {
    const { method, path, body: sent } = one(line)
    expect([`${method} ${path}`, sent]).toEqual([request, body])
  })

  it.each([
    ['alone', `--http3 ${API}/pools`],
    ['with a value', `--cacert ./ca.pem ${API}/pools`],
    ['behind the address', `${API}/pools --frobnicate 5 -s`],
    ['a letter', `-sW ${API}/pools`],
    ['a letter beside one with a value', `-sWo out.json ${API}/pools`],
    ['with a dash as its value', `--stderr - ${API}/pools`],
    ['before one with a value', `--tlsv1.2 sandbox.example.com/api/v1/pools -o out.json`],
    ['before an address without a scheme', '--no-keepalive localhost:4010/api/v1/pools'],
  ])('an option that is not known is ignored with a remark: %s', (_, words) => {
    const { requests, unusable } = readCurlLines(`curl ${words}`)
    expect(requests).toMatchObject([{ method: 'GET', path: '/pools' }])
    const [option] = /--?\w[\w.-]*/.exec(words.replace(/-sWo?/, '-W'))!
    expect(unusable).toEqual([{ at: 'line 1', why: `the option ${option} was ignored: it is not known here` }])
  })

  it.each([
    ['-4sX POST', `-4sX POST -d '{}' ${API}/customers`],
    ['-4H', `-X POST -4H 'content-type: application/json' -d '{}' ${API}/customers`],
    ['-jX POST behind the address', `${API}/customers -jX POST -d '{}'`],
  ])('letters in one word take their values, and nothing else: %s', (_, words) => {
    const { requests } = readCurlLines(`curl ${words}`)
    expect(requests).toMatchObject([{ method: 'POST', path: '/customers', body: '{}' }])
  })

  it('a caret within quotes is one of a POSIX shell, and an apostrophe within a name makes no line of cmd one', () => {
    expect(one(`curl "${API}/customers?q=^"`)).toMatchObject({ path: '/customers?q=^' })
    expect(() => readCurlLines(`curl -d "{""name"":""O'Brien""}" ${API}/customers`)).toThrow('cmd of Windows')
  })

  it('several addresses and --next are several requests', () => {
    const { requests } = readCurlLines(`curl ${API}/pools ${API}/products --next -d a=1 ${API}/transfers`)
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /pools',
      'GET /products',
      'POST /transfers',
    ])
  })

  it.each([
    ["curl's own type of a body", '-d a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a type that was given', "-d '{}' -H 'Content-Type: application/json'", { 'content-type': 'application/json' }],
    ['the types of --json', "--json '{}'", { 'content-type': 'application/json', accept: 'application/json' }],
    ['no type where it was taken away', '-d a=1 -H Content-Type:', {}],
    ['no type with -G', '-G -d a=1', {}],
    ['a header with nothing in it', "-H 'X-Empty;'", { 'x-empty': '' }],
    ['--user', '-u ana:secret', { authorization: '[removed]' }],
    ['--user attached, and a header', "-uana:secret -H 'Authorization: Basic abc'", { authorization: '[removed]' }],
    ['--oauth2-bearer', '--oauth2-bearer secret', { authorization: '[removed]' }],
    ['no cookies', "-b 'sid=1' -H 'Cookie: sid=1'", {}],
    ['-A and -e', '-A me -e https://a.example', { 'user-agent': 'me', referer: 'https://a.example' }],
  ])('headers: %s', (_, options, expected) => {
    expect(headers(`curl ${API}/pools ${options}`)).toEqual(expected)
  })

  it('a user in the address becomes an Authorization header, and secrets are removed', () => {
    const recording = readCurlLines('curl https://ana:secret@sandbox.example.com/api/v1/pools')
    expect(recording.requests[0]!.headers).toEqual([['authorization', '[removed]']])
    expect(JSON.stringify(recording)).not.toContain('secret')
  })
})

describe('lines that cannot be replayed are named with their line number', () => {
  it.each([
    ['-d @file', '-d @body.json', 'the file body.json is not in the recording: paste its content into the line'],
    ['--data-binary', '--data-binary @b', 'the file b is not in the recording: paste its content into the line'],
    ['--data-urlencode', '--data-urlencode a@b', 'the file b is not in the recording: paste its content into the line'],
    ['-T', '-T b.csv', 'the file b.csv is not in the recording: paste its content into the line'],
    ['-H @file', '-H @headers', 'the file headers is not in the recording: paste its content into the line'],
    ['-K', '-K curlrc', 'the file curlrc is not in the recording: paste its content into the line'],
    ['stdin', '-d @-', 'it reads its standard input, which is not in the recording: paste it into the line'],
    ['-F', '-F a=b', 'a multipart body, which this API does not take'],
    ['a variable', '-d "$BODY"', 'the shell would have replaced $BODY: write the value itself'],
    ['a command', '-d a=$(date)', 'the shell would have replaced $(date): write the value itself'],
    ['a header', '-H "X-Key: $KEY"', 'the shell would have replaced $KEY: write the value itself'],
    [
      'a long option with =',
      '--data=secret',
      'curl knows no option --data=…: the value of --data must be a word of its own',
    ],
    ['a value that is missing', '-X', '-X needs a value, and the line ends there'],
    ['a header without a colon', '-H nonsense', 'a header without a colon'],
    [
      'many addresses in one',
      "'https://a.example/{b,c}'",
      'a URL with {…} or […], of which curl would have made several requests',
    ],
  ])('%s', (_, options, why) => {
    expect(whyNot(`curl ${API}/transfers ${options}`)).toEqual([{ at: 'line 2', why }])
  })

  it('a line without an address, and a line of another command', () => {
    expect(whyNot('curl -s\necho done\nTOKEN=abc')).toEqual([
      { at: 'line 2', why: 'a curl line without a URL' },
      { at: 'line 3', why: 'no curl line: it begins with echo' },
    ])
  })
})

describe('a file without curl lines', () => {
  const noLine = (word: string) =>
    `The text holds no curl line: found a line that begins with ${word}, expected one that begins with curl.`
  const open = (line: number, column: number, what: string) =>
    `Line ${line}, column ${column}: found a ${what} that is never closed, expected another one before the text ends.`
  it.each([
    ['prose', "It's a text.", noLine("It's")],
    ['another command', 'wget https://curl.example/x', noLine('wget')],
    ['an open quote', `curl ${API}/pools\n  curl -d '{"a": 1} ${API}/pools`, open(2, 11, "'")],
    ['an open double quote', 'curl "x', open(1, 6, '"')],
    ['an open ANSI-C quote', "curl $'x\\'", open(1, 6, "$'")],
    ['an open substitution', 'curl $(date', open(1, 6, '$(')],
    [
      'another API',
      'curl https://api.example.com/v1/cards?key=secret',
      'The text holds nothing that can be sent again: found 1 request; expected at least one request to a path of ' +
        'this API, such as /customers or /transfers, on any host. The first of them, line 1: no endpoint of this API: ' +
        'GET https://api.example.com/v1/cards.',
    ],
  ])('%s', (_, text, message) => {
    expect(() => readCurlLines(text)).toThrow(
      expect.objectContaining({ name: 'UnreadableRecording', message }) as unknown as Error,
    )
  })
})
