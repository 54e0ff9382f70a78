// npm run assumptions: what this sandbox decided where the description is silent, from the `Assumed:` comments of the
// code into the README. A comment's paragraph that begins with the word is one row.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const readme = join(root, 'README.md')
const BEGIN = '<!-- assumptions: npm run assumptions -->\n'
const END = '<!-- end -->'

export function assumptions() {
  const found = []
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const file = path.slice(root.length + 1).replaceAll('\\', '/')
    for (const comment of readFileSync(path, 'utf8').matchAll(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm)) {
      const text = comment[0].replaceAll(/^[ \t]*(\/\*\*|\*\/|\*|\/\/)[ \t]?/gm, '').replaceAll(/\s*\*\/$/g, '')
      for (const paragraph of text.split(/\n\s*\n/)) {
        const sentence = paragraph.trim().replaceAll(/\s+/g, ' ')
        if (sentence.startsWith('Assumed: ')) found.push({ file, sentence: sentence.slice('Assumed: '.length) })
      }
    }
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
}

export function written(text = readFileSync(readme, 'utf8')) {
  const rows = assumptions().map(({ file, sentence }) => {
    const said = sentence.charAt(0).toUpperCase() + sentence.slice(1).replaceAll('|', '\\|')
    return `| ${said} | [${file.split('/').at(-1)}](${file}) |`
  })
  const from = text.indexOf(BEGIN)
  const to = text.indexOf(END)
  if (from < 0 || to < from) throw new Error(`README.md lacks the marks ${BEGIN.trim()} and ${END}`)
  const table = ['| Decision | Where |', '|---|---|', ...rows].join('\n')
  return `${text.slice(0, from)}${BEGIN}\n${table}\n\n${text.slice(to)}`
}

export const isFresh = () => written() === readFileSync(readme, 'utf8')

if (process.argv[1] === join(root, 'scripts', 'assumptions.mjs')) {
  writeFileSync(readme, written())
  console.log(`${assumptions().length} assumptions are written into README.md`)
}
