import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { Fault, FaultKind } from '../../../api/contract/control.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { faultMeanings } from '../../format/faults.ts'
import { boundsOf, shapeOf, typeOf } from '../../forms/shape.ts'

/** The fields that a kind has besides its method, path, rate and end. */
const fieldsOf: Readonly<Record<FaultKind, readonly NumberField[]>> = {
  latency: ['ms', 'jitter_ms'],
  status: ['status'],
  drop_before_commit: [],
  drop_after_commit: [],
  rate_limit: ['per_minute'],
  slow_body: ['ms'],
}
type NumberField = 'ms' | 'jitter_ms' | 'status' | 'per_minute' | 'times' | 'rate'

const shapes = shapeOf(Fault).fields

/** What is wrong with a number as it was typed: what was found, and what is expected. */
function wrongWith(name: NumberField, text: string): string | null {
  if (text === '' || Fault.shape[name].safeParse(Number(text)).success) return null
  const shape = shapes.find((field) => field.name === name)!.shape
  return `“${text}” does not fit; expected is a ${[typeOf(shape), ...boundsOf(shape)].join(', ')}`
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

const usual: Readonly<Record<NumberField, string>> = {
  ms: '1000',
  jitter_ms: '0',
  status: '500',
  per_minute: '60',
  times: 'never ends',
  rate: '1, of all that match',
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** One more fault, by its kind. What does not fit is said beside its field. */
export function AddFault({ add }: { add: (fault: Fault) => Promise<boolean> }) {
  const [kind, setKind] = useState<FaultKind>('latency')
  const [method, setMethod] = useState('')
  const [path, setPath] = useState('')
  const [numbers, setNumbers] = useState<Readonly<Record<string, string>>>({})
  const [insists, setInsists] = useState(false)
  const id = useId()
  const fields: readonly NumberField[] = [...fieldsOf[kind], 'times', 'rate']
  const given = fields.flatMap((name) => {
    const text = numbers[name]?.trim() ?? ''
    return text === '' ? [] : [{ name, text }]
  })
  const wrong = new Map(given.flatMap(({ name, text }) => [[name, wrongWith(name, text)] as const]))
  const doubt = doubtOf(path.trim(), method)
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const first = fields.find((name) => wrong.get(name))
    if (first) {
      setInsists(true)
      return document.getElementById(id + first)?.focus()
    }
    const fault = {
      kind,
      ...(method === '' ? {} : { method: method as Fault['method'] }),
      ...(path.trim() === '' ? {} : { path: path.trim() }),
      ...Object.fromEntries(given.map(({ name, text }) => [name, Number(text)])),
    }
    if (!(await add(fault))) return
    setNumbers({})
    setInsists(false)
  }
  return (
    <section className="choosing" data-right aria-label="Add a fault">
      <form className="about" onSubmit={submit} noValidate>
        <h2>Add a fault</h2>
        <div className="form" data-names>
          <label htmlFor={`${id}kind`}>kind</label>
          <span className="filled">
            <span className="field">
              <select id={`${id}kind`} value={kind} onChange={(event) => setKind(FaultKind.parse(event.target.value))}>
                {FaultKind.options.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </span>
            <span className="meta">{faultMeanings[kind]}</span>
          </span>
          <label htmlFor={`${id}method`}>method</label>
          <span className="field">
            <select id={`${id}method`} value={method} onChange={(event) => setMethod(event.target.value)}>
              <option value="">any</option>
              {METHODS.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </span>
          <label htmlFor={`${id}path`}>path</label>
          <span className="filled">
            <span className="field">
              <input
                id={`${id}path`}
                className="mono"
                value={path}
                placeholder="any, as /customers/{uid}"
                spellCheck={false}
                autoComplete="off"
                list={`${id}paths`}
                aria-describedby={`${id}doubt`}
                onChange={(event) => setPath(event.target.value)}
              />
            </span>
            <datalist id={`${id}paths`}>
              {paths.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
            <span id={`${id}doubt`} className="meta">
              {doubt}
            </span>
          </span>
          {fields.map((name) => (
            <NumberInput
              key={name}
              id={id + name}
              name={name}
              value={numbers[name] ?? ''}
              wrong={insists ? (wrong.get(name) ?? null) : null}
              onChange={(value) => setNumbers({ ...numbers, [name]: value })}
            />
          ))}
        </div>
        <span className="row">
          <button type="submit" className="btn" data-likeliest>
            <Plus size={12} strokeWidth={2} aria-hidden="true" />
            Add
          </button>
        </span>
      </form>
    </section>
  )
}

interface NumberInputProps {
  readonly id: string
  readonly name: NumberField
  readonly value: string
  readonly wrong: string | null
  readonly onChange: (value: string) => void
}

function NumberInput({ id, name, value, wrong, onChange }: NumberInputProps) {
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <span className="filled">
        <span className="field" data-wrong={wrong === null ? undefined : ''}>
          <input
            id={id}
            type="text"
            inputMode="decimal"
            value={value}
            placeholder={usual[name]}
            autoComplete="off"
            aria-invalid={wrong !== null}
            aria-describedby={`${id}wrong`}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
        <span id={`${id}wrong`} className="meta bad" role={wrong === null ? undefined : 'alert'}>
          {wrong}
        </span>
      </span>
    </>
  )
}
