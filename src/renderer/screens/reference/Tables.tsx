import { Fragment } from 'react'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { flattenShape, formatBounds, formatType, type Shape } from '../../forms/shape.ts'
import { cx } from '../../ui/cx.ts'
import { Caption } from '../../ui/Layout.tsx'
import { Prose } from '../../ui/Prose.tsx'
import styles from './Tables.module.css'

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
  /** The index of a column of numbers. */
  readonly figures?: number
  readonly children: React.ReactNode
}

/** In a narrow window the table scrolls sideways. */
export function RefTable({ heads, widths, label, figures, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <colgroup>
          {widths.map((width, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
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

interface FieldsProps {
  readonly shape: Shape
  /** What has these fields, e.g. "the body". */
  readonly of: string
  /** The words for a required field. */
  readonly required: 'required' | 'always present'
}

export function Fields({ shape, of, required: requiredLabel }: FieldsProps) {
  const rows = flattenShape(shape)
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
      <RefTable label={`Fields of ${of}`} heads={['Field', 'Type', 'Description']} widths={['34%', '24%', '42%']}>
        {rows.map(({ path, depth, name, required, shape: field }) => (
          <tr key={path}>
            <th scope="row" title={path} style={{ paddingLeft: 16 + depth * 14 }}>
              <code>{path.endsWith(`[].${name}`) ? `[].${name}` : name}</code>
            </th>
            <td>
              {formatType(field)}
              {field.nullable && ' or null'}
              {required && <span className={styles.required}> {requiredLabel}</span>}
            </td>
            <td>
              <FieldDescription shape={field} />
            </td>
          </tr>
        ))}
      </RefTable>
    </>
  )
}

/** Which fields go together when a value has one of several shapes. */
function OneOf({ shape: { shapes } }: { shape: Shape }) {
  const objects = shapes.filter(({ kind }) => kind === 'object')
  if (objects.length < 2) return null
  return (
    <span className="hint wrap">
      One of these shapes:{' '}
      {objects.map(({ fields }, at) => {
        const requiredFields = fields.filter(({ required }) => required)
        const names = (requiredFields.length > 0 ? requiredFields : fields).map(({ name }) => name).join(', ')
        return (
          <Fragment key={names}>
            {at > 0 && (at === objects.length - 1 ? ' or ' : ', ')}
            <code>{names}</code>
          </Fragment>
        )
      })}
    </span>
  )
}

function FieldDescription({ shape }: { shape: Shape }) {
  const inner = shape.kind === 'list' && shape.item ? shape.item : shape
  const { description, deprecated, writeOnly, examples, default: defaultValue } = shape.schema
  const { pattern, ...withoutPattern } = inner.schema
  const [example] = (examples ?? inner.schema.examples ?? []) as unknown[]
  const isPlainExample = example !== undefined && typeof example !== 'object'
  const notes = [
    ...formatBounds({ ...inner, schema: withoutPattern }),
    ...(defaultValue === undefined ? [] : [`default ${String(defaultValue)}`]),
    ...(writeOnly ? ['write-only: never returned'] : []),
    ...(deprecated ? ['deprecated'] : []),
  ]
  return (
    <>
      {description !== undefined && description !== formatType(shape) && <Prose>{description}</Prose>}
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
          matches <code>{String(pattern)}</code>
        </span>
      )}
      {isPlainExample && inner.options.length === 0 && (
        <span className="hint wrap">
          e.g. <code>{String(example)}</code>
        </span>
      )}
    </>
  )
}

interface ErrorRowsProps {
  readonly keys: readonly ErrorKey[]
  /** The errors that an endpoint declares itself. */
  readonly declared?: ReadonlySet<ErrorKey>
  readonly highlighted?: ErrorKey | undefined
  /** Further content for an error. Without it the code links to the page of error codes. */
  readonly children?: (key: ErrorKey) => React.ReactNode
}

export function ErrorRows({ keys, declared, highlighted, children }: ErrorRowsProps) {
  return (
    <RefTable
      label="Error codes"
      heads={['Status', 'Code', 'Message', 'How to fix']}
      widths={['64px', '72px', '46%', 'auto']}
    >
      {keys.map((key) => {
        const { status, code, title, detail, pass, section, raised } = errors[key]
        return (
          <tr key={key} data-key={key} aria-current={key === highlighted ? true : undefined}>
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
              {declared && !declared.has(key) && (
                <span className="hint">checked for every request, before the rules</span>
              )}
              {raised === 'inside' && <span className="hint">appears inside a resource, never as a response</span>}
              {typeof raised === 'object' && <span className="hint">never in this sandbox: {raised.never}</span>}
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
