import { Fragment } from 'react'
import type { Machine } from '../../../api/contract/machines.ts'
import { diagramsOf } from '../../components/diagram-layouts.ts'
import { ALL_COLLECTIONS, type Fields } from '../../components/fields/use-record.ts'
import { edgesFrom, StateDiagram, type Transition } from '../../components/StateDiagram.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { useQuery } from '../../data/use-query.ts'
import { Caption } from '../../ui/Layout.tsx'
import styles from './States.module.css'

/** Older transitions of a record with more commits, such as a busy account, are not drawn as taken. */
const MAX_COMMITS = 200

interface StatesProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: Fields
}

/** Every state machine of the record, with the current state highlighted and the transitions that it took. */
export function States({ collection, uid, fields }: StatesProps) {
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className={styles.states} tabIndex={0} aria-label="States">
      <Caption className={styles.caption}>
        <h2>States</h2>
        <span className="meta">
          Highlighted: current · bold: taken · solid: possible next · dashed: not possible now
        </span>
      </Caption>
      <div className={styles.diagrams}>
        {machines.map(({ field, machine, layout, state }) => (
          <div key={field}>
            <p className="meta">{field}</p>
            <StateDiagram
              machine={machine}
              layout={layout}
              state={state}
              isFinal={end !== undefined}
              taken={findTaken(field)}
            />
            <p className={styles.next}>
              {end && field !== 'status' && edgesFrom(machine, state).length > 0 ? (
                `${state} stays: the ${end.field} ${end.state} is final.`
              ) : (
                <NextStates machine={machine} state={state} />
              )}
            </p>
          </div>
        ))}
      </div>
    </section>
  )
}

function NextStates({ machine, state }: { machine: Machine; state: string }) {
  const next = edgesFrom(machine, state)
  if (next.length === 0) return <>Final state: {state}</>
  return next.map(({ event, to }, at) => (
    <Fragment key={event}>
      {/* A separator may end a line but not begin one. */}
      <span className="nowrap">
        <b>{event}</b> leads to {to}
        {at < next.length - 1 && ' ·'}
      </span>{' '}
    </Fragment>
  ))
}
