import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type { LedgerAccount, LedgerLine } from '../../../api/contract/control/ledger.ts'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { sandbox, useAction } from '../../data/sandbox.ts'
import { NOT_SAVED, saveFile } from '../../data/save-file.ts'
import { formatCsv } from '../../format/csv.ts'
import { errorText } from '../../format/errors.ts'
import { formatCount, formatIsoDate, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { PAGE } from './use-ledger.ts'

interface ExportCsvProps {
  readonly accounts: readonly LedgerAccount[]
  readonly filtered: boolean
  readonly account: LedgerAccount | undefined
  readonly at: string | undefined
}

const CSV = 'text/csv;charset=utf-8'

/** Saves the filtered accounts, or all entries of one account, as a CSV file. */
export function ExportCsv({ accounts, filtered, account, at }: ExportCsvProps) {
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
