import { useMemo, useState } from 'react'
import { formatJudged } from '../../../api/contract/control/judged.ts'
import type { MigrationReport } from '../../../api/contract/control/migration.ts'
import { isOwnRequest } from '../../../api/contract/control/own-requests.ts'
import type { Program } from '../../../api/contract/resources/programs.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useFeed } from '../../data/feed.ts'
import { useConnect } from '../../data/overlays.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { plural } from '../../format/text.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { CodeBlock, codeStyles } from '../../ui/CodeBlock.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Columns, Line, Section, Stack } from '../../ui/Layout.tsx'
import { Note, Notice } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Prose, Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'
import { ClientNeeds, FirstRequest } from './FirstRequest.tsx'
import {
  formatEnvFile,
  formatListenCommand,
  type Language,
  languages,
  receiverLanguages,
  receiverValues,
  type SnippetValues,
} from './snippets.ts'

/** What an app needs to call the sandbox, beside the screen. A link in it closes it. */
export function Connect() {
  const shown = useConnect((state) => state.shown)
  const close = () => useConnect.setState({ shown: false })
  return (
    <Dialog title="Connect" wide open={shown} onOpenChange={(isOpen) => useConnect.setState({ shown: isOpen })}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only the links in it are clicked, also by key. */}
      <div className={styles.page} onClick={({ target }) => (target as Element).closest('a') && close()}>
        <Contents />
      </div>
    </Dialog>
  )
}

function Contents() {
  const world = useFeed((feed) => feed.world)
  const program = useProgram()
  const all = useFeed((feed) => feed.exchanges)
  const exchanges = useMemo(
    () => all.filter(({ program_uid }) => program_uid === null || program_uid === program?.uid),
    [all, program?.uid],
  )
  const ofApp = useMemo(() => exchanges.filter((exchange) => !isOwnRequest(exchange)), [exchanges])
  if (!world || !program) return null
  const values: SnippetValues = { base_url: world.api, program_uid: program.uid, hmac_key: program.hmac_key }
  return (
    <>
      <Columns style={COLUMNS} className={styles.columns}>
        <Section
          title="What your app needs"
          end={<CopyButton text={formatEnvFile(values)} what="values as .env" label="Copy as .env" />}
        >
          <ValueLine name="Base URL" value={values.base_url} />
          <ValueLine name="Program uid" value={values.program_uid} />
          <ValueLine name="HMAC key" value={values.hmac_key} />
          <Note>
            The key signs with HS512, as UTF-8 bytes. Valid in this sandbox only.{' '}
            <ScreenLink screen="settings" params={{ part: ['key'] }}>
              Rotate it
            </ScreenLink>
            <br />
            Allowed callers: <span className="mono">{program.allowlist.join(', ')}</span>. Change them in{' '}
            <ScreenLink screen="settings">Program settings</ScreenLink>
          </Note>
          <FirstRequest exchanges={ofApp} port={new URL(world.api).port} />
          <ClientNeeds exchanges={ofApp} program={program} />
        </Section>
        <Snippet
          label="Code for the first call"
          what="snippet for"
          languages={languages}
          values={values}
          note="Your values are already filled in."
        />
      </Columns>
      {ofApp.length === 0 && <Troubleshooting />}
      <WebhookReceiver />
      <Migration program={program} />
    </>
  )
}

/** A line of code has 78 characters. */
const COLUMNS = { '--box-columns': 'minmax(0, 10fr) minmax(0, 13fr)' } as React.CSSProperties

const TROUBLESHOOTING = [
  ['Connection refused', 'In a container, 127.0.0.1 is the container itself.'],
  ['404, code 1001', 'The base URL must end in `/api/v1`.'],
  ['401, code 1004', 'Open the request in Requests: it shows why it was refused.'],
] as const

const Troubleshooting = () => (
  <Section title="If no request arrives" line="bottom">
    <ul>
      {TROUBLESHOOTING.map(([name, text]) => (
        <Line key={name} className="soft">
          <b>{name}</b>
          <Prose>{text}</Prose>
        </Line>
      ))}
    </ul>
  </Section>
)

/** How an app receives webhooks. */
function WebhookReceiver() {
  return (
    <Columns style={COLUMNS} line="both" className={styles.columns}>
      <Section title="Receive webhooks">
        <ValueLine name="Subscribe" value={formatListenCommand(receiverValues)} />
        <ValueLine name="Webhook key" value={receiverValues.hmac_key} />
        <Note>
          The command prints each event, sends it to the receiver with its signature, and passes the response back. The
          webhook key is one that you choose, with at least 16 characters; it is not the HMAC key of the Program.
        </Note>
      </Section>
      <Snippet
        label="Code of a receiver"
        what="receiver in"
        languages={receiverLanguages}
        values={receiverValues}
        note="Then run the command."
      />
    </Columns>
  )
}

