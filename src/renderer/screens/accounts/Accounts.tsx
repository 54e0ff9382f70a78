import { ChevronDown, Download } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { create } from 'zustand'
import type { LedgerAccount, LedgerLine } from '../../../api/contract/control/ledger.ts'
import { SyntheticAccountStatus } from '../../../api/contract/resources/synthetic-accounts.ts'
import { EmptyList, OnboardCustomer, RunScenario } from '../../components/list/EmptyList.tsx'
import { FilterBar } from '../../components/list/FilterBar.tsx'
import { NoMatches } from '../../components/list/ListTable.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, useAction, useQuery } from '../../data/sandbox.ts'
import { NOT_SAVED, saveFile } from '../../data/save-file.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCsv } from '../../format/csv.ts'
import { errorText, formatCount, formatInstant, formatIsoDate, formatLongDay, plural } from '../../format/text.ts'
import { Button, Chip } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Column, Footer, Panes, ScreenBar, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { Menu, MenuItem, RadioMenu } from '../../ui/Menu.tsx'
import { EmptyState, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Amount } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { AccountPane } from './AccountPane.tsx'
import styles from './Accounts.module.css'
import { AccountTree } from './AccountTree.tsx'
import { LedgerChecks } from './LedgerChecks.tsx'
import { type AccountRow, buildTree, type CustomerRow, groupOf } from './tree.ts'
import { PAGE, useAccounts } from './use-ledger.ts'

/** The unfolded Customers, remembered while other screens are open. */
const useOpenCustomers = create<{ readonly open: ReadonlySet<string> }>()(() => ({ open: new Set() }))
function fold(customer: string, isOpen: boolean) {
  useOpenCustomers.setState(({ open }) => {
    const next = new Set(open)
    if (isOpen) next.add(customer)
    else next.delete(customer)
    return { open: next }
  })
}

const TITLE = 'Accounts and ledger'
/** The list, and the pane of one account. */
const COLUMNS = 'min(var(--list, clamp(476px, 30vw, 640px)), 60%) auto minmax(0, 1fr)'
const FILTERS = [
  {
    name: 'Status',
    param: 'status',
    options: SyntheticAccountStatus.options,
    show: (word: string) => <Status word={word} />,
  },
]

/** The pane follows the selection after this pause, so that holding an arrow key does not load every account. */
const SELECTION_PAUSE_MS = 120

