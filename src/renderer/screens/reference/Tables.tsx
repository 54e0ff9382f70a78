import { Fragment } from 'react'
import { type CollectionName, collectionNames, rowOf } from '../../../api/contract/collections.ts'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import { type Machine, type MachineName, machines } from '../../../api/contract/machines.ts'
import { goalOfState } from '../../../api/contract/reach.ts'
import { flattenShape, formatBounds, formatType, type Shape } from '../../../api/contract/shape.ts'
import { Reach } from '../../actions/TryIt.tsx'
import { diagramLayouts } from '../../components/diagram-layouts.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StateDiagram } from '../../components/StateDiagram.tsx'
import { Status } from '../../components/Status.tsx'
import { Caption, Row, Section } from '../../ui/Layout.tsx'
import { ScrolledTable } from '../../ui/Table.tsx'
import { Prose } from '../../ui/Text.tsx'

interface PartProps {
  readonly title: string
  readonly about?: React.ReactNode
  readonly children: React.ReactNode
}

export const Part = ({ title, about, children }: PartProps) => (
  <Section title={title} note={about} style={{ paddingTop: 8 }}>
    {children}
  </Section>
)

interface RefTableProps {
  /** The heads with their widths. */
  readonly heads: Readonly<Record<string, string>>
  readonly label: string
  /** The head of a column of numbers. */
  readonly figures?: string
  readonly children: React.ReactNode
}

/** In a narrow window the table scrolls sideways. */
export const RefTable = ({ heads, label, figures, children }: RefTableProps) => (
  <ScrolledTable
    label={label}
    headers={Object.entries(heads).map(([head, width]) => ({ label: head, width, right: head === figures }))}
    style={{ minWidth: 560, '--cell': '5px 8px 4px' }}
  >
    {children}
  </ScrolledTable>
)

interface RowTableProps extends Omit<RefTableProps, 'children'> {
  /** The first cell is the head of its row. */
  readonly rows: readonly (readonly React.ReactNode[])[]
  /** The head of the rows that are marked. */
  readonly current?: string | undefined
}

/** A table of texts. */
export const RowTable = ({ rows, current, ...table }: RowTableProps) => (
  <RefTable {...table}>
    {rows.map(([head, ...cells], at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
      <tr key={at} aria-current={current !== undefined && head === current ? true : undefined}>
        <th scope="row">{head}</th>
        {cells.map((cell, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
          <td key={column}>{cell}</td>
        ))}
      </tr>
    ))}
  </RefTable>
)

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
      <Caption as="p" className="data faint">
        No fields.
      </Caption>
    )
  return (
    <>
      {shape.kind === 'either' && (
        <Caption as="p" className="data soft">
          <OneOf shape={shape} />
        </Caption>
      )}
      <RefTable label={`Fields of ${of}`} heads={{ Field: '34%', Type: '24%', Description: '42%' }}>
        {rows.map(({ path, depth, name, required, shape: field }) => (
          <tr key={path}>
            <th scope="row" title={path} style={{ paddingLeft: 16 + depth * 14 }}>
              <code>{path.endsWith(`[].${name}`) ? `[].${name}` : name}</code>
            </th>
            <td>
              {formatType(field)}
              {field.nullable && ' or null'}
              {required && <b> {requiredLabel}</b>}
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
        <Row as="span" wraps gap="2 10">
          {inner.options.map((option) => (
            <code key={option}>{option}</code>
          ))}
        </Row>
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
    <RefTable label="Error codes" heads={{ Status: '64px', Code: '72px', Message: '46%', 'How to fix': 'auto' }}>
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
              {children && typeof raised !== 'object' && (
                // Targets of the size that fingers need.
                <div style={{ paddingTop: 12 }}>
                  <Reach goal={`error=${code}`} />
                </div>
              )}
            </td>
          </tr>
        )
      })}
    </RefTable>
  )
}

/** A state machine as a diagram and as a table of its transitions. */
export function StateMachine({ name }: { name: MachineName }) {
  const machine: Machine = machines[name]
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would add a landmark for each diagram. */}
      <div
        style={{ padding: '0 16px 8px', overflowX: 'auto' }}
        role="group"
        aria-label={`Diagram of ${machine.resource}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
        tabIndex={0}
      >
        <StateDiagram machine={machine} layout={diagramLayouts[name]} />
      </div>
      <Transitions machine={machine} goalOf={goalsOf(name)} />
    </>
  )
}

/** How `reach` calls the states of a machine. */
function goalsOf(name: MachineName): (state: string) => string {
  const [[collection, field]] = collectionNames.flatMap((one) =>
    Object.entries(rowOf(one).machines ?? {}).flatMap(([field, machine]) =>
      machine === name ? [[one, field] as const] : [],
    ),
  ) as [readonly [CollectionName, string]]
  return (state) => goalOfState(collection, field, state)
}

interface TransitionsProps {
  readonly machine: Machine
  readonly goalOf: (state: string) => string
}

function Transitions({ machine, goalOf }: TransitionsProps) {
  const { resource, states, moves } = machine
  const connected = new Set(Object.values(moves).flatMap(({ from, to }) => [...from, to]))
  const isolated = states.filter((state) => !connected.has(state))
  return (
    <RefTable label={`Transitions of ${resource}`} heads={{ Transition: '24%', From: '43%', To: '33%' }}>
      {Object.entries(moves).map(([event, { from, to }]) => (
        <tr key={event}>
          <th scope="row">{event}</th>
          <td>
            <StateList states={from} />
          </td>
          <td>
            <Status word={to} breaks /> <Reach goal={goalOf(to)} />
          </td>
        </tr>
      ))}
      {isolated.length > 0 && (
        <tr>
          <th scope="row" className="faint">
            no transition
          </th>
          <td colSpan={2}>
            <StateList states={isolated} />
          </td>
        </tr>
      )}
    </RefTable>
  )
}

const StateList = ({ states }: { states: readonly string[] }) => (
  <Row as="span" wraps gap="4 16">
    {states.map((state) => (
      <Status key={state} word={state} breaks />
    ))}
  </Row>
)
