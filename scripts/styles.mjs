// Each class has one home among the styles of the screens: their files are all loaded into one document in the end, so
// that a class which two of them style would change one screen from within another.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What every screen may use is theirs alone. */
const shared = ['styles/tokens.css', 'styles/base.css', 'styles/parts.css', 'styles/frame.css']

/**
 * Classes that two files of screens lead a selector with, each with both places. `.split.time` is Time's own by its second
 * class, which no other file leads with.
 */
export function collisions(root) {
  const renderer = join(root, 'src', 'renderer')
  const leaders = filesIn(renderer)
    .filter((file) => !shared.includes(file))
    .flatMap((file) => leadersOf(readFileSync(join(renderer, file), 'utf8')).map((leader) => ({ ...leader, file })))
  const users = new Map()
  for (const { names, file } of leaders)
    for (const name of names) users.set(name, (users.get(name) ?? new Set()).add(file))
  const first = new Map()
  for (const { names, file, line } of leaders) {
    if (names.some((name) => users.get(name).size === 1)) continue
    for (const name of names) {
      const places = first.get(name) ?? new Map()
      if (!places.has(file)) first.set(name, places.set(file, `src/renderer/${file}:${line}`))
    }
  }
  return [...first].flatMap(([name, places]) =>
    places.size < 2
      ? []
      : `.${name} is styled at ${[...places.values()].join(' and at ')}: lead all but one with a class of their own ` +
        'screen, or move what both need to src/renderer/styles/parts.css',
  )
}

/** The classes of the first compound of each selector: `.a.b > .c, .d` leads with a and b, and with d. */
export function leadersOf(css) {
  const text = css.replaceAll(/\/\*.*?\*\//gs, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  const found = []
  for (const { 0: prelude, index } of text.matchAll(/[^{};]+(?=\{)/g)) {
    if (prelude.trimStart().startsWith('@')) continue
    let at = index
    for (const selector of selectorsOf(prelude)) {
      const begins = at + selector.length - selector.trimStart().length
      const [first] = withoutArguments(selector)
        .trim()
        .split(/[\s>+~]/)
      const names = [...first.matchAll(/\.([\w-]+)/g)].map(([, name]) => name)
      if (names.length > 0) found.push({ names, line: text.slice(0, begins).split('\n').length })
      at += selector.length + 1
    }
  }
  return found
}

/** A comma within `:is(…)` parts no selectors. */
function selectorsOf(prelude) {
  const parts = ['']
  let depth = 0
  for (const sign of prelude) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}

/** `.a:has(.b)` is a's alone. */
function withoutArguments(selector) {
  let depth = 0
  let kept = ''
  for (const sign of selector) {
    if (sign === ')') depth--
    if (depth === 0) kept += sign
    if (sign === '(') depth++
  }
  return kept
}

function filesIn(folder, from = folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) return filesIn(path, from)
      return name.endsWith('.css') ? [relative(from, path).replaceAll('\\', '/')] : []
    })
}