interface SnippetProps<V> {
  readonly label: string
  /** What the code is, for the name of the copy button. */
  readonly what: string
  readonly languages: readonly Language<V>[]
  readonly values: V
  /** Below the code, after the instructions. */
  readonly note: string
}

function Snippet<V extends object>({ label, what, languages, values, note }: SnippetProps<V>) {
  const [name, setName] = useState(languages[0]!.name)
  const chosen = languages.find((language) => language.name === name)!
  return (
    <Tabs render={<section aria-label={label} />} value={name} onValueChange={setName}>
      <TabBar label="Language" tabs={languages.map((language) => ({ value: language.name, label: language.name }))}>
        <span className="end row">
          <CopyButton text={() => chosen.write(values)} what={`${what} ${name}`} label="Copy" primary />
        </span>
      </TabBar>
      {languages.map((language) => (
        <TabPanel key={language.name} value={language.name} className={cx('row', styles.panel)}>
          <SourceCode language={language} values={values} />
        </TabPanel>
      ))}
      <Note>
        {chosen.instructions} {note}
      </Note>
    </Tabs>
  )
}

function SourceCode<V extends object>({ language, values }: { language: Language<V>; values: V }) {
  const lines = language.write(values).trimEnd().split('\n')
  const shown = Object.values(values).map(String)
  return (
    <CodeBlock className={cx('grow', styles.code)} tabIndex={0}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number.
        <span key={at} className={line.trimStart().startsWith(language.commentMarker) ? codeStyles.comment : undefined}>
          {highlightValues(line, shown)}
        </span>
      ))}
    </CodeBlock>
  )
}

function highlightValues(line: string, values: readonly string[]): React.ReactNode {
  const value = values.find((candidate) => candidate !== '' && line.includes(candidate))
  if (value === undefined) return line
  const at = line.indexOf(value)
  const rest = line.slice(at + value.length)
  return (
    <>
      {line.slice(0, at)}
      <span className={codeStyles.value}>{value}</span>
      {highlightValues(
        rest,
        values.filter((other) => other !== value),
      )}
    </>
  )
}

/** A value to copy. */
function ValueLine({ name, value }: { name: string; value: string }) {
  return (
    <Stack columns="88px minmax(0, 1fr) auto" gap={4} pad="4 16" least={40} line="top" style={CENTERED} data-value-line>
      <span className="data faint">{name}</span>
      <code className="wrap" style={{ lineHeight: '16px' }}>
        <Text>{value}</Text>
      </code>
      <CopyButton text={value} what={name} label="Copy" />
    </Stack>
  )
}

const CENTERED = { alignItems: 'center', alignContent: 'center' }

/** What the platform's hosted sandbox would refuse or do in another way. Judging reads the log, so only when asked. */
function Migration({ program }: { program: Program }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Hosted sandbox"
      note={
        program.behaves_as === 'hosted'
          ? 'This Program behaves as the platform’s hosted sandbox: what that does not offer is refused.'
          : 'The platform’s hosted sandbox offers less than Sandbank.'
      }
      end={
        <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'What differs for my app'}
        </Button>
      }
      className={styles.requests}
    >
      {isOpen && <Report program_uid={program.uid} />}
    </Section>
  )
}

/** It reads the bodies of the whole request log. */
const PACE = { every_ms: 2_000, pauses: 20 }

function Report({ program_uid }: { program_uid: string }) {
  const { data, error } = useQuery('migration.report', { program_uid }, ['exchanges'], PACE)
  if (error !== undefined) return <Notice title="The request log could not be judged." error={error} />
  if (!data) return <Note role="status">Judging the request log</Note>
  return (
    <>
      {data.findings.length > 0 && <RowTable columns={columns} rows={data.findings} keyOf={({ rule }) => rule} />}
      <Note>{formatJudged(data)}</Note>
    </>
  )
}

const columns: readonly TableColumn<MigrationReport['findings'][number]>[] = [
  { label: 'In its public documents', width: '24%', cell: ({ published }) => published },
  {
    label: 'Of your app',
    width: '16%',
    className: 'soft',
    cell: ({ of, count, first, last }) => (
      <>
        {plural(count, of === 'requests' ? 'request' : 'action')}
        {of === 'requests' && <Logged uids={count > 1 ? [first, last] : [first]} />}
      </>
    ),
  },
  { label: 'There', width: '28%', className: 'soft', cell: ({ there }) => there },
  { label: 'To do', className: 'soft', cell: ({ todo }) => todo },
]

const Logged = ({ uids }: { uids: readonly string[] }) =>
  uids.map((uid, at) => (
    <span key={uid}>
      {at === 0 ? ': ' : ' to '}
      <ScreenLink screen="requests" record={uid}>
        {uid}
      </ScreenLink>
    </span>
  ))
