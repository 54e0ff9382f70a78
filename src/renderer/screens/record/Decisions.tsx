import { useId, useState } from 'react'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { Status, statusGlyphs } from '../../components/Status.tsx'
import { Undo } from '../../components/Undo.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount } from '../../format/numbers.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields as FormFields, FormRow } from '../../forms/FormRow.tsx'
import { plainShape } from '../../forms/shape.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Decisions.module.css'
import { FieldChange } from './FieldChange.tsx'
import { listFields } from './list-fields.ts'
import { ALL_COLLECTIONS, type Fields, textField } from './use-record.ts'

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
  const [opened, setOpened] = useState<string | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<{ move: string; error: unknown } | null>(null)
  const [result, setResult] = useState<DecisionResult | null>(null)
  const decide = async (move: string, inputs: Readonly<Record<string, string>>) => {
    if (busy !== null) return
    setBusy(move)
    setFailure(null)
    try {
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
      setOpened(null)
    } catch (error) {
      setFailure({ move, error })
    } finally {
      setBusy(null)
    }
  }
  const moves = data?.moves ?? []
  const legal = moves.filter((move) => move.legal)
  const isWaiting = statusGlyphs[textField(fields, 'status') ?? ''] === 'decide'
  const suggested = legal.find(({ to }) => statusGlyphs[to] === 'done') ?? legal[0]
  return (
    <section aria-label="Operator decisions">
      <Caption>
        <h2>Operator decisions</h2>
      </Caption>
      {result && <Result result={result} />}
      {error !== undefined && !data && <Notice title="The decisions could not be read." error={error} />}
      {!data && slow && <Skeleton rows={3} />}
      <ul className={styles.list}>
        {data && moves.length === 0 && (
          <li className={`soft ${styles.none}`}>There are no decisions about a {collections[collection].one}.</li>
        )}
        {legal.map((move) => (
          <DecisionLine
            key={move.move}
            move={move}
            isSuggested={isWaiting && opened === null && move === suggested}
            open={opened === move.move}
            busy={busy === move.move}
            error={failure?.move === move.move ? failure.error : undefined}
            onOpen={(open) => {
              setFailure(null)
              setOpened(open ? move.move : null)
            }}
            onDecide={(inputs) => void decide(move.move, inputs)}
          />
        ))}
        {groupByReason(moves).map(([reason, unavailable]) => (
          <UnavailableDecisions key={reason} reason={reason} moves={unavailable} />
        ))}
      </ul>
    </section>
  )
}

function groupByReason(moves: readonly LegalMove[]): [reason: string, moves: LegalMove[]][] {
  const groups = new Map<string, LegalMove[]>()
  for (const move of moves.filter(({ legal }) => !legal)) {
    const reason = move.why_not ?? 'not now'
    groups.set(reason, [...(groups.get(reason) ?? []), move])
  }
  return [...groups]
}

/** The decisions that are not possible now for one reason, as disabled buttons. */
function UnavailableDecisions({ reason, moves }: { reason: string; moves: readonly LegalMove[] }) {
  const described = useId()
  return (
    <li className={styles.illegal}>
      <span className={styles.buttons}>
        {moves.map(({ move, inputs }) => (
          <Button key={move} small aria-disabled="true" aria-describedby={described} title={reason}>
            {capitalize(move)}
            {inputs.length > 0 ? '…' : ''}
          </Button>
        ))}
      </span>
      <Text className="wrap">{reason}</Text>
      <span id={described} className="unseen">
        not now: {reason}
      </span>
    </li>
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

const capitalize = (move: string) => `${move.slice(0, 1).toUpperCase()}${move.slice(1)}`

interface DecisionLineProps {
  readonly move: LegalMove
  readonly isSuggested: boolean
  readonly open: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onOpen: (open: boolean) => void
  readonly onDecide: (inputs: Readonly<Record<string, string>>) => void
}

function DecisionLine({ move, isSuggested, open, busy, error, onOpen, onDecide }: DecisionLineProps) {
  const { move: name, to, inputs } = move
  const described = useId()
  const hasInputs = inputs.length > 0
  const press = () => {
    if (busy) return
    if (hasInputs) onOpen(!open)
    else onDecide({})
  }
  return (
    <li>
      <Button
        primary={isSuggested}
        aria-disabled={busy}
        aria-expanded={hasInputs ? open : undefined}
        aria-describedby={described}
        onClick={press}
      >
        <span className="cut">
          {capitalize(name)}
          {hasInputs ? '…' : ''}
        </span>
      </Button>
      <span id={described} className="wrap">
        <span className={styles.before}>changes to</span> {to in statusGlyphs ? <Status word={to} breaks /> : to}
        {hasInputs && <span className="meta hint">inputs: {inputs.map((input) => input.name).join(', ')}</span>}
      </span>
      {open && <DecisionForm move={move} busy={busy} onDecide={onDecide} onClose={() => onOpen(false)} />}
      {error !== undefined && <Notice title={`${capitalize(name)} was refused.`} error={error} />}
    </li>
  )
}

type DecisionInput = LegalMove['inputs'][number]

interface DecisionFormProps {
  readonly move: LegalMove
  readonly busy: boolean
  readonly onDecide: (inputs: Readonly<Record<string, string>>) => void
  readonly onClose: () => void
}

function DecisionForm({ move: { move, inputs }, busy, onDecide, onClose }: DecisionFormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [submitted, setSubmitted] = useState(false)
  const prefix = useId()
  const isMissing = ({ name, required }: DecisionInput) => required && (values[name] ?? '').trim() === ''
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!inputs.some(isMissing)) onDecide(values)
  }
  return (
    <form
      className={styles.form}
      aria-label={capitalize(move)}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <FormFields stacked>
        {inputs.map((input, at) => (
          <DecisionField
            key={input.name}
            id={prefix + input.name}
            input={input}
            value={values[input.name]}
            missing={submitted && isMissing(input)}
            autoFocus={at === 0}
            onChange={(value) => {
              const { [input.name]: _, ...others } = values
              setValues(value === undefined ? others : { ...others, [input.name]: value })
            }}
          />
        ))}
      </FormFields>
      <span className="row" data-tight>
        <Button type="submit" primary aria-disabled={busy}>
          {busy ? 'Applying…' : capitalize(move)}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </span>
    </form>
  )
}

interface DecisionFieldProps {
  readonly id: string
  readonly input: DecisionInput
  readonly value: string | undefined
  readonly missing: boolean
  readonly autoFocus: boolean
  readonly onChange: (value: string | undefined) => void
}

function DecisionField({ id, input: { name, required, values }, missing, onChange, ...field }: DecisionFieldProps) {
  const noteId = `${id}?`
  return (
    <FormRow
      label={
        <label htmlFor={id}>
          {name} <span className="faint">{required ? 'required' : 'optional'}</span>
        </label>
      }
      invalid={missing}
      note={
        <FieldNote
          id={noteId}
          problem={missing ? `${name} is missing: ${values ? 'choose one' : 'a text is expected'}.` : undefined}
        />
      }
    >
      <FieldInput
        id={id}
        shape={plainShape(values ?? undefined)}
        required={required}
        invalid={missing}
        describedBy={noteId}
        onChange={(value) => onChange(value as string | undefined)}
        {...field}
      />
    </FormRow>
  )
}
