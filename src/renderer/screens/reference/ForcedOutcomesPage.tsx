import { triggers } from '../../../api/contract/triggers.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { RefTable } from './Tables.tsx'

export function ForcedOutcomesPage() {
  return (
    <>
      <PaneIntro as="header">
        <h2>Outcomes you can force</h2>
        <p className="soft">
          No outcome is random: it is forced by the data of a request or by an operator decision.{' '}
          <ScreenLink screen="inject">Inject</ScreenLink> has a form for each of these.
        </p>
      </PaneIntro>
      <RefTable label="Forced outcomes" heads={['When', 'Then']} widths={['50%', '50%']}>
        {triggers.map(({ when, outcome }) => (
          <tr key={when}>
            <th scope="row">{when}</th>
            <td>{outcome}</td>
          </tr>
        ))}
      </RefTable>
    </>
  )
}
