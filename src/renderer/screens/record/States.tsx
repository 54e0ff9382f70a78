import { Fragment } from 'react'
import type { Machine } from '../../../api/contract/machines.ts'
import { goalOfState } from '../../../api/contract/reach.ts'
import { diagramsOf } from '../../components/diagram-layouts.ts'
import { ALL_COLLECTIONS, type Fields, type LoadedRecordProps } from '../../components/fields/use-record.ts'
import { edgesFrom, StateDiagram, type Transition } from '../../components/StateDiagram.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { showTrial } from '../../data/trying.ts'
import { Row, Section } from '../../ui/Layout.tsx'

/** Older transitions of a record with more commits, such as a busy account, are not drawn as taken. */
const MAX_COMMITS = 200

/** Every state machine of the record, with the current state highlighted and the transitions that it took. */
export function States({ collection, uid, fields }: LoadedRecordProps) {
  const machines = diagramsOf(collection).flatMap(({ field, machine, layout }) => {
    const state = field.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], fields)
    return typeof state === 'string' && state in layout.at ? [{ field, machine, layout, state }] : []
  })
  const history = useQuery(
    'records.history',
    machines.length === 0 ? null : { collection, uid, limit: MAX_COMMITS },
    ALL_COLLECTIONS,
  )
  const changes = history.data?.commits.flatMap((commit) => commit.fields) ?? []
  const findTaken = (name: string): Transition[] =>
    changes.flatMap(({ field, from, to }) =>
      field === name && typeof from === 'string' && typeof to === 'string' ? [{ from, to }] : [],
    )
  if (machines.length === 0) return null
  // A final status also ends the other state machines of the record.
  const end = machines.find(({ field, machine, state }) => field === 'status' && edgesFrom(machine, state).length === 0)
  return (
    <Section
      title="States"
      note="Highlighted: current · bold: taken · solid: possible next · dashed: not possible now"
      fill="well"
      line="bottom"
      // What scrolls must be scrollable by keys.
      scroll
      tabIndex={0}
      style={{ paddingBottom: 10 }}
    >
      <Row wraps gap="8 32" pad="0 16" align="start">
        {machines.map(({ field, machine, layout, state }) => (
          <div key={field}>
            <p className="meta">{field}</p>
            <div style={{ marginTop: -14 }}>
              <StateDiagram
                machine={machine}
                layout={layout}
                state={state}
                type={fields.type}
                isFinal={end !== undefined}
                taken={findTaken(field)}
                onReach={(to) => {
                  const goal = `${goalOfState(collection, field, to)} uid=${uid}`
                  showTrial({ title: `Reach ${to}`, goal })
                }}
              />
            </div>
            <p className="data soft" style={{ paddingTop: 4, maxWidth: 736 }}>
              {end && field !== 'status' && edgesFrom(machine, state).length > 0 ? (
                `${state} stays: the ${end.field} ${end.state} is final.`
              ) : (
                <NextStates machine={machine} state={state} type={fields.type} />
              )}
            </p>
          </div>
        ))}
      </Row>
    </Section>
  )
}

function NextStates({ machine, state, type }: { machine: Machine; state: string; type: unknown }) {
  const next = edgesFrom(machine, state, type)
  if (next.length === 0) return <>Final state: {state}</>
  return next.map(({ event, to }, at) => (
    <Fragment key={event}>
      {/* A separator may end a line but not begin one. */}
      <span className="nowrap">
        <b style={{ fontWeight: 500, color: 'var(--ink)' }}>{event}</b> leads to {to}
        {at < next.length - 1 && ' ·'}
      </span>{' '}
    </Fragment>
  ))
}
