import { type MachineName, machines } from '../../../api/contract/machines.ts'
import { PaneIntro } from '../../ui/Layout.tsx'
import { StateMachine } from './StateMachine.tsx'
import { Part } from './Tables.tsx'

export function StatesPage() {
  return (
    <>
      <PaneIntro as="header">
        <h2>States and transitions</h2>
        <p className="soft">
          A record changes its state only by these transitions. Requests, tasks and the operator trigger them. The page
          of a record highlights its current state. A transition from more than two states is only in the table.
        </p>
      </PaneIntro>
      {(Object.keys(machines) as MachineName[]).map((name) => (
        <Part key={name} title={machines[name].resource}>
          <StateMachine name={name} />
        </Part>
      ))}
    </>
  )
}
