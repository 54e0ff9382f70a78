import { z } from 'zod'
import { sharePartsOf } from '../compact-openapi.ts'
import { ErrorBody } from '../error-body.ts'
import { type ErrorKey, errors } from '../errors.ts'
import { createSchemaCollector, DEFAULT_ORIGIN, describe, type JsonSchema, type SchemaNames } from '../openapi.ts'
import { exampleOf, type MethodName, methods } from './methods.ts'
import * as schemas from './schemas.ts'

/** The OpenAPI document of the control API, for clients in other languages. */

export const COMMON_ERRORS: readonly ErrorKey[] = [
  'unauthorized',
  'notAllowed',
  'missingParameter',
  'invalidArgument',
  'routeNotFound',
]

/** Where the document has another name than the code. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  Check: 'ScenarioCheck',
  Close: 'BookClose',
  CommitSummary: 'Commit',
  Entry: 'PathEntry',
  EventWithDeliveries: 'Event',
  MessageBody: 'Message',
  Place: 'ScenarioPlace',
  Sum: 'PaymentSum',
  WorldInfo: 'World',
}

const schemaNames = (): SchemaNames =>
  new Map(
    Object.entries(schemas)
      .filter(([, value]) => value instanceof z.ZodObject)
      .map(([name, schema]) => [schema, OTHER_NAMES[name] ?? name]),
  )

/** `clock.advance` → `ClockAdvance` */
const pascalCase = (name: string) => name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

export function controlOpenapi(origin = DEFAULT_ORIGIN) {
  const { schemas: components, ref } = createSchemaCollector(schemaNames())
  const refusals = Object.fromEntries(
    [...errorTitles()].map(([status, titles]) => [
      status,
      { description: titles.join('; '), content: json(ref(ErrorBody, 'output')) },
    ]),
  )
  const paths = Object.fromEntries(
    Object.entries(methods).map(([name, { summary, input, output }]) => {
      const schema = ref(input, 'input', `${pascalCase(name)}Input`)
      const result = ref(output, 'output', `${pascalCase(name)}Result`)
      return [
        `/${name}`,
        {
          post: {
            operationId: name,
            tags: [name.split('.')[0]],
            summary,
            requestBody: {
              required: false,
              content: { 'application/json': { schema, example: exampleOf(name as MethodName) } },
            },
            responses: { 200: { description: 'The result', content: json(result) }, ...refusals },
          },
        },
      ]
    }),
  )
  return sharePartsOf({
    openapi: '3.1.0',
    info: describe('Sandbank, the control API', 'What the operator of a sandbox can see and do.'),
    servers: [
      { url: `${origin}/control`, description: 'This sandbox' },
      { url: '/control', description: 'The sandbox that serves this document' },
    ],
    security: [{ controlKey: [] }],
    tags: [...new Set(Object.keys(methods).map((name) => name.split('.')[0]!))].map((name) => ({
      name,
      description: `The methods ${name}.…`,
    })),
    paths,
    components: {
      schemas: components,
      securitySchemes: { controlKey: { type: 'apiKey', in: 'header', name: 'x-control-key' } },
    },
  })
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
