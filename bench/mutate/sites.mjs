// Finds every place of a TypeScript file where a single defect can be planted, and writes the file with several of them: each is switched
// on by its number, so that one copy of the sources, compiled once, holds all defects of a run.
import { createHash } from 'node:crypto'
import { parseSync } from 'oxc-parser'

/** What may stand in for an operator: the other boundary, the opposite, or the neighbour that a typing error gives. */
const BINARY = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
}
const ASSIGNMENT = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '??=': '=', '||=': '&&=' }
const METHODS = { some: 'every', every: 'some', min: 'max', max: 'min', startsWith: 'endsWith', endsWith: 'startsWith' }
/** A call without which its receiver remains. */
const DROPPED_CALLS = ['filter', 'toSorted', 'toReversed', 'reverse', 'trim']
/** Wrappers of TypeScript around an expression that exists at run time. Everything else that begins with TS is a type. */
const TYPED_EXPRESSIONS = [
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
]
const CONDITIONS = ['IfStatement', 'ConditionalExpression', 'WhileStatement', 'DoWhileStatement', 'ForStatement']

/**
 * The sites of a file: `{ kind, start, end, line, column, before, after, apply }`. `apply(n)` is the code that behaves as written unless
 * defect n is planted. Left out: types, imports, names, comments and the text of strings. A wrong word is mostly a type
 * error, and nothing should depend on the wording of a message.
 */
export function findSites(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const sites = []
  const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const sourceOf = (node) => text.slice(node.start, node.end)
  const add = (kind, node, after, apply, before = sourceOf(node)) => {
    const line = countBelow(lineEnds, node.start) + 1
    sites.push({ kind, start: node.start, end: node.end, line, before, after, apply })
  }
  const addExpression = (kind, node, after, statement) => {
    const choice = (n) => `(isPlanted(${n}) ? (${after}) : (${sourceOf(node)}))`
    // A statement that begins with a parenthesis would continue the line above it.
    add(kind, node, after, statement?.start === node.start ? (n) => `{ ${choice(n)} }` : choice)
    if (statement?.start === node.start && statement.end !== node.end) sites.pop()
  }
  const addRemoval = (kind, node) =>
    add(kind, node, '(removed)', (n) => `{ if (!isPlanted(${n})) { ${sourceOf(node)} } }`)

  const visit = (node, parent, { statement, chain, condition } = {}) => {
    if (node.type.startsWith('TS')) {
      if (TYPED_EXPRESSIONS.includes(node.type)) visit(node.expression, node, { statement, chain })
      return
    }
    if (/^(Import|ExportAll)/.test(node.type) && node.type !== 'ImportExpression') return
    if (node.type === 'ExportNamedDeclaration' && node.source) return
    const context = { statement: node.type === 'ExpressionStatement' ? node : statement, chain }
    addSites(node, parent, { ...context, condition })
    for (const [key, value] of Object.entries(node))
      for (const child of [value].flat())
        if (child && typeof child.type === 'string')
          visit(child, node, {
            ...context,
            chain: node.type === 'ChainExpression' || (chain && key !== 'arguments'),
            condition: key === 'test' && CONDITIONS.includes(node.type),
          })
  }

  function addSites(node, parent, { statement, chain, condition }) {
    const expression = (kind, after) => addExpression(kind, node, after, statement)
    if (condition && node.type !== 'Literal') expression('condition negated', `!(${sourceOf(node)})`)
    if (node.type === 'BinaryExpression' && BINARY[node.operator] && !isText(node))
      expression('operator', `(${sourceOf(node.left)}) ${BINARY[node.operator]} (${sourceOf(node.right)})`)
    if (node.type === 'LogicalExpression' && !chain) {
      if (node.operator === '??') expression('default dropped', sourceOf(node.left))
      else
        expression(
          'operator',
          `(${sourceOf(node.left)}) ${node.operator === '&&' ? '||' : '&&'} (${sourceOf(node.right)})`,
        )
    }
    if (node.type === 'AssignmentExpression' && ASSIGNMENT[node.operator] && !isText(node.right))
      expression('operator', `${sourceOf(node.left)} ${ASSIGNMENT[node.operator]} ${sourceOf(node.right)}`)
    if (node.type === 'UpdateExpression')
      expression(
        'operator',
        sourceOf(node).replace(/\+\+|--/, (o) => (o === '++' ? '--' : '++')),
      )
    if (node.type === 'UnaryExpression' && ['!', '-'].includes(node.operator) && !condition)
      expression('operator', sourceOf(node.argument))
    if (node.type === 'Literal' && !(parent.type === 'Property' && parent.key === node && !parent.computed)) {
      if (typeof node.value === 'number') expression('constant', `${sourceOf(node)} + 1`)
      if (typeof node.value === 'bigint') expression('constant', `${sourceOf(node)} + 1n`)
      if (typeof node.value === 'boolean' && !condition) expression('constant', `${!node.value}`)
    }
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && !chain && !node.callee.computed) {
      const { object, property } = node.callee
      if (Object.hasOwn(METHODS, property.name)) {
        const rest = text.slice(property.end, node.end)
        expression('method', `${text.slice(node.start, property.start)}${METHODS[property.name]}${rest}`)
      }
      if (DROPPED_CALLS.includes(property.name)) expression('call dropped', sourceOf(object))
    }
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
      if (!isUndefined(node.body)) addExpression('return replaced', node.body, 'undefined')
    if (node.type === 'ReturnStatement' && node.argument && !isUndefined(node.argument))
      add(
        'return replaced',
        node,
        'return undefined',
        (n) => `{ if (isPlanted(${n})) return undefined; ${sourceOf(node)} }`,
      )
    if (
      (node.type === 'ExpressionStatement' && !node.directive && node.expression.callee?.type !== 'Super') ||
      ['ThrowStatement', 'BreakStatement', 'ContinueStatement'].includes(node.type) ||
      (node.type === 'ReturnStatement' && !node.argument) ||
      (node.type === 'IfStatement' && !node.alternate)
    )
      addRemoval('statement removed', node)
  }

  visit(program, undefined)
  return sites
}

