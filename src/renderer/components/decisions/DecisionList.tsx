import { useId, useState } from 'react'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { failureTitle } from '../../format/errors.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields as FormFields, FormRow } from '../../forms/FormRow.tsx'
import { plainShape } from '../../forms/shape.ts'
import { Button } from '../../ui/Button.tsx'
import { Folded } from '../../ui/Folded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { Status, statusGlyphs } from '../Status.tsx'
import styles from './DecisionList.module.css'

export type DecisionInputs = Readonly<Record<string, string>>

interface DecisionListProps {
  readonly moves: readonly LegalMove[]
  /** The record waits for a decision: suggest one. */
  readonly isWaiting: boolean
  /** Shown if the record has no decisions at all. */
  readonly none: string
  /** Rejects with the error of the sandbox. */
  readonly onDecide: (move: string, inputs: DecisionInputs) => Promise<void>
}

/** The decisions about a record as buttons; for what is not possible now, the reason. */
export function DecisionList({ moves, isWaiting, none, onDecide }: DecisionListProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<{ move: string; error: unknown } | null>(null)
  const decide = async (move: string, inputs: DecisionInputs) => {
    if (busy !== null) return
    setBusy(move)
    setFailure(null)
    try {
      await onDecide(move, inputs)
      setOpened(null)
    } catch (error) {
      setFailure({ move, error })
    } finally {
      setBusy(null)
    }
  }
  const legal = moves.filter((move) => move.legal)
  const suggested = legal.find(({ to }) => statusGlyphs[to] === 'done') ?? legal[0]
  return (
    <ul className={styles.list}>
      {moves.length === 0 && <li className={`soft ${styles.none}`}>{none}</li>}
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
      <UnavailableDecisions moves={moves.filter((move) => !move.legal)} />
    </ul>
  )
}

export const isWaiting = ({ status }: Readonly<Record<string, unknown>>) =>
  typeof status === 'string' && statusGlyphs[status] === 'decide'

export const capitalize = (move: string) => `${move.slice(0, 1).toUpperCase()}${move.slice(1)}`

function groupByReason(moves: readonly LegalMove[]): [reason: string, moves: LegalMove[]][] {
  const groups = new Map<string, LegalMove[]>()
  for (const move of moves.filter(({ legal }) => !legal)) {
    const reason = move.why_not ?? 'not now'
    groups.set(reason, [...(groups.get(reason) ?? []), move])
  }
  return [...groups]
}

/** The decisions that are not possible now, behind one line that says why: disabled buttons by reason. */
function UnavailableDecisions({ moves }: { moves: readonly LegalMove[] }) {
  const prefix = useId()
  const groups = groupByReason(moves)
  if (groups.length === 0) return null
  const summary = `Not now: ${moves.map(({ move }) => move).join(', ')}. ${capitalize(groups[0]![0])}`
  return (
    <li className={styles.illegal}>
      <Folded
        name="unavailable-decisions"
        summary={
          <span className="cut" title={summary}>
            {summary}
          </span>
        }
      >
        {groups.map(([reason, unavailable], at) => (
          <div key={reason}>
            <span className={styles.buttons}>
              {unavailable.map(({ move, inputs }) => (
                <Button key={move} small aria-disabled="true" aria-describedby={`${prefix}${at}`} title={reason}>
                  {capitalize(move)}
                  {inputs.length > 0 ? '…' : ''}
                </Button>
              ))}
            </span>
            <Text className="wrap">{reason}</Text>
            <span id={`${prefix}${at}`} className="unseen">
              not now: {reason}
            </span>
          </div>
        ))}
      </Folded>
    </li>
  )
}

interface DecisionLineProps {
  readonly move: LegalMove
  readonly isSuggested: boolean
  readonly open: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onOpen: (open: boolean) => void
  readonly onDecide: (inputs: DecisionInputs) => void
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
      {error !== undefined && <Notice title={failureTitle(capitalize(name), error)} error={error} />}
    </li>
  )
}

type DecisionInput = LegalMove['inputs'][number]

interface DecisionFormProps {
  readonly move: LegalMove
  readonly busy: boolean
  readonly onDecide: (inputs: DecisionInputs) => void
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
