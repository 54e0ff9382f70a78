import { useId, useState } from 'react'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { failureTitle } from '../../format/errors.ts'
import { FieldInput } from '../../forms/FieldInput.tsx'
import { FieldNote, Fields as FormFields, FormRow } from '../../forms/FormRow.tsx'
import { plainShape } from '../../forms/shape.ts'
import { Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyLine } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Status, statusGlyphs } from '../Status.tsx'
import { capitalize, Unavailable } from '../Unavailable.tsx'
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
            onOpen={(open) => setOpened(open ? move.move : null)}
            onDecide={onDecide}
          />
        ))}
        {legal.length < moves.length && (
          <Stack as="li" pad="6 16" least={32} text="data" tone="faint" line="top">
            <Unavailable
              name="unavailable-decisions"
              choices={moves
                .filter((move) => !move.legal)
                .map((move) => ({ name: move.move, label: labelOf(move), reason: move.why_not ?? 'not now' }))}
            />
          </Stack>
        )}
      </ul>
    </>
  )
}

export const isWaiting = ({ status }: Readonly<Record<string, unknown>>) =>
  typeof status === 'string' && statusGlyphs[status] === 'decide'

const labelOf = ({ move, inputs }: LegalMove) => `${capitalize(move)}${inputs.length > 0 ? '…' : ''}`

const LINE = { columns: '128px minmax(0, 1fr)', gap: '4 12', least: 36, style: { padding: '5px 16px' } } as const

interface DecisionLineProps extends Pick<DecisionListProps, 'onDecide'> {
  readonly move: LegalMove
  readonly isSuggested: boolean
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

function DecisionLine({ move, isSuggested, open, onOpen, onDecide }: DecisionLineProps) {
  const { move: name, to, inputs } = move
  const described = useId()
  const { run, isBusy, error, reset } = useAction(async (values: DecisionInputs) => {
    await onDecide(name, values)
    onOpen(false)
  })
  const hasInputs = inputs.length > 0
  const show = (isOpen: boolean) => {
    reset()
    onOpen(isOpen)
  }
  return (
    <Stack as="li" align="center" text="data" tone="soft" line="top" {...LINE}>
      <Button
        className={styles.decision}
        primary={isSuggested}
        aria-disabled={isBusy}
        aria-expanded={hasInputs ? open : undefined}
        aria-describedby={described}
        onClick={() => (hasInputs ? show(!open) : void run({}))}
      >
        {labelOf(move)}
      </Button>
      <span id={described} className="wrap">
        changes to {to in statusGlyphs ? <Status word={to} breaks /> : to}
        {hasInputs && <span className="meta hint">inputs: {inputs.map((input) => input.name).join(', ')}</span>}
      </span>
      {open && <DecisionForm move={move} busy={isBusy} onDecide={run} onClose={() => show(false)} />}
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
  readonly onDecide: (inputs: DecisionInputs) => Promise<void>
  readonly onClose: () => void
}

function DecisionForm({ move: { move, inputs }, busy, onDecide, onClose }: DecisionFormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [submitted, setSubmitted] = useState(false)
  const prefix = useId()
  const isMissing = ({ name, required }: DecisionInput) => required && (values[name] ?? '').trim() === ''
  const submit = () => {
    setSubmitted(true)
    return inputs.some(isMissing) || onDecide(values)
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
