import { useId, useState } from 'react'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { failureTitle } from '../../format/errors.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields as FormFields, FormRow } from '../../forms/FormRow.tsx'
import { plainShape } from '../../forms/shape.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyLine } from '../../ui/EmptyState.tsx'
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
  const [chosen, setChosen] = useState<string | null>(null)
  const { run, isBusy, error, reset } = useAction(async (move: string, inputs: DecisionInputs) => {
    await onDecide(move, inputs)
    setOpened(null)
  })
  const legal = moves.filter((move) => move.legal)
  const suggested = legal.find(({ to }) => statusGlyphs[to] === 'done') ?? legal[0]
  return (
    <>
      {moves.length === 0 && <EmptyLine>{none}</EmptyLine>}
      <ul>
        {legal.map((move) => (
          <DecisionLine
            key={move.move}
            move={move}
            isSuggested={isWaiting && opened === null && move === suggested}
            open={opened === move.move}
            busy={isBusy && chosen === move.move}
            error={chosen === move.move ? error : undefined}
            onOpen={(open) => {
              reset()
              setOpened(open ? move.move : null)
            }}
            onDecide={(inputs) => {
              setChosen(move.move)
              void run(move.move, inputs)
            }}
          />
        ))}
        <UnavailableDecisions moves={moves.filter((move) => !move.legal)} />
      </ul>
    </>
  )
}

export const isWaiting = ({ status }: Readonly<Record<string, unknown>>) =>
  typeof status === 'string' && statusGlyphs[status] === 'decide'

export const capitalize = (move: string) => `${move.slice(0, 1).toUpperCase()}${move.slice(1)}`

const reasonOf = ({ why_not }: LegalMove) => why_not ?? 'not now'

/** The decisions that are not possible now, behind one line that says why: disabled buttons by reason. */
function UnavailableDecisions({ moves }: { moves: readonly LegalMove[] }) {
  const prefix = useId()
  const reasons = [...new Set(moves.map(reasonOf))]
  if (reasons.length === 0) return null
  const summary = `Not now: ${moves.map(({ move }) => move).join(', ')}. ${capitalize(reasons[0]!)}`
  return (
    <Row as="li" pad="6 16" least={32} text="data" tone="faint" line="top">
      <Folded
        name="unavailable-decisions"
        summary={
          <span className="cut" title={summary}>
            {summary}
          </span>
        }
      >
        {reasons.map((reason, at) => (
          <div key={reason}>
            <Row as="span" wraps gap={4}>
              {moves
                .filter((move) => reasonOf(move) === reason)
                .map(({ move, inputs }) => (
                  <Button key={move} small aria-disabled="true" aria-describedby={`${prefix}${at}`} title={reason}>
                    {capitalize(move)}
                    {inputs.length > 0 ? '…' : ''}
                  </Button>
                ))}
            </Row>
            <Text className="wrap">{reason}</Text>
            <span id={`${prefix}${at}`} className="unseen">
              not now: {reason}
            </span>
          </div>
        ))}
      </Folded>
    </Row>
  )
}

const LINE = { columns: '128px minmax(0, 1fr)', gap: '4 12', least: 36, style: { padding: '5px 16px' } } as const

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
    <Stack as="li" align="center" text="data" tone="soft" line="top" {...LINE}>
      <Button
        className={styles.decision}
        primary={isSuggested}
        aria-disabled={busy}
        aria-expanded={hasInputs ? open : undefined}
        aria-describedby={described}
        onClick={press}
      >
        {capitalize(name)}
        {hasInputs ? '…' : ''}
      </Button>
      <span id={described} className="wrap">
        changes to {to in statusGlyphs ? <Status word={to} breaks /> : to}
        {hasInputs && <span className="meta hint">inputs: {inputs.map((input) => input.name).join(', ')}</span>}
      </span>
      {open && <DecisionForm move={move} busy={busy} onDecide={onDecide} onClose={() => onOpen(false)} />}
      {error !== undefined && (
        <div className={styles.wide}>
          <Notice title={failureTitle(capitalize(name), error)} error={error} />
        </div>
      )}
    </Stack>
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
  const submit = () => {
    setSubmitted(true)
    if (!inputs.some(isMissing)) onDecide(values)
  }
  return (
    <Stack
      as="form"
      gap={8}
      style={{ gridColumn: '1 / -1', padding: '4px 0 8px' }}
      aria-label={capitalize(move)}
      onSubmit={submitting(submit)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <FormFields stacked>
        {inputs.map((input, at) => {
          const { name, required, values: options } = input
          const id = prefix + name
          const missing = submitted && isMissing(input)
          return (
            <FormRow
              key={name}
              label={
                <label htmlFor={id}>
                  {name} <span className="faint">{required ? 'required' : 'optional'}</span>
                </label>
              }
              invalid={missing}
              note={
                <FieldNote
                  id={`${id}?`}
                  problem={
                    missing ? `${name} is missing: ${options ? 'choose one' : 'a text is expected'}.` : undefined
                  }
                />
              }
            >
              <FieldInput
                id={id}
                shape={plainShape(options ?? undefined)}
                value={values[name]}
                required={required}
                invalid={missing}
                describedBy={`${id}?`}
                autoFocus={at === 0}
                onChange={(value) => {
                  const { [name]: _, ...others } = values
                  setValues(value === undefined ? others : { ...others, [name]: value as string })
                }}
              />
            </FormRow>
          )
        })}
      </FormFields>
      <span className="row" data-tight>
        <Button type="submit" primary aria-disabled={busy}>
          {busy ? 'Applying…' : capitalize(move)}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </span>
    </Stack>
  )
}