export function Accounts() {
  const { params, filter, adjust, go } = useRoute()
  const program_uid = useProgram()?.uid
  const at = params.at?.[0]
  const { accounts, error } = useAccounts(program_uid, at)
  const open = useOpenCustomers((folds) => folds.open)
  const searched = useDeferredValue(params)
  const tree = useMemo(
    () =>
      buildTree(accounts ?? [], {
        q: searched.q?.[0] ?? '',
        status: searched.status ?? [],
        hideZero: searched.zero?.[0] === 'hide',
        open,
      }),
    [accounts, searched, open],
  )
  const named = params.account?.[0]
  const list = usePaneSize('accounts', '--list')
  const byUid = useMemo(() => new Map((accounts ?? []).map((account) => [account.uid, account])), [accounts])
  const first = accounts?.find(({ master }) => master) ?? accounts?.find((account) => groupOf(account) === 'general')
  const chosen = named === undefined ? first : byUid.get(named)
  const shown = byUid.get(useDebounced(chosen?.uid ?? '', SELECTION_PAUSE_MS)) ?? chosen
  const [current, setCurrent] = useState<string | null>(null)
  const [allPools, setAllPools] = useState(false)

  const chosen_uid = chosen?.uid
  const owner = chosen?.customer_uid
  // biome-ignore lint/correctness/useExhaustiveDependencies: unfold the owner only when another account is chosen, so that the user can fold it again.
  useEffect(() => {
    if (owner !== undefined) fold(owner, true)
  }, [chosen_uid])

  const filtered = Boolean(params.q || params.status || params.zero)
  const clear = () => {
    const { q: _, status: __, zero: ___, ...rest } = params
    adjust({ params: rest })
  }
  const move = (row: CustomerRow | AccountRow) => {
    setCurrent(row.id)
    if (row.kind === 'account') filter('account', [row.id])
  }
  const openRow = (row: CustomerRow | AccountRow) => {
    if (row.kind === 'customer') return go({ collection: 'customers', record: row.id })
    go({ collection: row.account.book === 'synthetic' ? 'synthetic_accounts' : 'custodial_accounts', record: row.id })
  }
  if (accounts?.length === 0) return <NoAccounts at={at} showNow={() => filter('at', [])} />
  return (
    <>
      <FilterBar
        title={TITLE}
        search={{ label: 'Search accounts', placeholder: 'account, uid, last four', width: 208 }}
        filters={FILTERS}
        clear={filtered ? clear : undefined}
        actionsClass={styles.actions}
        actions={
          <>
            <AsOf program_uid={program_uid} at={at} onChange={(to) => filter('at', to === undefined ? [] : [to])} />
            <ExportCsv accounts={tree.accounts} filtered={filtered} account={chosen} at={at} />
          </>
        }
      >
        <Chip pressed={params.zero?.[0] === 'hide'} onClick={() => filter('zero', params.zero ? [] : ['hide'])}>
          Hide zero
        </Chip>
      </FilterBar>
      {error !== undefined && (
        <Notice title="The accounts could not be read." error={error}>
          {at === undefined ? (
            'They are read again as soon as the sandbox answers.'
          ) : (
            <Button small onClick={() => filter('at', [])}>
              Show current accounts
            </Button>
          )}
        </Notice>
      )}
      <Panes columns={COLUMNS} style={{ gridTemplateRows: 'minmax(0, 1fr) auto', ...list.style }}>
        <Column as="section" className={styles.accounts} aria-label="Accounts">
          <AccountTree
            rows={tree.rows}
            current={current ?? chosen?.uid ?? null}
            chosen={chosen?.uid ?? null}
            onMove={move}
            onFold={fold}
            onOpen={openRow}
            empty={
              accounts === undefined ? (
                error === undefined && <Skeleton rows={12} />
              ) : (
                <NoMatches one="account" clear={clear} />
              )
            }
          />
          <Footer className={styles.footer}>
            <span>
              {accounts &&
                `${plural(tree.customers, 'Customer')}, ${plural(tree.accounts.length, 'account')} in both books`}
            </span>
            <span className="end">settled{filtered ? ', filtered' : ''}, USD</span>
            <b>
              {/* A dash while it is loading, not 0.00. */}
              <Amount value={accounts && tree.settled} />
            </b>
          </Footer>
        </Column>
        <Splitter label="Width of the list" sizes="before" min={320} onResize={list.onResize} />
        {shown ? (
          <AccountPane key={shown.uid} account={shown} at={at} />
        ) : (
          <Column as="section" aria-label="Account">
            {accounts && named !== undefined && (
              <Notice
                title={`Account ${named} does not exist in this Program${at === undefined ? '' : ' at that time'}.`}
              >
                <ScreenLink screen="accounts">All accounts</ScreenLink>
              </Notice>
            )}
          </Column>
        )}
        {program_uid !== undefined && shown && (
          <LedgerChecks
            program_uid={program_uid}
            pool_uid={allPools ? undefined : shown.pool_uid}
            at={at}
            who={allPools ? 'All Pools' : shown.customer_name}
            onScope={setAllPools}
          />
        )}
      </Panes>
    </>
  )
}

function NoAccounts({ at, showNow }: { at: string | undefined; showNow: () => void }) {
  return (
    <>
      <ScreenBar>
        <h1>{TITLE}</h1>
      </ScreenBar>
      {at === undefined ? (
        <EmptyList
          title="Accounts hold the money of your Customers"
          text="This Program has none yet. Accounts are opened when a Customer is onboarded and passes verification."
          endpoint="onboardCustomer"
        >
          <li>
            Create a Customer, then send the example for it: <ScreenLink screen="customers">Customers</ScreenLink>
          </li>
          <OnboardCustomer />
          <RunScenario />
        </EmptyList>
      ) : (
        <EmptyState title="This Program had no accounts at that time.">
          <li>
            <Button onClick={showNow}>Show current accounts</Button>
          </li>
        </EmptyState>
      )}
    </>
  )
}

interface AsOfProps {
  readonly program_uid: string | undefined
  readonly at: string | undefined
  readonly onChange: (at: string | undefined) => void
}

const DAYS = 20
const NOW = 'now'

