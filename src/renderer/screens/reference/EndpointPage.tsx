import { useMemo } from 'react'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { machines } from '../../../api/contract/machines.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { RequestForm } from '../../components/request/RequestForm.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useAtHand } from '../../data/at-hand.ts'
import { useProgram } from '../../data/use-program.ts'
import { createExample, createExampleResponse } from '../../forms/example.ts'
import { shapeOf } from '../../forms/shape.ts'
import { useExamples } from '../../forms/use-examples.ts'
import { formatJson } from '../../forms/values.ts'
import { Disclosure } from '../../ui/Folded.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { Note, Skeleton } from '../../ui/Notice.tsx'
import { useFold } from '../../ui/use-fold.ts'
import { findMachines, getEndpoint, listErrors } from './pages.ts'
import { StateMachine } from './StateMachine.tsx'
import { ErrorRows, Fields, Part } from './Tables.tsx'

/** One endpoint: a form to try it, its fields, its response, its errors and examples. */
export function EndpointPage({ name }: { name: EndpointName }) {
  const { method, path, summary, query, body, response, status, errors, token, documents, group } = getEndpoint(name)
  const program = useProgram()
  const atHand = useAtHand((state) => state.record)
  const tryItFold = useFold('try-it', true)
  const examples = useExamples(program?.uid, atHand)
  const rule = ruleOf(`${method} ${path}`)
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!)
  const requestExample = useMemo(() => (body ? createExample(shapeOf(body)) : undefined), [body])
  const responseExample = useMemo(
    () => (status === 204 ? undefined : createExampleResponse(shapeOf(response, 'output'), requestExample)),
    [response, status, requestExample],
  )
  const otherStatuses = (documents ?? []).join(', ')
  return (
    <>
      <PaneIntro as="header">
        <h2 className="mono">
          {method} {path}
        </h2>
        <p>
          {summary}. {rule && rule.rule !== summary && <span className="soft">{rule.rule}.</span>}
        </p>
        <p className="meta">
          <span className="mono">{name}</span> · {group} · requires{' '}
          {token === 'refresh' ? 'a refresh token, signed with your HMAC key' : 'an access token from POST /auth'}
          {rule?.section && ` · specification, section ${rule.section}`} · returns {status}
          {otherStatuses && ` · openapi.json also lists ${otherStatuses}, for unexpected failures`}
        </p>
      </PaneIntro>
      {examples && program ? (
        <Disclosure summary="Try it" {...tryItFold}>
          <RequestForm key={program.uid} name={name} program_uid={program.uid} examples={examples} />
        </Disclosure>
      ) : (
        <Skeleton rows={body ? 24 : 4} />
      )}
      {params.length > 0 && (
        <Part title="Path">
          {params.map((param) => (
            <p key={param} className="data soft" style={{ padding: '4px 16px' }}>
              <code>{param}</code> <b>required</b>, the uid that the API assigned
            </p>
          ))}
        </Part>
      )}
      {query && (
        <Part title="Query" about="unknown parameters are ignored; a list is name[]=a&name[]=b">
          <Fields shape={shapeOf(query)} of="the query" required="required" />
        </Part>
      )}
      {body && (
        <Part title="Body" about="as JSON or as a form">
          <Fields shape={shapeOf(body)} of="the body" required="required" />
        </Part>
      )}
      <Part title={`Response ${status}`} about={status === 204 ? 'without a body' : undefined}>
        {status !== 204 && <Fields shape={shapeOf(response, 'output')} of="the response" required="always present" />}
      </Part>
      <Part title="Errors" about="in the order in which they are checked">
        <ErrorRows keys={listErrors(name)} declared={new Set(errors)} />
        <Note>
          Any request can also fail with 1001, 1014, 1000 or 1017. All errors:{' '}
          <ScreenLink screen="reference" record="errors">
            Error codes
          </ScreenLink>
        </Note>
      </Part>
      {findMachines(path).map((machine) => (
        <Part key={machine} title={`States of ${machines[machine].resource}`}>
          <StateMachine name={machine} />
        </Part>
      ))}
      {requestExample !== undefined && (
        <Part title="Example request body">
          <JsonView body={formatJson(requestExample)} />
        </Part>
      )}
      {responseExample !== undefined && (
        <Part title="Example response" about="nullable fields are null unless the request sets them">
          <JsonView body={formatJson(responseExample)} />
        </Part>
      )}
    </>
  )
}
