import { useMemo, useState } from 'react'
import type { ReplayedExchange } from '../../../api/contract/control/replay.ts'
import { Method } from '../../components/Method.tsx'
import { resetReplay } from '../../data/replay.ts'
import { formatTarget, type ReplayOptions, type ReplayOutcome, toLinePath } from '../../data/replay-input.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ComparisonTable } from '../../ui/ComparisonTable.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { IssueList } from '../../ui/IssueList.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Actions, Caption, Columns, DetailPane, Footer, RunStatus, Split, TableArea } from '../../ui/Layout.tsx'
import { Breaking, Text } from '../../ui/Text.tsx'
import styles from './ReplayResult.module.css'
import { RequestHeading } from './RequestHeading.tsx'
import { type Verdict as VerdictName, verdicts } from './verdicts.ts'

interface ReplayResultProps {
  readonly outcome: ReplayOutcome
  readonly setup: ReplayOptions
  readonly title: string
}

const idOf = ({ index }: ReplayedExchange) => String(index)
const NAMES = Object.keys(verdicts) as VerdictName[]

/** What came of a replay: how many answers are what they were, and where the others differ. */
export function ReplayResult({ outcome, setup, title }: ReplayResultProps) {
  const { exchanges, acts, unusable, left } = outcome
  const firstOdd = exchanges.find(({ verdict }) => verdict !== 'same') ?? exchanges[0]
  const [only, setOnly] = useState(false)
  const [selected, setSelected] = useState<string | null>(firstOdd ? idOf(firstOdd) : null)
  const rows = useMemo(
    () => (only ? exchanges.filter(({ verdict }) => verdict !== 'same') : exchanges),
    [exchanges, only],
  )
  const open = exchanges.find((exchange) => idOf(exchange) === selected)
  const refusedActs = acts.filter(({ refused }) => refused !== null)
  const counts = outcome as Readonly<Record<VerdictName, number>>
  return (
    <>
      <Actions className={styles.summary}>
        <span className="data cut" title={title}>
          <b>
            <Text>{title}</Text>
          </b>{' '}
          in {formatTarget(setup)}
        </span>
        <RunStatus className="data" role="status">
          {NAMES.map((name) => (
            <span key={name} className="row">
              <Verdict name={name} words={`${formatCount(counts[name])} ${name}`} faint={counts[name] === 0} />
            </span>
          ))}
        </RunStatus>
        <span className="end row">
          <Chip pressed={only} onClick={() => setOnly(!only)}>
            Only what is not the same
          </Chip>
          <Button onClick={resetReplay}>Replay another…</Button>
        </span>
      </Actions>
      {unusable.length > 0 && (
        <IssueList scrolls aria-label="What could not be used" tabIndex={0}>
          <h3>{plural(unusable.length, 'part')} could not be used</h3>
          <ul>
            {unusable.map(({ at, why }) => (
              <li key={`${at} ${why}`}>
                <Text className="mono">{at}</Text> <Text>{why}</Text>
              </li>
            ))}
          </ul>
        </IssueList>
      )}
      {acts.length > 0 && (
        <IssueList plain={refusedActs.length === 0} aria-label="Moves of the operator">
          <p>
            <b>{plural(acts.length - refusedActs.length, 'move')} of the operator</b> done again
            {refusedActs.length > 0 ? `, ${formatCount(refusedActs.length)} not:` : '.'}
          </p>
          <ul>
            {refusedActs.map(({ name, refused }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a move is known by its place.
              <li key={at}>
                <span className="mono">{name}</span> <Text>{refused ?? ''}</Text>
              </li>
            ))}
          </ul>
        </IssueList>
      )}
      <Split>
        <TableArea as="section" aria-label="Replayed requests">
          <DataTable
            label="Replayed requests, in recorded order"
            columns={columns}
            rows={rows}
            idOf={idOf}
            selected={selected}
            onSelect={(exchange) => setSelected(idOf(exchange))}
            least={420}
            empty={
              <Caption as="p" className="data soft">
                {exchanges.length === 0 ? 'No request was sent.' : 'Every answer is what it was.'}
              </Caption>
            }
          />
          <Footer>
            <span>{plural(exchanges.length, 'request')} sent again</span>
            {left > 0 && (
              <span className="wait">
                It was canceled: {plural(left, 'step')} of the record {left === 1 ? 'was' : 'were'} not taken.
              </span>
            )}
          </Footer>
        </TableArea>
        {open && <Compared key={selected} exchange={open} />}
      </Split>
    </>
  )
}

