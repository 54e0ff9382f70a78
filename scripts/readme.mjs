// npm run readme: writes the two tables of the README that come from the code. One lists what this sandbox decided where
// the description is silent (the `Assumed:` comments: a paragraph of a comment that begins with the word is one row); the
// other every outcome that data can force.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

const readme = join(root, 'README.md')

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

async function tables() {
  const path = join(root, 'src', 'api', 'contract', 'triggers.ts')
  const { module } = await runnerImport(path, { root, configFile: false, logLevel: 'error' })
  return {
    assumptions: [
      ['Decision', 'Where'],
      ...assumptions().map(({ file, sentence }) => [
        sentence.charAt(0).toUpperCase() + sentence.slice(1),
        `[${file.split('/').at(-1)}](${file})`,
      ]),
    ],
    triggers: [['When', 'Then'], ...module.triggers.map(({ when, outcome }) => [when, outcome])],
  }
}

export async function written(text = readFileSync(readme, 'utf8')) {
  let result = text
  for (const [name, [head, ...rows]] of Object.entries(await tables())) {
    const begin = `<!-- ${name}: npm run readme -->\n`
    const from = result.indexOf(begin)
    const to = result.indexOf('<!-- end -->', from)
    if (from < 0 || to < 0) throw new Error(`README.md lacks the marks of ${name}`)
    const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    const table = [line(head), '|---|---|', ...rows.map(line)].join('\n')
    result = `${result.slice(0, from)}${begin}\n${table}\n\n${result.slice(to)}`
  }
  return result
}

export const isFresh = async () => (await written()) === readFileSync(readme, 'utf8')

if (process.argv[1] === join(root, 'scripts', 'readme.mjs')) {
  writeFileSync(readme, await written())
  console.log('README.md is written')
}
