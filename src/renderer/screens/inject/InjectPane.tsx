import { Zap } from 'lucide-react'
import { useId } from 'react'
import { shapeOf } from '../../../api/contract/shape.ts'
import type { Schema } from '../../../api/contract/terms/endpoint.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { sendingForm } from '../../data/use-action.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import type { FieldErrors } from '../../forms/field-errors.ts'
import { findMissing } from '../../forms/injections.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import type { Body } from '../../forms/use-body.ts'
import type { Examples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Column, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Actions, Caption, PaneIntro, Panes } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import styles from './InjectPane.module.css'

interface InjectPaneProps {
  readonly ref: React.Ref<HTMLElement>
  readonly title: string
  readonly about: React.ReactNode
  /** The body before values of the world are filled in: what the world lacks for it is said. */
  readonly wanted: JsonObject
  readonly schema: Schema
  readonly body: Body
  readonly bodyTitle: string
  readonly problems: FieldErrors
  readonly examples: Examples
  readonly leads?: readonly string[] | undefined
  /** Between the introduction and the fields. */
  readonly notice?: React.ReactNode
  /** Above the fields of the body. */
  readonly extraField?: React.ReactNode
  /** Below the fields. */
  readonly warning?: React.ReactNode
  readonly submitLabel: string
  readonly isOff: boolean
  readonly submit: () => void
  /** Beside the button. */
  readonly controls?: React.ReactNode
  /** The result, below the body. */
  readonly children: React.ReactNode
}

/** The form of one injection with its body as JSON, and its result. */
export function InjectPane(props: InjectPaneProps) {
  const { ref, title, about, wanted, schema, body, bodyTitle, problems, examples, leads, submit } = props
  const id = useId()
  const side = usePaneSize('inject-body', '--side')
  return (
    <Panes
      as="section"
      className={styles.injection}
      columns={COLUMNS}
      aria-label="Injection"
      ref={ref}
      style={side.style}
      data-pane=""
    >
      <Column as="form" {...sendingForm(submit)}>
        <PaneIntro as="header">
          <h2>{title}</h2>
          <p className="data soft">{about}</p>
        </PaneIntro>
        <MissingRecords wanted={wanted} examples={examples} />
        {props.notice}
        <Stack gap={6} style={{ flex: '1 0 auto', padding: '8px 16px 16px' }}>
          {props.extraField}
          <SchemaForm
            id={id}
            shape={shapeOf(schema)}
            value={body.value}
            onChange={body.setValue}
            problems={problems}
            examples={examples.values}
            customer={examples.customer}
            {...(leads ? { leads } : {})}
          />
        </Stack>
        {props.warning}
        <Actions className={styles.actions}>
          {/* As wide as its longest label, so that the fields beside it do not move. */}
          <Button icon={Zap} type="submit" primary style={{ minWidth: 108 }} aria-disabled={props.isOff || undefined}>
            {props.submitLabel}
          </Button>
          {props.controls}
        </Actions>
      </Column>
      <Splitter label="Width of the body" sizes="after" min={320} onResize={side.onResize} />
      <Column>
        <Caption style={WRAPS}>
          <h2>{bodyTitle}</h2>
          <span className="meta">in sync with the form</span>
        </Caption>
        <BodyText {...body} problems={problems} onSend={submit} />
        {props.children}
      </Column>
    </Panes>
  )
}

/** The fields, and the body with the result. */
const COLUMNS = 'minmax(0, 1fr) auto min(var(--side, clamp(448px, 31vw, 480px)), 60%)'
const WRAPS = { flexWrap: 'wrap' } as const

interface ResultProps {
  /** Beside the heading. */
  readonly note?: React.ReactNode
  /** Shown until there is a result. */
  readonly none: React.ReactNode
  readonly children: React.ReactNode
}

/** What the injection did. */
export const Result = ({ note, none, children }: ResultProps) => (
  <section aria-label="Result">
    <Caption style={WRAPS} role="status">
      <h2>Result</h2>
      {note}
    </Caption>
    {children}
    {none && (
      <Caption as="p" className="data faint" style={WRAPS}>
        {none}
      </Caption>
    )}
  </section>
)

/** What the world lacks for this injection. */
function MissingRecords({ wanted, examples }: Pick<InjectPaneProps, 'wanted' | 'examples'>) {
  const missing = findMissing(wanted, examples)
  if (missing === null) return null
  return (
    <NoticeLine is="warning">
      <b>Records are missing.</b> {missing.text}
      {missing.isAccount && (
        <>
          {' '}
          The scenario{' '}
          <ScreenLink screen="scenarios" record="a-funded-customer">
            A funded Customer
          </ScreenLink>{' '}
          creates one when you run it in the current world.
        </>
      )}
    </NoticeLine>
  )
}
