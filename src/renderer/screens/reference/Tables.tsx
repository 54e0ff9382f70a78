import { Fragment } from 'react'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import { type Machine, type MachineName, machines } from '../../../api/contract/machines.ts'
import { layouts } from '../../components/machines.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StateDiagram } from '../../components/StateDiagram.tsx'
import { Status } from '../../components/Status.tsx'
import { boundsOf, rowsOf, type Shape, typeOf } from '../../forms/shape.ts'
import { cx } from '../../ui/cx.ts'
import { Caption } from '../../ui/Layout.tsx'
import { Prose } from '../../ui/Prose.tsx'
import styles from './Tables.module.css'

/** The tables that pages of the reference are made of. */

export function Part({
  title,
  about,
  children,
}: {
  title: string
  about?: React.ReactNode
  children: React.ReactNode
}) {
  return (
    <section className={styles.part} aria-label={title}>
      <Caption className={styles.caption}>
        <h2>{title}</h2>
        {about !== undefined && <span className="meta">{about}</span>}
      </Caption>
      {children}
    </section>
  )
}

interface TableProps {
  readonly heads: readonly string[]
  readonly widths: readonly string[]
  readonly label: string
  /** The column that holds figures. */
  readonly figures?: number
  readonly children: React.ReactNode
}

/** A plain table; where the window is narrow, it scrolls by itself. */
export function RefTable({ heads, widths, label, figures, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <colgroup>
          {widths.map((width, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place.
            <col key={at} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" data-value={at === figures ? '' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** Every field of a schema with what it must be. Of an answer, "required" is what is always there. */
export function Fields({ shape, of, always }: { shape: Shape; of: string; always: 'required' | 'always there' }) {
  const rows = rowsOf(shape)
  if (rows.length === 0)
    return (
      <Caption as="p" className={cx(styles.caption, 'data faint')}>
        No fields.
      </Caption>
    )
  return (
    <>
      {shape.kind === 'either' && (
        <Caption as="p" className={cx(styles.caption, 'data soft')}>
          <OneOf shape={shape} />
        </Caption>
      )}
      <RefTable label={`Fields of ${of}`} heads={['Field', 'Type', 'What it is']} widths={['34%', '24%', '42%']}>
        {rows.map(({ path, depth, name, required, shape: field }) => (
          <tr key={path}>
            <th scope="row" title={path} style={{ paddingLeft: 16 + depth * 14 }}>
              <code>{path.endsWith(`[].${name}`) ? `[].${name}` : name}</code>
            </th>
            <td>
              {typeOf(field)}
              {field.nullable && ' or null'}
              {required && <span className={styles.required}> {always}</span>}
            </td>
            <td>
              <FieldWords shape={field} />
            </td>
          </tr>
        ))}
      </RefTable>
    </>
  )
}

/** Where a value has one of several shapes, which fields go together. */
function OneOf({ shape: { shapes } }: { shape: Shape }) {
  const named = shapes.filter(({ kind }) => kind === 'object')
  if (named.length < 2) return null
  return (
    <span className="hint wrap">
      One of these shapes:{' '}
      {named.map(({ fields }, at) => {
        const needed = fields.filter(({ required }) => required)
        const names = (needed.length > 0 ? needed : fields).map(({ name }) => name).join(', ')
        return (
          <Fragment key={names}>
            {at > 0 && (at === named.length - 1 ? ' or ' : ', ')}
            <code>{names}</code>
          </Fragment>
        )
      })}
    </span>
  )
}

function FieldWords({ shape }: { shape: Shape }) {
  const inner = shape.kind === 'list' && shape.item ? shape.item : shape
  const { description, deprecated, writeOnly, examples, default: usual } = shape.schema
  const { pattern, ...bounded } = inner.schema
  const [example] = (examples ?? inner.schema.examples ?? []) as unknown[]
  const plain = example !== undefined && typeof example !== 'object'
  const notes = [
    ...boundsOf({ ...inner, schema: bounded }),
    ...(usual === undefined ? [] : [`default ${String(usual)}`]),
    ...(writeOnly ? ['write-only: in no answer'] : []),
    ...(deprecated ? ['deprecated'] : []),
  ]
  return (
    <>
      {description !== undefined && description !== typeOf(shape) && <Prose>{description}</Prose>}
      {inner.options.length > 0 && (
        <span className={styles.options}>
          {inner.options.map((option) => (
            <code key={option}>{option}</code>
          ))}
        </span>
      )}
      <OneOf shape={inner} />
      {notes.length > 0 && <span className="hint wrap">{notes.join('; ')}</span>}
      {pattern !== undefined && (
        <span className="hint wrap">
          like <code>{String(pattern)}</code>
        </span>
      )}
      {plain && inner.options.length === 0 && (
        <span className="hint wrap">
          as <code>{String(example)}</code>
        </span>
      )}
    </>
  )
}

export function ErrorRows({
  keys,
  own,
  lit,
  children,
}: {
  keys: readonly ErrorKey[]
  own?: ReadonlySet<ErrorKey>
  /** The one that was asked for. */
  lit?: ErrorKey | undefined
  /** What else is said of one. */
  children?: (key: ErrorKey) => React.ReactNode
}) {
  return (
    <RefTable label="Errors" heads={['Status', 'Code', 'Says', 'To pass']} widths={['64px', '72px', '46%', 'auto']}>
      {keys.map((key) => {
        const { status, code, title, detail, pass, section, raised } = errors[key]
        return (
          <tr key={key} data-key={key} aria-current={key === lit ? true : undefined}>
            <td>{status}</td>
            <th scope="row">
              {children ? (
                code
              ) : (
                <ScreenLink screen="reference" record="errors" params={{ code: [String(code)] }}>
                  {code}
                </ScreenLink>
              )}
            </th>
            <td>
              <b>{title}</b>
              <span className="hint">{detail}</span>
              {own && !own.has(key) && <span className="hint">before the rules, as any request</span>}
              {raised === 'inside' && <span className="hint">listed inside of a resource, never the answer</span>}
              {typeof raised === 'object' && <span className="hint">never here: {raised.never}</span>}
            </td>
            <td>
              {pass !== undefined && <Prose>{pass}</Prose>}
              {section !== undefined && <span className="hint">specification, section {section}</span>}
              {children?.(key)}
            </td>
          </tr>
        )
      })}
    </RefTable>
  )
}

/** A state machine: drawn, and as its moves. */
export function Drawn({ name }: { name: MachineName }) {
  const machine: Machine = machines[name]
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be one more landmark for each diagram. */}
      <div className={styles.diagram} role="group" aria-label={`Diagram of ${machine.resource}`} tabIndex={0}>
        <StateDiagram machine={machine} layout={layouts[name]} />
      </div>
      <Moves machine={machine} />
    </>
  )
}

function Moves({ machine }: { machine: Machine }) {
  const { resource, states, moves } = machine
  const reached = new Set(Object.values(moves).flatMap(({ from, to }) => [...from, to]))
  const apart = states.filter((state) => !reached.has(state))
  return (
    <RefTable label={`Moves of ${resource}`} heads={['Move', 'From', 'To']} widths={['24%', '43%', '33%']}>
      {Object.entries(moves).map(([event, { from, to }]) => (
        <tr key={event}>
          <th scope="row">{event}</th>
          <td>
            <span className={styles.states}>
              {from.map((state) => (
                <Status key={state} word={state} />
              ))}
            </span>
          </td>
          <td>
            <Status word={to} />
          </td>
        </tr>
      ))}
      {apart.length > 0 && (
        <tr>
          <th scope="row" className="faint">
            no move here
          </th>
          <td colSpan={2}>
            <span className={styles.states}>
              {apart.map((state) => (
                <Status key={state} word={state} />
              ))}
            </span>
          </td>
        </tr>
      )}
    </RefTable>
  )
}
