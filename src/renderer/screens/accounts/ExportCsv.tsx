import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type { LedgerAccount, LedgerLine } from '../../../api/contract/control/ledger.ts'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatIsoDate } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { downloadFile } from '../../ui/download.ts'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { formatAccountsCsv, formatLinesCsv } from './csv.ts'
import { PAGE } from './use-entries.ts'

interface ExportCsvProps {
  readonly accounts: readonly LedgerAccount[]
  readonly filtered: boolean
  readonly account: LedgerAccount | undefined
  readonly at: string | undefined
}

const CSV = 'text/csv;charset=utf-8'

/** Saves the filtered accounts, or all entries of one account, as a CSV file. */
export function ExportCsv({ accounts, filtered, account, at }: ExportCsvProps) {
  const [status, setStatus] = useState<{ text: string; failed?: boolean; busy?: boolean }>({ text: '' })
  const isCanceled = useRef(false)
  const day = () => formatIsoDate(at === undefined ? simulatedNow(useFeed.getState()) : Date.parse(at) - 1)
  const saveAccounts = () => {
    const name = `accounts ${day()}.csv`
    downloadFile(name, formatAccountsCsv(accounts), CSV)
    setStatus({ text: `${name}: ${plural(accounts.length, 'account')}` })
  }
  const saveEntries = async ({ uid }: LedgerAccount) => {
    isCanceled.current = false
    const lines: LedgerLine[] = []
    try {
      for (let total = 1; lines.length < total; ) {
        const page = await sandbox['ledger.lines']({
          account_uid: uid,
          limit: PAGE,
          offset: lines.length,
          ...(at === undefined ? {} : { at }),
        })
        if (isCanceled.current) return setStatus({ text: 'Canceled: no file was saved.' })
        lines.push(...page.data)
        total = page.data.length === 0 ? lines.length : page.total_count
        if (lines.length < total)
          setStatus({ text: `${formatCount(lines.length)} of ${formatCount(total)} entries read`, busy: true })
      }
      const name = `entries of ${uid} ${day()}.csv`
      downloadFile(name, formatLinesCsv(lines), CSV)
      setStatus({ text: `${name}: ${plural(lines.length, 'entry', 'entries')}` })
    } catch (error) {
      setStatus({ text: errorText(error), failed: true })
    }
  }
  return (
    <>
      <span className={cx('meta cut', status.failed && 'bad')} style={{ maxWidth: 320 }} role="status">
        {status.text}
      </span>
      {status.busy ? (
        <Button
          onClick={() => {
            isCanceled.current = true
          }}
        >
          Cancel
        </Button>
      ) : (
        <Menu
          trigger={
            <Button>
              <Download size={12} strokeWidth={1.8} aria-hidden="true" />
              Export CSV
            </Button>
          }
          align="end"
        >
          <MenuItem onClick={saveAccounts}>
            Accounts{' '}
            <span className="meta">
              {formatCount(accounts.length)}, {filtered ? 'filtered' : 'all'}
            </span>
          </MenuItem>
          {account && (
            <MenuItem onClick={() => void saveEntries(account)}>
              Entries of the account <span className="meta">{formatCount(account.lines)}, all</span>
            </MenuItem>
          )}
        </Menu>
      )}
    </>
  )
}
