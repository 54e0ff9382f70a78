import { useMemo, useState } from 'react'
import { type ScenarioInfo, ScenarioName, type ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { LIBRARY_SCHEMA_LINE, SCHEMA_LINE } from '../../../api/contract/scenarios.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, submitting, useAction, useQuery } from '../../data/sandbox.ts'
import { errorText } from '../../format/text.ts'
import { Button, PlainButton } from '../../ui/Button.tsx'
import { CodeEditor, type Mark } from '../../ui/CodeEditor.tsx'
import { OneField } from '../../ui/Field.tsx'
import { Actions } from '../../ui/Layout.tsx'
import { IssueList, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Confirm, Popover, PopoverForm } from '../../ui/Popover.tsx'
import { Glyph, Text } from '../../ui/Text.tsx'
import { forgetRun, parseErrors, SAVE_FAILED, saveScenario, setDraft, useDrafts } from './runner.ts'

interface TextPaneProps {
  readonly info: ScenarioInfo
  /** The names of the user's scenarios. */
  readonly names: readonly string[]
  /** The run of the text that is shown. */
  readonly run: ScenarioRun | undefined
  readonly goTo: { readonly line: number; readonly column: number } | null
}

/** The file of a scenario. Those of the user can be edited, those of the library copied. */
export function TextPane({ info, names, run, goTo }: TextPaneProps) {
  const { name, own, trouble } = info
  const { data, error, slow } = useQuery('scenarios.read', { name }, ['scenarios'])
  const draft = useDrafts(({ texts }) => texts[name])
  const [position, setPosition] = useState<Mark | null>(null)
  const errors = useMemo(() => parseErrors(trouble), [trouble])
  const failed = useMemo(() => findFailedLine(run), [run])
  const text = draft ?? data?.text
  const go = useRoute((view) => view.go)

  const saving = useAction(async (changed: string) => {
    await saveScenario(name, changed)
    setDraft(name, null)
  })
  const removal = useAction(async () => {
    await sandbox['scenarios.delete']({ name })
    setDraft(name, null)
    forgetRun(name)
    go({ screen: 'scenarios' })
  })
  const saveDraft = () => draft !== undefined && void saving.run(draft)
  if (text === undefined)
    return error === undefined ? slow && <Skeleton /> : <Notice title={`${name} could not be read.`} error={error} />
  return (
    <>
      <Actions style={{ padding: '6px 16px' }}>
        {own && (
          <Button whyNot={draft === undefined ? 'No changes to save.' : undefined} title="Ctrl S" onClick={saveDraft}>
            Save
          </Button>
        )}
        <SaveAs
          label={own ? 'Save as…' : 'Copy to your scenarios…'}
          suggested={names.includes(name) ? `${name}-2` : own ? name : `my-${name}`}
          taken={names}
          text={text}
          onSaved={(to) => {
            if (own && to !== name) setDraft(name, null)
            go({ screen: 'scenarios', record: to })
          }}
        />
        {own && draft !== undefined && <Button onClick={() => setDraft(name, null)}>Discard changes</Button>}
        {own && (
          <Confirm label="Delete…" title={`Delete “${name}”?`} action="Delete" onConfirm={() => void removal.run()}>
            Deletes the file. This cannot be undone.
          </Confirm>
        )}
        <span className="meta end" role="status" style={{ lineHeight: '24px' }}>
          {!own ? 'library scenario, read-only' : draft === undefined ? 'saved' : 'unsaved changes'}
        </span>
      </Actions>
      {saving.error !== undefined && <Notice title={SAVE_FAILED} error={saving.error} />}
      {removal.error !== undefined && <Notice title="The scenario could not be deleted." error={removal.error} />}
      {errors.length > 0 && (
        <ErrorList errors={errors} name={name} onOpen={setPosition} isOutdated={draft !== undefined} />
      )}
      <CodeEditor
        label={`Text of ${name}`}
        value={text}
        onChange={own ? (to) => setDraft(name, to === data?.text ? null : to) : undefined}
        onSave={saveDraft}
        marks={draft !== undefined ? [] : errors.length > 0 ? errors : failed}
        isInvalid={draft === undefined && errors.length > 0}
        goTo={position ?? goTo}
      />
    </>
  )
}

/** The line of the failed step, unless the step is of the scenario named in `given`. */
function findFailedLine(run: ScenarioRun | undefined): Mark[] {
  const at = run?.result.steps.findIndex(({ ok }) => !ok) ?? -1
  const step = run?.steps[at]
  if (!step || step.scenario !== run?.title) return []
  return [{ line: step.line, column: 1, text: `Step ${at + 1} failed`, isFailed: true }]
}

interface ErrorListProps {
  readonly errors: readonly Mark[]
  readonly name: string
  readonly onOpen: (position: Mark) => void
  /** The text was edited since it was checked. */
  readonly isOutdated: boolean
}

function ErrorList({ errors, name, onOpen, isOutdated }: ErrorListProps) {
  return (
    <IssueList aria-label="Errors">
      <p className="data">
        <b>
          <span className="wait row">
            <Glyph name="decide" /> The file is invalid and cannot be run.
          </span>
        </b>{' '}
        {isOutdated && <span className="faint">These are the errors of the saved text. Save to check again.</span>}
      </p>
      <ul>
        {errors.map((error) => (
          <li key={`${error.line} ${error.column} ${error.text}`}>
            <PlainButton className="mono" onClick={() => onOpen({ ...error })}>
              <span className="unseen">{name} line </span>
              {error.line}:{error.column}
            </PlainButton>{' '}
            <Text>{error.text}</Text>
          </li>
        ))}
      </ul>
    </IssueList>
  )
}

interface SaveAsProps {
  readonly label: string
  readonly suggested: string
  readonly taken: readonly string[]
  readonly text: string
  readonly onSaved: (name: string) => void
  readonly primary?: boolean
  /** Why the text cannot be saved now. */
  readonly whyNot?: string | undefined
}

/** Saves a text as a scenario of the user, under a name that is also the file name. */
export function SaveAs({ label, suggested, taken, text, onSaved, primary = false, whyNot }: SaveAsProps) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(suggested)
  const [nameError, setNameError] = useState<string | null>(null)
  const save = useAction(async () => {
    // A copy is in another folder than the library.
    await saveScenario(name, text.replace(LIBRARY_SCHEMA_LINE, SCHEMA_LINE))
    setOpen(false)
    onSaved(name)
  })
  const forgetErrors = () => {
    setNameError(null)
    save.reset()
  }
  const submit = () => {
    const issue = ScenarioName.safeParse(name).error?.issues[0]
    return issue ? setNameError(issue.message) : save.run()
  }
  const isTaken = taken.includes(name)
  const button = (
    <Button primary={primary} whyNot={whyNot}>
      {label}
    </Button>
  )
  if (whyNot !== undefined) return button
  return (
    <Popover
      trigger={button}
      title="Save scenario"
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        forgetErrors()
        if (to) setName(suggested)
      }}
    >
      <PopoverForm onSubmit={submitting(submit)}>
        <OneField
          label="File name, without extension"
          mono
          value={name}
          error={nameError ?? (save.error === undefined ? null : errorText(save.error))}
          note={isTaken ? `Replaces your scenario ${name}.` : 'Use letters, digits, dots and dashes.'}
          onChange={(to) => {
            setName(to.trim())
            forgetErrors()
          }}
        >
          <Button type="submit" primary>
            {isTaken ? 'Replace' : 'Save'}
          </Button>
        </OneField>
      </PopoverForm>
    </Popover>
  )
}
