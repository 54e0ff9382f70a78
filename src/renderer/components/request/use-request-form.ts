import { useMemo, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { type EndpointName, endpoints } from '../../../api/contract/endpoints.ts'
import { objectShape, plainShape, type Shape, shapeOf } from '../../../api/contract/shape.ts'
import type { Endpoint, Schema } from '../../../api/contract/terms/endpoint.ts'
import { type ExampleName, fillExample } from '../../../api/contract/terms/examples.ts'
import { collectionOfPath } from '../../data/records.ts'
import { useAction } from '../../data/sandbox.ts'
import { useBody } from '../../forms/BodyText.tsx'
import { createExample } from '../../forms/example.ts'
import { describeRefusal, type FieldErrors, findFieldErrors, findRefusedIn } from '../../forms/field-errors.ts'
import { buildPath, type Request, sendRequest } from '../../forms/send.ts'
import { type Examples, useCustomerExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'

const NO_PROBLEMS: FieldErrors = new Map()

export interface RequestStart {
  /** The uid in the path. */
  readonly uid?: string
  /** What the form begins with. Default, and for another Customer: the example of the contract, with values of this world. */
  readonly body?: JsonObject
  /** The body with values of this world, in the place of the example of the contract. */
  readonly createBody?: (examples: Examples) => JsonObject
  /** Sends the request, once or several times, and shows what each returned. Default: once. */
  readonly send?: (request: Request, show: (exchange: ExchangeDetail) => void) => Promise<void>
}

/** The request to an endpoint as it is typed, what is wrong with it, and its response. */
export function useRequestForm(name: EndpointName, program_uid: string, initial: Examples, start: RequestStart = {}) {
  const { method, path, query: querySchema, body: bodySchema, example } = endpoints[name] as Endpoint
  const paramsShape = useMemo(() => shapeOfParams(path), [path])
  const collection = collectionOfPath(path)
  const [params, setParams] = useState<JsonObject>(() => {
    const uid = start.uid ?? initial.values.get(example ?? (collection as ExampleName))
    return uid && paramsShape ? { uid } : {}
  })
  const [query, setQuery] = useState<JsonObject>(() => (querySchema ? { limit: 5 } : {}))
  const createBody = (examples: Examples) =>
    examples === initial && start.body
      ? start.body
      : (start.createBody?.(examples) ??
        (fillExample(bodySchema ? createExample(shapeOf(bodySchema)) : {}, examples.values) as JsonObject))
  const body = useBody(createBody(initial))
  const examples = useCustomerExamples(program_uid, initial, body, createBody)
  /** The invalid request that the user tried to send: a second try sends it. */
  const [doubted, setDoubted] = useState<string | null>(null)

  const request = { method, path: buildPath(path, params, query), body: bodySchema ? body.text : '' }
  const requestKey = JSON.stringify(request)
  const invalidBody = useMemo(
    () => (bodySchema ? findFieldErrors(bodySchema, body.value) : NO_PROBLEMS),
    [bodySchema, body.value],
  )
  const invalidQuery = useMemo(
    () => (querySchema ? findFieldErrors(querySchema, query) : NO_PROBLEMS),
    [querySchema, query],
  )
  // The response stays until there is another one.
  const [result, setResult] = useState<{ exchange: ExchangeDetail; request: string } | null>(null)
  const {
    run,
    error: failure,
    isBusy: isSending,
  } = useAction(async () => {
    const show = (exchange: ExchangeDetail) => setResult({ exchange, request: requestKey })
    if (start.send) await start.send(request, show)
    else show(await sendRequest(program_uid, request))
  })
  const refusal = result?.request === requestKey ? result.exchange.refusal : null
  /** With the fields that the API refused in exactly this request. */
  const problemsOf = (schema: Schema, invalid: FieldErrors) =>
    new Map([...findRefusedIn(shapeOf(schema), refusal), ...invalid])
  const isInvalid = invalidBody.size > 0 || invalidQuery.size > 0 || body.error !== null
  const needsConfirmation = isInvalid && doubted === requestKey

  /** An invalid request has to be confirmed first. */
  const submit = async () => {
    if (isInvalid && !needsConfirmation) return setDoubted(requestKey)
    await run()
  }
  return {
    request,
    examples,
    params: paramsShape && {
      shape: paramsShape,
      ...(collection ? { uids: { uid: collection } } : {}),
      value: params,
      onChange: setParams,
      problems: new Map(
        (refusal?.fields ?? [])
          .filter((field) => field.startsWith('{'))
          .map((field) => [field.slice(1, -1), describeRefusal(refusal!, field)]),
      ),
    },
    query: querySchema && {
      shape: shapeOf(querySchema),
      value: query,
      onChange: setQuery,
      problems: problemsOf(querySchema, invalidQuery),
    },
    body: bodySchema && {
      ...body,
      shape: shapeOf(bodySchema),
      invalid: invalidBody,
      problems: problemsOf(bodySchema, invalidBody),
    },
    needsConfirmation,
    isSending,
    exchange: result?.exchange,
    failure,
    submit,
  }
}

/** The parameters of a path as a form needs them. */
function shapeOfParams(path: string): Shape | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  if (names.length === 0) return null
  return objectShape(names.map((name) => ({ name, required: true, shape: plainShape(undefined) })))
}
