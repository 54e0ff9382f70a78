import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { Fault, type FaultKind } from '../../../api/contract/control/faults.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { faultMeanings } from '../../format/faults.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields, FormRow } from '../../forms/FormRow.tsx'
import { formatBounds, formatType, shapeOf } from '../../forms/shape.ts'
import { type JsonObject, replaceAt } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { introClass, Sidebar } from '../../ui/Layout.tsx'
import styles from './AddFault.module.css'

/** The fields that a kind has besides its method, path, rate and end. */
const fieldsOf: Readonly<Record<FaultKind, readonly (keyof Fault)[]>> = {
  latency: ['ms', 'jitter_ms'],
  status: ['status'],
  drop_before_commit: [],
  drop_after_commit: [],
  rate_limit: ['per_minute'],
  slow_body: ['ms'],
}

const shape = shapeOf(Fault)
const shapeOfField = (name: string) => shape.fields.find((field) => field.name === name)!.shape

/** What was found, and what is expected. */
function problemOf(name: keyof Fault, value: unknown): string | undefined {
  if (value === undefined || Fault.shape[name].safeParse(value).success) return undefined
  const field = shapeOfField(name)
  return `“${String(value)}” does not fit; expected is a ${[formatType(field), ...formatBounds(field)].join(', ')}`
}

const routes = Object.values(endpoints).map(({ method, path }) => ({ method, path }))
const paths = [...new Set(routes.map(({ path }) => path))]

/** A fault on a path that there is not waits for ever. */
function doubtOf(path: string, method: string): string | null {
  const fits = (at: string) => (path.endsWith('*') ? at.startsWith(path.slice(0, -1)) : at === path)
  const found = routes.filter((route) => fits(route.path))
  if (path === '' || found.some((route) => method === '' || route.method === method)) return null
  return found.length > 0
    ? `There is no ${method} here: no request will meet with it.`
    : 'No endpoint is written so: no request will meet with it. As /customers/{uid}; * at the end stands for the rest.'
}

/** What holds while a field is empty. */
const placeholders: Readonly<Partial<Record<keyof Fault, string>>> = {
  method: 'any',
  path: 'any, as /customers/{uid}',
  ms: '1000',
  jitter_ms: '0',
  status: '500',
  per_minute: '60',
  times: 'never ends',
  rate: '1, of all that match',
}

/** One more fault, by its kind. What does not fit is said beside its field. */
export function AddFault({ add }: { add: (fault: Fault) => Promise<boolean> }) {
  const [value, setValue] = useState<JsonObject>({ kind: 'latency' })
  const [submitted, setSubmitted] = useState(false)
  const id = useId()
  const kind = value.kind as FaultKind
  const names: readonly (keyof Fault)[] = ['kind', 'method', 'path', ...fieldsOf[kind], 'times', 'rate']
  const given = names.filter((name) => value[name] !== undefined)
  const firstProblem = given.find((name) => problemOf(name, value[name]) !== undefined)
  const notes: Readonly<Partial<Record<keyof Fault, string | null>>> = {
    kind: faultMeanings[kind],
    path: doubtOf(String(value.path ?? '').trim(), String(value.method ?? '')),
  }
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSubmitted(true)
    if (firstProblem) return document.getElementById(id + firstProblem)?.focus()
    const fault = Object.fromEntries(given.map((name) => [name, value[name]]))
    if (!(await add(fault as Fault))) return
    setValue({ kind, method: value.method, path: value.path })
    setSubmitted(false)
  }
  return (
    <Sidebar data-right aria-label="Add a fault">
      <form className={introClass} onSubmit={submit} noValidate>
        <h2>Add a fault</h2>
        <div className={styles.fields}>
          <Fields>
            {names.map((name) => {
              const problem = submitted ? problemOf(name, value[name]) : undefined
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
          <Button type="submit" primary>
            <Plus size={12} strokeWidth={2} aria-hidden="true" />
            Add
          </Button>
        </span>
      </form>
    </Sidebar>
  )
}
