import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { methodNames, methods } from '../src/api/contract/control/methods.ts'
import { formatCommandHelp } from '../src/main/commands/help.ts'
import { serve } from '../src/main/commands/table.ts'
import { blocksOf, inFolder, isRunnable, pages, ROOT, textOf } from './support/docs.ts'

/**
 * The links and names in the documentation lead somewhere. A command block that cannot run here has the comment
 * `<!-- not tested: reason -->` above it; docs.campaign.test.ts runs the others.
 */

const FENCE = /^```.*\n[\s\S]*?^```$/gm
const proseOf = (page: string) => textOf(page).replaceAll(FENCE, '')

/** The relative links of a page: the file that each leads to, and the anchor in it. */
const linksOf = (page: string) =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split('#')
      const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path!)).replaceAll('\\', '/')
      return { target, file, anchor }
    })

function reachableFrom(page: string, seen = new Set<string>()): Set<string> {
  if (seen.has(page)) return seen
  seen.add(page)
  for (const { file } of linksOf(page)) if (pages.includes(file)) reachableFrom(file, seen)
  return seen
}

describe('README.md', () => {
  it('has at most 120 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('leads to every page of the documentation', () => {
    const reachable = reachableFrom('README.md')
    expect(pages.filter((page) => !reachable.has(page))).toEqual([])
  })
})

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string) => [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

const FILE_ENDINGS = new Set(['ts', 'mjs', 'jsonl', 'yaml', 'md'])

describe.each(pages)('%s', (page) => {
  it('has links that lead to existing files and headings', () => {
    const broken = linksOf(page).filter(
      ({ file, anchor }) =>
        !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
    )
    expect(broken).toEqual([])
  })

  it('names existing npm scripts and control methods', () => {
    const text = textOf(page)
    const scripts = [...text.matchAll(/npm run ([a-z]+(?::[a-z]+)*)/g)].map(([, name]) => name!)
    expect(scripts.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([])
    const groups = new Set(methodNames.map((name) => name.split('.')[0]))
    const named = [...proseOf(page).matchAll(/`([a-z]+)\.([a-z_]+)`/g)]
      .filter(([, group, name]) => groups.has(group!) && !FILE_ENDINGS.has(name!))
      .map(([, group, name]) => `${group}.${name}`)
    expect(named.filter((name) => !Object.hasOwn(methods, name))).toEqual([])
  })
})

const sources = ['src', 'test', 'scripts', 'bench', 'resources', 'docs', '.github'].flatMap(inFolder)
const isPath = (name: string) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(name)
const isKnown = (name: string) =>
  existsSync(join(ROOT, name)) ||
  sources.some((path) => (name.endsWith('/') ? `/${path}`.includes(`/${name}`) : `/${path}`.endsWith(`/${name}`)))

it.each(pages)('%s names existing files', (page) => {
  const names = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!).filter(isPath)
  const files = names.filter((name) => /\.tsx?$/.test(name) || /^(src|test|scripts|bench|resources|docs)\//.test(name))
  expect(files.filter((name) => !isKnown(name))).toEqual([])
})

it('docs/headless.md lists every option of serve and every environment variable', () => {
  const page = textOf('docs/headless.md')
  const help = formatCommandHelp('serve', serve)
  for (const [option] of help.matchAll(/--[a-z-]+/g)) expect(page).toContain(`| \`${option}\` |`)
  for (const [variable] of help.matchAll(/^SANDBANK_[A-Z_]+/gm)) expect(page).toContain(`| \`${variable}\` |`)
})

const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1.*\n[\s\S]*?^\2$/gm
const QUOTED = /'[^']*'|"(?:\\.|\$\([^()]*\)|[^"\\])*"/g
/** A word outside of quotes: blanks and operators end it. */
const WORD = /(?:'[^']*'|"(?:\\.|\$\([^()]*\)|[^"\\])*"|\\.|\$[?*@#$!]|\$\{[^}]*\}|[^\s;|&()<>])+/g

/** The words of commands that a shell takes for a pattern of file names, and those that zsh replaces by a path (=word). */
function unquotedPatterns(commands: string): string[] {
  const words = commands.replaceAll(HERE_DOCUMENT, '').match(WORD) ?? []
  return words.filter((word) => {
    // A command in double quotes is expanded.
    const inner = [...word.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, command]) => unquotedPatterns(command!))
    const bare = word.replaceAll(QUOTED, '').replaceAll(/\\.|\$[?*@#$!]|\$\{[^}]*\}/g, '')
    return inner.length > 0 || (bare !== '[' && bare !== ']' && /[?*[\]]|^=\w/.test(bare))
  })
}

/** Lists of a loop that need a variable to be split. */
const unquotedLists = (commands: string): string[] => commands.replaceAll(HERE_DOCUMENT, '').match(/\bin \$\w+/g) ?? []

describe('command blocks', () => {
  const blocks = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })))

  it('can be pasted into an interactive shell: no comments for zsh, no history expansion', () => {
    for (const { page, language, text } of blocks) {
      if (language !== 'sh') continue
      expect(text, page).not.toMatch(/(^|\s)#/m)
      expect(text, page).not.toMatch(/![^\s=]/)
    }
  })

  it('quote what a shell would expand: zsh refuses a ? or * that matches no file', () => {
    expect(unquotedPatterns('curl http://a/b?c=1 "d?" \'e*\' f\\? $? "$(g h*)" =i a[0] [ -n j ]')).toEqual([
      'http://a/b?c=1',
      '"$(g h*)"',
      '=i',
      'a[0]',
    ])
    for (const { page, language, text } of blocks)
      if (language === 'sh') expect(unquotedPatterns(text), page).toEqual([])
  })

  it('split no variable into words, which zsh does not do', () => {
    expect(unquotedLists('for a in $b; do c "$d" $e; done')).toEqual(['in $b'])
    for (const { page, language, text } of blocks) if (language === 'sh') expect(unquotedLists(text), page).toEqual([])
  })

  it('the first payment has only words that every shell, also PowerShell, passes on as they are', () => {
    const payment = blocks.find(({ page, text }) => page === 'README.md' && text.includes('sandbank call POST'))!
    // PowerShell splits a word that begins with a dash and has a full stop.
    for (const word of payment.text.split(/\s+/).filter(Boolean)) expect(word).toMatch(/^[A-Za-z][\w./=-]*$/)
  })

  it('say why they are not run', () => {
    const skipped = blocks.filter((block) => !isRunnable(block))
    for (const { page, comment } of skipped) console.info(`${page}: ${comment}`)
    for (const { comment } of blocks)
      if (comment !== undefined) expect(comment).toMatch(/^(not tested: .{10,}|tested with a running sandbox)$/)
  })
})
