import { Download, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ReplayedExchange } from '../../../api/contract/control/replay.ts'
import { Messages } from '../../components/Messages.tsx'
import { Refusal } from '../../components/Refusal.tsx'
import { StayingWorld } from '../../components/StayingWorld.tsx'
import { resetReplay } from '../../data/replay.ts'
import {
  ABSENT,
  fieldName,
  formatDifferences,
  formatTarget,
  ignoreFields,
  type ReplayOptions,
  type ReplayOutcome,
  sortDifferences,
  toLinePath,
} from '../../data/replay-input.ts'
import { saveFile } from '../../data/save-file.ts'
import { formatCount, plural } from '../../format/text.ts'
import { Button, Chip } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import {
  Actions,
  Caption,
  DetailPane,
  Footer,
  RunStatus,
  Split,
  Splitter,
  TableArea,
  usePaneSize,
} from '../../ui/Layout.tsx'
import { IssueList, LeftOut } from '../../ui/Notice.tsx'
import { Table } from '../../ui/Table.tsx'
import { BreakableText, type GlyphName, GlyphText, type Signal, Text } from '../../ui/Text.tsx'
import styles from './ReplayResult.module.css'
import { RequestHeading } from './RequestHeading.tsx'
import { methodColumn, pathColumn } from './rows.tsx'

interface ReplayResultProps {
  readonly outcome: ReplayOutcome
  readonly setup: ReplayOptions
  readonly title: string
}

type VerdictName = ReplayedExchange['verdict']

const verdicts: Readonly<Record<VerdictName, { glyph: GlyphName; signal: Signal; description: string }>> = {
  same: { glyph: 'done', signal: undefined, description: 'The response is the same.' },
  differs: { glyph: 'decide', signal: 'wait', description: 'The response is different.' },
  refused: {
    glyph: 'broken',
    signal: 'bad',
    description: 'The request is refused now, and was not in the recording.',
  },
  unrecorded: {
    glyph: 'not-begun',
    signal: 'soft',
    description: 'The request is accepted now. The recording has no response to compare with.',
  },
}

const idOf = ({ index }: ReplayedExchange) => String(index)
const NAMES = Object.keys(verdicts) as VerdictName[]

/** The result of a replay: how many responses are the same, and where the others differ. */
export function ReplayResult({ outcome: complete, setup, title }: ReplayResultProps) {
  const [ignored, setIgnored] = useState<ReadonlySet<string>>(new Set())
  const outcome = useMemo(() => ignoreFields(complete, ignored), [complete, ignored])
  const { exchanges, acts, unusable, left } = outcome
  const firstOther = exchanges.find(({ verdict }) => verdict !== 'same') ?? exchanges[0]
  const [hidesSame, setHidesSame] = useState(false)
  const [selected, setSelected] = useState<string | null>(firstOther ? idOf(firstOther) : null)
  const rows = useMemo(
    () => (hidesSame ? exchanges.filter(({ verdict }) => verdict !== 'same') : exchanges),
    [exchanges, hidesSame],
  )
  const pane = usePaneSize('replay', '--inspector')
  const open = exchanges.find((exchange) => idOf(exchange) === selected)
  const hasDifferences = exchanges.some(({ differences }) => differences.length > 0)
  const refusedActions = acts.filter(({ refused }) => refused !== null)
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
              <Verdict name={name} label={`${formatCount(counts[name])} ${name}`} isFaint={counts[name] === 0} />
            </span>
          ))}
        </RunStatus>
        <span className="end row">
          <Chip pressed={hidesSame} onClick={() => setHidesSame(!hidesSame)}>
            Only differences
          </Chip>
          <Button
            icon={Download}
            whyNot={hasDifferences ? undefined : 'There is no difference.'}
            onClick={() =>
              void saveFile(
                'replay-differences.json',
                formatDifferences(outcome, { title, target: formatTarget(setup), ignored: [...ignored] }),
                'application/json',
              )
            }
          >
            Export differences
          </Button>
          <Button onClick={resetReplay}>Replay another…</Button>
          {complete.world !== null && <StayingWorld world={complete.world} />}
        </span>
      </Actions>
      {ignored.size > 0 && (
        <IssueList plain aria-label="Ignored fields">
          <p className="row wrap">
            <b>Ignored:</b>
            {[...ignored].map((field) => (
              <Button
                key={field}
                small
                aria-label={`Compare ${field} again`}
                onClick={() => setIgnored(new Set([...ignored].filter((one) => one !== field)))}
              >
                <Text className="mono">{field}</Text>
                <X size={11} aria-hidden="true" />
              </Button>
            ))}
          </p>
        </IssueList>
      )}
      {unusable.length > 0 && (
        <IssueList scrolls aria-label="Skipped entries" tabIndex={0}>
          <h3>{unusable.length === 1 ? '1 entry' : `${formatCount(unusable.length)} entries`} skipped</h3>
          <LeftOut entries={unusable} />
        </IssueList>
      )}
      {acts.length > 0 && (
        <IssueList plain={refusedActions.length === 0} aria-label="Operator actions">
          <p>
            <b>{plural(acts.length - refusedActions.length, 'operator action')} repeated</b>
            {refusedActions.length > 0 && `, ${formatCount(refusedActions.length)} refused:`}
          </p>
          <LeftOut entries={refusedActions.map(({ name, refused }) => ({ at: name, why: refused ?? '' }))} />
        </IssueList>
      )}
      <Split style={pane.style}>
        <TableArea as="section" aria-label="Replayed requests">
          <DataTable
            label="Replayed requests, in recorded order"
            columns={columns}
            rows={rows}
            idOf={idOf}
            selected={selected}
            onSelect={(exchange) => setSelected(idOf(exchange))}
            empty={
              <Caption as="p" className="data soft">
                {exchanges.length === 0 ? 'No request was sent.' : 'All responses are the same.'}
              </Caption>
            }
          />
          <Footer>
            <span>{plural(exchanges.length, 'request')} replayed</span>
            {left > 0 && (
              <span className="wait">
                Canceled: {plural(left, 'recorded step')} {left === 1 ? 'was' : 'were'} not replayed.
              </span>
            )}
          </Footer>
        </TableArea>
        {open && <Splitter label="Width of the comparison" sizes="after" onResize={pane.onResize} />}
        {open && (
          <Comparison key={selected} exchange={open} ignore={(field) => setIgnored(new Set([...ignored, field]))} />
        )}
      </Split>
    </>
  )
}

