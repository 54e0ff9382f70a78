import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Fault, type FaultKind } from '../../../api/contract/control/faults.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { clearFaultsAction } from '../../actions/world.ts'
import { setFaults } from '../../data/faults.ts'
import { type ActiveFault, useFeed } from '../../data/feed.ts'
import { submitting } from '../../data/use-action.ts'
import { faultMeanings, formatFault } from '../../format/faults.ts'
import { plural } from '../../format/numbers.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields, FormRow } from '../../forms/FormRow.tsx'
import { formatBounds, formatType, shapeOf } from '../../forms/shape.ts'
import { type JsonObject, replaceAt } from '../../forms/values.ts'
import { Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Caption, Pane, PaneIntro, ScreenBar, Sidebar, Split } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
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

const shape = shapeOf(Fault)
const shapeOfField = (name: string) => shape.fields.find((field) => field.name === name)!.shape

/** Why the value is invalid, if it is. */
function validate(name: keyof Fault, value: unknown): string | undefined {
  if (value === undefined || Fault.shape[name].safeParse(value).success) return undefined
  const field = shapeOfField(name)
  return `“${String(value)}” is invalid. Enter a ${[formatType(field), ...formatBounds(field)].join(', ')}.`
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

/** The effect of an empty field. */
const placeholders: Readonly<Partial<Record<keyof Fault, string>>> = {
  method: 'any',
  path: 'any, e.g. /customers/{uid}',
  ms: '1000',
  jitter_ms: '0',
  status: '500',
  code: '1000, e.g. 6008',
  per_minute: '60',
  times: 'unlimited',
  rate: '1 (all that match)',
}

/** Adds a fault. Errors are shown at their fields. */
function AddFault({ add }: { add: (fault: Fault) => Promise<boolean> }) {
  const [value, setValue] = useState<JsonObject>({ kind: 'latency' })
  const [isSubmitted, setIsSubmitted] = useState(false)
  const id = useId()
  const kind = value.kind as FaultKind
  const names: readonly (keyof Fault)[] = ['kind', 'method', 'path', ...fieldsByKind[kind], 'times', 'rate']
  const filled = names.filter((name) => value[name] !== undefined)
  const firstInvalid = filled.find((name) => validate(name, value[name]) !== undefined)
  const notes: Readonly<Partial<Record<keyof Fault, string | null>>> = {
    kind: faultMeanings[kind],
    path: checkPath(String(value.path ?? '').trim(), String(value.method ?? '')),
  }
  const submit = async () => {
    setIsSubmitted(true)
    if (firstInvalid) return document.getElementById(id + firstInvalid)?.focus()
    const fault = Object.fromEntries(filled.map((name) => [name, value[name]]))
    if (!(await add(fault as Fault))) return
    setValue({ kind, method: value.method, path: value.path })
    setIsSubmitted(false)
  }
  return (
    <Sidebar data-right aria-label="Add a fault">
      <PaneIntro as="form" onSubmit={submitting(submit)} noValidate>
        <h2>Add a fault</h2>
        <div style={{ '--names': '80px' }}>
          <Fields>
            {names.map((name) => {
              const problem = isSubmitted ? validate(name, value[name]) : undefined
              return (
                <FormRow
                  key={name}
                  label={<label htmlFor={id + name}>{name}</label>}
                  invalid={problem !== undefined}
                  note={
                    <FieldNote id={`${id}${name}?`} problem={problem}>
                      {notes[name]}
                    </FieldNote>
                  }
                >
                  <FieldInput
                    id={id + name}
                    shape={shapeOfField(name)}
                    value={value[name]}
                    onChange={(part) => setValue(replaceAt(value, [name], part) as JsonObject)}
                    required={name === 'kind'}
                    invalid={problem !== undefined}
                    describedBy={`${id}${name}?`}
                    placeholder={placeholders[name]}
                    suggestions={name === 'path' ? paths : undefined}
                  />
                </FormRow>
              )
            })}
          </Fields>
        </div>
        <span className="row">
          <Button icon={Plus} type="submit" primary>
            Add
          </Button>
        </span>
      </PaneIntro>
    </Sidebar>
  )
}
