import { Fragment } from 'react'
import type { Machine } from '../../../api/contract/machines.ts'
import { diagramsOf } from '../../components/diagram-layouts.ts'
import { edgesFrom, StateDiagram } from '../../components/StateDiagram.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { Caption } from '../../ui/Layout.tsx'
import styles from './States.module.css'
import type { Fields } from './use-record.ts'

/** Every state machine that the record moves by, the present state lit. */
export function States({ collection, fields }: { collection: CollectionName; fields: Fields }) {
  const drawn = diagramsOf(collection).flatMap(({ field, machine, layout }) => {
    const state = field.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], fields)
    return typeof state === 'string' && state in layout.at ? [{ field, machine, layout, state }] : []
  })
  if (drawn.length === 0) return null
  // A record that is through with its status is through with what else it moved by.
  const end = drawn.find(({ field, machine, state }) => field === 'status' && edgesFrom(machine, state).length === 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className={styles.states} tabIndex={0} aria-label="States">
      <Caption className={styles.caption}>
        <h2>States</h2>
        <span className="meta">lit: now; whole lines: can follow from here; dashed: other ways</span>
      </Caption>
      <div className={styles.diagrams}>
        {drawn.map(({ field, machine, layout, state }) => (
          <div key={field}>
            <p className="meta">{field}</p>
            <StateDiagram machine={machine} layout={layout} state={state} isFinal={end !== undefined} />
            <p className={styles.next}>
              {end && field !== 'status' && edgesFrom(machine, state).length > 0 ? (
                `${state} stays: ${end.state} is the end.`
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
  if (next.length === 0) return <>{state} is the end.</>
  return next.map(({ event, to }, at) => (
    <Fragment key={event}>
      {/* What parts them ends a line, and begins none. */}
      <span className="nowrap">
        <b>{event}</b> leads to {to}
        {at < next.length - 1 && ' ·'}
      </span>{' '}
    </Fragment>
  ))
}