interface VerdictProps {
  readonly name: VerdictName
  readonly label?: string
  readonly isFaint?: boolean
}

function Verdict({ name, label = name, isFaint = false }: VerdictProps) {
  const { glyph, signal, description } = verdicts[name]
  return (
    <GlyphText
      glyph={glyph}
      className={isFaint ? 'faint' : undefined}
      signal={isFaint ? undefined : signal}
      title={description}
    >
      {label}
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
  methodColumn,
  pathColumn,
  {
    id: 'recorded',
    header: 'Recorded',
    width: '72px',
    right: true,
    cell: (row) => <span className="soft">{row.recorded?.status ?? '–'}</span>,
  },
  { id: 'replayed', header: 'Replayed', width: '72px', right: true, cell: (row) => row.replayed.status },
  {
    id: 'differences',
    header: 'Diff',
    width: '52px',
    right: true,
    cell: (row) => {
      const n = row.differences.length
      return <span className={n === 0 ? 'faint' : ''}>{n === 0 ? '–' : formatCount(n)}</span>
    },
  },
]

const HEADS = [
  { label: 'Field', width: '30%' },
  { label: 'Recorded' },
  { label: 'Replayed' },
  { label: 'Ignore', width: 76, unseen: true },
]

/** Longer lists of differences are truncated. */
const MAX_DIFFERENCES = 200

/** The differences of the two responses, then both side by side. */
function Comparison({ exchange, ignore }: { exchange: ReplayedExchange; ignore: (field: string) => void }) {
  const { method, path, verdict, recorded, replayed } = exchange
  const differences = sortDifferences(exchange.differences)
  const paths = differences.map(({ at }) => toLinePath(at)).join('; ')
  return (
    <DetailPane aria-label="Comparison" tabIndex={0}>
      <RequestHeading method={method} path={path} facts={verdicts[verdict].description}>
        <span className="data" style={{ lineHeight: '20px' }}>
          <Verdict name={verdict} />
        </span>
      </RequestHeading>
      {exchange.refusal && <Refusal refusal={exchange.refusal} />}
      {differences.length > 0 && (
        <div className={styles.differences}>
          <Table headers={HEADS} style={{ '--cell': '5px 8px 4px' }}>
            {differences.slice(0, MAX_DIFFERENCES).map((difference, index) => {
              const field = fieldName(exchange, difference)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: two differences can have the same name: the status and a field status of the body.
                <tr key={index}>
                  <th scope="row" className="mono">
                    {field === 'HTTP status' ? field : <BreakableText>{difference.at}</BreakableText>}
                  </th>
                  <Value value={difference.recorded} />
                  <Value value={difference.replayed} />
                  <td>
                    <Button small bare aria-label={`Ignore ${field}`} onClick={() => ignore(field)}>
                      Ignore
                    </Button>
                  </td>
                </tr>
              )
            })}
          </Table>
        </div>
      )}
      {differences.length > MAX_DIFFERENCES && (
        <Caption as="p" className="meta">
          and {formatCount(differences.length - MAX_DIFFERENCES)} more
        </Caption>
      )}
      <Messages
        className={styles.answers}
        messages={[describe('Recorded', recorded, paths), describe('Replayed', replayed, paths)]}
      />
    </DetailPane>
  )
}

const describe = (title: string, response: ReplayedExchange['recorded'], paths: string) => ({
  title,
  head: response ? String(response.status) : undefined,
  body: response ? formatBody(response.body) : undefined,
  none: response ? 'Empty.' : 'The recording has no response.',
  // The fields to mark.
  extra: paths,
  errorLabel: 'differs',
})

const formatBody = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

/** Objects as running text: both responses are below in full. */
const formatInLine = (value: unknown) => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')

function Value({ value }: { value: unknown }) {
  const isAbsent = value === undefined || value === ABSENT
  return <td>{isAbsent ? <span className="faint">absent</span> : <pre>{formatInLine(value)}</pre>}</td>
}
