import { printJson, readSource } from './call.ts'
import { OptionError, type Run } from './command.ts'
import { bodySchema, type Document, parseFields, parseJson, toBody } from './fields.ts'
import { askControl, findSandbox, getControl } from './running.ts'

/** `sandbank control METHOD [JSON | key=value...]`. */
export const control: Run = async (input, terminal) => {
  const [method, ...args] = input.positionals
  if (method === undefined || !/^[a-z_]+(\.[a-z_]+)?$/.test(method))
    throw new OptionError('A control method is expected, such as clock.read; docs/control-methods.md lists them')
  const [first] = args
  const isText = first !== undefined && /^[@{[]/.test(first)
  if (isText && args.length > 1) throw new OptionError('One JSON document is expected, or key=value arguments')
  const text = isText ? readText(first) : undefined
  const fields = isText ? [] : parseFields(args, 'sandbank control')
  const sandbox = await findSandbox(input, terminal)
  if (text !== undefined || fields.length === 0) printJson(await askControl(sandbox, method, text ?? '{}'), terminal)
  else {
    const document = JSON.parse(await getControl(sandbox, 'openapi.json')) as Document
    const schema = bodySchema(document, 'POST', `/${method}`) ?? bodySchema(document, 'POST', `/control/${method}`)
    const body = toBody(fields, schema, document)
    printJson(await askControl(sandbox, method, JSON.stringify(body)), terminal)
  }
  return 0
}

function readText(given: string): string {
  const text = given.startsWith('@') ? readSource(given.slice(1)) : given
  parseJson(text, '')
  return text
}
