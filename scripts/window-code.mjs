// Checks the window's code: each class of a CSS module is used and each used class is defined, a literal class name is one of the few
// global ones, each attribute that a style sheet selects is set, and native controls are drawn only in `ui/`.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { filesIn } from './prepare.mjs'

/** Set by @base-ui/react. */
const attributesOfLibraries = ['data-disabled', 'data-highlighted']
const nativeControls = ['button', 'input', 'select', 'textarea', 'dialog']

export function windowCodeErrors(root) {
  const renderer = join(root, 'src', 'renderer')
  const files = filesIn(renderer)
  const css = (test) => files.filter(test).map((file) => [file, read(renderer, file)])
  const globals = new Set(css((file) => /^styles\/.*\.css$/.test(file)).flatMap(([, text]) => classesIn(text)))
  const modules = new Map(css((file) => file.endsWith('.module.css')))
  const code = files.filter((file) => file.endsWith('.tsx')).map((file) => usesIn(renderer, file))
  const used = new Map([...modules.keys()].map((file) => [file, new Set()]))
  const errors = []
  for (const { file, classes, literals, controls } of code) {
    for (const { module, name } of classes) {
      if (name === null) errors.push(`${file} reads a class of ${module} by a computed name, which cannot be checked`)
      else if (!modules.has(module)) errors.push(`${file} imports ${module}, which does not exist`)
      else if (!classesIn(modules.get(module)).includes(name))
        errors.push(`${file} uses .${name}, which ${module} does not define`)
      used.get(module)?.add(name)
    }
    for (const name of literals)
      if (!globals.has(name))
        errors.push(`${file} uses the class ${name}, which is not in styles/: import it from a module`)
    for (const name of controls)
      if (!file.startsWith('ui/')) errors.push(`${file} draws <${name}>: use the control of ui/ instead`)
  }
  for (const [file, text] of modules)
    for (const [, name, from] of text.matchAll(/composes: ([\w-]+) from "([^"]+)"/g))
      used.get(join(dirname(file), from))?.add(name)
  for (const [file, text] of modules)
    for (const name of classesIn(text))
      if (!used.get(file).has(name)) errors.push(`${file} defines .${name}, which nothing uses`)
  const source = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => read(renderer, file))
    .join('\n')
  for (const [file, text] of css((file) => file.endsWith('.css')))
    for (const name of attributesIn(text))
      if (!attributesOfLibraries.includes(name) && !isSet(name, source))
        errors.push(`${file} selects [${name}], which nothing sets`)
  const literals = new Set(code.flatMap((one) => [...one.literals]))
  const inModules = [...modules.values()].join('')
  for (const name of globals)
    if (!literals.has(name) && !inModules.includes(`:global(.${name})`))
      errors.push(`styles/ defines .${name}, which nothing uses`)
  return errors
}

const read = (folder, file) => readFileSync(join(folder, file), 'utf8')

/** The classes that a style sheet defines, without those within `:global(…)`. */
function classesIn(css) {
  const selectors = css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/:global\([^)]*\)/g, '')
    .replaceAll(/"[^"]*"/g, '')
    .matchAll(/[^{};]+(?=\{)/g)
  const names = [...selectors].flatMap(([selector]) =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name),
  )
  return [...new Set(names)]
}

const attributesIn = (css) => new Set([...css.matchAll(/\[(data-[\w-]+)/g)].map(([, name]) => name))

/** As an attribute, or through `dataset`. */
function isSet(name, source) {
  const property = name.slice('data-'.length).replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return new RegExp(`\\b${name}(?![\\w-])|dataset\\.${property}\\b`).test(source)
}

/** What a component reads of modules, which literal class names it sets, and which native controls it draws. */
function usesIn(renderer, file) {
  const { program, module } = parseSync(file, read(renderer, file))
  const imports = new Map()
  for (const { moduleRequest, entries } of module.staticImports)
    if (moduleRequest.value.endsWith('.module.css'))
      for (const { localName } of entries)
        imports.set(
          localName.value,
          relative(renderer, resolve(renderer, dirname(file), moduleRequest.value)).replaceAll('\\', '/'),
        )
  const classes = []
  const literals = new Set()
  const controls = new Set()
  new Visitor({
    MemberExpression({ object, property, computed }) {
      const from = imports.get(object?.name)
      if (from) classes.push({ module: from, name: computed ? (property.value ?? null) : property.name })
    },
    JSXAttribute({ name, value }) {
      if (name.name === 'className' && value) literalsOf(value, literals)
    },
    CallExpression({ callee, arguments: values }) {
      if (callee.name === 'cx') for (const value of values) literalsOf(value, literals)
    },
    JSXOpeningElement({ name }) {
      if (nativeControls.includes(name.name)) controls.add(name.name)
    },
  }).visit(program)
  return { file, classes, literals, controls }
}

/** The class names that an expression can become, without those of its conditions. */
function literalsOf(node, found) {
  const add = (text) => {
    for (const name of text.split(/\s+/).filter(Boolean)) found.add(name)
  }
  switch (node?.type) {
    case 'Literal':
      if (typeof node.value === 'string') add(node.value)
      break
    case 'TemplateLiteral':
      for (const { value } of node.quasis) add(value.cooked)
      for (const part of node.expressions) literalsOf(part, found)
      break
    case 'JSXExpressionContainer':
      literalsOf(node.expression, found)
      break
    case 'ConditionalExpression':
      literalsOf(node.consequent, found)
      literalsOf(node.alternate, found)
      break
    case 'LogicalExpression':
      literalsOf(node.right, found)
      if (node.operator !== '&&') literalsOf(node.left, found)
      break
  }
}
