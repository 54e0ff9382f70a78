import { z } from 'zod'
import { sharePartsOf } from '../compact-openapi.ts'
import { ErrorBody } from '../error-body.ts'
import { type ErrorKey, errors } from '../errors.ts'
import * as messages from '../messages.ts'
import { createSchemaCollector, DEFAULT_ORIGIN, describe, type JsonSchema, type SchemaNames } from '../openapi.ts'
import * as programs from '../resources/programs.ts'
import * as tasks from '../resources/tasks.ts'
import * as webhooks from '../resources/webhooks.ts'
import * as results from '../scenario-results.ts'
import * as clock from './clock.ts'
import * as customerMap from './customer-map.ts'
import * as exchanges from './exchanges.ts'
import * as faults from './faults.ts'
import * as history from './history.ts'
import * as ledger from './ledger.ts'
import { exampleOf, type MethodName, methods } from './methods.ts'
import * as payments from './payments.ts'
import * as pulse from './pulse.ts'
import * as records from './records.ts'
import * as replay from './replay.ts'
import * as requests from './requests.ts'
import * as scenarios from './scenarios.ts'
import * as snapshots from './snapshots.ts'
import * as worlds from './worlds.ts'

/** The OpenAPI document of the control API, for clients in other languages. */

const COMMON_ERRORS: readonly ErrorKey[] = [
  'unauthorized',
  'notAllowed',
  'missingParameter',
  'invalidArgument',
  'routeNotFound',
]

/** Each object that these modules export has its name in the document. */
const MODULES = [
  clock,
  customerMap,
  exchanges,
  faults,
  history,
  ledger,
  messages,
  payments,
  programs,
  pulse,
  records,
  replay,
  requests,
  results,
  scenarios,
  snapshots,
  tasks,
  webhooks,
  worlds,
]
/** Where the document has another name. */
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
    MODULES.flatMap((module) => Object.entries(module))
      .filter(([, value]) => value instanceof z.ZodObject)
      .map(([name, schema]) => [schema, OTHER_NAMES[name] ?? name]),
  )

/** `clock.advance` → `ClockAdvance` */
const pascalCase = (name: string) => name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

export function controlOpenapi(origin = DEFAULT_ORIGIN) {
  const { schemas, ref } = createSchemaCollector(schemaNames())
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
      schemas,
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
