import { type Machine, type MachineName, machines } from '../../../api/contract/machines.ts'
import { diagramLayouts } from '../../components/diagram-layouts.ts'
import { StateDiagram } from '../../components/StateDiagram.tsx'
import { Status } from '../../components/Status.tsx'
import { Row } from '../../ui/Box.tsx'
import { RefTable } from './Tables.tsx'

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
      <Transitions machine={machine} />
    </>
  )
}

function Transitions({ machine }: { machine: Machine }) {
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
            <Status word={to} breaks />
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
