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
import { Row, Stack } from '../../ui/Layout.tsx'
import { EmptyLine, Notice } from '../../ui/Notice.tsx'
import { Glyph, Text } from '../../ui/Text.tsx'
import { statusGlyphs } from '../Status.tsx'
import { capitalize } from '../Unavailable.tsx'

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
  /** Looks for the steps to a state that is not possible now. */
  readonly onReach?: ((state: string) => void) | undefined
}

/** The states that a decision leads to, as buttons: dashed what is not possible now, which says why not. */
export function DecisionList({ moves, isWaiting, none, onDecide, tries, onReach }: DecisionListProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const { run, isBusy, error, reset } = useAction(async (move: string, inputs: DecisionInputs) => {
    setOpened(move)
    await onDecide(move, inputs)
    setOpened(null)
  })
  const prefix = useId()
  const legal = moves.filter((move) => move.legal)
  const suggested = legal.find(({ to }) => statusGlyphs[to] === 'done') ?? legal[0]
  const shown = moves.find(({ move }) => move === opened)
  const show = (move: string | null) => {
    reset()
    setOpened(move)
  }
  const press = ({ move, legal: isLegal, inputs }: LegalMove) =>
    isLegal && inputs.length === 0 ? void run(move, {}) : show(move === opened ? null : move)
  if (moves.length === 0) return <EmptyLine>{none}</EmptyLine>
  return (
    <Stack gap={6} pad="2 16 8">
      <Row as="ul" wraps gap={4}>
        {[...legal, ...moves.filter((move) => !move.legal)].map((move) => (
          <li key={move.move}>
            <Button
              primary={isWaiting && opened === null && move === suggested}
              style={move.legal ? undefined : IMPOSSIBLE}
              aria-disabled={isBusy || undefined}
              aria-expanded={move.legal && move.inputs.length === 0 ? undefined : move === shown}
              aria-describedby={`${prefix}${move.move}`}
              title={move.legal ? undefined : reasonOf(move)}
              onClick={() => press(move)}
            >
              {labelOf(move)}
              <span className="row" data-tight style={{ fontWeight: 400 }} aria-hidden="true">
                {statusGlyphs[move.to] && <Glyph name={statusGlyphs[move.to]!} />} {move.to}
              </span>
            </Button>
            <span id={`${prefix}${move.move}`} className="unseen">
              changes to {move.to}. {move.legal ? '' : reasonOf(move)}
            </span>
            {tries && move.legal && move.inputs.length === 0 && (
              <TryIt what={labelOf(move)} small bare calls={() => tries(move.move, {})} />
            )}
          </li>
        ))}
      </Row>
      {shown && !shown.legal && <NotPossible move={shown} onReach={onReach} />}
      {shown?.legal && shown.inputs.length > 0 && (
        <DecisionForm
          key={shown.move}
          move={shown}
          busy={isBusy}
          onDecide={(inputs) => run(shown.move, inputs)}
          onClose={() => show(null)}
          tries={tries}
        />
      )}
      {error !== undefined && shown && <Notice title={failureTitle(capitalize(shown.move), error)} error={error} />}
    </Stack>
  )
}

const IMPOSSIBLE = { borderStyle: 'dashed', background: 'none', color: 'var(--ink-2)', fontWeight: 400 } as const

const reasonOf = ({ why_not }: LegalMove) => `Not possible now: ${why_not ?? 'no reason is known'}`

type NotPossibleProps = Pick<DecisionListProps, 'onReach'> & { readonly move: LegalMove }

/** Why a state cannot follow now, and how to come to it. */
const NotPossible = ({ move, onReach }: NotPossibleProps) => (
  <Row wraps gap={8} text="data" role="status" data-not-possible={move.move}>
    <b>{capitalize(move.move)}</b>
    <Text className="wrap">{reasonOf(move)}</Text>
    {onReach && (
      <Button small onClick={() => onReach(move.to)}>
        Reach {move.to}
      </Button>
    )}
  </Row>
)

export const isWaiting = ({ status }: Readonly<Record<string, unknown>>) =>
  typeof status === 'string' && statusGlyphs[status] === 'decide'

const labelOf = ({ move, inputs }: LegalMove) => `${capitalize(move)}${inputs.length > 0 ? '…' : ''}`

interface DecisionFormProps {
  readonly move: LegalMove
  readonly busy: boolean
  readonly onDecide: (inputs: DecisionInputs) => unknown
  readonly onClose: () => void
  readonly tries?: DecisionListProps['tries']
}

const focusFirst = (form: HTMLElement | null) => form?.querySelector<HTMLElement>('input, select, textarea')?.focus()

export function DecisionForm({ move: { move, inputs }, busy, onDecide, onClose, tries }: DecisionFormProps) {
  // Of the codes that the platform asks for, the first one.
  const [values, setValues] = useState<JsonObject>(() =>
    Object.fromEntries(
      inputs.flatMap(({ name, required, values: [first] = [] }) => (required && first ? [[name, first]] : [])),
    ),
  )
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
      style={{ maxWidth: 480 }}
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
