import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The pages of the documentation, and the command blocks in them. */

export const ROOT = join(import.meta.dirname, '../..')
export const inFolder = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

const docs = inFolder('docs').filter((path) => path.endsWith('.md'))
export const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'AGENTS.md', 'src/README.md', ...docs]
export const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')

export interface Block {
  readonly language: string
  readonly text: string
  /** The comment in front of it. */
  readonly comment: string | undefined
}

const BLOCK = /(?:^<!-- (?<comment>.*) -->\n)?^```(?<language>sh|js)\n(?<text>[\s\S]*?)^```$/gm
export const blocksOf = (page: string): Block[] =>
  [...textOf(page).matchAll(BLOCK)].map(({ groups }) => groups as never)

const NOT_TESTED = /^not tested: /
export const isRunnable = ({ comment = '' }: Block) => !NOT_TESTED.test(comment)
