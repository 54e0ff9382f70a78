import { ErrorBody } from '../error-body.ts'
import { type ErrorKey, errors } from '../errors.ts'
import { createSchemaCollector, type JsonSchema } from '../openapi.ts'
import { exampleOf, type MethodName, methods } from './methods.ts'

/** The OpenAPI document of the control API, for clients in other languages. */

const COMMON_ERRORS: readonly ErrorKey[] = [
  'unauthorized',
  'notAllowed',
  'missingParameter',
  'invalidArgument',
  'routeNotFound',
]

export function controlOpenapi() {
  const { schemas, ref } = createSchemaCollector()
  const refusals = Object.fromEntries(
    [...errorTitles()].map(([status, titles]) => [
      status,
      { description: titles.join('; '), content: json(ref(ErrorBody, 'output')) },
    ]),
  )
  const paths = Object.fromEntries(
    Object.entries(methods).map(([name, { summary, input, output }]) => [
      `/control/${name}`,
      {
        post: {
          operationId: name,
          tags: [name.split('.')[0]],
          summary,
          requestBody: {
            required: false,
            content: { 'application/json': { schema: ref(input, 'input'), example: exampleOf(name as MethodName) } },
          },
          responses: { 200: { description: 'The result', content: json(ref(output, 'output')) }, ...refusals },
        },
      },
    ]),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Sandbank, the control API', version: '0.1.0' },
    security: [{ controlKey: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { controlKey: { type: 'apiKey', in: 'header', name: 'x-control-key' } },
    },
  }
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

/** Code and title of each common error, by its status. */
function errorTitles() {
  const titles = new Map<number, string[]>()
  for (const key of COMMON_ERRORS) {
    const { status, code, title } = errors[key]
    titles.set(status, [...(titles.get(status) ?? []), `${code} ${title}`])
  }
  return titles
}
