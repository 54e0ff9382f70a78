import { useDeferredValue, useId, useState } from 'react'
import { PlayScenario } from '../../components/PlayScenario.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { openConnect } from '../../data/overlays.ts'
import { openImport } from '../../data/replay.ts'
import { type ImportedFile, readFileText } from '../../data/replay-input.ts'
import { useAction, useQuery } from '../../data/sandbox.ts'
import { errorText, plural } from '../../format/text.ts'
import { Button, CopyButton, FileButton } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Now.module.css'

/** The ways to begin. */
export const Doors = () => (
  <Stack columns="repeat(3, minmax(0, 1fr))" narrows className={styles.doors} line="bottom">
    <Door title="Point my app here" text="Give your app this base URL, and let it sign in with the HMAC key.">
      <Address />
    </Door>
    <Door title="Play a scenario here" text="It makes Customers and payments in this world. What is there stays.">
      <PlayScenario />
    </Door>
    <Door
      title="Reproduce a case"
      text="Drop or paste a HAR file, a bundle, curl lines, a uid, a trace id or lines of a log."
    >
      <Case />
    </Door>
  </Stack>
)

const Door = ({ title, text, children }: { title: string; text: string; children: React.ReactNode }) => (
  <Section title={title}>
    <Stack gap={8} style={{ padding: '8px 16px 16px' }}>
      <p className="data soft">{text}</p>
      {children}
    </Stack>
  </Section>
)

function Address() {
  const address = useFeed((feed) => feed.world?.api ?? '')
  return (
    <>
      <Row gap={8}>
        <code className="wrap">{address}</code>
        <CopyButton text={address} what="Base URL" label="Copy" />
      </Row>
      <Row>
        <Button primary onClick={openConnect}>
          Key and code
        </Button>
      </Row>
    </>
  )
}

const NO_FILE: ImportedFile = { name: 'pasted text', text: '' }

/** Says what a text is. The sandbox knows: a recording, or what of this world it names. */
function Case() {
  const [file, setFile] = useState(NO_FILE)
  const field = useId()
  const { run: read, error } = useAction(async (chosen: File | undefined) => {
    if (chosen) setFile({ name: chosen.name, text: await readFileText(chosen) })
  })
  const isLong = file.text.length > MAX_SHOWN
  return (
    <Stack
      gap={8}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        void read(event.dataTransfer.files[0])
      }}
    >
      <label htmlFor={field} className="unseen">
        What you have of the case
      </label>
      <TextArea
        id={field}
        rows={3}
        spellCheck={false}
        placeholder="curl …, x-trace-id, uid, a line of a log"
        value={isLong ? `${file.name}: ${plural(Math.ceil(file.text.length / 1024), 'kB', 'kB')}` : file.text}
        onChange={({ target }) => setFile({ ...NO_FILE, text: target.value })}
      />
      <Row gap={8} wraps>
        <FileButton label="File of the case" accept="*/*" onFile={(chosen) => void read(chosen)}>
          Choose a file…
        </FileButton>
        <span className="data wrap" role="status">
          {error === undefined ? file.text.trim() !== '' && <Answer file={file} /> : errorText(error)}
        </span>
      </Row>
    </Stack>
  )
}

/** A longer text is not edited here. */
const MAX_SHOWN = 20_000

function Answer({ file }: { file: ImportedFile }) {
  const text = useDeferredValue(file.text)
  const recording = useQuery('recordings.describe', { text })
  const found = useQuery('moments.find', recording.error === undefined ? null : { text })
  if (recording.data) {
    const { has_world, requests } = recording.data
    return (
      <>
        {has_world ? 'A bundle' : 'A recording'} of {plural(requests, 'request')}{' '}
        <Button small onClick={() => openImport(file)}>
          Open
        </Button>
      </>
    )
  }
  if (found.error !== undefined) return errorText(found.error)
  if (!found.data) return null
  if (found.data.moments.length === 0) return 'No recording, and no uid or trace id that this world has.'
  return (
    <ul aria-label="It names">
      {found.data.moments.map(({ collection, uid, program_uid, says }) => (
        <li key={uid}>
          <ScreenLink
            {...(isCollection(collection) ? { collection } : { screen: 'requests' as const })}
            record={uid}
            params={program_uid === null ? {} : { program: [program_uid] }}
          >
            <Text>{says}</Text>
          </ScreenLink>
        </li>
      ))}
    </ul>
  )
}
