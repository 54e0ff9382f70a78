import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectSuccess } from '../support/client.ts'
import { type Context, type Running, saveDocument, withSandbox } from './sandbox.ts'

/** A Postman collection is generated from the document, and each of its requests is sent with newman as it is. */

interface Item {
  readonly name: string
  readonly item?: readonly Item[]
}

interface Execution {
  readonly item: { readonly name: string }
  readonly response?: { readonly code: number; readonly stream: { readonly data: readonly number[] } }
  readonly requestError?: unknown
}

/** As docs/connect.md describes them: a new trace id for each request, and the access token once there is one. */
const SCRIPTS = {
  prerequest: "pm.request.headers.upsert({ key: 'x-trace-id', value: pm.variables.replaceIn('{{$guid}}') })",
  test: "if (pm.request.url.getPath().endsWith('/auth')) pm.collectionVariables.set('apiKey', pm.response.json().token)",
}

export const testPostmanCollection = (context: Context) =>
  withSandbox(context, async (sandbox) => {
    const { tools, folder, document } = context
    await createPassingStates(sandbox)
    await saveDocument(context, sandbox.url)
    const convert = ['--spec', document, '--output', 'collection.json', '--options', 'parametersResolution=Example']
    await tools.run('openapi-to-postmanv2', convert, folder)
    const collection = readJson<Item>(folder, 'collection.json')
    const event = Object.entries(SCRIPTS).map(([listen, script]) => ({ listen, script: { exec: [script] } }))
    const variable = [
      { key: 'baseUrl', value: sandbox.api },
      { key: 'apiKey', value: sandbox.signRefreshToken() },
    ]
    writeFileSync(join(folder, 'collection.json'), JSON.stringify({ ...collection, event, variable }))
    const run = ['run', 'collection.json', '--reporters=json', '--reporter-json-export=result.json']
    await tools.run('newman', run, folder)
    const { executions } = readJson<{ run: { executions: Execution[] } }>(folder, 'result.json').run
    return expectSuccesses(executions, countRequests(collection))
  })

const readJson = <T>(folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T

const countRequests = ({ item }: Item): number => (item ? item.reduce((sum, part) => sum + countRequests(part), 0) : 1)

function expectSuccesses(executions: readonly Execution[], expected: number): string {
  const failures = executions.flatMap(({ item, response, requestError }) => {
    if (response && response.code < 300) return []
    const found = response ? `${response.code}: ${Buffer.from(response.stream.data).toString()}` : String(requestError)
    return [`${item.name}: a success is expected, ${found} was found`]
  })
  if (failures.length > 0) throw new Error(failures.join('\n'))
  if (executions.length !== expected)
    throw new Error(`${expected} requests are expected, ${executions.length} were sent`)
  return `a collection with ${expected} requests, all succeed as they are`
}

interface Parameter {
  readonly in: string
  readonly example: string
}
type Paths = Record<string, Record<string, { readonly parameters: readonly Parameter[] }>>

/**
 * No record of a new world is in one of the states that last for seconds only. So a Customer to onboard, a Transfer to cancel and a
 * Transaction to authorize are created before the document is read; its examples then name them.
 */
async function createPassingStates({ url, client }: Running) {
  const { paths, components } = (await (await fetch(url)).json()) as {
    paths: Paths
    components: { schemas: Record<string, { examples?: object[]; example?: object }> }
  }
  const exampleOf = (schema: string) => {
    const { examples = [], example = examples[0] } = components.schemas[schema] ?? {}
    return example ?? {}
  }
  const vrn = paths['/virtual_reference_numbers/{uid}']?.get?.parameters.find((parameter) => parameter.in === 'path')
  const create = (path: string, body: object) => expectSuccess(client.api('POST', path, body))
  const { details, ...person } = exampleOf('CreateCustomer') as { details: object }
  await create('/customers', { ...person, details: { ...details, ssn: '512-04-8823' } })
  await create('/transfers', exampleOf('CreateTransfer'))
  const { synthetic_account_uid: _, ...mock } = exampleOf('MockTransaction') as Record<string, unknown>
  await create('/sandbox/mock_transactions', { ...mock, virtual_reference_number_uid: vrn?.example })
}