/** How many of the sorted numbers are smaller. */
function countBelow(numbers, limit) {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (numbers[middle] < limit) from = middle + 1
    else to = middle
  }
  return from
}

const isUndefined = (node) =>
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'UnaryExpression' && node.operator === 'void')

/** True if an operand shows that this is text: a difference of texts is no defect that anybody would write. */
const isText = (node) =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && node.operator === '+' && (isText(node.left) || isText(node.right)))

/** The file with these defects, none of which overlap. `module` is where isPlanted is imported from. */
export function plantAll(text, defects, module) {
  let planted = text
  for (const { start, end, apply, number } of defects.toSorted((a, b) => b.start - a.start))
    planted = planted.slice(0, start) + apply(number) + planted.slice(end)
  return `import { isPlanted } from '${module}'; ${planted}`
}

/**
 * Chooses defects evenly over all lines that have sites. The seed and the text of a line decide, so a change of the sources
 * replaces only the defects of the changed lines.
 */
export function chooseDefects(files, count, seed) {
  const rank = (text) => createHash('sha256').update(`${seed}\0${text}`).digest('hex')
  const lines = files
    .flatMap(({ path, text }) => groupByLine(path, nameSites(path, text)))
    .map((line) => ({ ...line, rank: rank(line.name) }))
    .toSorted((a, b) => compareTexts(a.rank, b.rank))
  const chosen = new Map(files.map(({ path }) => [path, []]))
  let left = count
  for (const { path, sites } of lines) {
    if (left === 0) break
    const taken = chosen.get(path)
    const free = sites.filter((site) => !taken.some(({ start, end }) => site.start < end && start < site.end))
    if (free.length === 0) continue
    taken.push(free.toSorted((a, b) => compareTexts(rank(a.name), rank(b.name)))[0])
    left--
  }
  let number = 0
  return [...chosen].flatMap(([path, list]) =>
    list.toSorted((a, b) => a.start - b.start).map((site) => ({ ...site, path, number: number++ })),
  )
}

/** The sites of a file with a name each, which holds while the line is unchanged: file, text of the line, change. */
function nameSites(path, text) {
  const lines = text.split('\n')
  const counts = new Map()
  return findSites(path, text).map((site) => {
    const source = lines[site.line - 1].trim()
    const name = [path, source, site.kind, oneLine(site.before), oneLine(site.after)].join('\n')
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { ...site, source, nth: count, name: `${name}\n${count}` }
  })
}

export const oneLine = (text) => text.replaceAll(/\s+/g, ' ')

function groupByLine(path, sites) {
  const counts = new Map()
  const groups = new Map()
  for (const site of sites) {
    const { line, source } = site
    if (!groups.has(line)) {
      counts.set(source, (counts.get(source) ?? 0) + 1)
      groups.set(line, { path, sites: [], name: `${path}\n${source}\n${counts.get(source)}` })
    }
    groups.get(line).sites.push(site)
  }
  return [...groups.values()]
}

const compareTexts = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
