import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Fault, type FaultKind } from '../../../api/contract/control/faults.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { type ErrorRow, errors } from '../../../api/contract/errors.ts'
import type { JsonSchema } from '../../../api/contract/openapi.ts'
import { type Field, formatBounds, formatType, objectShape, shapeOf } from '../../../api/contract/shape.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { clearFaultsAction } from '../../actions/world.ts'
import { setFaults } from '../../data/faults.ts'
import { type ActiveFault, useFeed } from '../../data/feed.ts'
import { submitting } from '../../data/sandbox.ts'
import { faultMeanings, formatFault } from '../../format/faults.ts'
import { plural } from '../../format/text.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, Pane, PaneIntro, ScreenBar, Sidebar, Split, Splitter, Stack, usePaneSize } from '../../ui/Layout.tsx'
import { EmptyState, Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'

/** The active faults, and a form to add one. */
export function Faults() {
  const faults = useFeed((feed) => feed.faults)
  const [failure, setFailure] = useState<string | null>(null)
  const form = usePaneSize('faults', '--sidebar')
  const apply = async (work: Promise<string | null>) => {
    const refusal = await work
    setFailure(refusal)
    return refusal === null
  }
  return (
    <>
      <ScreenBar>
        <h1>Faults</h1>
        <span className="soft cut">Network and server failures for the requests of your app</span>
        {faults.length > 0 && (
          <ActionButton className="end" action={clearFaultsAction()}>
            Clear all
          </ActionButton>
        )}
      </ScreenBar>
      {failure !== null && <Notice title="The faults were not changed.">{failure}</Notice>}
      <Split data-stacks style={form.style}>
        <Pane aria-label="Active faults">
          {faults.length === 0 ? (
            <NoFaults add={(fault) => void apply(setFaults([fault]))} />
          ) : (
            <ul aria-label="Faults">
              {faults.map((fault, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fault has no id, only its position.
                <ActiveFaultRow key={at} fault={fault} remove={() => void apply(setFaults(faults.toSpliced(at, 1)))} />
              ))}
            </ul>
          )}
          {faults.length > 1 && (
            <Caption as="p" className="meta">
              Any change resets all counts.
            </Caption>
          )}
        </Pane>
        <Splitter label="Width of the form" sizes="after" onResize={form.onResize} />
        <AddFault add={(fault) => apply(setFaults([...faults, fault]))} />
      </Split>
    </>
  )
}

function ActiveFaultRow({ fault, remove }: { fault: ActiveFault; remove: () => void }) {
  const text = formatFault(fault)
  return (
    <Stack
      as="li"
      columns="minmax(0, 1fr) auto 24px"
      gap={12}
      pad="6 16"
      align="center"
      line="bottom"
      text="data"
      className="wrap"
      mark="wait"
    >
      <span>
        <b>
          <Text>{text}</Text>
        </b>
        <br />
        <span className="soft">{faultMeanings[fault.kind]}</span>
      </span>
      <span className="soft nowrap">
        {fault.met === 0 ? 'not applied yet' : `applied to ${plural(fault.met, 'request')}`}
      </span>
      <Button icon={X} bare aria-label={`Remove: ${text}`} onClick={remove} />
    </Stack>
  )
}

/** The failures that apps must handle most often. */
const PRESETS: readonly { readonly title: string; readonly fault: Fault }[] = [
  { title: 'Lost response', fault: { kind: 'drop_after_commit', method: 'POST', path: '/transfers', times: 1 } },
  { title: 'Slow network', fault: { kind: 'latency', ms: 2_000, jitter_ms: 1_000 } },
  { title: 'One in ten requests fails', fault: { kind: 'status', status: 503, rate: 0.1 } },
  {
    title: 'Authorization fails (6008)',
    fault: { kind: 'status', code: 6008, method: 'PUT', path: '/transactions/{uid}/authorize', times: 1 },
  },
  { title: 'Rate limit', fault: { kind: 'rate_limit', per_minute: 30 } },
]

/** The errors of the API, each as the answer to one request. */
const refusals: readonly ErrorRow[] = Object.values<ErrorRow>(errors).filter(({ raised }) => raised !== 'inside')

function NoFaults({ add }: { add: (fault: Fault) => void }) {
  const affected = useFeed(({ exchanges }) => exchanges.filter(({ fault }) => fault !== undefined).length)
  return (
    <EmptyState
      stacked
      title="No active faults"
      text={
        <>
          Add a fault to see how your app handles it. A fault can hide a response, but the world stays consistent.
          {affected > 0 && ` A fault was applied to ${plural(affected, 'request')} in the log.`}
        </>
      }
      listLabel="Common faults"
    >
      {PRESETS.map(({ title, fault }) => (
        <li key={title} className="row">
          <span className="grow">
            <b>{title}</b>
            <br />
            {formatFault(fault)}. {faultMeanings[fault.kind]}
          </span>
          <Button aria-label={`Add: ${title}`} onClick={() => add(fault)}>
            Add
          </Button>
        </li>
      ))}
      {refusals.map(({ status, code, title, detail }) => (
        <li key={code} className="row">
          <span className="grow">
            <b>
              Next request: {code} {title}
            </b>
            <br />
            status {status}. {detail}
          </span>
          <Button aria-label={`Add: ${code} ${title}`} onClick={() => add({ kind: 'status', code, times: 1 })}>
            Add
          </Button>
        </li>
      ))}
    </EmptyState>
  )
}

/** The fields of each kind, besides `method`, `path`, `times` and `rate`, which all kinds have. */
const fieldsByKind: Readonly<Record<FaultKind, readonly (keyof Fault)[]>> = {
  latency: ['ms', 'jitter_ms'],
  status: ['status', 'code'],
  drop_before_commit: [],
  drop_after_commit: [],
  rate_limit: ['per_minute'],
  slow_body: ['ms'],
}

const { fields } = shapeOf(Fault)

/** Why the value is invalid, if it is. */
function validate({ name, shape }: Field, value: unknown): string | undefined {
  if (value === undefined || Fault.shape[name as keyof Fault].safeParse(value).success) return undefined
  return `“${String(value)}” is invalid. Enter a ${[formatType(shape), ...formatBounds(shape)].join(', ')}.`
}

const routes = Object.values(endpoints).map(({ method, path }) => ({ method, path }))
const paths = [...new Set(routes.map(({ path }) => path))]

/** A warning about a path that matches no endpoint: its fault would never apply. */
function checkPath(path: string, method: string): string | null {
  const matches = (route: string) => (path.endsWith('*') ? route.startsWith(path.slice(0, -1)) : route === path)
  const found = routes.filter((route) => matches(route.path))
  if (path === '' || found.some((route) => method === '' || route.method === method)) return null
  return found.length > 0
    ? `No endpoint has ${method} on this path: the fault will never apply.`
    : 'No endpoint has this path: the fault will never apply. Use e.g. /customers/{uid}, or end with * to match a prefix.'
}

/** The fields of a kind, each with its description; that of the path is a warning if it matches no endpoint. */
function shapeFor({ kind, path = '', method = '' }: JsonObject) {
  const names: readonly string[] = ['kind', 'method', 'path', ...fieldsByKind[kind as FaultKind], 'times', 'rate']
  const warning = checkPath(String(path).trim(), String(method))
  const changes: Readonly<Record<string, JsonSchema>> = {
    kind: { description: faultMeanings[kind as FaultKind] },
    path: { examples: paths, ...(warning === null ? {} : { description: warning }) },
  }
  return objectShape(
    names.map((name) => {
      const field = fields.find((one) => one.name === name)!
      return { ...field, shape: { ...field.shape, schema: { ...field.shape.schema, ...changes[name] } } }
    }),
  )
}

const NO_PROBLEMS: FieldErrors = new Map()

/** Adds a fault. Errors are shown at their fields. */
function AddFault({ add }: { add: (fault: Fault) => Promise<boolean> }) {
  const [value, setValue] = useState<JsonObject>({ kind: 'latency' })
  const [isSubmitted, setIsSubmitted] = useState(false)
  const id = useId()
  const form = useRef<HTMLElement>(null)
  const shape = shapeFor(value)
  const fault = Object.fromEntries(shape.fields.flatMap(({ name }) => (name in value ? [[name, value[name]]] : [])))
  const problems: FieldErrors = new Map(
    shape.fields.flatMap((field) => {
      const problem = validate(field, value[field.name])
      return problem === undefined ? [] : [[field.name, problem]]
    }),
  )
  const submit = async () => {
    setIsSubmitted(true)
    if (problems.size > 0)
      return void requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    if (!(await add(fault as Fault))) return
    const { kind, method, path } = value
    setValue({ kind, ...(method ? { method } : {}), ...(path ? { path } : {}) })
    setIsSubmitted(false)
  }
  return (
    <Sidebar data-right aria-label="Add a fault">
      <PaneIntro as="form" ref={form} onSubmit={submitting(submit)} noValidate style={{ '--names': '80px' }}>
        <h2>Add a fault</h2>
        <SchemaForm
          id={id}
          shape={shape}
          value={value}
          onChange={setValue}
          problems={isSubmitted ? problems : NO_PROBLEMS}
        />
        <span className="row">
          <Button icon={Plus} type="submit" primary>
            Add
          </Button>
        </span>
      </PaneIntro>
    </Sidebar>
  )
}
