import { useMemo, useState } from 'react'
import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { Button, PlainButton } from '../../ui/Button.tsx'
import { CodeEditor, type Mark } from '../../ui/CodeEditor.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { IssueList } from '../../ui/IssueList.tsx'
import { Actions } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { setDraft, useDrafts } from './drafts.ts'
import { marksOf } from './errors.ts'
import { forget, save } from './runner.ts'
import { SaveAs } from './SaveAs.tsx'
import styles from './TextPane.module.css'

interface TextPaneProps {
  readonly info: ScenarioInfo
  /** The names that are taken. */
  readonly names: readonly string[]
  readonly goTo: { readonly line: number; readonly column: number } | null
}

/** The file itself. One's own is edited; one of the library is copied first. */
export function TextPane({ info, names, goTo }: TextPaneProps) {
  const { name, own, trouble } = info
  const { data, error, slow } = useQuery('scenarios.read', { name }, ['scenarios'])
  const draft = useDrafts(({ texts }) => texts[name])
  const [failure, setFailure] = useState<{ title: string; error: unknown } | null>(null)
  const [place, setPlace] = useState<Mark | null>(null)
  const marks = useMemo(() => marksOf(trouble), [trouble])
  const text = draft ?? data?.text
  const go = useRoute((view) => view.go)

  const keep = async () => {
    if (draft === undefined) return
    try {
      await save(name, draft)
      setDraft(name, null)
      setFailure(null)
    } catch (reason) {
      setFailure({ title: 'It could not be saved; your text is still here.', error: reason })
    }
  }
  const remove = async () => {
    try {
      await sandbox['scenarios.delete']({ name })
      setDraft(name, null)
      forget(name)
      go({ screen: 'scenarios' })
    } catch (reason) {
      setFailure({ title: 'It could not be deleted.', error: reason })
    }
  }
  if (text === undefined)
    return error === undefined ? slow && <Skeleton /> : <Notice title={`${name} could not be read.`} error={error} />
  return (
    <>
      <Actions className={styles.actions}>
        {own && (
          <Button
            aria-disabled={draft === undefined}
            title={draft === undefined ? 'Nothing was changed.' : 'Ctrl S'}
            onClick={() => void keep()}
          >
            Save
          </Button>
        )}
        <SaveAs
          label={own ? 'Save as…' : 'Copy to your own…'}
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
          <Confirm label="Delete…" title={`Delete “${name}”?`} action="Delete" onConfirm={() => void remove()}>
            Its text is gone then; no undo brings it back.
          </Confirm>
        )}
        <span className="meta end" role="status" style={{ lineHeight: '24px' }}>
          {!own ? 'of the library: read only' : draft === undefined ? 'saved' : 'changed, not saved'}
        </span>
      </Actions>
      {failure && <Notice title={failure.title} error={failure.error} />}
      {marks.length > 0 && <Troubles marks={marks} name={name} open={setPlace} stale={draft !== undefined} />}
      <CodeEditor
        label={`Text of ${name}`}
        value={text}
        onChange={own ? (to) => setDraft(name, to === data?.text ? null : to) : undefined}
        onSave={() => void keep()}
        marks={draft === undefined ? marks : []}
        goTo={place ?? goTo}
      />
    </>
  )
}

interface TroublesProps {
  readonly marks: readonly Mark[]
  readonly name: string
  readonly open: (mark: Mark) => void
  readonly stale: boolean
}

function Troubles({ marks, name, open, stale }: TroublesProps) {
  return (
    <IssueList aria-label="What is wrong with it">
      <p className="data">
        <b>
          <span className="wait row">
            <Glyph name="decide" /> It cannot be run like this.
          </span>
        </b>{' '}
        {stale && <span className="faint">As it was saved; save to look again.</span>}
      </p>
      <ul>
        {marks.map((mark) => (
          <li key={`${mark.line} ${mark.column} ${mark.text}`}>
            <PlainButton className="mono" onClick={() => open({ ...mark })}>
              <span className="unseen">{name} line </span>
              {mark.line}:{mark.column}
            </PlainButton>{' '}
            <Text>{mark.text}</Text>
          </li>
        ))}
      </ul>
    </IssueList>
  )
}
