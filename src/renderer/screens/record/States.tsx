import { useEffect, useRef, useState } from 'react'
import { operationOf } from '../../../api/contract/control/client.ts'
import { goalOfState } from '../../../api/contract/reach.ts'
import { type DecisionInputs, DecisionList, isWaiting } from '../../components/decisions/DecisionList.tsx'
import { diagramsOf } from '../../components/diagram-layouts.ts'
import { BranchAndCompare } from '../../components/Fork.tsx'
import { listFields } from '../../components/fields/list-fields.ts'
import { ALL_COLLECTIONS, type Fields, type LoadedRecordProps } from '../../components/fields/use-record.ts'
import { edgesFrom, StateDiagram, type Transition } from '../../components/StateDiagram.tsx'
import { Status } from '../../components/Status.tsx'
import { capitalize } from '../../components/Unavailable.tsx'
import { Undo } from '../../components/Undo.tsx'
import { FieldChange } from '../../components/WhatHappened.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { useLastChange } from '../../data/last-change.ts'
import { sandbox, useQuery } from '../../data/sandbox.ts'
import { callOf, showTrial } from '../../data/trying.ts'
import { formatCount } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PaymentPath } from './path/PaymentPath.tsx'

type RecordMachine = ReturnType<typeof machinesOf>[number]

const machinesOf = (collection: CollectionName, fields: Fields) =>
  diagramsOf(collection).flatMap(({ field, machine, layout }) => {
    const state = field.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], fields)
    return typeof state === 'string' && state in layout.at ? [{ field, machine, layout, state }] : []
  })

/** The states of a record, and as buttons those that a bank, a network or a compliance officer can decide; the path of a payment. */
export function States({ isGone, ...record }: LoadedRecordProps & { isGone: boolean }) {
  const { collection, uid, fields } = record
  const query = useQuery('moves.list', isGone ? null : { collection, uid }, ALL_COLLECTIONS)
  const [result, setResult] = useLastChange<DecisionResult>(`decision ${uid}`)
  const [isWhole, setWhole] = useState(false)
  const machines = machinesOf(collection, fields)
  const moves = query.data?.moves ?? []
  const decide = async (move: string, inputs: DecisionInputs) => {
    const after = await sandbox['moves.make']({ collection, uid, move, inputs })
    setResult({ move, operation: operationOf(after), changes: diffFields(collection, fields, after) })
  }
  if (machines.length === 0 && moves.length === 0 && query.error === undefined) return null
  return (
    <Stack fill="well" line="bottom">
      <Section
        title="States"
        // The title has the status.
        note={machines
          .filter(({ field }) => field !== 'status')
          .map(({ field, state }) => (
            <span key={field}>
              {field} <Status word={state} />
            </span>
          ))}
        end={
          <Row as="span" gap={4}>
            {moves.some(({ legal }) => legal) && <BranchAndCompare collection={collection} uid={uid} />}
            {machines.length > 0 && (
              <Button small aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                All states
              </Button>
            )}
          </Row>
        }
      >
        {query.error !== undefined && <Notice title="The decisions could not be read." error={query.error} />}
        {!isGone && result && <Result result={result} />}
        {!isGone && moves.length > 0 && (
          <div data-decisions>
            <DecisionList
              moves={moves}
              isWaiting={isWaiting(fields)}
              none=""
              onDecide={decide}
              tries={(move, inputs) => [callOf('moves.make', { collection, uid, move, inputs })]}
              onReach={(to) => {
                const of = machines.find(({ machine }) => (machine.states as readonly string[]).includes(to))
                if (of) showReach(record, of.field, to)
              }}
            />
          </div>
        )}
        {isWhole && <Diagrams {...record} machines={machines} />}
      </Section>
      <PaymentPath {...record} decided={moves.flatMap(({ legal, to }) => (legal ? [to] : []))} />
    </Stack>
  )
}

const showReach = ({ collection, uid }: Pick<LoadedRecordProps, 'collection' | 'uid'>, field: string, to: string) =>
  showTrial({ title: `Reach ${to}`, goal: `${goalOfState(collection, field, to)} uid=${uid}` })

/** Older transitions of a record with more operations, such as a busy account, are not drawn as taken. */
const MAX_OPERATIONS = 200

/** Every state machine of the record, with the current state highlighted and the transitions that it took. */
function Diagrams({ collection, uid, fields, machines }: LoadedRecordProps & { machines: readonly RecordMachine[] }) {
  const { data } = useQuery('records.operations', { collection, uid, limit: MAX_OPERATIONS }, ALL_COLLECTIONS)
  const findTaken = (name: string): Transition[] =>
    (data?.operations ?? []).flatMap((one) =>
      one.fields.flatMap(({ field, from, to, via }) => {
        const states = [from, ...via, to].filter((state) => typeof state === 'string')
        return field === name ? states.slice(1).map((state, at) => ({ from: states[at]!, to: state })) : []
      }),
    )
  // A final status also ends the other state machines of the record.
  const isFinal = machines.some(
    ({ field, machine, state }) => field === 'status' && edgesFrom(machine, state).length === 0,
  )
  return (
    <Row wraps gap="8 32" pad="0 16" align="start" scroll tabIndex={0} style={{ paddingBottom: 10 }}>
      {machines.map(({ field, ...one }) => (
        <div key={field}>
          <p className="meta">{field}</p>
          <div style={{ marginTop: -14 }}>
            <StateDiagram
              {...one}
              type={fields.type}
              isFinal={isFinal}
              taken={findTaken(field)}
              onReach={(to) => showReach({ collection, uid }, field, to)}
            />
          </div>
        </div>
      ))}
      <p className="meta">Highlighted: current · bold: taken · solid: possible next · dashed: not possible now</p>
    </Row>
  )
}

interface DecisionResult {
  readonly move: string
  readonly operation: number | null
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

function diffFields(collection: CollectionName, before: Fields, after: Fields): DecisionResult['changes'] {
  const values = new Map(listFields(collection, before).map(({ name, value }) => [name, value]))
  return listFields(collection, after).flatMap(({ name, value }) => {
    const from = values.get(name) ?? null
    const to = value ?? null
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: name, from, to }]
  })
}

const MAX_CHANGES = 4

function Result({ result: { move, operation, changes } }: { result: DecisionResult }) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each decision takes away the button that had the focus.
  useEffect(() => {
    if (box.current?.closest('section')?.contains(document.activeElement)) box.current.focus()
  }, [operation])
  return (
    <Stack
      ref={box}
      tabIndex={-1}
      gap={4}
      pad="8 16"
      text="data"
      line="top"
      className="wrap"
      style={{ boxShadow: 'inset 3px 0 var(--accent)' }}
      data-decision-result
    >
      <p role="status">
        <b>{capitalize(move)}</b>: done in commit {formatCount(operation ?? 0)}.
      </p>
      <ul>
        {changes.slice(0, MAX_CHANGES).map((change) => (
          <li key={change.field}>
            <FieldChange {...change} />
          </li>
        ))}
        {changes.length > MAX_CHANGES && <li className="faint">and {changes.length - MAX_CHANGES} more fields</li>}
        {changes.length === 0 && <li className="faint">No field of this record changed. See its related records.</li>}
      </ul>
      <Undo key={operation} operation={operation} what={`the decision ${move}`} />
    </Stack>
  )
}
