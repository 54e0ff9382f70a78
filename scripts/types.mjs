// The part of the build before electron-vite: writes the types of the library, out/library/contract.ts, from the contract of both APIs.
// They are plain interfaces, so that programs that use the library need no other package to compile.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from './generated.mjs'
import { root } from './prepare.mjs'

const HEAD = `// Written by the build (scripts/types.mjs) from the contract of the API and of the control API.

/** A page of a list. */
export interface List<T> {
  /** Items that match */
  total_count: number
  /** Items in this response */
  count: number
  limit: number
  offset: number
  data: T[]
}
`

async function printTypes() {
  const contract = (file) => load('src/api/contract', file)
  const { createOpenApi } = await contract('openapi.ts')
  const { endpoints } = await contract('endpoints.ts')
  const { controlOpenapi } = await contract('control/openapi.ts')
  const { methods } = await contract('control/methods.ts')
  const api = createOpenApi(endpoints)
  const control = controlOpenapi()
  markOpenInputs(control, methods)
  return [
    HEAD,
    ...printSchemas(api.components.schemas, control.components.schemas),
    printOperations(api),
    printMethods(control),
    printControl(control, methods),
  ].join('\n')
}

export async function writeTypes() {
  const folder = join(root, 'out', 'library')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'contract.ts'), await printTypes())
}

function printSchemas(api, control) {
  for (const [name, schema] of Object.entries(control))
    if (api[name] && printType(api[name]) !== printType(schema))
      throw new Error(`The API and the control API have different schemas with the name ${name}: rename one`)
  return Object.entries({ ...api, ...control }).map(([name, schema]) => {
    const type = printType(schema)
    const head = type.startsWith('{') && !schema.anyOf ? `interface ${name}` : `type ${name} =`
    return `${comment(schema, '')}export ${head} ${type}\n`
  })
}

function printOperations({ paths, components }) {
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const { summary, description, responses } = operation
      const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))
      const output = success.content?.['application/json'].schema
      return [
        `${comment({ description: `${summary}. ${description}` }, '  ')}  '${name}': {`,
        `    input: ${operationInput(name, operation, components.schemas)}`,
        `    output: ${output ? printType(output, '    ') : 'undefined'}`,
        '  }',
      ]
    }),
  )
  return [
    '/** The operations of the API. The input has the fields of the path, the query and the body. */',
    'export interface Operations {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

function operationInput(name, { parameters, requestBody }, schemas) {
  const body = requestBody?.content['application/json'].schema
  const fields = parameters.filter((parameter) => parameter.in !== 'header')
  const properties = Object.fromEntries(
    fields.map(({ name, schema, description }) => [name, { ...schema, description, isQuery: true }]),
  )
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  const own = printType({ type: 'object', properties, required }, '    ')
  if (!body) return own
  const { properties: bodyProperties = {} } = body.$ref ? schemas[nameOf(body)] : body
  for (const field of Object.keys(properties))
    if (bodyProperties[field]) throw new Error(`${name}: the path and the body both have a field ${field}`)
  const printed = printType(body, '    ')
  return fields.length === 0 ? printed : `${own} & ${printed}`
}

const contentOf = ({ content }) => content['application/json'].schema

/** An input that takes any filter has fields that its schema does not name. */
function markOpenInputs({ paths, components }, methods) {
  for (const [name, { input }] of Object.entries(methods))
    if (input.def.catchall?.def.type === 'unknown')
      components.schemas[nameOf(contentOf(paths[`/${name}`].post.requestBody))].isOpen = true
}

const methodsOf = ({ paths, components }) =>
  Object.entries(paths).map(([path, item]) => {
    const { requestBody, responses } = item.post
    const { $ref, content } = responses[200]
    const output = contentOf($ref ? components.responses[nameOf({ $ref })] : { content })
    return { name: path.slice(1), item, input: contentOf(requestBody), output }
  })

function printMethods(control) {
  const lines = methodsOf(control).flatMap(({ name, item, input, output }) => [
    `${comment({ description: item.post.summary }, '  ')}  '${name}': {`,
    `    input: ${printType(input, '    ')}`,
    `    output: ${printType(output, '    ')}`,
    '  }',
  ])
  return ['/** The methods of the control API. */', 'export interface ControlMethods {', ...lines, '}', ''].join('\n')
}

function printControl(control, methods) {
  const groups = new Map()
  for (const { name, item, input } of methodsOf(control)) {
    const [group, method] = name.split('.')
    const { anyOf, required } = input.$ref ? control.components.schemas[nameOf(input)] : input
    const isOptional = !anyOf && !required?.length
    const types = `ControlMethods['${name}']`
    const signature = `(input${isOptional ? '?' : ''}: ${types}['input']): Promise<${types}['output']>`
    const indent = method ? '    ' : '  '
    const line = `${comment({ description: item.post.summary }, indent)}${indent}${method ?? group}${signature}`
    groups.set(group, [...(groups.get(group) ?? []), { line, isNested: method !== undefined }])
  }
  const lines = [...groups].flatMap(([group, all]) => [
    ...all.filter(({ isNested }) => !isNested).map(({ line }) => line),
    ...(all.some(({ isNested }) => isNested)
      ? [`  ${group}: {`, ...all.filter(({ isNested }) => isNested).map(({ line }) => line), '  }']
      : []),
  ])
  return [
    '/** The control API as functions: `control.clock.read()` calls the method `clock.read`. */',
    'export interface Control {',
    ...lines,
    '}',
    '',
    '/** The names of all methods. */',
    'export const METHODS: readonly (keyof ControlMethods)[] = [',
    ...Object.keys(methods).map((name) => `  '${name}',`),
    ']',
    '',
  ].join('\n')
}

// ── JSON Schema as TypeScript ────────────────────────────────────────────────────────────────────────────────────

const nameOf = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1)

