import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { type Fault, FaultKind } from '../../../api/contract/control.ts'
import { meaningOf } from './fault-words.ts'

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

const usual: Readonly<Record<NumberField, string>> = {
  ms: '1000',
  jitter_ms: '0',
  status: '500',
  per_minute: '60',
  times: 'never ends',
  rate: '1, of all that match',
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** One more fault, by its kind. The sandbox judges it; its words are shown at the top. */
export function AddFault({ add }: { add: (fault: Fault) => Promise<boolean> }) {
  const [kind, setKind] = useState<FaultKind>('latency')
  const [method, setMethod] = useState('')
  const [path, setPath] = useState('')
  const [numbers, setNumbers] = useState<Readonly<Record<string, string>>>({})
  const id = useId()
  const fields: readonly NumberField[] = [...fieldsOf[kind], 'times', 'rate']
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const given = fields.flatMap((name) => {
      const text = numbers[name]?.trim() ?? ''
      return text === '' ? [] : [[name, Number(text)] as const]
    })
    const fault = {
      kind,
      ...(method === '' ? {} : { method: method as Fault['method'] }),
      ...(path.trim() === '' ? {} : { path: path.trim() }),
      ...Object.fromEntries(given),
    }
    if (await add(fault)) setNumbers({})
  }
  return (
    <section className="choosing" data-right aria-label="Add a fault">
      <form className="about" onSubmit={submit}>
        <h2>Add a fault</h2>
        <div className="form" data-names>
          <label htmlFor={`${id}kind`}>kind</label>
          <span className="field">
            <select id={`${id}kind`} value={kind} onChange={(event) => setKind(FaultKind.parse(event.target.value))}>
              {FaultKind.options.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </span>
        </div>
        <p className="data soft">{meaningOf[kind]}</p>
        <div className="form" data-names>
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
          <span className="field">
            <input
              id={`${id}path`}
              className="mono"
              value={path}
              placeholder="any, as /customers/{uid}"
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setPath(event.target.value)}
            />
          </span>
          {fields.map((name) => (
            <NumberInput
              key={name}
              id={`${id}${name}`}
              name={name}
              value={numbers[name] ?? ''}
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
  readonly onChange: (value: string) => void
}

function NumberInput({ id, name, value, onChange }: NumberInputProps) {
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <span className="field">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          value={value}
          placeholder={usual[name]}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </>
  )
}
