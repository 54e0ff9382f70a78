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
import styles from './ExportCsv.module.css'
import { PAGE } from './use-entries.ts'

interface ExportCsvProps {
  readonly accounts: readonly LedgerAccount[]
  readonly filtered: boolean
  readonly account: LedgerAccount | undefined
  readonly at: string | undefined
}

const CSV = 'text/csv;charset=utf-8'

/** What is seen as a file: the accounts that the filters let through, or all entries of one account. */
export function ExportCsv({ accounts, filtered, account, at }: ExportCsvProps) {
  const [said, setSaid] = useState<{ text: string; failed?: boolean; busy?: boolean }>({ text: '' })
  const canceled = useRef(false)
  const day = () => formatIsoDate(at === undefined ? simulatedNow(useFeed.getState()) : Date.parse(at) - 1)
  const saveAccounts = () => {
    const name = `accounts ${day()}.csv`
    downloadFile(name, formatAccountsCsv(accounts), CSV)
    setSaid({ text: `${name}: ${plural(accounts.length, 'account')}` })
  }
  const saveEntries = async (of: LedgerAccount) => {
    canceled.current = false
    const lines: LedgerLine[] = []
    try {
      for (let total = 1; lines.length < total; ) {
        const page = await sandbox['ledger.lines']({
          account_uid: of.uid,
          limit: PAGE,
          offset: lines.length,
          ...(at === undefined ? {} : { at }),
        })
        if (canceled.current) return setSaid({ text: 'Stopped: nothing was saved.' })
        lines.push(...page.data)
        total = page.data.length === 0 ? lines.length : page.total_count
        if (lines.length < total)
          setSaid({ text: `${formatCount(lines.length)} of ${formatCount(total)} entries read`, busy: true })
      }
      const name = `entries of ${of.uid} ${day()}.csv`
      downloadFile(name, formatLinesCsv(lines), CSV)
      setSaid({ text: `${name}: ${plural(lines.length, 'entry', 'entries')}` })
    } catch (error) {
      setSaid({ text: errorText(error), failed: true })
    }
  }
  return (
    <>
      <span className={cx('meta cut', styles.result, said.failed && 'bad')} role="status">
        {said.text}
      </span>
      {said.busy ? (
        <Button
          onClick={() => {
            canceled.current = true
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
              {formatCount(accounts.length)}, {filtered ? 'as filtered' : 'all of them'}
            </span>
          </MenuItem>
          {account && (
            <MenuItem onClick={() => void saveEntries(account)}>
              Entries of the account <span className="meta">{formatCount(account.lines)}, all of them</span>
            </MenuItem>
          )}
        </Menu>
      )}
    </>
  )
}