function Verdict({ name, words = name, faint = false }: { name: VerdictName; words?: string; faint?: boolean }) {
  const { shape, signal, means } = verdicts[name]
  return (
    <GlyphText className={faint ? 'faint' : undefined} signal={faint ? undefined : signal} title={means}>
      <Glyph name={shape} />
      {words}
    </GlyphText>
  )
}

const columns: readonly Column<ReplayedExchange>[] = [
  {
    id: 'no',
    header: 'No.',
    width: '60px',
    right: true,
    cell: (row) => <span className="faint">{formatCount(row.index + 1)}</span>,
  },
  {
    id: 'verdict',
    header: 'Verdict',
    width: '100px',
    cell: (row) => <Verdict name={row.verdict} />,
  },
  {
    id: 'method',
    header: 'Method',
    width: '62px',
    cell: (row) => (
      <span className="mono">
        <Method name={row.method} />
      </span>
    ),
  },
  {
    id: 'path',
    header: 'Path',
    width: 'minmax(120px, 1fr)',
    cell: (row) => (
      <span className="mono" title={row.path}>
        <Text>{row.path}</Text>
      </span>
    ),
  },
  {
    id: 'was',
    header: 'Was',
    width: '48px',
    right: true,
    cell: (row) => <span className="soft">{row.recorded?.status ?? '–'}</span>,
  },
  { id: 'is', header: 'Is', width: '48px', right: true, cell: (row) => row.replayed.status },
  {
    id: 'differences',
    header: 'Differs',
    width: '64px',
    right: true,
    cell: (row) => {
      const n = row.differences.length
      return <span className={n === 0 ? 'faint' : ''}>{n === 0 ? '–' : formatCount(n)}</span>
    },
  },
]

/** More differences than anybody reads. */
const MOST = 200

/** One request: where the answers differ first, then both of them side by side. */
function Compared({ exchange }: { exchange: ReplayedExchange }) {
  const { method, path, verdict, recorded, replayed, differences } = exchange
  const paths = differences.map(({ at }) => toLinePath(at)).join('; ')
  return (
    <DetailPane aria-label="Comparison" tabIndex={0}>
      <RequestHeading method={method} path={path} facts={verdicts[verdict].means}>
        <span className="data" style={{ lineHeight: '20px' }}>
          <Verdict name={verdict} />
        </span>
      </RequestHeading>
      {differences.length > 0 && (
        <ComparisonTable className={styles.differences} heads={['Where', 'Recorded', 'Replayed']}>
          {differences.slice(0, MOST).map(({ at, recorded: was, replayed: is }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a body may have a field of the same name as the answer has.
            <tr key={index}>
              <th scope="row" className="mono">
                {isStatus(exchange, was, is) && at === 'status' ? 'status of the answer' : <Breaking>{at}</Breaking>}
              </th>
              <Value value={was} />
              <Value value={is} />
            </tr>
          ))}
        </ComparisonTable>
      )}
      {differences.length > MOST && (
        <Caption as="p" className="meta">
          and {formatCount(differences.length - MOST)} more
        </Caption>
      )}
      <Columns className={styles.answers}>
        <Answer title="Recorded" answer={recorded} paths={paths} />
        <Answer title="Replayed" answer={replayed} paths={paths} />
      </Columns>
    </DetailPane>
  )
}

function Answer({ title, answer, paths }: { title: string; answer: ReplayedExchange['recorded']; paths: string }) {
  return (
    <section aria-label={title}>
      <Caption>
        <h3>{title}</h3>
        {answer && <span className="mono">{answer.status}</span>}
      </Caption>
      {answer ? (
        <JsonView body={bodyOf(answer.body)} extra={paths} said="differs" />
      ) : (
        <Caption as="p" className="data faint">
          The record has no answer.
        </Caption>
      )}
    </section>
  )
}

/** The status line and a field of the body go by one name. */
const isStatus = ({ recorded, replayed }: ReplayedExchange, was: unknown, is: unknown): boolean =>
  recorded?.status === was && replayed.status === is

const bodyOf = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

/** As the sandbox writes what one of the answers does not have. */
const ABSENT = '(absent)'

function Value({ value }: { value: unknown }) {
  const absent = value === undefined || value === ABSENT
  return <td>{absent ? <span className="faint">not there</span> : <pre>{JSON.stringify(value, null, 2)}</pre>}</td>
}
