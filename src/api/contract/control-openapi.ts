import { methods } from './control.ts'
import { type ErrorKey, errors } from './errors.ts'
import { collector, ErrorBody } from './openapi.ts'

/** The operator's door prints itself too, for other people's test suites. */

const ANY: readonly ErrorKey[] = ['unauthorized', 'notAllowed', 'missingParameter', 'invalidArgument', 'routeNotFound']

export function controlOpenapi() {
  const { schemas, ref } = collector()
  const refusals = new Map<number, string[]>()
  for (const key of ANY) {
    const { status, code, title } = errors[key]
    refusals.set(status, [...(refusals.get(status) ?? []), `${code} ${title}`])
  }
  const paths = Object.fromEntries(
    Object.entries(methods).map(([name, { summary, input, output }]) => [
      `/control/${name}`,
      {
        post: {
          operationId: name,
          tags: [name.split('.')[0]],
          summary,
          requestBody: { required: false, content: { 'application/json': { schema: ref(input, 'input') } } },
          responses: {
            200: {
              description: 'The answer itself',
              content: { 'application/json': { schema: ref(output, 'output') } },
            },
            ...Object.fromEntries(
              [...refusals].map(([status, texts]) => [
                status,
                {
                  description: texts.join('; '),
                  content: { 'application/json': { schema: ref(ErrorBody, 'output') } },
                },
              ]),
            ),
          },
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