/** Shows the accounts as of now or of an earlier daily close. A close covers everything before its instant. */
function AsOf({ program_uid, at, onChange }: AsOfProps) {
  const { data } = useQuery('ledger.reconciliation', program_uid === undefined ? null : { program_uid, days: DAYS }, [
    'custodial_account_closing_balances',
  ])
  const closes = (data?.closes ?? []).flatMap(({ at: close, day }) => (day === null ? [] : [close])).reverse()
  const instants = at === undefined || closes.includes(at) ? closes : [at, ...closes]
  return (
    <RadioMenu
      trigger={
        <Button>
          As of: {at === undefined ? NOW : formatClose(at, closes)}
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
      align="end"
      value={at ?? NOW}
      onChange={(value) => onChange(value === NOW ? undefined : value)}
      options={[NOW, ...instants].map((value) => ({ value, label: value === NOW ? NOW : formatClose(value, closes) }))}
    />
  )
}

const formatClose = (at: string, closes: readonly string[]) =>
  closes.includes(at) ? `close of ${formatLongDay(Date.parse(at) - 1)}` : formatInstant(Date.parse(at))

interface ExportCsvProps {
  readonly accounts: readonly LedgerAccount[]
  readonly filtered: boolean
  readonly account: LedgerAccount | undefined
  readonly at: string | undefined
}

const CSV = 'text/csv;charset=utf-8'

/** Saves the filtered accounts, or all entries of one account, as a CSV file. */
function ExportCsv({ accounts, filtered, account, at }: ExportCsvProps) {
  const [progress, setProgress] = useState('')
  const isCanceled = useRef(false)
  const day = () => formatIsoDate(at === undefined ? simulatedNow(useFeed.getState()) : Date.parse(at) - 1)
  const save = async (name: string, csv: string, contents: string) =>
    (await saveFile(name, csv, CSV)) ? `${name}: ${contents}` : NOT_SAVED
  const saveAccounts = async () =>
    save(`accounts ${day()}.csv`, formatAccountsCsv(accounts), plural(accounts.length, 'account'))
  const saveEntries = async (account_uid: string) => {
    isCanceled.current = false
    const lines: LedgerLine[] = []
    for (let total = 1; lines.length < total; ) {
      const input = { account_uid, limit: PAGE, offset: lines.length, ...(at === undefined ? {} : { at }) }
      const page = await sandbox['ledger.lines'](input)
      if (isCanceled.current) return NOT_SAVED
      lines.push(...page.data)
      total = page.data.length === 0 ? lines.length : page.total_count
      setProgress(`${formatCount(lines.length)} of ${formatCount(total)} entries read`)
    }
    const name = `entries of ${account_uid} ${day()}.csv`
    return save(name, formatLinesCsv(lines), plural(lines.length, 'entry', 'entries'))
  }
  const { run, isBusy, result, error } = useAction((work: () => Promise<string>) => {
    setProgress('')
    return work()
  })
  const text = error === undefined ? (result ?? progress) : errorText(error)
  return (
    <>
      <span className={cx('meta cut', error !== undefined && 'bad')} style={{ maxWidth: 320 }} role="status">
        {text}
      </span>
      {isBusy && progress !== '' ? (
        <Button
          onClick={() => {
            isCanceled.current = true
          }}
        >
          Cancel
        </Button>
      ) : (
        <Menu trigger={<Button icon={Download}>Export CSV</Button>} align="end">
          <MenuItem onClick={() => void run(saveAccounts)}>
            Accounts{' '}
            <span className="meta">
              {formatCount(accounts.length)}, {filtered ? 'filtered' : 'all'}
            </span>
          </MenuItem>
          {account && (
            <MenuItem onClick={() => void run(() => saveEntries(account.uid))}>
              Entries of the account <span className="meta">{formatCount(account.lines)}, all</span>
            </MenuItem>
          )}
        </Menu>
      )}
    </>
  )
}

const ACCOUNT_FIELDS = [
  ...(['customer_uid', 'customer_name', 'book', 'uid', 'name', 'kind', 'status'] as const),
  ...(['account_number_last_four', 'balance', 'pending', 'available', 'lines'] as const),
]
const LINE_HEADERS = 'at type source destination description amount balance transaction_uid line_item_uid'.split(' ')

const formatAccountsCsv = (accounts: readonly LedgerAccount[]): string =>
  formatCsv([
    ACCOUNT_FIELDS.map((field) => field.replace('customer_name', 'customer')),
    ...accounts.map((account) => ACCOUNT_FIELDS.map((field) => account[field])),
  ])

const formatLinesCsv = (lines: readonly LedgerLine[]): string =>
  formatCsv([
    LINE_HEADERS,
    ...lines.map(({ at, type, source, destination, purpose, amount, running, transaction_uid, uid }) => [
      ...[at, type, source.name, destination.name, purpose],
      ...[amount, running, transaction_uid, uid],
    ]),
  ])
