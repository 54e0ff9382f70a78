import { Fragment, useLayoutEffect, useMemo, useRef } from 'react'
import { exampleOf, type MethodName, methods } from '../../../api/contract/control/methods.ts'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { machines } from '../../../api/contract/machines.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { shapeOf } from '../../../api/contract/shape.ts'
import { RequestForm } from '../../components/request/RequestForm.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useAtHand } from '../../data/at-hand.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { createExample, createExampleResponse } from '../../forms/example.ts'
import { useExamples } from '../../forms/use-examples.ts'
import { formatJson } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { JsonView } from '../../ui/CodeBlock.tsx'
import { SearchField } from '../../ui/Field.tsx'
import { Disclosure } from '../../ui/Folded.tsx'
import { Caption, Pane, PaneIntro, Row, ScreenBar, Sidebar, Split, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { Note, NoticeLine, Skeleton } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { useFold } from '../../ui/use-fold.ts'
import { AboutPage, aboutPages } from './AboutPages.tsx'
import {
  findMachines,
  getEndpoint,
  isEndpoint,
  isErrorCode,
  isMethod,
  listErrors,
  type Page,
  searchPages,
} from './pages.ts'
import styles from './Reference.module.css'
import { ErrorRows, Fields, Part, StateMachine } from './Tables.tsx'

/** The reference of the API, generated from its contract. */
export function Reference() {
  const { record, params, adjust, filter } = useRoute()
  const list = usePaneSize('reference', '--sidebar')
  const id = record ?? 'overview'
  const text = params.q?.[0] ?? ''
  const groups = useMemo(() => searchPages(text), [text])
  const { code: _, section: __, ...others } = params
  const codeParam = isErrorCode(text) ? { code: [text.trim()] } : {}
  return (
    <>
      <ScreenBar>
        <h1>API reference</h1>
        <SearchField
          value={text}
          onChange={(q) => filter('q', q === '' ? [] : [q])}
          label="Search the reference"
          placeholder="path, field, error code, method"
          width={248}
        />
        <span className="soft cut">generated from the contract that the server uses</span>
      </ScreenBar>
      <Split data-stacks style={{ '--sidebar': 'clamp(216px, 24vw, 304px)', ...list.style }}>
        <Sidebar aria-label="Pages">
          {groups.length > 0 ? (
            <PickList<Page>
              label="Pages of the reference"
              className={styles.list}
              groups={groups}
              idOf={(page) => page.id}
              selected={id}
              onSelect={(page) =>
                adjust({ record: page.id, params: page.id === 'errors' ? { ...others, ...codeParam } : others })
              }
              onOpen={() => document.getElementById(PAGE_ID)?.focus()}
              renderItem={({ title, method }) => (
                <Row as="span" gap={8} align="baseline">
                  {method && <b className={styles.verb}>{method}</b>}
                  <span className="wrap" style={{ minWidth: 0 }}>
                    <BreakablePath path={title} />
                  </span>
                </Row>
              )}
            />
          ) : (
            <Caption as="p" className="data soft">
              No page contains “{text}”.
              <Button small onClick={() => filter('q', [])}>
                Clear
              </Button>
            </Caption>
          )}
        </Sidebar>
        <Splitter label="Width of the list" sizes="before" onResize={list.onResize} />
        <ReferencePage key={id} id={id} target={params.code?.[0] ?? params.section?.[0]} />
      </Split>
    </>
  )
}

const PAGE_ID = 'reference-page'

/** A path that may break before each slash. */
const BreakablePath = ({ path }: { path: string }) =>
  path.split(/(?<=.)(?=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/**
 * Scroll positions by page, as distances from the end: the form at the top of an endpoint's page is rendered late, so
 * distances from the top would be wrong.
 */
const scrollPositions = new Map<string, number>()

interface ReferencePageProps {
  readonly id: string
  /** The error code or section to scroll to. */
  readonly target: string | undefined
}

function ReferencePage({ id, target }: ReferencePageProps) {
  const pane = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is mounted anew, because its id is the key.
  useLayoutEffect(() => {
    const page = pane.current!
    const fromEnd = scrollPositions.get(id)
    if (fromEnd !== undefined && target === undefined) page.scrollTop = page.scrollHeight - fromEnd
    return () => {
      if (page.scrollTop > 0) scrollPositions.set(id, page.scrollHeight - page.scrollTop)
      else scrollPositions.delete(id)
    }
  }, [])
  const aboutPage = Object.hasOwn(aboutPages, id) ? aboutPages[id] : undefined
  return (
    <Pane ref={pane} id={PAGE_ID} className={styles.page} aria-label="Page" tabIndex={0}>
      {aboutPage ? (
        <AboutPage page={aboutPage} />
      ) : isEndpoint(id) ? (
        <EndpointPage name={id} />
      ) : isMethod(id) ? (
        <MethodPage name={id} />
      ) : (
        <NoticeLine>
          <b>There is no page {id}.</b> Choose one from the list or search for it.
        </NoticeLine>
      )}
    </Pane>
  )
}

/** One method of the control API. */
function MethodPage({ name }: { name: MethodName }) {
  const { summary, input, output, ...more } = methods[name]
  const inputShape = shapeOf(input)
  return (
    <>
      <PaneIntro as="header">
        <h2 className="mono">POST /control/{name}</h2>
        <p>{summary}.</p>
        <p className="meta">
          Control API · header x-control-key · returns 200 with the output, or 4xx with the error body
          {'isAction' in more && ' · operator action: it is logged, and a replay repeats it'}
        </p>
      </PaneIntro>
      <Part title="Input">
        <Fields shape={inputShape} of="the input" required="required" />
      </Part>
      <Part title="Example input">
        <JsonView body={formatJson(exampleOf(name))} />
      </Part>
      <Part title="Output">
        <Fields shape={shapeOf(output, 'output')} of="the output" required="always present" />
      </Part>
    </>
  )
}

/** One endpoint: a form to try it, its fields, its response, its errors and examples. */
function EndpointPage({ name }: { name: EndpointName }) {
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
        <Disclosure summary="Send it" {...tryItFold}>
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
