import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { Fault, type FaultKind } from '../../../api/contract/control/faults.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { submitting } from '../../data/use-action.ts'
import { faultMeanings } from '../../format/faults.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields, FormRow } from '../../forms/FormRow.tsx'
import { formatBounds, formatType, shapeOf } from '../../forms/shape.ts'
import { type JsonObject, replaceAt } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { PaneIntro, Sidebar } from '../../ui/Layout.tsx'

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
export function AddFault({ add }: { add: (fault: Fault) => Promise<boolean> }) {
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
