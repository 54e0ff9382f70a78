import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Response } from 'express'
import { ApiError } from '../contract/errors.ts'

/** The pages of docs/ as Markdown, and their index for language models: without a key, as they are the same in every sandbox. */

const PAGE = /^[\w-]+\.md$/

const INTRODUCTION = `# Sandbank

> A sandbox of a payments platform on this machine: its whole API below /api/v1, two balanced books, and a clock that the operator moves.
> No real money, and no real time: advance the clock instead of waiting.

- Start it: \`npx sandbank serve --ephemeral --clock frozen --detach\`; addresses and keys: \`npx sandbank status -o json\`
- Find a name: \`npx sandbank map\`; its fields, an example, its errors: \`npx sandbank describe "POST /transfers"\`
- Call the API: \`npx sandbank call POST /customers email=ada@example.test\`; without changing anything: the same with \`--dry-run\`
- Let time pass: \`npx sandbank clock advance 2bd\`; the reason of a value: \`npx sandbank describe why\`; take it back: \`npx sandbank undo\`
- The whole interface: [API](/openapi.json?compact), [control API](/control/openapi.json?compact), [scenarios](/scenario.schema.json)
`

/** The folder of the pages; undefined if the host has none. */
export type Docs = string | undefined

export async function sendIndex(docs: Docs, res: Response) {
  const names = (docs === undefined ? [] : await readdir(docs).catch(() => [])).filter((name) => PAGE.test(name))
  const lines = await Promise.all(
    names.sort().map(async (name) => describePage(name, await readFile(join(docs!, name), 'utf8'))),
  )
  send(res, 'text/plain', [INTRODUCTION, '## Pages', '', ...lines, ''].join('\n'))
}

/** Its title and its first sentence. */
function describePage(name: string, text: string): string {
  const [, title = name, begins = ''] = /^# (.+)\n+((?:(?!```|[-#|<]).+\n)*)/m.exec(text) ?? []
  const [first = ''] = begins
    .replaceAll(/\[([^\][]{1,200})\]\([^()]{0,200}\)/g, '$1')
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /)
  return `- [${title}](/docs/${name}): ${first.trim()}`
}

export async function sendPage(docs: Docs, name: string, res: Response) {
  const text =
    docs !== undefined && PAGE.test(name) && (await readFile(join(docs, name), 'utf8').catch(() => undefined))
  if (typeof text !== 'string') throw new ApiError('routeNotFound', '/llms.txt lists the pages')
  send(res, 'text/markdown', text)
}

const send = (res: Response, type: string, text: string) =>
  void res.type(`${type}; charset=utf-8`).send(Buffer.from(text))
