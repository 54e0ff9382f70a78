import { useMemo } from 'react'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { machines } from '../../../api/contract/machines.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useProgram } from '../../data/use-program.ts'
import { answerOf, exampleOf } from '../../forms/example.ts'
import { fillingOf, useFacts } from '../../forms/facts.ts'
import { shapeOf } from '../../forms/shape.ts'
import { printed } from '../../forms/values.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { Note, Skeleton } from '../../ui/Notice.tsx'
import styles from './EndpointPage.module.css'
import { endpointNamed, errorsOf, machinesOf, ownErrors } from './pages.ts'
import tables from './Tables.module.css'
import { Drawn, ErrorRows, Fields, Part } from './Tables.tsx'
import { TryIt } from './TryIt.tsx'

/** One endpoint: what it is for, what it takes and answers, how it can be refused, and a hand to try it. */
export function EndpointPage({ name }: { name: EndpointName }) {
  const { method, path, summary, query, body, response, status, token, documents, group } = endpointNamed(name)
  const program = useProgram()
  const facts = useFacts(program?.uid, NOTHING_WISHED)
  const rule = ruleOf(`${method} ${path}`)
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!)
  const example = useMemo(() => (body ? exampleOf(shapeOf(body)) : undefined), [body])
  const answer = useMemo(
    () => (status === 204 ? undefined : answerOf(shapeOf(response, 'output'), example)),
    [response, status, example],
  )
  const failing = (documents ?? []).join(', ')
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
          <span className="mono">{name}</span> · {group} · opens with{' '}
          {token === 'refresh' ? 'the refresh token that your key signs' : 'the access token of POST /auth'}
          {rule?.section && ` · specification, section ${rule.section}`} · answers {status}
          {failing && ` · the document also names ${failing}, for unexpected failures`}
        </p>
      </PaneIntro>
      {facts && program ? (
        <TryIt key={program.uid} name={name} program_uid={program.uid} filling={fillingOf(facts)} />
      ) : (
        <Skeleton rows={body ? 24 : 4} />
      )}
      {params.length > 0 && (
        <Part title="Path">
          <ul className={styles.paths}>
            {params.map((param) => (
              <li key={param}>
                <code>{param}</code> <span className={tables.required}>required</span>, the identifier that the service
                made
              </li>
            ))}
          </ul>
        </Part>
      )}
      {query && (
        <Part title="Query" about="unknown parameters are ignored; a list is name[]=a&name[]=b">
          <Fields shape={shapeOf(query)} of="the query" always="required" />
        </Part>
      )}
      {body && (
        <Part title="Body" about="as JSON, or as a form">
          <Fields shape={shapeOf(body)} of="the body" always="required" />
        </Part>
      )}
      <Part title={`Answer ${status}`} about={status === 204 ? 'without a body' : undefined}>
        {status !== 204 && <Fields shape={shapeOf(response, 'output')} of="the answer" always="always there" />}
      </Part>
      <Part title="Refusals" about="in the order in which they are judged">
        <ErrorRows keys={errorsOf(name)} own={ownErrors(name)} />
        <Note>
          Any request may also meet 1001, 1014, 1000 or 1017. What a refusal looks like:{' '}
          <ScreenLink screen="reference" record="errors">
            Error codes
          </ScreenLink>
        </Note>
      </Part>
      {machinesOf(path).map((name) => (
        <Part key={name} title={`States of ${machines[name].resource}`}>
          <Drawn name={name} />
        </Part>
      ))}
      {example !== undefined && (
        <Part title="Example of a body">
          <JsonView body={printed(example)} />
        </Part>
      )}
      {answer !== undefined && (
        <Part title="Example of an answer" about="what may be null is null, unless the request says it">
          <JsonView body={printed(answer)} />
        </Part>
      )}
    </>
  )
}

const NOTHING_WISHED = {}
