import type { Machine } from '../../../api/contract/machines.ts'
import type { CollectionName } from '../../collections.ts'
import { movesFrom, StateDiagram } from '../../components/StateDiagram.tsx'
import { machinesOf } from './machines.ts'
import type { Fields } from './use-record.ts'

/** Every state machine that the record moves by, the present state lit. */
export function States({ collection, fields }: { collection: CollectionName; fields: Fields }) {
  const drawn = (machinesOf[collection] ?? []).flatMap(({ field, machine, layout }) => {
    const state = field.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], fields)
    return typeof state === 'string' && state in layout.at ? [{ field, machine, layout, state }] : []
  })
  if (drawn.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className="states" tabIndex={0} aria-label="States">
      <div className="cap">
        <h2>States</h2>
        <span className="meta">lit: now; whole lines: can follow from here; dashed: other ways</span>
      </div>
      <div className="machines">
        {drawn.map(({ field, machine, layout, state }) => (
          <div key={field}>
            <p className="meta">{field}</p>
            <StateDiagram machine={machine} layout={layout} state={state} />
            <p className="moves">
              <Follow machine={machine} state={state} />
            </p>
          </div>
        ))}
      </div>
    </section>
  )
}

function Follow({ machine, state }: { machine: Machine; state: string }) {
  const next = movesFrom(machine, state)
  if (next.length === 0) return <>{state} is the end.</>
  return next.map(({ event, to }, at) => (
    <span key={event}>
      {at > 0 && ' · '}
      <b>{event}</b> leads to {to}
    </span>
  ))
}
