import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/process.ts'
import { Random } from '../support/random.ts'
import { printCurl } from './curl.ts'
import type { FuzzRequest } from './requests.ts'
import { oddValue, oddWord } from './values.ts'

/** Bundles, scenarios, HAR files and curl lines with defects. */

const LIBRARY = join(root, 'resources/scenarios')
const scenarios = readdirSync(LIBRARY)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => readFileSync(join(LIBRARY, name), 'utf8'))

// ── Bundles

/** The bundle with one line changed. The same seed makes the same change. */
export function editBundle(text: string, seed: string): string {
  const random = new Random(seed)
  const lines = text.trimEnd().split('\n')
  const kind = linesOfOneKind(lines, random)
  const at = random.pick(kind)
  const line = lines[at]!
  const edited = random.pickWeighted<() => string[]>([
    [12, () => lines.with(at, changeJson(line, random))],
    // A value that another line has in the same field is often valid.
    [12, () => lines.with(at, copyField(line, lines[random.pick(kind)]!, random))],
    [1, () => lines],
    [1, () => lines.toSpliced(at, 1)],
    [1, () => lines.toSpliced(at, 0, line)],
    [1, () => lines.with(at, random.pick(lines))],
    [1, () => lines.with(at, line.slice(0, random.below(line.length)))],
    [1, () => lines.slice(0, at)],
    [1, () => lines.with(at, JSON.stringify(oddValue(random)))],
  ])()
  return `${edited.join('\n')}\n`
}

/** Most lines are requests or commits, so first the kind is drawn. */
function linesOfOneKind(lines: readonly string[], random: Random): number[] {
  const kinds = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    const kind = /^\{"\w{1,40}":(?:"\w{1,40}")?/.exec(line)?.[0] ?? ''
    kinds.set(kind, [...(kinds.get(kind) ?? []).slice(-500), at])
  }
  return random.pick([...kinds.values()])
}

type Tree = Record<string, unknown>
type Place = readonly [parent: Tree, name: string]

/** The JSON text with one value replaced, removed or exchanged for one of its other values. */
function changeJson(text: string, random: Random): string {
  const value = { root: JSON.parse(text) as unknown }
  const places = placesIn(value)
  const [parent, name] = random.pick(places)
  const present = parent[name]
  random.pickWeighted<() => void>([
    [4, () => (parent[name] = oddValue(random))],
    [2, () => (Array.isArray(parent) ? parent.splice(Number(name), 1) : delete parent[name])],
    [2, () => (parent[name] = other(places, random))],
    [1, () => (parent[name] = [present])],
    [1, () => (parent[name] = null)],
    [
      1,
      () =>
        (parent[name] = typeof present === 'string' ? `${present}x` : typeof present === 'number' ? present + 1 : 1),
    ],
  ])()
  return JSON.stringify(value.root) ?? ''
}

function copyField(text: string, from: string, random: Random): string {
  const value = { root: JSON.parse(text) as unknown }
  const sources = placesIn({ root: JSON.parse(from) as unknown })
  const targets = placesIn(value).filter(([, name]) => sources.some(([, source]) => source === name))
  const [parent, name] = random.pick(targets)
  const [source] = random.pick(sources.filter(([, other]) => other === name))
  parent[name] = source[name]
  return JSON.stringify(value.root)
}

function other(places: readonly Place[], random: Random): unknown {
  const [parent, name] = random.pick(places)
  const value = parent[name]
  // A value that holds itself cannot be printed.
  return typeof value === 'object' ? structuredClone(value) : value
}

function placesIn(tree: Tree): Place[] {
  return Object.entries(tree).flatMap(([name, part]): Place[] => [
    [tree, name],
    ...(typeof part === 'object' && part !== null ? placesIn(part as Tree) : []),
  ])
}

// ── Scenarios

/** A scenario of the library, mostly with a defect. */
export function scenarioText(random: Random): string {
  const lines = random.pick(scenarios).split('\n')
  for (let changes = random.pick([0, 1, 1, 1, 2, 5]); changes > 0; changes--) changeYaml(lines, random)
  return lines.join('\n')
}

const YAML_WORDS = [
  ...'*a;&a;&a [*a];!!binary x;!!js/function x;? ;- - -;{a: {b: {c: [;<<: *a;|;>-;@x;`x`'.split(';'),
  ...'%YAML 9.9;---;...;\t;~;.inf;0o17;1_000;2026-02-30;"\\u;\';$nobody;"$a[0";{};[]'.split(';'),
  ...'{ status: 201, body: { status: queued } };{ anything: true };PT99H;P9999D;idle;GET /customers'.split(';'),
]

function changeYaml(lines: string[], random: Random) {
  const at = random.below(lines.length)
  const line = lines[at]!
  const word = () => (random.chance(0.5) ? random.pick(YAML_WORDS) : oddWord(random))
  random.pickWeighted<() => void>([
    [5, () => (lines[at] = line.replace(/: .*/, () => `: ${word()}`))],
    [2, () => (lines[at] = line.replace(/\w+:/, () => `${word()}:`))],
    [2, () => lines.splice(at, 1)],
    [2, () => lines.splice(at, 0, line)],
    [1, () => lines.splice(at, 0, `${line}: ${word()}`)],
    [1, () => (lines[at] = `  ${line}`)],
    [1, () => (lines[at] = line.trimStart())],
    [1, () => (lines[at] = random.pick(lines))],
    [0.3, () => lines.splice(at, 0, `  ${random.pick(['[', '{a: ', '- '])}`.repeat(random.pick([10, 300])))],
  ])()
}

// ── Recordings

/** A HAR file or curl lines of these requests, mostly with a defect. */
export function recordingText(requests: readonly FuzzRequest[], random: Random): string {
  return random.chance(0.5) ? harText(requests, random) : curlText(requests, random)
}

const TIME = '2026-08-14T14:00:00.000Z'

function harText(requests: readonly FuzzRequest[], random: Random): string {
  const entries = requests.map(({ method, path, headers, text }) => ({
    startedDateTime: TIME,
    time: 1,
    request: {
      method,
      url: `http://127.0.0.1:4010${path}`,
      httpVersion: 'HTTP/1.1',
      headers: Object.entries(headers).map(([name, value]) => ({ name, value: String(value) })),
      queryString: [],
      ...(text === undefined ? {} : { postData: { mimeType: 'application/json', text } }),
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [],
      content: { size: 2, mimeType: 'application/json', text: '{}' },
    },
  }))
  const har = JSON.stringify({ log: { version: '1.2', creator: { name: 'fuzz', version: '1' }, entries } })
  return random.chance(0.3) ? har : changeJson(har, random)
}

const CURL_WORDS = [...'\'^"^\\^$(^`^-H^-H x^--data-raw^-d @/etc/passwd^-X^--next^-k^|^;^&&^\\\n'.split('^'), '^']

function curlText(requests: readonly FuzzRequest[], random: Random): string {
  const text = requests.map((request) => printCurl(request).replace('"$ORIGIN"', 'http://127.0.0.1:4010')).join('\n')
  if (random.chance(0.3)) return text
  const at = random.below(text.length)
  const word = random.chance(0.7) ? random.pick(CURL_WORDS) : oddWord(random)
  return random.chance(0.7) ? `${text.slice(0, at)} ${word} ${text.slice(at)}` : text.slice(0, at)
}
