import { useState } from 'react'
import { formatJudged } from '../../../api/contract/control/judged.ts'
import type { MigrationReport } from '../../../api/contract/control/migration.ts'
import type { Program } from '../../../api/contract/resources/programs.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Layout.tsx'
import { Note, Notice } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import styles from './Connect.module.css'

/** What the platform's hosted sandbox would refuse or do in another way. Judging reads the log, so only when asked. */
export function Migration({ program }: { program: Program }) {
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
