import { operationOf } from '../../../api/contract/control/client.ts'
import { type DecisionInputs, DecisionList, isWaiting } from '../../components/decisions/DecisionList.tsx'
import { BranchAndCompare } from '../../components/Fork.tsx'
import { listFields } from '../../components/fields/list-fields.ts'
import { ALL_COLLECTIONS, type Fields, type LoadedRecordProps } from '../../components/fields/use-record.ts'
import { capitalize } from '../../components/Unavailable.tsx'
import { Undo } from '../../components/Undo.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { useLastChange } from '../../data/last-change.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount } from '../../format/numbers.ts'
import { Stack } from '../../ui/Box.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { FieldChange } from './FieldChange.tsx'

interface DecisionResult {
  readonly move: string
  readonly operation: number | null
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

/** What a bank, a network or a compliance officer can decide about the record; for what is not possible now, the reason. */
export function Decisions({ collection, uid, fields }: LoadedRecordProps) {
  const query = useQuery('moves.list', { collection, uid }, ALL_COLLECTIONS)
  const [result, setResult] = useLastChange<DecisionResult>(`decision ${uid}`)
  const decide = async (move: string, inputs: DecisionInputs) => {
    const after = await sandbox['moves.make']({ collection, uid, move, inputs })
    setResult({ move, operation: operationOf(after), changes: diffFields(collection, fields, after) })
  }
  return (
    <Section
      title="Operator decisions"
      end={query.data?.moves.some(({ legal }) => legal) && <BranchAndCompare collection={collection} uid={uid} />}
    >
      {result && <Result result={result} />}
      <Loaded query={query} failure="The decisions could not be read." rows={3}>
        {({ moves }) => (
          <DecisionList
            moves={moves}
            isWaiting={isWaiting(fields)}
            none={`There are no decisions about a ${collections[collection].one}.`}
            onDecide={decide}
          />
        )}
      </Loaded>
    </Section>
  )
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
  return (
    <Stack
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
