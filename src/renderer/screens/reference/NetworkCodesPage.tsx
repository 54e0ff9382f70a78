import { achReturnCodes, instantPaymentRejections, nocCodes } from '../../../api/contract/network-codes.ts'
import { PaneIntro } from '../../ui/Layout.tsx'
import { Part, RefTable } from './Tables.tsx'

export function NetworkCodesPage() {
  return (
    <>
      <PaneIntro as="header">
        <h2>Network codes</h2>
        <p className="soft">The codes that other banks and the networks return, as Transactions show them.</p>
      </PaneIntro>
      <Part title="ACH returns" about="what each applies to, and the time limit">
        <RefTable
          label="ACH return codes"
          heads={['Code', 'Reason', 'Applies to', 'Within']}
          widths={['64px', 'auto', '160px', '140px']}
        >
          {Object.entries(achReturnCodes).map(([code, { reason, hits, frame }]) => (
            <tr key={code}>
              <th scope="row">{code}</th>
              <td>{reason}</td>
              <td>{hits === 'both' ? 'debits and credits' : `${hits}s`}</td>
              <td>{frame}</td>
            </tr>
          ))}
        </RefTable>
      </Part>
      <CodeList title="Notifications of change" codes={nocCodes} />
      <CodeList title="Instant payment rejections" codes={instantPaymentRejections} />
    </>
  )
}

function CodeList({ title, codes }: { title: string; codes: Readonly<Record<string, string>> }) {
  return (
    <Part title={title}>
      <RefTable label={`Codes: ${title}`} heads={['Code', 'Reason']} widths={['88px', 'auto']}>
        {Object.entries(codes)
          .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
          .map(([code, reason]) => (
            <tr key={code}>
              <th scope="row">{code}</th>
              <td>{reason}</td>
            </tr>
          ))}
      </RefTable>
    </Part>
  )
}
