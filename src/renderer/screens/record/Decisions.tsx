import { capitalize, type DecisionInputs, DecisionList, isWaiting } from '../../components/decisions/DecisionList.tsx'
import { BranchAndCompare } from '../../components/Fork.tsx'
import { listFields } from '../../components/fields/list-fields.ts'
import { ALL_COLLECTIONS, type Fields } from '../../components/fields/use-record.ts'
import { Undo } from '../../components/Undo.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { useKeptChange } from '../../data/kept-changes.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount } from '../../format/numbers.ts'
import { Caption } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import styles from './Decisions.module.css'
import { FieldChange } from './FieldChange.tsx'

interface DecisionsProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: Fields
}

interface DecisionResult {
  readonly move: string
  readonly seq: number
  readonly before: number
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

/** What a bank, a network or a compliance officer can decide about the record; for what is not possible now, the reason. */
export function Decisions({ collection, uid, fields }: DecisionsProps) {
  const { data, error, slow } = useQuery('moves.list', { collection, uid }, ALL_COLLECTIONS)
  const [result, setResult] = useKeptChange<DecisionResult>(`decision ${uid}`)
  const decide = async (move: string, inputs: DecisionInputs) => {
    const { seq: before } = await sandbox['world.describe']({})
    const after = await sandbox['moves.make']({ collection, uid, move, inputs })
    const { seq } = await sandbox['world.describe']({})
    const commit = await findCommit(collection, uid, fields, move, before)
    setResult({
      move,
      seq: commit ?? seq,
      before: commit === null ? before : commit - 1,
      changes: diffFields(collection, fields, after),
    })
  }
  return (
    <section aria-label="Operator decisions">
      <Caption>
        <h2>Operator decisions</h2>
        {data?.moves.some(({ legal }) => legal) && (
          <span className="end">
            <BranchAndCompare collection={collection} uid={uid} />
          </span>
        )}
      </Caption>
      {result && <Result result={result} />}
      {error !== undefined && !data && <Notice title="The decisions could not be read." error={error} />}
      {!data && slow && <Skeleton rows={3} />}
      {data && (
        <DecisionList
          moves={data.moves}
          isWaiting={isWaiting(fields)}
          none={`There are no decisions about a ${collections[collection].one}.`}
          onDecide={decide}
        />
      )}
    </section>
  )
}

/** Finds the commit of a decision: tasks may have run meanwhile, and Undo must not revert those. */
async function findCommit(collection: CollectionName, uid: string, fields: Fields, move: string, after: number) {
  const subjects: (readonly [CollectionName, unknown])[] = [
    [collection, uid],
    ['transactions', (fields.transaction_uids as string[] | undefined)?.[0] ?? fields.return_transaction_uid],
  ]
  for (const [kind, subject] of subjects) {
    if (typeof subject !== 'string') continue
    const { commits } = await sandbox['records.history']({ collection: kind, uid: subject, limit: 10 })
    const commit = commits.find(({ seq, cause }) => seq > after && cause.decision === move)
    if (commit) return commit.seq
  }
  return null
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

function Result({ result: { move, seq, before, changes } }: { result: DecisionResult }) {
  return (
    <div className={styles.result} data-decision-result>
      <p role="status">
        <b>{capitalize(move)}</b>: done in commit {formatCount(seq)}.
      </p>
      <ul>
        {changes.slice(0, MAX_CHANGES).map(({ field, from, to }) => (
          <li key={field}>
            <FieldChange field={field} from={from} to={to} />
          </li>
        ))}
        {changes.length > MAX_CHANGES && <li className="faint">and {changes.length - MAX_CHANGES} more fields</li>}
        {changes.length === 0 && <li className="faint">No field of this record changed. See its related records.</li>}
      </ul>
      <Undo key={seq} before={before} seq={seq} what={`the decision ${move}`} />
    </div>
  )
}
