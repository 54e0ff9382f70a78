import { useId, useState } from 'react'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { objectShape, plainShape } from '../../../api/contract/shape.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { submitting, useAction } from '../../data/sandbox.ts'
import type { Call } from '../../data/trying.ts'
import { failureTitle } from '../../format/text.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Stack } from '../../ui/Layout.tsx'
import { EmptyLine, Notice } from '../../ui/Notice.tsx'
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
  /** The same in a copy of the world. */
  readonly tries?: (move: string, inputs: DecisionInputs) => readonly Call[]
}

/** The decisions about a record as buttons; for what is not possible now, the reason. */
export function DecisionList({ moves, isWaiting, none, onDecide, tries }: DecisionListProps) {
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
            tries={tries}
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

const LINE = { columns: '128px minmax(0, 1fr) auto', gap: '4 12', least: 36, style: { padding: '5px 16px' } } as const

const WHOLE = { width: '100%', height: 'auto', minHeight: 24, whiteSpace: 'normal' } as const

interface DecisionLineProps extends Pick<DecisionListProps, 'onDecide'> {
  readonly tries: DecisionListProps['tries']
  readonly move: LegalMove
  readonly isSuggested: boolean
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

function DecisionLine({ move, isSuggested, open, onOpen, onDecide, tries }: DecisionLineProps) {
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
        style={WHOLE}
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
      {tries && !hasInputs && <TryIt what={labelOf(move)} small bare calls={() => tries(name, {})} />}
      {open && <DecisionForm move={move} busy={isBusy} onDecide={run} onClose={() => show(false)} tries={tries} />}
      {error !== undefined && (
        <div className={styles.wide}>
          <Notice title={failureTitle(capitalize(name), error)} error={error} />
        </div>
      )}
    </Stack>
  )
}

interface DecisionFormProps {
  readonly move: LegalMove
  readonly busy: boolean
  readonly onDecide: (inputs: DecisionInputs) => Promise<void>
  readonly onClose: () => void
  readonly tries: DecisionListProps['tries']
}

const focusFirst = (form: HTMLElement | null) => form?.querySelector<HTMLElement>('input, select, textarea')?.focus()

function DecisionForm({ move: { move, inputs }, busy, onDecide, onClose, tries }: DecisionFormProps) {
  const [values, setValues] = useState<JsonObject>({})
  const [submitted, setSubmitted] = useState(false)
  const id = useId()
  const shape = objectShape(
    inputs.map(({ name, required, values: options }) => ({
      name,
      required,
      // The form shows the description as the note of the field.
      shape: { ...plainShape(options ?? undefined), schema: { description: required ? 'required' : 'optional' } },
    })),
  )
  const missing = inputs.filter(({ name, required }) => required && String(values[name] ?? '').trim() === '')
  const problems = missing.map(({ name, values: options }): [string, string] => [
    name,
    `${name} is missing: ${options ? 'choose one' : 'a text is expected'}.`,
  ])
  const isReady = () => {
    setSubmitted(true)
    return missing.length === 0
  }
  const submit = () => isReady() && onDecide(values as DecisionInputs)
  return (
    <Stack
      as="form"
      ref={focusFirst}
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
      <SchemaForm
        id={id}
        stacked
        shape={shape}
        value={values}
        onChange={setValues}
        problems={new Map(submitted ? problems : [])}
      />
      <span className="row" data-tight>
        <Button type="submit" primary aria-disabled={busy}>
          {busy ? 'Applying…' : capitalize(move)}
        </Button>
        {tries && (
          <TryIt what={capitalize(move)} calls={() => (isReady() ? tries(move, values as DecisionInputs) : null)} />
        )}
        <Button onClick={onClose}>Cancel</Button>
      </span>
    </Stack>
  )
}