function printType(schema, indent = '') {
  if (schema.$ref) return nameOf(schema)
  if (schema.anyOf) return union(schema.anyOf.map((one) => printType(one, indent)))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  return union([schema.type ?? 'unknown'].flat().map((type) => printNamedType(type, schema, indent)))
}

function printNamedType(type, schema, indent) {
  if (type === 'integer') return 'number'
  if (type === 'array') return printArray(schema, indent)
  if (type === 'object') return printObject(schema, indent)
  return type
}

function printArray({ items, prefixItems }, indent) {
  if (prefixItems) return `[${prefixItems.map((item) => printType(item, indent)).join(', ')}]`
  const item = items ? printType(items, indent) : 'unknown'
  return /^[\w.[\]]+$/.test(item) ? `${item}[]` : `(${item})[]`
}

const ENVELOPE = 'total_count,count,limit,offset,data'

function printObject({ properties, required = [], isOpen, additionalProperties }, indent) {
  if (!properties)
    return `Record<string, ${additionalProperties ? printType(additionalProperties, indent) : 'unknown'}>`
  if (Object.keys(properties).join() === ENVELOPE) return `List<${printType(properties.data.items, indent)}>`
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    const type = printType(schema, inner)
    // One value of a filter that may be repeated.
    const one = schema.isQuery && schema.type === 'array' ? union([printType(schema.items, inner), type]) : type
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    return `${comment(schema, inner)}${inner}${key}${isRequired ? '' : '?'}: ${isRequired ? one : union([one, 'undefined'])}`
  })
  if (isOpen) lines.push(`${inner}[field: string]: unknown`)
  return lines.length === 0 ? 'Record<string, never>' : ['{', ...lines, `${indent}}`].join('\n')
}

const union = (types) => [...new Set(types)].join(' | ')
const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value))

function comment({ description, deprecated }, indent) {
  if (!description && !deprecated) return ''
  const text = [description, deprecated ? '@deprecated' : ''].filter(Boolean).join(' ')
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}

if (process.argv[1] === join(root, 'scripts', 'types.mjs')) await writeTypes()
